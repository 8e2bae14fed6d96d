/// How files that hkstats writes are told apart from exports of other programs.
package enum OwnFile: Sendable, Hashable {
  /// A store, sealed or in the clear.
  case store
  /// What `hkstats export` writes for other programs, which has not everything that a store knows.
  case output

  /// "hkst", in the header of a store.
  package static let storeIdentifier = 0x686B_7374
  /// "hktb", in the header of a database of tables.
  package static let tablesIdentifier = 0x686B_7462
  /// The first bytes of a sealed store.
  package static let sealedMark = Array("hkstats sealed\r\n".utf8)
  /// The columns of a table of samples.
  package static let sampleColumns = [
    "type", "start", "end", "value", "unit", "source", "entered_by_hand", "source_version",
    "device", "created", "copies", "metadata",
  ]
  /// The first key of each object.
  package static let objectKey = "kind"

  /// Recognises a file by its first bytes.
  package init?(head: [UInt8]) {
    if head.starts(with: Self.sealedMark) {
      self = .store
      return
    }
    if head.starts(with: Array("SQLite format 3\0".utf8)), head.count >= 72 {
      let identifier = head[68..<72].reduce(0) { $0 << 8 | Int($1) }
      switch identifier {
      case Self.storeIdentifier: self = .store
      case Self.tablesIdentifier: self = .output
      default: return nil
      }
      return
    }
    let text = String(decoding: head, as: UTF8.self).drop { $0 == "\u{FEFF}" }
    let object = text.drop { $0.isWhitespace || $0 == "[" }
    guard
      text.hasPrefix(Self.sampleColumns.joined(separator: ","))
        || object.hasPrefix("{\"\(Self.objectKey)\":\"")
    else { return nil }
    self = .output
  }

  /// Recognises a folder by the names in it, in lower case.
  package init?(names: [String]) {
    let tables = ["samples.csv", "workout_statistics.csv", "correlation_members.csv"]
    guard tables.allSatisfy({ table in names.contains { $0.hasSuffix(table) } }) else { return nil }
    self = .output
  }
}
