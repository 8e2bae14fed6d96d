import GRDB
package import HealthSamples

/// What a reader sees of an element.
extension ReadPermission {
  /// A row without what the reader may not see; `nil` if nothing is left.
  func visible<Columns: StoredElement>(_ row: Columns.Row, of columns: Columns.Type) -> Columns.Row?
  {
    isOwner ? row : columns.visible(row, to: self)
  }

  /// Whether the whole element is visible by its source or its type.
  fileprivate func contains(_ type: String, _ facts: ElementFacts) -> Bool {
    contains(type, from: facts.source, endingAt: facts.end)
  }

  fileprivate func contains(_ link: RecordLink) -> Bool {
    contains(link.type, from: link.source, endingAt: link.end)
  }

  /// Whether a correlation is visible, which is as visible as all its members, or would be if they
  /// ended at an instant.
  fileprivate func contains(_ row: Correlations.Row, endingAt end: Double? = nil) -> Bool {
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
      return try ImportBatch(kind, content: content, for: permission.forElement(serial))?.types
    }
    let name = try kind.typeIdentifier ?? identities.saved(identities.uuid(of: serial))?.name
    let possible = name.map { [$0] } ?? kind.possibleTypes
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
    var condition = "start <= ? AND max(start, end) >= ?"
    if let source { condition += " AND source = \(source)" }
    let bounds: StatementArguments = [span.upperBound, span.lowerBound]
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
      let end = max(start, try row.decode(atIndex: 3))
      let names = try elements.types(
        of: serial, kind, source: row.decode(atIndex: 1), endingAt: end)
      guard let names else { continue }
      let seen = Seen(
        added: isAdded ? serial...serial : nil, span: start...end, names: names)
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

extension ImportBatch {
  /// The identifiers of the types of all rows.
  var types: Set<String> {
    switch self {
    case .records(let columns): [columns.type.identifier]
    case .correlations(let columns): Set(columns.rows.map(\.type))
    case .clinicalRecords(let columns): Set(columns.rows.map(\.type))
    case .savedObjects(let columns): Set(columns.rows.map(\.type))
    case .characteristics(let columns): Set(columns.rows.flatMap { $0.entries.map(\.key) })
    case .workouts: ElementKind.workout.possibleTypes
    case .routes: ElementKind.route.possibleTypes
    case .activitySummaries: ElementKind.activitySummary.possibleTypes
    case .beatLists: ElementKind.beatList.possibleTypes
    case .electrocardiograms: ElementKind.electrocardiogram.possibleTypes
    case .audiograms: ElementKind.audiogram.possibleTypes
    case .visionPrescriptions: ElementKind.visionPrescription.possibleTypes
    }
  }
}

extension ElementKind {
  /// The identifiers of all types that elements of the kind can be of, where an app may read them.
  fileprivate var possibleTypes: Set<String> {
    switch self {
    case .savedObject: ElementKind.typesOfSavedObjects
    case .clinicalRecord:
      Set(
        Catalogue.otherTypes.filter { $0.typeClass == "HKClinicalType" }.compactMap(\.identifier))
    case .correlation: Set(Catalogue.correlationTypes.map(\.identifier.rawValue))
    case .characteristics: Set(Catalogue.characteristicTypes.map(\.identifier.rawValue))
    default: typeIdentifier.map { [$0] } ?? []
    }
  }

  /// The identifier of the type that permits a kind; `nil` where elements have types of their own.
  package var typeIdentifier: String? {
    switch self {
    case .workout: "HKWorkoutTypeIdentifier"
    case .route: "HKWorkoutRouteTypeIdentifier"
    case .activitySummary: "HKActivitySummaryTypeIdentifier"
    case .beatList: "HKDataTypeIdentifierHeartbeatSeries"
    case .electrocardiogram: "HKDataTypeIdentifierElectrocardiogram"
    case .audiogram: "HKDataTypeIdentifierAudiogram"
    case .visionPrescription: "HKVisionPrescriptionTypeIdentifier"
    case .correlation, .clinicalRecord, .characteristics, .savedObject: nil
    }
  }
}

extension ElementKind {
  /// The types of which apps save objects that no export has.
  fileprivate static let typesOfSavedObjects: Set<String> = {
    let others = Set(allCases.filter { $0 != .beatList }.compactMap(\.typeIdentifier))
    return Set(
      Catalogue.otherTypes.filter { $0.typeClass != "HKClinicalType" }.compactMap(\.identifier)
    )
    .subtracting(others)
  }()

  /// Whether elements of the kind can be of a type, or have members of it.
  func mayHave(_ identifier: String) -> Bool {
    switch self {
    case .correlation:
      Catalogue.correlationTypes.contains { row in
        row.allowed.contains { $0.rawValue == identifier }
      }
    case .clinicalRecord: identifier.hasPrefix("HKClinicalTypeIdentifier")
    case .characteristics: identifier.hasPrefix("HKCharacteristicTypeIdentifier")
    case .savedObject: ElementKind.typesOfSavedObjects.contains(identifier)
    default: typeIdentifier == identifier
    }
  }
}

extension StoredElement {
  /// The identifier of the type of all rows; empty where rows have types of their own.
  fileprivate static var type: String { kind.typeIdentifier ?? "" }
}

extension Workouts {
  /// Without the statistics, zones and records of types that the reader may not see.
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    guard permission.contains(type, row.facts) else { return nil }
    var row = row
    func isVisible(_ statistics: Statistics) -> Bool {
      permission.contains(statistics.type, row.facts)
    }
    func isVisible(_ zones: ZoneGroup) -> Bool {
      permission.contains(zones.typeIdentifier, row.facts)
    }
    row.statistics = row.statistics.filter(isVisible)
    row.activities = row.activities.map { activity in
      var activity = activity
      activity.statistics = activity.statistics.filter(isVisible)
      activity.zoneGroups = activity.zoneGroups.filter(isVisible)
      return activity
    }
    row.zoneGroups = row.zoneGroups.filter(isVisible)
    row.records = row.records.filter(permission.contains)
    return row
  }
}

extension Routes {
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.contains(type, row.facts) ? row : nil
  }
}

extension Correlations {
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.contains(row) ? row : nil
  }
}

extension Correlations.Row {
  /// Whether all members end when the correlation does, as which limits of history then take it.
  var isAsItsMembers: Bool { members.allSatisfy { $0.end == facts.end } }
}

extension ActivitySummaries {
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.mayRead(type) ? row : nil
  }
}

extension BeatLists {
  /// The beats of a record show its value, too.
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.contains(type, from: row.record.source, endingAt: row.record.end)
      && permission.contains(row.record)
      ? row : nil
  }
}

extension Electrocardiograms {
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.contains(type, row.facts) ? row : nil
  }
}

extension Audiograms {
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.contains(type, row.facts) ? row : nil
  }
}

extension VisionPrescriptions {
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    // An export does not name the source.
    permission.contains(
      type, from: row.source ?? Source(name: ""), endingAt: row.issued) ? row : nil
  }
}

extension SavedObjects {
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.contains(row.type, row.facts) ? row : nil
  }
}

extension ClinicalRecords {
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    permission.contains(row.type, from: row.source, endingAt: row.received) ? row : nil
  }
}

extension Characteristics {
  /// Only the entries of readable types.
  static func visible(_ row: Row, to permission: ReadPermission) -> Row? {
    let entries = row.entries.filter { permission.mayRead($0.key) }
    return entries.isEmpty ? nil : Metadata(entries)
  }
}
