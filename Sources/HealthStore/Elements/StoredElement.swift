import HealthLedger
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

extension ElementKey: ToldKey {
  func isSame(as other: Self) -> Bool { self == other }

  func goesOn(after other: Self) -> Bool {
    (end, start, name) > (other.end, other.start, other.name)
  }
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

/// Elements to which formats and apps give identities.
protocol ToldUnderIdentity: StoredElement {
  /// What an export says of a row besides its fields.
  static func facts(of row: Row) -> ElementFacts
}

extension ToldUnderIdentity {
  /// The metadata of a row from its stored bytes.
  static func metadata(of bytes: [UInt8]) throws(Corruption) -> Metadata {
    facts(of: try decode(bytes)).metadata
  }
}

extension Workouts: ToldUnderIdentity {
  static func facts(of row: Row) -> ElementFacts { row.facts }
}

extension Correlations: ToldUnderIdentity {
  static func facts(of row: Row) -> ElementFacts { row.facts }
}

extension ElementFacts {
  /// The key of an element with these facts.
  func key(_ name: String) -> ElementKey {
    ElementKey(name: name, source: source, start: start, end: end)
  }
}

/// An element with data in a separate file of the export, which may be missing.
protocol FiledElement: StoredElement {
  /// The length of the data of the file; 0 when it is missing.
  static func fileLength(_ row: Row) -> Int
  /// Whether the data of a row start with those of another, shorter file.
  static func file(of row: Row, beginsAs other: Row) -> Bool
  /// Copies the data of the file from other words of the element.
  static func takeFile(of other: Row, into row: inout Row)
}

extension StoredElement {
  /// Whether the compared fields are equal, or would be with the longer file of the two.
  static func agree(_ one: [UInt8], _ other: [UInt8]) throws(Corruption) -> Bool {
    guard let filed = Self.self as? any FiledElement.Type else {
      return try fields(one).agree(with: fields(other))
    }
    return try fields(filed.joined(one, [other])).agree(with: fields(filed.joined(other, [one])))
  }
}

extension FiledElement {
  /// An element with the longest file of itself and those that go on where its own ends, of equally
  /// long ones the last: a missing or truncated file never replaces a whole one.
  static func joined(_ content: [UInt8], _ others: [[UInt8]]) throws(Corruption) -> [UInt8] {
    var row = try decode(content)
    var longest: Row?
    var length = fileLength(row)
    for other in others where other != content {
      let other = try decode(other)
      guard fileLength(other) > length || longest != nil && fileLength(other) == length,
        file(of: other, beginsAs: row)
      else { continue }
      (longest, length) = (other, fileLength(other))
    }
    guard let longest else { return content }
    takeFile(of: longest, into: &row)
    return try encode(row)
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
