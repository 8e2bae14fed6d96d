import HealthSamples

/// Where FHIR resources go.
protocol ResourceOutput: AnyObject {
  /// Writes the beginning.
  func begin() throws(OutputError)
  /// Writes a resource; returns `false` if there is no place for its type.
  func write(_ resource: JSON, of type: String) throws(OutputError) -> Bool
  /// Writes the end, and flushes everything.
  func end() throws(OutputError)
}

/// One Bundle of all resources.
final class BundleText: ResourceOutput {
  private let output: TextOutput
  private var isEmpty = true

  init(to output: TextOutput) { self.output = output }

  func begin() throws(OutputError) {
    try output.write(#"{"resourceType":"Bundle","type":"collection""#)
  }

  func write(_ resource: JSON, of type: String) throws(OutputError) -> Bool {
    // An empty array is not allowed, so the key is written with the first entry.
    try output.write(isEmpty ? ",\"entry\":[\n" : ",\n")
    isEmpty = false
    try output.write(JSON.object([.init("resource", resource)]).text)
    return true
  }

  func end() throws(OutputError) {
    try output.write(isEmpty ? "}\n" : "\n]}\n")
    try output.finish()
  }
}

/// A resource per line.
final class ResourceLines: ResourceOutput {
  private let output: TextOutput

  init(to output: TextOutput) { self.output = output }

  func begin() {}

  func write(_ resource: JSON, of type: String) throws(OutputError) -> Bool {
    try output.line(resource.text)
    return true
  }

  func end() throws(OutputError) { try output.finish() }
}

/// A folder with a file for each type of resource, as FHIR's bulk data has them:
/// `Observation.ndjson`.
///
/// The folder is written completely or not at all.
final class ResourceFolder: ResourceOutput {
  /// The names of all possible files: of samples, and of what providers hand over.
  static let fileNames = Set(
    (["Binary", "Observation"] + ClinicalRecords.typesOfResources.map(\.resource)).map(fileName))

  private let folder: OutputFolder
  private var files: [String: TextOutput] = [:]

  init(path: String, replacing: Bool) throws(OutputError) {
    folder = try OutputFolder(path: path, replaces: replacing, known: Self.fileNames)
  }

  func begin() {}

  func write(_ resource: JSON, of type: String) throws(OutputError) -> Bool {
    let name = Self.fileName(type)
    guard Self.fileNames.contains(name) else { return false }
    try file(name).line(resource.text)
    return true
  }

  func end() throws(OutputError) {
    for file in files.values { try file.finish() }
    try folder.finish()
  }

  private func file(_ name: String) throws(OutputError) -> TextOutput {
    if let file = files[name] { return file }
    let file = try folder.file(name, csv: CommaSeparated(isSafe: false))
    files[name] = file
    return file
  }

  private static func fileName(_ type: String) -> String { type + ".ndjson" }
}
