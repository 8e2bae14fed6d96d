public import HealthSamples

extension ImportFormat {
  /// The format of the file or folder at a path, by what it begins with and by the names inside.
  ///
  /// What is nothing else counts as Apple's, whose reader says what is wrong with it.
  ///
  /// - Throws: `ExportError` when there is nothing at the path or it cannot be read
  public init(path: String) throws(ExportError) {
    if let names = File.names(inFolder: path, limit: 1 << 14) {
      // Apple's text may have lost its ending.
      let hasText = names.contains { !$0.contains(".") }
      self = hasText ? .appleHealth : Self(names: names)
      return
    }
    let file = try File(path: path)
    let head = try file.bytes(in: 0..<512)
    if ZipArchive.isArchive(Array(head.prefix(4))) {
      self = Self(names: try ZipArchive(file: file).entries.map(\.name))
    } else if head.starts(with: Array("SQLite format 3\0".utf8)) {
      self = .healthConnect
    } else {
      let text = head.drop { $0.isSpace || [0xEF, 0xBB, 0xBF].contains($0) }
      self =
        text.first == UInt8(ascii: "{")
        ? .healthAutoExport : Self.isTable(head) ? .simpleHealthExport : .appleHealth
    }
  }

  /// The format of a folder or an archive by the names in it; Apple's beside anything else.
  private init(names: [String]) {
    let names = names.map { $0.lowercased() }
    let endings: [(String, Self)] = [
      (".xml", .appleHealth), (".db", .healthConnect), (".json", .healthAutoExport),
      (".csv", .simpleHealthExport),
    ]
    let known = endings.first { ending, _ in names.contains { $0.hasSuffix(ending) } }
    self = known?.1 ?? .appleHealth
  }

  /// Whether a text begins as a table does: with its separator, with a mark of two-byte characters,
  /// or with the names of columns.
  private static func isTable(_ head: [UInt8]) -> Bool {
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return true }
    let line = String(decoding: head, as: UTF8.self).prefix { !$0.isNewline }.lowercased()
    return line.hasPrefix("sep=") || line.hasPrefix("\u{FEFF}sep=")
      || SimpleHealthExportReader.isHeader(line)
  }
}
