import HealthSamples

/// What makes two elements of a kind the same one in every export, as far as it can be told: several
/// may have one key.
struct ElementKey: Hashable {
  /// What tells elements of one kind and time apart: an activity, a type, an identifier.
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
    let none = SourceSortKey(name: "", rank: -1)
    return (left.source?.sortKey ?? none) < (right.source?.sortKey ?? none)
  }
}

/// An element that the store keeps: what makes it the same, and how its fields become bytes.
protocol StoredElement: ElementColumns {
  /// A row to read into.
  static var blank: Row { get }
  /// What makes a row the same element in every export.
  static func key(of row: Row) -> ElementKey
  /// Goes along the fields of a row.
  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(SegmentDamage)
}

extension StoredElement {
  /// A row as the store keeps it.
  static func encode(_ row: Row) throws(SegmentDamage) -> [UInt8] {
    var row = row
    let key = key(of: row)
    guard key.start.isFinite, key.end.isFinite else { throw SegmentDamage() }
    return try FieldCoder.bytes { coder throws(SegmentDamage) in try code(&row, &coder) }
  }

  /// A row from the bytes that the store keeps.
  static func decode(_ bytes: [UInt8]) throws(SegmentDamage) -> Row {
    var row = blank
    try FieldCoder.read(bytes) { coder throws(SegmentDamage) in try code(&row, &coder) }
    return row
  }

  /// What is compared of a row.
  static func fields(_ bytes: [UInt8]) throws(SegmentDamage) -> [FieldCoder.Field] {
    var row = try decode(bytes)
    return try FieldCoder.fields { coder throws(SegmentDamage) in try code(&row, &coder) }
  }
}

extension ElementFacts {
  /// The key of an element that says these things of itself.
  func key(_ name: String) -> ElementKey {
    ElementKey(name: name, source: source, start: start, end: end)
  }
}
