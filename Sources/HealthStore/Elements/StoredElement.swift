import HealthLedger
package import HealthSamples

/// Elements of a kind as a store has them: all that differs from kind to kind.
protocol StoredElement: Elements {
  /// The stored name of the kind; it never changes.
  static var letter: String { get }
  /// The identifier of the type that permits the kind; `nil` where elements have types of their own.
  static var typeIdentifier: String? { get }
  /// The identifiers of all types that elements can be of, where an app may read them.
  static var possibleTypes: Set<String> { get }
  /// An initial row for decoding.
  static var blank: Row { get }
  /// The columns in the form of readers.
  var batch: ImportBatch { get }

  /// Whether elements can be of a type, or have members of it.
  static func mayHave(_ identifier: String) -> Bool
  /// The key of a row, the same in every export.
  static func key(of row: Row) -> ElementKey
  /// The identifier of the type of a row.
  static func type(of row: Row) -> String
  /// The identifiers of all types of which a row shows something.
  static func types(of row: Row) -> Set<String>
  /// The identifiers of the types that an app must be allowed to share.
  static func typesToShare(of row: Row) -> Set<String>
  /// Visits the fields of a row.
  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(Corruption)
  /// A row without what an app may not see; `nil` if nothing is left.
  static func visible(_ row: Row, to permission: ReadPermission) -> Row?
}

extension StoredElement {
  static var possibleTypes: Set<String> { typeIdentifier.map { [$0] } ?? [] }
  static func mayHave(_ identifier: String) -> Bool { possibleTypes.contains(identifier) }
  static func type(of row: Row) -> String { typeIdentifier ?? "" }
  static func types(of row: Row) -> Set<String> { [type(of: row)] }
  static func typesToShare(of row: Row) -> Set<String> { types(of: row) }

  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    let key = key(of: row)
    let source = key.source ?? Source(name: "")
    return permission.contains(type(of: row), from: source, endingAt: key.end) ? row : nil
  }

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

  /// Columns of one row from its stored bytes; `nil` if a reader may not see it.
  static func one(_ bytes: [UInt8], for permission: ReadPermission) throws(Corruption) -> Self? {
    let row = try decode(bytes)
    return (permission.isOwner ? row : visible(row, to: permission)).map { Self([$0]) }
  }

  /// The compared fields of a row.
  static func fields(_ bytes: [UInt8]) throws(Corruption) -> [FieldCoder.Field] {
    var row = try decode(bytes)
    return try FieldCoder.fields { coder throws(Corruption) in try code(&row, &coder) }
  }

  /// Whether the compared fields are equal, or would be with the longer file of the two.
  static func agree(_ one: [UInt8], _ other: [UInt8]) throws(Corruption) -> Bool {
    guard let filed = Self.self as? any FiledElement.Type else {
      return try fields(one).agree(with: fields(other))
    }
    return try fields(filed.joined(one, [other])).agree(with: fields(filed.joined(other, [one])))
  }
}

extension ElementKind {
  /// The stored name of the kind.
  var storedText: String { columns.letter }
  /// The identifier of the type that permits a kind; `nil` where elements have types of their own.
  package var typeIdentifier: String? { columns.typeIdentifier }
  /// The elements of the kind in the change log.
  var subject: Revision.Subject { Revision.Subject(kind: storedText) }

  /// The kind with a stored name.
  init?(storedText text: String) {
    guard let kind = Self.allCases.first(where: { $0.storedText == text }) else { return nil }
    self = kind
  }
}

extension ImportBatch {
  /// The elements; `nil` for records.
  var stored: (any StoredElement)? { columns as? any StoredElement }

  /// One element from its stored bytes; `nil` if a reader may not see it.
  init?(_ kind: ElementKind, content: [UInt8], for permission: ReadPermission) throws(Corruption) {
    guard let columns = try kind.columns.one(content, for: permission) else { return nil }
    self = columns.batch
  }
}

/// A row with the facts that most kinds have.
protocol RowWithFacts {
  var facts: ElementFacts { get set }
  init()
}

extension StoredElement where Row: RowWithFacts {
  static var blank: Row { Row() }
}

/// Elements that apps save; the owner also saves others, and imports have all.
protocol SavedByApps: StoredElement {
  /// The metadata of a row, in which an app may name it.
  static func metadata(of row: Row) -> Metadata
  /// Whether an app may save such a row.
  static func isOfApps(_ row: Row) -> Bool
  /// The records to which a row refers; `nil` for a kind without any.
  static var links: WritableKeyPath<Row, [RecordLink]>? { get }
  /// Visits the sources of a row and of the records to which it refers.
  static func visitSources(of row: inout Row, _ body: SourceVisitor) throws(StoreError)
}

extension SavedByApps {
  typealias SourceVisitor = (inout Source) throws(StoreError) -> Void

  static func isOfApps(_ row: Row) -> Bool { true }
  static var links: WritableKeyPath<Row, [RecordLink]>? { nil }
}

extension SavedByApps where Row: RowWithFacts {
  static func metadata(of row: Row) -> Metadata { row.facts.metadata }

  static func visitSources(of row: inout Row, _ body: SourceVisitor) throws(StoreError) {
    try body(&row.facts.source)
    guard let links else { return }
    for index in row[keyPath: links].indices { try body(&row[keyPath: links][index].source) }
  }
}

/// Elements to which formats and apps give identities.
protocol ToldUnderIdentity: StoredElement where Row: RowWithFacts {}

extension ToldUnderIdentity {
  /// The metadata of a row from its stored bytes.
  static func metadata(of bytes: [UInt8]) throws(Corruption) -> Metadata {
    try decode(bytes).facts.metadata
  }
}

extension ElementFacts {
  /// The key of an element with these facts.
  func key(_ name: String) -> ElementKey {
    ElementKey(name: name, source: source, start: start, end: end)
  }
}

/// The data of a separate file of the export.
protocol ElementFile {
  var count: Int { get }
  func begins(as shorter: Self) -> Bool
}

extension [UInt8]: ElementFile {
  func begins(as shorter: Self) -> Bool { starts(with: shorter) }
}

extension LocationColumns: ElementFile {
  func begins(as shorter: Self) -> Bool {
    times.starts(with: shorter.times) && latitudes.starts(with: shorter.latitudes)
      && longitudes.starts(with: shorter.longitudes)
  }
}

/// An element with data in a separate file of the export, which may be missing.
protocol FiledElement: StoredElement {
  associatedtype File: ElementFile
  /// The data of the file; none when it is missing.
  static var file: WritableKeyPath<Row, File> { get }
}

extension FiledElement {
  /// An element with the longest file of itself and those that go on where its own ends, of equally
  /// long ones the last: a missing or truncated file never replaces a whole one.
  static func joined(_ content: [UInt8], _ others: [[UInt8]]) throws(Corruption) -> [UInt8] {
    var row = try decode(content)
    let own = row[keyPath: file]
    var longest: File?
    for other in others where other != content {
      let other = try decode(other)[keyPath: file]
      guard other.count > longest?.count ?? own.count || longest?.count == other.count,
        other.begins(as: own)
      else { continue }
      longest = other
    }
    guard let longest else { return content }
    row[keyPath: file] = longest
    return try encode(row)
  }
}
