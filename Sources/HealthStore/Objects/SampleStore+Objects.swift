public import Foundation
import GRDB
public import HealthSamples

/// An element to save, such as a workout.
public struct NewElement: Sendable {
  /// The element, as columns of one row; its source is the app that saves it.
  public var element: ImportBatch
  /// Its identity.
  public var uuid: UUID

  /// Makes an element.
  public init(_ element: ImportBatch, uuid: UUID = UUID()) {
    self.element = element
    self.uuid = uuid
  }
}

/// Two objects that belong together.
///
/// While either is deleted nothing shows the association; when it is restored so is the association.
/// An object that an app replaces by a higher version hands its associations on to that.
public struct Association: Sendable, Hashable {
  /// What the member is to the owner; the raw value is stored.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A sample or a route that was added to a workout.
    case workout = "w"
    /// A sample that is a part of a correlation.
    case correlation = "c"
    /// A sample that tells how hard a workout was, or one of its activities.
    case effort = "e"
    /// A symptom that was noted with an electrocardiogram.
    case electrocardiogram = "g"
    /// The single measurements of a sample; they count only while it does.
    case measurements = "m"
  }

  /// The workout, correlation, electrocardiogram or sample.
  public var owner: UUID
  /// What belongs to it.
  public var member: UUID
  /// What the member is.
  public var kind: Kind
  /// The activity of a workout; `nil` for all of it.
  public var part: UUID?

  /// Makes an association.
  public init(_ owner: UUID, _ member: UUID, _ kind: Kind, part: UUID? = nil) {
    self.owner = owner
    self.member = member
    self.kind = kind
    self.part = part
  }
}

/// Objects to save together.
public struct NewObjects: Sendable {
  /// Samples.
  public var samples: [NewSample] = []
  /// Samples as rows, which takes far less time for many; none of them is a synchronised version.
  package var rows: [NewRows] = []
  /// Elements.
  public var elements: [NewElement] = []
  /// Which of them, and of the objects in the store, belong together.
  public var associations: [Association] = []

  /// No objects.
  public init() {}

  /// Samples: those without a UUID get one.
  init(_ samples: [NewSample]) {
    self.samples = samples
    for index in samples.indices where samples[index].uuid == nil {
      self.samples[index].uuid = UUID()
    }
  }
}

/// An element of a store with its identity.
public struct IdentifiedElement: Sendable {
  /// The serial.
  public let serial: Int64
  /// The UUID.
  public let uuid: UUID
  /// The element, as columns of one row, without what the reader may not see.
  public let element: ImportBatch
}

extension SampleStore {
  /// Saves samples, elements and associations in one transaction: all of them, or none.
  ///
  /// An app saves what has it as the source, of types that it may share, and is named there as the
  /// owner named it. What it may associate says <doc:Permissions>.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/knownSample(index:)`` for a UUID that the store
  ///   has, or had, and ``StoreError/Reason/invalidBatch(row:)`` for an element that cannot be saved
  ///   and for an association with an object that the store does not have
  /// - Complexity: O(*n* log *n*) for *n* objects
  public func save(_ objects: NewObjects) throws(StoreError) {
    try write(isForApps: true) { database, revision in
      _ = try save(objects, refusesKnown: true, in: database, revision: revision)
    }
  }

  /// Saves objects in a transaction; returns what the store has instead of those that it left out
  /// because it has the same version of them, or a higher one.
  func save(
    _ objects: NewObjects, refusesKnown: Bool, in database: Database, revision: Revision
  ) throws -> [UUID: UUID] {
    // First of all: what an app may not do must not show what the store has.
    let sharing = try SharePermission(of: self, in: database)
    let objects = try sharing?.checked(objects) ?? objects
    let synced = try SyncedObjects(objects, to: self, in: database)
    for rows in [try Self.rows(of: synced.objects.samples, path: path), synced.objects.rows] {
      try insert(rows, refusesKnown: refusesKnown, in: database, revision: revision)
    }
    try insert(synced.objects.elements, in: database, revision: revision)
    try associate(
      synced.objects.associations, saved: sharing == nil ? [] : synced.uuids(of: objects), sharing,
      in: database, revision: revision)
    try synced.finish(in: self, database, revision)
    return synced.replacements
  }

  func insert(_ elements: [NewElement], in database: Database, revision: Revision) throws {
    guard !elements.isEmpty else { return }
    let reader = try UUIDReader(self, database)
    var known: Set<UUID> = []
    var keys: [ElementKind: Set<ElementKey>] = [:]
    for (index, element) in elements.enumerated() {
      guard let part = try element.element.stored?.savable() else {
        throw StoreError(.invalidBatch(row: index), path: path)
      }
      guard known.insert(element.uuid).inserted, try reader.serial(of: element.uuid) == nil else {
        throw StoreError(.knownSample(index: index), path: path)
      }
      let number = try database.identifier(of: part.source)
      let serial = revision.allocateSerials(1)
      let subject = Revision.Subject(kind: part.kind.storedText, source: number)
      revision.add(serial...serial, to: subject, in: part.key.span)
      try database.insertElement(
        serial, part.kind, part.key, source: number, part.content, memberSet: Provenances.saved)
      try recordSaved(
        element.uuid,
        SavedPlace(
          serial: serial, subject: subject, name: part.name, start: part.key.start), in: database)
      keys[part.kind, default: []].insert(part.key)
    }
    // What was saved stands for what imports have.
    for (kind, keys) in keys {
      guard try !database.files(of: kind).isEmpty else { continue }
      let sets = try Provenances(database)
      var replay = try ElementReplay(kind, sets, in: database, revision: revision)
      for key in keys { try replay.decide(key) }
    }
  }

  // MARK: Associations

  /// Ends some associations, in one transaction; unknown ones are ignored.
  ///
  /// An app ends what it may make; an object that it does not see is unknown.
  ///
  /// - Returns: how many there were
  /// - Throws: ``StoreError``
  @discardableResult
  public func dissociate(_ associations: [Association]) throws(StoreError) -> Int {
    try write(isForApps: true) { database, revision in
      let ends = try AssociationEnds(associations, of: self, database)
      let sharing = try SharePermission(of: self, in: database)
      let stamp = try database.allocateStamp(at: now.instant)
      var count = 0
      var owners: Set<UUID> = []
      for (index, association) in associations.enumerated() {
        guard let owner = try ends.birth(of: association.owner),
          let member = try ends.birth(of: association.member)
        else { continue }
        try sharing.map { try ends.check(association, $0, saved: nil, index: index) }
        var isChanged = false
        for owner in try ends.references.meaning(owner, isExact: association.kind.isExact) {
          for member in try ends.references.meaning(member) {
            let stored = StoredAssociation(association, owner, member)
            guard try database.lastAct(of: stored)?.isEnded == false else { continue }
            isChanged =
              try database.record(stored, isEnded: true, at: stamp, revision) || isChanged
          }
        }
        guard isChanged else { continue }
        count += 1
        owners.insert(association.owner)
      }
      for owner in owners {
        try recordChange(of: owner, ends.reader, in: database, revision: revision)
      }
      return count
    }
  }

  /// Tells observers that something about an element is different.
  private func recordChange(
    of uuid: UUID, _ reader: UUIDReader, in database: Database, revision: Revision
  ) throws {
    guard let serial = try reader.serial(of: uuid), serial < revision.firstSerial else { return }
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT kind, start, end FROM elements WHERE id = ?"),
      arguments: [serial])
    guard let row else { return }
    let (kind, start, end): (String, Double, Double) = try row.values()
    let subject = Revision.Subject(kind: kind, source: try reader.saved(uuid)?.subject.source)
    try revision.change(
      element: serial, of: subject, in: SampleTime.closed(from: start, to: end), database,
      hasWords: true)
  }

  private func associate(
    _ associations: [Association], saved: Set<UUID>, _ sharing: SharePermission?,
    in database: Database, revision: Revision
  ) throws {
    guard !associations.isEmpty else { return }
    let ends = try AssociationEnds(associations, of: self, database)
    let births = try Births(database, revision)
    let stamp = try database.allocateStamp(at: now.instant)
    var imported: Set<Int64> = []
    var owners: Set<UUID> = []
    for (index, association) in associations.enumerated() {
      guard let owner = ends.serial(of: association.owner),
        let member = ends.serial(of: association.member)
      else { throw StoreError(.invalidBatch(row: index), path: path) }
      try sharing.map { try ends.check(association, $0, saved: saved, index: index) }
      let (first, second) = (births.birth(of: owner), births.birth(of: member))
      imported.formUnion(try [first, second].filter { try !database.isReferable($0) })
      let stored = StoredAssociation(association, first, second)
      if try database.record(stored, isEnded: false, at: stamp, revision) {
        owners.insert(association.owner)
      }
    }
    for owner in owners {
      try recordChange(of: owner, ends.reader, in: database, revision: revision)
    }
    try database.reference(imported, revision)
  }

  /// The associations of some owners, or of all, by owner and member.
  ///
  /// - Parameters:
  ///   - kind: the kind
  ///   - owners: only those of these objects, or `nil`
  /// - Returns: those of which the reader sees both objects
  /// - Throws: ``StoreError``
  /// - Complexity: O(associations of the owners)
  public func associations(
    _ kind: Association.Kind, of owners: [UUID]? = nil
  ) throws(StoreError) -> [Association] {
    try associations(kind, "owner", owners)
  }

  /// The associations of some members, as ``associations(_:of:)``.
  public func associations(
    _ kind: Association.Kind, ofMembers members: [UUID]
  ) throws(StoreError) -> [Association] {
    try associations(kind, "member", members)
  }

  private func associations(
    _ kind: Association.Kind, _ column: String, _ uuids: [UUID]?
  ) throws(StoreError) -> [Association] {
    try read { database in
      let reader = try UUIDReader(self, database)
      let references = try References(self, database)
      let births = try Births(database)
      let isExact = kind.isExact
      let isExactEnd = isExact && column == "owner"
      var rows: [StoredAssociation] = []
      if let uuids {
        for uuid in uuids {
          guard let birth = try reader.birth(of: uuid),
            try references.object(birth, isExact: isExactEnd) == birth
          else { continue }
          for birth in try references.meaning(birth, isExact: isExactEnd) {
            let bucket = birth >> 16
            try check(
              column == "owner" ? .owners(bucket: bucket) : .members(bucket: bucket), in: database)
            rows += try database.associations(kind, where: "\(column) = ?", [birth])
          }
        }
      } else {
        rows = try database.associations(kind, checkedBy: self)
      }
      let permission = try permission(in: database)
      let pairs = try rows.compactMap { row -> (owner: Int64, member: Int64, part: String)? in
        guard let owner = try references.object(row.owner, isExact: isExact),
          let member = try references.object(row.member)
        else { return nil }
        return (owner, member, row.part)
      }
      let ends = Array(Set(pairs.flatMap { [$0.owner, $0.member] }))
      let names = try reader.uuids(of: ends)
      let areVisible = try reader.areVisible(
        names, births.serials(ofBirths: ends), to: permission)
      var visible: [Int64: UUID] = [:]
      for index in ends.indices where areVisible[index] { visible[ends[index]] = names[index] }
      var shown: Set<Association> = []
      return pairs.compactMap { pair -> Association? in
        guard let owner = visible[pair.owner], let member = visible[pair.member] else { return nil }
        let association = Association(owner, member, kind, part: UUID(uuidString: pair.part))
        return shown.insert(association).inserted ? association : nil
      }
    }
  }

  // MARK: Reading

  /// Whether the reader may see objects of a type that no export has.
  ///
  /// - Complexity: O(*n*) for the objects that no export has
  package func hasSavedObjects(ofType type: String) throws(StoreError) -> Bool {
    try read { database in
      try check(.elements(.savedObject), in: database)
      let visible = try permission(in: database).condition(elements: .savedObject, of: type)
      return try Int.fetchOne(
        database,
        sql: "SELECT 1 FROM elements WHERE kind = ? AND name = ? AND \(visible) LIMIT 1",
        arguments: [ElementKind.savedObject.storedText, type]) != nil
    }
  }

  /// Visits elements of a kind with their identities, by start and serial.
  ///
  /// - Parameters:
  ///   - kind: the kind
  ///   - span: only those that end at or after its lower bound and start at or before its upper one
  ///   - serials: only those with serials of a range
  ///   - uuids: only those with these UUIDs
  ///   - isNewestFirst: whether the order is reversed
  ///   - body: gets an element; returns whether to continue. It must not ask the store
  /// - Throws: ``StoreError``, or what `body` throws
  /// - Complexity: O(*n*) for the elements of the kind; only the chosen ones are decoded
  public func forEachIdentifiedElement(
    of kind: ElementKind, in span: ClosedRange<Double>? = nil, serials: Range<Int64>? = nil,
    uuids: Set<UUID>? = nil, isNewestFirst: Bool = false,
    _ body: (IdentifiedElement) throws -> Bool
  ) throws {
    try readHandingOver { database in
      let reader = try UUIDReader(self, database)
      var condition = "elements.id >= ? AND elements.id < ?"
      var arguments: StatementArguments = [serials?.lowerBound ?? 0, serials?.upperBound ?? .max]
      if let uuids {
        // One text, because the length of a list in SQL is limited.
        let chosen = try reader.serials(of: Array(uuids)).compactMap { $0.map(String.init) }
        condition += " AND elements.id IN (SELECT value FROM json_each(?))"
        arguments += ["[\(chosen.joined(separator: ","))]"]
      }
      let elements = try visibleElements(
        of: kind, in: span.map { $0.lowerBound..<$0.upperBound.nextUp }, where: condition,
        arguments, by: ["start", "elements.id"], isNewestFirst: isNewestFirst, from: database)
      while let (serial, element) = try elements.next() {
        let found = IdentifiedElement(
          serial: serial, uuid: try reader.uuid(of: serial), element: element.batch)
        guard try Self.handOver({ try body(found) }) else { return }
      }
    }
  }
}

/// The objects of associations in one snapshot, as the reader of a store sees them.
private final class AssociationEnds {
  let reader: UUIDReader
  let references: References
  private let store: SampleStore
  private let names: SeriesNames
  /// The serials of those that the reader sees.
  private var serials: [UUID: Int64] = [:]
  /// The series of those that are samples of files, for an app.
  private var imported: [Int64: SeriesNumbers] = [:]
  private var facts: [UUID: StoredFacts] = [:]

  init(_ associations: [Association], of store: SampleStore, _ database: Database) throws {
    self.store = store
    reader = try UUIDReader(store, database)
    references = try References(store, database)
    names = try SeriesNames(database)
    let permission = try store.permission(in: database)
    let uuids = Array(Set(associations.flatMap { [$0.owner, $0.member] }))
    let saved = try reader.saved(uuids)
    let all = try reader.serials(of: uuids, saved: saved)
    let areVisible = try reader.areVisible(uuids, all, saved: saved, to: permission)
    for index in uuids.indices where areVisible[index] { serials[uuids[index]] = all[index] }
    if !permission.isOwner {
      imported = try reader.series(
        ofCounting: serials.filter { saved[$0.key] == nil }.map(\.value))
    }
  }

  /// The serial of an object that the reader sees; `nil` for any other.
  func serial(of uuid: UUID) -> Int64? { serials[uuid] }

  /// The first serial of an object that the reader sees.
  func birth(of uuid: UUID) throws -> Int64? {
    serials[uuid] == nil ? nil : try reader.birth(of: uuid)
  }

  /// Throws unless an app may make or end an association, whose ends count.
  func check(
    _ association: Association, _ sharing: SharePermission, saved: Set<UUID>?, index: Int
  ) throws {
    let isExact = association.kind.isExact
    try sharing.check(
      association, facts(association.owner, isExact, saved, index),
      facts(association.member, false, saved, index), saved: saved, index: index)
  }

  private func facts(
    _ uuid: UUID, _ isExact: Bool, _ saved: Set<UUID>?, _ index: Int
  ) throws -> StoredFacts {
    guard let serial = serials[uuid], let birth = try reader.birth(of: uuid),
      try saved?.contains(uuid) ?? false || references.object(birth, isExact: isExact) != nil,
      let found = try facts[uuid]
        ?? reader.facts(of: uuid, serial, names, imported: imported[serial])
    else { throw StoreError(.invalidBatch(row: index), path: store.path) }
    facts[uuid] = found
    return found
  }
}

extension Association.Kind {
  /// Whether a reference to an owner means no other version of it: a new correlation has samples of
  /// its own, and a new sample its own measurements.
  fileprivate var isExact: Bool { self == .correlation || self == .measurements }
}

extension StoredAssociation {
  init(_ association: Association, _ owner: Int64, _ member: Int64) {
    self.init(
      owner: owner, member: member, kind: association.kind,
      part: association.part?.uuidString ?? "")
  }
}

extension Database {
  /// Associations of a kind that are not ended, by owner and member.
  fileprivate func associations(
    _ kind: Association.Kind, where condition: String, _ arguments: StatementArguments,
    from table: String = "associations"
  ) throws -> [StoredAssociation] {
    try Row.fetchAll(
      cachedStatement(
        sql: """
          SELECT owner, member, part FROM \(table) WHERE \(condition) AND kind = ? AND isEnded = 0
          ORDER BY owner, member
          """), arguments: arguments + [kind.rawValue]
    ).map { row in
      let (owner, member, part): (Int64, Int64, String) = try row.values()
      return StoredAssociation(owner: owner, member: member, kind: kind, part: part)
    }
  }

  /// All associations of a kind by owner and member.
  fileprivate func associations(
    _ kind: Association.Kind, checkedBy store: SampleStore
  ) throws -> [StoredAssociation] {
    let buckets = try Int64.fetchAll(
      self, sql: "SELECT DISTINCT owner >> 16 FROM associations NOT INDEXED")
    for bucket in buckets { try store.check(.owners(bucket: bucket), in: self) }
    return try associations(kind, where: "TRUE", [], from: "associations NOT INDEXED")
  }
}

/// What is stored of an element to save.
struct SavablePart {
  var kind: ElementKind
  var key: ElementKey
  var source: Source
  var content: [UInt8]
  /// The identifier of its type.
  var name: String
  /// The identifiers of the types that an app must be allowed to share.
  var types: Set<String>
}

extension StoredElement {
  /// The only row; `nil` for another number of rows, and without a source, of which no one saves any.
  func savable() throws(Corruption) -> SavablePart? {
    guard rows.count == 1, let row = rows.first, let source = Self.key(of: row).source else {
      return nil
    }
    return SavablePart(
      kind: Self.kind, key: Self.key(of: row), source: source, content: try Self.encode(row),
      name: Self.type(of: row), types: Self.typesToShare(of: row))
  }
}
