import Foundation

/// An export as a file, a folder or an archive.
struct ExportFiles {
  let plan: ExportPlan
  let detail: Truth.Detail

  private static let folder = "apple_health_export"

  /// Writes an archive when the name ends in `.zip`, the main file alone when in `.xml`, else a
  /// folder; gives the truth of it.
  func write(to path: String) throws(OutputError) -> Truth {
    let name = path.lowercased()
    if name.hasSuffix(".zip") { return try writeArchive(to: path) }
    if name.hasSuffix(".xml") { return try writeMainFile(to: path) }
    return try writeFolder(to: path)
  }

  private func writeMainFile(to path: String) throws(OutputError) -> Truth {
    var writer = ExportWriter(
      plan: plan, sink: PlainSink(file: try OutputFile(path: path)), detail: detail)
    try writer.writeDocument()
    return writer.truth
  }

  private func writeFolder(to path: String) throws(OutputError) -> Truth {
    let top = "\(path)/\(Self.folder)"
    try Self.makeFolder(top)
    var truth = try writeMainFile(to: "\(top)/\(plan.language.mainFile)")
    var folders: Set<Substring> = []
    try SideFiles(plan: plan).write(truth: &truth) { (file, contents) throws(OutputError) in
      let folder = file.prefix(upTo: file.lastIndex(of: "/") ?? file.startIndex)
      if folders.insert(folder).inserted { try Self.makeFolder(top + folder) }
      try OutputFile(path: top + file).write(contents)
    }
    return truth
  }

  private static func makeFolder(_ path: String) throws(OutputError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw OutputError(path: path, reason: .cannotCreate)
    }
  }

  private func writeArchive(to path: String) throws(OutputError) -> Truth {
    let zip = try ZipWriter(path: path, wallClock: plan.exported + plan.offset.seconds)
    let isLarge = try plan.estimatedCount(days: 60) > 3_500_000_000
    let main = "\(Self.folder)/\(plan.language.mainFile)"
    var writer = ExportWriter(
      plan: plan, sink: try zip.begin(main, isLarge: isLarge), detail: detail)
    try writer.writeDocument()
    var truth = writer.truth
    try zip.end(writer.finish())
    try SideFiles(plan: plan).write(truth: &truth) { (file, contents) throws(OutputError) in
      try zip.add(Self.folder + file, contents: contents)
    }
    try zip.finish()
    return truth
  }
}
