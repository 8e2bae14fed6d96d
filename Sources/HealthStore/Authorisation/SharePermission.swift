import Foundation
import GRDB
import HealthSamples

/// What an app may save, change and delete: the one place that decides it.
///
/// An app changes what is its own, which is what has its bundle identifier as the source, and only
/// while it may share the types of it. It names neither: the source of what it saves has the bundle
/// identifier of the view and the name that the owner gave.
struct SharePermission {
  private let store: SampleStore
  private let database: Database
  private let app: String
  private let name: String
  /// The identifiers of the types that it may share.
  private let types: Set<String>

  /// The permission of the reader of a store; `nil` for the owner, who may do everything.
  init?(of store: SampleStore, in database: Database) throws {
    guard let app = store.reader else { return nil }
    (self.store, self.database, self.app) = (store, database, app)
    types = Set(
      try String.fetchAll(
        database, sql: "SELECT type FROM authorisations WHERE app = ? AND share = ?",
        arguments: [app, Authorisation.authorised.rawValue]))
    name =
      try database.settings(of: .app)[app] ?? store.readerName ?? database.knownName(of: app) ?? app
  }

  private var refusal: StoreError { StoreError(.notPermitted, path: store.path) }

  /// Throws unless an app may share some types, and something is of them.
  private func check(_ types: Set<String>) throws(StoreError) {
    guard !types.isEmpty, types.isSubset(of: self.types) else { throw refusal }
  }

  /// Throws unless what has a source is the app's own and it may share its types.
  func check(_ types: Set<String>, from source: Source?) throws(StoreError) {
    guard source?.bundleIdentifier == app else { throw refusal }
    try check(types)
  }

  /// Whether an app may share a type.
  func mayShare(_ type: String) -> Bool { types.contains(type) }

  /// Throws unless an element is the app's own and it may share its types.
  func checkElement(_ serial: Int64) throws {
    guard let facts = try database.elementFacts(serial) else { return }
    try check(facts.types, from: facts.source)
  }

  // MARK: Saving

  /// Objects as the app saves them, with the source that the owner gave it.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/invalidBatch(row:)`` for what no app saves
  func checked(_ objects: NewObjects) throws(StoreError) -> NewObjects {
    let (saved, types) = try objects.saved(by: app, path: store.path, as: granted)
    for types in types { try check(types) }
    return saved
  }

  /// The source of the app instead of what it calls itself.
  private func granted(_ source: Source) -> Source {
    Source(name: name, bundleIdentifier: app, isUserEntered: source.isUserEntered)
  }

  // MARK: Associations

  /// Throws unless the app may make or end an association of objects that it sees.
  ///
  /// A member joins another's object only as how hard a workout was. What would hide an object, or
  /// show another's as a part, needs both.
  ///
  /// - Parameters:
  ///   - association: the association
  ///   - owner: what it is of
  ///   - member: what belongs to it
  ///   - saved: the objects of the same call; `nil` if it ends
  ///   - index: its place among all
  /// - Throws: ``StoreError``
  func check(
    _ association: Association, _ owner: StoredFacts, _ member: StoredFacts, saved: Set<UUID>?,
    index: Int
  ) throws(StoreError) {
    let workout: Set = [ElementKind.workout.typeIdentifier ?? ""]
    let effort: Set = [SampleType(.workoutEffortScore), SampleType(.estimatedWorkoutEffortScore)]
    func isInCall(_ uuid: UUID) -> Bool { saved?.contains(uuid) ?? true }
    var isPossible = true
    switch association.kind {
    case .workout:
      isPossible = owner.kind == .workout && member.kind != .workout
      try check(owner.types, from: owner.source)
    case .effort:
      isPossible =
        owner.kind == .workout && member.types.isSubset(of: effort.map(\.identifier))
      try check(member.types.union(workout), from: member.source)
    case .correlation:
      isPossible = owner.kind == .correlation && isInCall(association.owner)
      try check(owner.types, from: owner.source)
      try check(member.types, from: member.source)
    case .measurements:
      isPossible =
        owner.kind == nil && member.kind == .savedObject && member.types == owner.types
        && isInCall(association.owner) && isInCall(association.member)
      try check(owner.types, from: owner.source)
      try check(member.types, from: member.source)
    case .electrocardiogram: isPossible = association.kind.isMadeByApps
    }
    guard isPossible else { throw StoreError(.invalidBatch(row: index), path: store.path) }
  }
}

/// What decides whether an app may change an object that counts.
struct StoredFacts {
  /// The kind of an element; `nil` for a sample.
  var kind: ElementKind?
  /// The source; `nil` for a kind without any.
  var source: Source?
  /// The identifiers of the types that an app must be allowed to share.
  var types: Set<String>
}

extension UUIDReader {
  /// The facts of an object by its UUID and serial; `nil` for one that does not count.
  ///
  /// A caller that knows the series of a sample of a file passes it.
  func facts(
    of uuid: UUID, _ serial: Int64, _ names: SeriesNames, imported: SeriesNumbers? = nil
  ) throws -> StoredFacts? {
    if let element = try database.elementFacts(serial) { return element }
    let numbers =
      if let place = try saved(uuid) { place.subject.series } else {
        try imported ?? series(ofCounting: [serial])[serial]
      }
    guard let (type, source) = try numbers.map({ try names[$0] }) else { return nil }
    return StoredFacts(source: source, types: [type.identifier])
  }
}

extension Database {
  /// The facts of an element; `nil` if no element has the serial.
  fileprivate func elementFacts(_ serial: Int64) throws -> StoredFacts? {
    try elementContent(withSerial: serial).map { try $0.kind.columns.facts($0.content) }
  }

  /// The name under which the store has samples of an app.
  fileprivate func knownName(of app: String) throws -> String? {
    try String.fetchOne(
      self,
      sql: "SELECT name FROM sources NOT INDEXED WHERE bundleIdentifier = ? ORDER BY id LIMIT 1",
      arguments: [app])
  }
}

extension NewObjects {
  /// The objects as an app saves them, and the types of each that the app must be allowed to share.
  ///
  /// - Parameters:
  ///   - app: the app, of which all sources must be
  ///   - path: the file of the store
  ///   - granted: what becomes of a source
  /// - Returns: the objects with those sources, and the identifiers of the types
  /// - Throws: ``StoreError`` for what no app saves, whatever the owner permits:
  ///   ``StoreError/Reason/notPermitted`` for another source, ``StoreError/Reason/invalidSample(index:)``
  ///   for a time outside of the years 1 to 9999, which no question could show, and
  ///   ``StoreError/Reason/invalidBatch(row:)`` for other elements and associations
  func saved(
    by app: String, path: String, as granted: (Source) -> Source
  ) throws(StoreError) -> (objects: NewObjects, types: [Set<String>]) {
    func check(_ source: Source, _ times: (Double, Double), _ index: Int) throws(StoreError) {
      guard source.bundleIdentifier == app else { throw StoreError(.notPermitted, path: path) }
      let instants = CivilDate.instants
      guard instants.contains(times.0), instants.contains(times.1) else {
        throw StoreError(.invalidSample(index: index), path: path)
      }
    }
    var objects = self
    var types = Set(samples.map(\.type.identifier)).map { Set([$0]) }
    for (index, sample) in samples.enumerated() {
      try check(sample.source, (sample.start, sample.end), index)
      objects.samples[index].source = granted(sample.source)
    }
    for (index, batch) in rows.enumerated() {
      let columns = batch.columns
      for row in 0..<columns.count {
        try check(columns.source, (columns.starts[row], columns.ends[row]), batch.places[row])
      }
      types.append([columns.type.identifier])
      let source = granted(columns.source)
      guard source.name != columns.source.name else { continue }
      objects.rows[index].columns = RecordColumns(columns, source: source)
    }
    for (index, element) in elements.enumerated() {
      guard let columns = element.element.stored as? any SavedByApps else {
        throw StoreError(.invalidBatch(row: index), path: path)
      }
      let saved = try columns.saved(by: app, at: index, path: path, as: granted)
      types.append(saved.types)
      objects.elements[index].element = saved.element
    }
    if let index = associations.firstIndex(where: { !$0.kind.isMadeByApps }) {
      throw StoreError(.invalidBatch(row: index), path: path)
    }
    return (objects, types)
  }
}

extension Association.Kind {
  /// Whether apps make such associations.
  fileprivate var isMadeByApps: Bool { self != .electrocardiogram }
}

extension StoredElement {
  /// What decides whether an app may change an element, from its stored bytes.
  fileprivate static func facts(_ content: [UInt8]) throws(Corruption) -> StoredFacts {
    let row = try decode(content)
    return StoredFacts(kind: kind, source: key(of: row).source, types: typesToShare(of: row))
  }
}

extension SavedByApps {
  /// The element with other sources, as an app saves it, and the types that it must be allowed to
  /// share; throws ``StoreError/Reason/notPermitted`` for a source that is not the app.
  fileprivate func saved(
    by app: String, at index: Int, path: String, as granted: (Source) -> Source
  ) throws(StoreError) -> (element: ImportBatch, types: Set<String>) {
    let invalid = StoreError(.invalidBatch(row: index), path: path)
    guard rows.allSatisfy(Self.isOfApps) else { throw invalid }
    var element = self
    for row in rows.indices {
      try Self.visitSources(of: &element.rows[row]) { source throws(StoreError) in
        guard source.bundleIdentifier == app else { throw StoreError(.notPermitted, path: path) }
        source = granted(source)
      }
    }
    guard let part = try? element.savable(), !part.types.isEmpty,
      [part.key.start, part.key.end].allSatisfy(CivilDate.instants.contains)
    else { throw invalid }
    return (element.batch, part.types)
  }
}
