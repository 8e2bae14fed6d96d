import HealthSamples

/// The identity of an element across exports, which is not unique: several elements may have the
/// same key.
struct ElementKey: Hashable {
  /// What distinguishes elements of one kind and time: an activity, a type, an identifier.
  var name: String
  /// The source; `nil` where the kind has none.
  var source: Source?
  var start: Double
  var end: Double
}

extension ElementKey: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    if left.start != right.start { return left.start < right.start }
    if left.end != right.end { return left.end < right.end }
    if left.name != right.name { return left.name < right.name }
    guard let source = right.source else { return false }
    return left.source.map { $0 < source } ?? true
  }
}

/// An element in a store: its key, and the encoding of its fields.
protocol StoredElement: Elements {
  /// An initial row for decoding.
  static var blank: Row { get }
  /// The key of a row, the same in every export.
  static func key(of row: Row) -> ElementKey
  /// Visits the fields of a row.
  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(Corruption)
  /// A row without what a reader may not see; `nil` if nothing is left.
  static func visible(_ row: Row, to permission: ReadPermission) -> Row?
}

extension StoredElement {
  /// The stored bytes of a row.
  static func encode(_ row: Row) throws(Corruption) -> [UInt8] {
    var row = row
    let key = key(of: row)
    guard key.start.isFinite, key.end.isFinite else { throw Corruption() }
    return try FieldCoder.bytes { coder throws(Corruption) in try code(&row, &coder) }
  }

  /// A row from its stored bytes.
  static func decode(_ bytes: [UInt8]) throws(Corruption) -> Row {
    var row = blank
    try FieldCoder.read(bytes) { coder throws(Corruption) in try code(&row, &coder) }
    return row
  }

  /// The compared fields of a row.
  static func fields(_ bytes: [UInt8]) throws(Corruption) -> [FieldCoder.Field] {
    var row = try decode(bytes)
    return try FieldCoder.fields { coder throws(Corruption) in try code(&row, &coder) }
  }
}

extension ElementFacts {
  /// The key of an element with these facts.
  func key(_ name: String) -> ElementKey {
    ElementKey(name: name, source: source, start: start, end: end)
  }
}

/// The content of an element, and the dates of the newest exports that contained it.
struct ElementVersion: Equatable {
  var content: [UInt8]
  /// The number of equal copies in an export.
  var copies: Int
  /// The date of the newest export that contained it, in seconds since 2001-01-01 UTC.
  var lastSeen: Double
  /// The date of the newest export that contained its file.
  var fileLastSeen: Double

  /// Both dates as stored, given the date of the newest export of all.
  func dates(whenNewest newest: Double) -> [Double?] {
    [lastSeen, fileLastSeen].map { $0 == newest ? nil : $0 }
  }
}

/// An element with data in a separate file of the export, which may be missing.
protocol FiledElement: StoredElement {
  /// The length of the data of the file; 0 when it is missing.
  static func fileLength(_ row: Row) -> Int
  /// Whether the data of a row start with those of another, shorter file.
  static func file(of row: Row, beginsAs other: Row) -> Bool
  /// Copies the data of the file from another version of the element.
  static func takeFile(of other: Row, into row: inout Row)
}

extension StoredElement {
  /// Joins two versions of one element: the fields of the later one, with the file of the later one
  /// that has it.
  ///
  /// The result does not depend on the order of the two; for equal dates the bytes decide.
  static func joined(
    _ one: ElementVersion, _ other: ElementVersion
  ) throws(Corruption) -> ElementVersion {
    let (older, newer) =
      one.lastSeen == other.lastSeen
      ? (one.content.lexicographicallyPrecedes(other.content) ? (one, other) : (other, one))
      : (one.lastSeen < other.lastSeen ? (one, other) : (other, one))
    var joined = newer
    joined.copies = max(one.copies, other.copies)
    guard let filed = Self.self as? any FiledElement.Type else { return joined }
    if let content = try filed.withFile(newer, of: older) {
      joined.content = content
      joined.fileLastSeen = older.fileLastSeen
    }
    return joined
  }

  /// A candidate with the stored file if it has none itself.
  static func completed(
    _ content: [UInt8], by stored: [UInt8]
  ) throws(Corruption) -> [UInt8] {
    guard let filed = Self.self as? any FiledElement.Type else { return content }
    return try filed.withMissingFile(content, of: stored)
  }

  /// Whether the file of an element was read.
  static func hasFile(_ content: [UInt8]) throws(Corruption) -> Bool {
    try (Self.self as? any FiledElement.Type)?.hasFile(content) ?? false
  }
}

extension FiledElement {
  /// The content of the later version with the file of the earlier one, if that is better: a
  /// truncated file never replaces a whole one, however late it comes.
  fileprivate static func withFile(
    _ newer: ElementVersion, of older: ElementVersion
  ) throws(Corruption) -> [UInt8]? {
    var row = try decode(newer.content)
    let other = try decode(older.content)
    let (length, otherLength) = (fileLength(row), fileLength(other))
    let isOthers =
      if length < otherLength, file(of: other, beginsAs: row) {
        true
      } else if otherLength < length, file(of: row, beginsAs: other) {
        false
      } else {
        newer.fileLastSeen < older.fileLastSeen
      }
    guard isOthers else { return nil }
    takeFile(of: other, into: &row)
    return try encode(row)
  }

  fileprivate static func withMissingFile(
    _ content: [UInt8], of stored: [UInt8]
  ) throws(Corruption) -> [UInt8] {
    var row = try decode(content)
    let other = try decode(stored)
    guard fileLength(row) < fileLength(other), file(of: other, beginsAs: row) else {
      return content
    }
    takeFile(of: other, into: &row)
    return try encode(row)
  }

  fileprivate static func hasFile(_ content: [UInt8]) throws(Corruption) -> Bool {
    try fileLength(decode(content)) > 0
  }
}

extension Routes: FiledElement {
  static func fileLength(_ row: Row) -> Int { row.locations.count }

  static func file(of row: Row, beginsAs other: Row) -> Bool {
    let (all, part) = (row.locations, other.locations)
    return all.times.starts(with: part.times) && all.latitudes.starts(with: part.latitudes)
      && all.longitudes.starts(with: part.longitudes)
  }

  static func takeFile(of other: Row, into row: inout Row) { row.locations = other.locations }
}

extension ClinicalRecords: FiledElement {
  static func fileLength(_ row: Row) -> Int { row.resource.count }

  static func file(of row: Row, beginsAs other: Row) -> Bool {
    row.resource.starts(with: other.resource)
  }

  static func takeFile(of other: Row, into row: inout Row) { row.resource = other.resource }
}
