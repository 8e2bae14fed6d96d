/// How files that hkstats writes are told apart from exports of other programs.
///
/// Each file says itself what it is, whatever its name and whatever lies beside it, also after a
/// spreadsheet has saved it again.
package enum OwnFile: Sendable, Hashable {
  /// A store, sealed or in the clear.
  case store
  /// What hkstats writes for other programs, which has not everything that a store knows.
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
    "device", "created", "copies", "metadata", "product_type", "operating_system",
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
    // The names are ASCII, also in UTF-16, of which only the zero bytes and the mark remain.
    let text = head.drop { !(0x09...0x7E).contains($0) }.filter { $0 != 0 }
    guard Self.isObject(text) || OwnFile(columns: Self.columns(of: text)) != nil else { return nil }
    self = .output
  }

  /// Recognises a table by the names of its columns, in any order, among others.
  ///
  /// Samples and elements say whether they were entered by hand, the statistics of a workout in which
  /// unit they were recorded. Answers to questions say their type and time zone, and with a value of
  /// what statistic it is.
  package init?(columns: [String]) {
    let names = Set(columns.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } })
    let isAnswer =
      names.isSuperset(of: ["start", "end", "type", "timezone"])
      && (names.contains("statistic") || !names.contains("value"))
    guard isAnswer || !names.isDisjoint(with: ["enteredbyhand", "recordedunit"]) else { return nil }
    self = .output
  }

  /// Whether a text begins with an object, or a list of them, with our first key or, where another
  /// program has sorted the keys, one that is in all samples.
  private static func isObject(_ text: [UInt8]) -> Bool {
    let plain = text.filter { $0 > 0x20 }.drop { $0 == UInt8(ascii: "[") }
    guard plain.first == UInt8(ascii: "{") else { return false }
    let object = String(decoding: plain, as: UTF8.self)
    return object.hasPrefix("{\"\(objectKey)\":\"") || object.contains("\"enteredByHand\":")
  }

  /// The names in the first line of a table, whatever separates and quotes them.
  private static func columns(of text: [UInt8]) -> [String] {
    let lines = text.split { $0 == 0x0A || $0 == 0x0D }
    let header = lines.first { !$0.starts(with: "sep=".utf8) } ?? []
    return header.split { ",;\t|".utf8.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
  }
}
