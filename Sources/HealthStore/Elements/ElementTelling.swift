import HealthSamples

/// What exports say of an element, and when the newest of them were made.
struct ElementTelling: Equatable {
  var content: [UInt8]
  /// How many equal ones an export held.
  var copies: Int
  /// When the newest export was made that told of it, in seconds since 2001-01-01 UTC.
  var told: Double
  /// When the newest export was made that had the file which the element names.
  var fileTold: Double

  /// Both dates as the store keeps them, when the newest export of all was made at an instant.
  func dates(whenNewest newest: Double) -> [Double?] {
    [told, fileTold].map { $0 == newest ? nil : $0 }
  }
}

/// An element that names a file beside the text of the export, which may be missing there.
protocol FiledElement: StoredElement {
  /// How much of the file was read; 0 when it is missing.
  static func fileLength(_ row: Row) -> Int
  /// Whether the file of a row begins as that of another, shorter one does.
  static func file(of row: Row, beginsAs other: Row) -> Bool
  /// Takes over what the file of another telling of the element says.
  static func takeFile(of other: Row, into row: inout Row)
}

extension StoredElement {
  /// What two exports say of one element: the words of the later one, with the file of the later of
  /// those that had it.
  ///
  /// The answer is the same whichever of the two is asked; of equal dates the bytes decide.
  static func joined(
    _ one: ElementTelling, _ other: ElementTelling
  ) throws(SegmentDamage) -> ElementTelling {
    let (older, newer) =
      one.told == other.told
      ? (one.content.lexicographicallyPrecedes(other.content) ? (one, other) : (other, one))
      : (one.told < other.told ? (one, other) : (other, one))
    var joined = newer
    joined.copies = max(one.copies, other.copies)
    guard let filed = Self.self as? any FiledElement.Type else { return joined }
    if let content = try filed.withFile(newer, of: older) {
      joined.content = content
      joined.fileTold = older.fileTold
    }
    return joined
  }

  /// A candidate with the file of the store where it lacks its own.
  static func completed(
    _ content: [UInt8], by stored: [UInt8]
  ) throws(SegmentDamage) -> [UInt8] {
    guard let filed = Self.self as? any FiledElement.Type else { return content }
    return try filed.withMissingFile(content, of: stored)
  }

  /// Whether the file that an element names was read.
  static func hasFile(_ content: [UInt8]) throws(SegmentDamage) -> Bool {
    try (Self.self as? any FiledElement.Type)?.hasFile(content) ?? false
  }
}

extension FiledElement {
  /// The content of the later telling with the file of the earlier one, where that is the better:
  /// a file that was cut says less than the whole one, however late it comes.
  fileprivate static func withFile(
    _ newer: ElementTelling, of older: ElementTelling
  ) throws(SegmentDamage) -> [UInt8]? {
    var row = try decode(newer.content)
    let other = try decode(older.content)
    let (length, otherLength) = (fileLength(row), fileLength(other))
    let isOthers =
      if length < otherLength, file(of: other, beginsAs: row) {
        true
      } else if otherLength < length, file(of: row, beginsAs: other) {
        false
      } else {
        newer.fileTold < older.fileTold
      }
    guard isOthers else { return nil }
    takeFile(of: other, into: &row)
    return try encode(row)
  }

  fileprivate static func withMissingFile(
    _ content: [UInt8], of stored: [UInt8]
  ) throws(SegmentDamage) -> [UInt8] {
    var row = try decode(content)
    let other = try decode(stored)
    guard fileLength(row) < fileLength(other), file(of: other, beginsAs: row) else {
      return content
    }
    takeFile(of: other, into: &row)
    return try encode(row)
  }

  fileprivate static func hasFile(_ content: [UInt8]) throws(SegmentDamage) -> Bool {
    try fileLength(decode(content)) > 0
  }
}

extension RouteColumns: FiledElement {
  static func fileLength(_ row: Row) -> Int { row.locations.count }

  static func file(of row: Row, beginsAs other: Row) -> Bool {
    let (all, part) = (row.locations, other.locations)
    return all.times.starts(with: part.times) && all.latitudes.starts(with: part.latitudes)
      && all.longitudes.starts(with: part.longitudes)
  }

  static func takeFile(of other: Row, into row: inout Row) { row.locations = other.locations }
}

extension ClinicalRecordColumns: FiledElement {
  static func fileLength(_ row: Row) -> Int { row.resource.count }

  static func file(of row: Row, beginsAs other: Row) -> Bool {
    row.resource.starts(with: other.resource)
  }

  static func takeFile(of other: Row, into row: inout Row) { row.resource = other.resource }
}
