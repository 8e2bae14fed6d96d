public import HealthSamples

extension ImportFormat {
  /// The format of the file or folder at a path, by what it begins with and by the names inside.
  ///
  /// What is nothing else counts as Apple's, whose reader says what is wrong with it.
  ///
  /// - Throws: ``ExportError`` when there is nothing at the path or it cannot be read
  public init(path: String) throws(ExportError) {
    if let names = File.names(inFolder: path, limit: 1 << 12) {
      let hasText = names.contains { $0.lowercased().hasSuffix(".xml") || !$0.contains(".") }
      self = !hasText && names.contains(where: Self.isTable) ? .simpleHealthExport : .appleHealth
      return
    }
    let file = try File(path: path)
    let head = try file.bytes(in: 0..<512)
    if ZipArchive.isArchive(Array(head.prefix(4))) {
      self = Self(entries: try ZipArchive(file: file).entries.map(\.name))
    } else if head.starts(with: Array("SQLite format 3\0".utf8)) {
      self = .healthConnect
    } else {
      let text = head.drop { $0.isSpace || [0xEF, 0xBB, 0xBF].contains($0) }
      self =
        text.first == UInt8(ascii: "{")
        ? .healthAutoExport
        : text.starts(with: Array("sep=".utf8)) || Self.isTable(path)
          ? .simpleHealthExport : .appleHealth
    }
  }

  private init(entries: [String]) {
    let names = entries.map { $0.lowercased() }
    if names.contains(where: { $0.hasSuffix(".xml") }) {
      self = .appleHealth
    } else if names.contains(where: { $0.hasSuffix(".db") }) {
      self = .healthConnect
    } else {
      self = names.contains(where: Self.isTable) ? .simpleHealthExport : .appleHealth
    }
  }

  private static func isTable(_ name: String) -> Bool { name.lowercased().hasSuffix(".csv") }
}
