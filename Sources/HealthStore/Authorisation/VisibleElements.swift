import GRDB
import HealthSamples

/// What a reader sees of an element.
extension ReadPermission {
  /// Whether the whole element is visible by its source or its type.
  func contains(_ type: String, _ facts: ElementFacts) -> Bool {
    contains(type, from: facts.source, endingAt: facts.end)
  }

  func contains(_ link: RecordLink) -> Bool {
    contains(link.type, from: link.source, endingAt: link.end)
  }

  /// Whether a correlation is visible, which is as visible as all its members, or would be if they
  /// ended at an instant.
  func contains(_ row: Correlations.Row, endingAt end: Double? = nil) -> Bool {
    guard !row.members.isEmpty else {
      return contains(row.type, from: row.facts.source, endingAt: end ?? row.facts.end)
    }
    return row.members.allSatisfy {
      contains($0.type, from: $0.source, endingAt: end ?? $0.end)
    }
  }
}

/// What a reader sees of elements by their serials, also of those that do not count any more.
struct SeenElements {
  private let database: Database
  private var permission: ReadPermission
  private let identities: UUIDReader
  private let births: Births
  /// The hidden words of elements that counted, the last of each, by kind and first serial.
  private var hidden: [ElementKind: [Int64: Int64]] = [:]

  init(_ store: SampleStore, _ database: Database, _ permission: ReadPermission) throws {
    (self.database, self.permission) = (database, permission)
    identities = try UUIDReader(store, database)
    births = try Births(database)
  }

  /// The types that an element shows to the reader, by a serial that it has or had; `nil` if the
  /// reader sees nothing of it.
  ///
  /// Where no words of an element are left its type and its end decide. Of an imported one, which an
  /// import that was undone had alone, not even the type is known: who may read a type of the kind
  /// sees it.
  ///
  /// - Parameters:
  ///   - serial: the serial
  ///   - kind: the kind
  ///   - source: the number of the source of a saved one
  ///   - end: when it ended, of which a deletion keeps what decides; `nil` where it is not known
  /// - Returns: the types
  /// - Throws: an error of the database
  /// - Complexity: O(log *n*); O(*n*) once for *n* elements of a kind that do not count
  mutating func types(
    of serial: Int64, _ kind: ElementKind, source: Int64?, endingAt end: Double?
  ) throws -> Set<String>? {
    if let content = try content(of: serial, kind), !content.isEmpty {
      return try kind.columns.one(content, for: permission.forElement(serial))?.types
    }
    let name = try kind.typeIdentifier ?? identities.saved(identities.uuid(of: serial))?.name
    let possible = name.map { [$0] } ?? kind.columns.possibleTypes
    if permission.isShown(serial) || permission.contains(type: nil, source: source) {
      return possible
    }
    if let name { return permission.mayRead(name, endingAt: end) ? possible : nil }
    return permission.mayRead(anyOf: kind, endingAt: end) ? possible : nil
  }

  /// The types that elements show which are alike but for their ends, by the serial of one of them and
  /// the last end; `nil` if the reader sees nothing of them.
  mutating func types(
    ofThoseLike serial: Int64, _ kind: ElementKind, source: Int64?, endingBy last: Double
  ) throws -> Set<String>? {
    if let types = try types(of: serial, kind, source: source, endingAt: last) { return types }
    // That one may be too early to be seen, and a later one not.
    guard permission.hasLimits else { return nil }
    if kind == .correlation {
      guard let content = try content(of: serial, kind), !content.isEmpty else { return nil }
      let row = try Correlations.decode(content)
      return row.isAsItsMembers && permission.contains(row, endingAt: last) ? [row.type] : nil
    }
    var whole = self
    whole.permission = permission.withoutLimits
    defer { hidden = whole.hidden }
    let types = try whole.types(of: serial, kind, source: source, endingAt: last)
    let late = (types ?? []).filter { permission.mayRead($0, endingAt: last) }
    return late.isEmpty ? nil : late
  }

  /// Whether the reader sees a row that was deleted, of samples or of a kind, and whether its names:
  /// these only if it is certain that it saw the row.
  mutating func sees(
    _ row: Tombstones.Row, _ kind: ElementKind?
  ) throws -> (isSeen: Bool, hasNames: Bool) {
    let (type, source) = (row.subject.type, row.subject.source)
    guard let kind else {
      if permission.isShown(row.serial) { return (true, true) }
      let isCertain = row.end != nil || permission.containsAll(type: type, source: source)
      return (permission.contains(type: type, source: source, endingAt: row.end), isCertain)
    }
    let isSeen = try types(of: row.serial, kind, source: source, endingAt: row.end) != nil
    if !isSeen || row.end != nil { return (isSeen, isSeen) }
    return (true, try types(of: row.serial, kind, source: source, endingAt: -.infinity) != nil)
  }

  private mutating func content(of serial: Int64, _ kind: ElementKind) throws -> [UInt8]? {
    let birth = births.birth(of: serial)
    for serial in Set([serial, births.serial(ofBirth: birth)]) {
      if let element = try database.elementContent(withSerial: serial), element.kind == kind {
        return element.content
      }
    }
    let known = try hidden[kind] ?? hiddenElements(of: kind)
    hidden[kind] = known
    return try known[birth].map { try database.elementContent($0, isHidden: true) }
  }

  private func hiddenElements(of kind: ElementKind) throws -> [Int64: Int64] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT birth, id FROM hiddenElements INDEXED BY hiddenElementsInTime
        WHERE kind = ? AND birth > 0 ORDER BY id
        """, arguments: [kind.storedText])
    return Dictionary(
      try rows.map { (try $0.decode(atIndex: 0), try $0.decode(atIndex: 1)) },
      uniquingKeysWith: { $1 })
  }
}

/// What an app sees of the entries of the change log that are about elements.
struct ChangedElements {
  struct Seen {
    /// The serials of added elements that the reader sees; `nil` if it sees none.
    var added: ClosedRange<Int64>?
    /// The time of what it sees.
    var span: ClosedRange<Double>
    /// The types of what it sees.
    var names: Set<String>
  }

  private let database: Database
  private let permission: ReadPermission
  private var elements: SeenElements

  init(_ store: SampleStore, _ database: Database, _ permission: ReadPermission) throws {
    (self.database, self.permission) = (database, permission)
    elements = try SeenElements(store, database, permission)
  }

  /// What the reader sees of an entry; `nil` for nothing.
  ///
  /// - Parameters:
  ///   - kind: the kind of the elements
  ///   - source: the source of saved ones
  ///   - serials: as the entry has them
  ///   - span: the time of all
  /// - Returns: what it sees
  /// - Throws: an error of the database
  /// - Complexity: O(1) for a kind whose one type it may read, else O(elements of the entry)
  mutating func seen(
    _ kind: ElementKind, source: Int64?, serials: (first: Int64, last: Int64),
    in span: ClosedRange<Double>
  ) throws -> Seen? {
    let added = serials.first > 0 ? serials.first...serials.last : nil
    // The beats of a record need permission for its type, too.
    if kind != .beatList, let type = kind.typeIdentifier, permission.mayReadAll(type) {
      return Seen(added: added, span: span, names: [type])
    }
    if let added {
      return try seen(
        kind, isAdded: true, "id BETWEEN ? AND ?", [added.lowerBound, added.upperBound])
    }
    if serials.first == 0, serials.last > 0 {
      let names = try elements.types(
        ofThoseLike: serials.last, kind, source: source, endingBy: span.upperBound)
      return names.map { Seen(added: nil, span: span, names: $0) }
    }
    // A joined entry, or one of an earlier version: what it is about is told by time and source.
    var condition = SampleTime.elementIsInRange
    if let source { condition += " AND source = \(source)" }
    let bounds: StatementArguments = [span.upperBound.nextUp, span.lowerBound]
    var all = try seen(kind, condition, bounds)
    if let hidden = try seen(kind, isHidden: true, condition, bounds) {
      all = all?.union(hidden) ?? hidden
    }
    guard var all else { return nil }
    all.span = all.span.clamped(to: span)
    return all
  }

  /// What the reader sees of the elements that meet a condition.
  private mutating func seen(
    _ kind: ElementKind, isHidden: Bool = false, isAdded: Bool = false, _ condition: String,
    _ arguments: StatementArguments
  ) throws -> Seen? {
    let rows = try Row.fetchAll(
      database,
      sql: isHidden
        ? """
        SELECT birth, source, start, end FROM hiddenElements
        WHERE kind = ? AND birth > 0 AND \(condition)
        """
        : """
        SELECT id, source, start, end FROM elements
        WHERE kind = ? AND \(condition) AND \(permission.condition(elements: kind))
        """, arguments: [kind.storedText] + arguments)
    var all: Seen?
    for row in rows {
      let serial: Int64 = try row.decode(atIndex: 0)
      let start: Double = try row.decode(atIndex: 2)
      let time = SampleTime.closed(from: start, to: try row.decode(atIndex: 3))
      let names = try elements.types(
        of: serial, kind, source: row.decode(atIndex: 1), endingAt: time.upperBound)
      guard let names else { continue }
      let seen = Seen(added: isAdded ? serial...serial : nil, span: time, names: names)
      all = all?.union(seen) ?? seen
    }
    return all
  }
}

extension ChangedElements.Seen {
  /// Both.
  fileprivate func union(_ other: Self) -> Self {
    let added = added.map { added in other.added.map(added.union) ?? added } ?? other.added
    return Self(added: added, span: span.union(other.span), names: names.union(other.names))
  }
}

extension StoredElement {
  /// The identifiers of the types of all rows.
  fileprivate var types: Set<String> { rows.reduce(into: []) { $0.formUnion(Self.types(of: $1)) } }
}
