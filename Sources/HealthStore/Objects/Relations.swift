import Foundation
import GRDB
import HealthLedger
import HealthSamples

/// What associations and attachments mean, in one snapshot: objects by their first serials.
///
/// A reference to a version means the version that stands for its identifier. What does not count
/// hides what refers to it, and shows it again when it returns.
struct References {
  private let store: SampleStore
  private let database: Database
  private let hasVersions: Bool
  private let hasGone: Bool

  init(_ store: SampleStore, _ database: Database) throws {
    (self.store, self.database) = (store, database)
    hasVersions = try !database.isEmpty("versions")
    hasGone = try !database.isEmpty("gone")
  }

  /// Whether an object counts.
  private func isThere(_ birth: Int64) throws -> Bool {
    guard hasGone else { return true }
    try store.check(.gone(bucket: birth >> 16), in: database)
    return try !database.isGone(birth)
  }

  /// The object that counts and that a reference by a first serial means; `nil` if there is none.
  ///
  /// An exact reference means no other version.
  func object(_ birth: Int64, isExact: Bool = false) throws -> Int64? {
    var object = birth
    if hasVersions, !isExact, let key = try key(of: birth) {
      guard let current = try current(key) else { return nil }
      object = current.birth
    }
    return try isThere(object) ? object : nil
  }

  /// The objects whose references mean an object: itself and other versions of it.
  func meaning(_ birth: Int64, isExact: Bool = false) throws -> [Int64] {
    guard hasVersions, !isExact, let key = try key(of: birth) else { return [birth] }
    return try Int64.fetchAll(
      database.cachedStatement(sql: "SELECT birth FROM versions WHERE key = ? ORDER BY birth"),
      arguments: [key])
  }

  private func key(of birth: Int64) throws -> Data? {
    try store.check(.versions(bucket: birth >> 16), in: database)
    let key = try database.versionKey(of: birth)
    if let key { try store.check(.versionKeys(firstByte: key[key.startIndex]), in: database) }
    return key
  }

  /// The version that stands for a key; `nil` if none does.
  func current(_ key: Data) throws -> (birth: Int64, version: Double)? {
    guard hasVersions else { return nil }
    try store.check(.versionKeys(firstByte: key[key.startIndex]), in: database)
    return try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT birth, version FROM versions WHERE key = ? AND state = 0"), arguments: [key]
    ).map { (try $0.decode(atIndex: 0), try $0.decode(atIndex: 1)) }
  }
}

extension Database {
  func isEmpty(_ table: String) throws -> Bool {
    try Int.fetchOne(cachedStatement(sql: "SELECT 1 FROM \(table) LIMIT 1")) == nil
  }

  /// Whether an object was saved, by its first serial.
  func isSaved(_ birth: Int64) throws -> Bool {
    try Int.fetchOne(
      cachedStatement(sql: "SELECT 1 FROM identities WHERE serial = ?"), arguments: [birth]) != nil
  }

  fileprivate func isGone(_ birth: Int64) throws -> Bool {
    try Int.fetchOne(
      cachedStatement(sql: "SELECT 1 FROM gone WHERE birth = ?"), arguments: [birth]) != nil
  }

  func versionKey(of birth: Int64) throws -> Data? {
    let key = try Data.fetchOne(
      cachedStatement(sql: "SELECT key FROM versions INDEXED BY versionsByBirth WHERE birth = ?"),
      arguments: [birth])
    guard key?.count ?? SyncedObjects.keyLength == SyncedObjects.keyLength else {
      throw Corruption()
    }
    return key
  }

  /// The number of a register that an act sets: ascending in the order in which acts become known.
  func allocateRegister() throws -> Int64 {
    try cachedStatement(sql: "UPDATE identity SET lastRegister = lastRegister + 1").execute()
    return try Int64.fetchOne(cachedStatement(sql: "SELECT lastRegister FROM identity")) ?? 0
  }

  /// Records a version of a named object.
  func recordVersion(
    _ key: Data, _ birth: Int64, _ version: Double, at stamp: Stamp, _ revision: Revision
  ) throws {
    try insert(
      into: "versions", "key, birth, version, clock, counter, store, deletion, state",
      [key, birth, version, stamp.clock, stamp.counter, stamp.store, nil, 0])
    revision.undecided.keys.insert(key)
  }

  /// Records that an association holds, or is ended, unless a later act is known.
  ///
  /// - Returns: whether it changed
  func record(
    _ association: StoredAssociation, isEnded: Bool, at stamp: Stamp, _ revision: Revision
  ) throws -> Bool {
    let known = try lastAct(of: association)
    if let known, known.stamp >= stamp { return false }
    let act: StatementArguments = [isEnded, stamp.clock, stamp.counter, stamp.store]
    try insert(
      into: "associations", "owner, kind, member, part, isEnded, clock, counter, store, number",
      association.key + act + [try revision.register(in: self)], or: "OR REPLACE")
    if association.kind == .measurements, try isEnded || isGone(association.owner) {
      revision.undecided.measurements.insert(association.member)
    }
    return known.map { $0.isEnded != isEnded } ?? !isEnded
  }

  /// What the last act says of an association, and when; `nil` if it never was made.
  func lastAct(of association: StoredAssociation) throws -> (isEnded: Bool, stamp: Stamp)? {
    try Row.fetchOne(
      cachedStatement(
        sql: """
          SELECT isEnded, clock, counter, store FROM associations
          WHERE owner = ? AND kind = ? AND member = ? AND part = ?
          """), arguments: association.key
    ).map { (try $0.decode(atIndex: 0), try Stamp($0, from: 1)) }
  }
}

extension Stamp {
  /// A stamp in three columns.
  init(_ row: Row, from first: Int) throws {
    let (clock, counter, store): (Int64, Int64, Int64) = try row.values(from: first)
    self.init(clock: clock, counter: counter, store: store)
    // The next one is computed from it.
    guard max(clock.magnitude, counter.magnitude) < 1 << 62 else { throw Corruption() }
  }
}

/// An association as it is stored, of objects by their first serials.
struct StoredAssociation: Hashable {
  var owner: Int64
  var member: Int64
  var kind: Association.Kind
  var part: String

  /// The key of its row.
  fileprivate var key: StatementArguments { [owner, kind.rawValue, member, part] }
}

// MARK: What follows

extension Database {
  /// Takes in what changed of objects that versions, associations and attachments mean: which
  /// version stands, and which single measurements count.
  ///
  /// - Complexity: O(rows of the chunks that have the objects)
  func decideRelations(_ revision: Revision) throws {
    while let undecided = revision.takeUndecided() {
      let births = try Births(self, revision)
      var touched = undecided.measurements
      for birth in try recordMoves(undecided.moves, births) {
        touched.formUnion(
          try Int64.fetchAll(
            cachedStatement(sql: "SELECT member FROM associations WHERE owner = ? AND kind = ?"),
            arguments: [birth, Association.Kind.measurements.rawValue]))
      }
      var keys = undecided.keys
      if try !isEmpty("versions") {
        for naming in undecided.namings {
          guard let key = try versionKey(of: naming.birth) else { continue }
          try cachedStatement(sql: "UPDATE versions SET deletion = ? WHERE key = ? AND birth = ?")
            .execute(arguments: [naming.deletion, key, naming.birth])
          keys.insert(key)
        }
      }
      for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        touched.formUnion(try decideVersions(key))
      }
      var marks: [Int64: Provenance.Flags] = [:]
      for birth in touched { marks[birth] = try self.marks(of: birth) }
      try apply(marks, births, revision)
    }
  }

  /// Records which objects that relations may mean do not count; returns those that changed.
  private func recordMoves(
    _ moves: [(serial: Int64, isGone: Bool)], _ births: Births
  ) throws -> [Int64] {
    // Of the rows that an object has had, the last one says whether it counts.
    let all = moves.enumerated().map { place, move in
      (
        birth: births.birth(of: move.serial), serial: move.serial, place: place,
        isGone: move.isGone
      )
    }.sorted { ($0.birth, $0.serial, $0.place) < ($1.birth, $1.serial, $1.place) }
    let last = all.indices.filter { $0 == all.count - 1 || all[$0 + 1].birth != all[$0].birth }
    var referable: [Int64] = []
    // A few among many are looked up, many are merged.
    if last.count < 1_000 {
      for index in last {
        referable += try referableObjects(all[index].birth...all[index].birth)
      }
    } else {
      referable = try referableObjects(all[0].birth...all[all.count - 1].birth)
    }
    var next = 0
    var changed: [Int64] = []
    for move in last.lazy.map({ all[$0] }) {
      while next < referable.count, referable[next] < move.birth { next += 1 }
      guard next < referable.count else { break }
      guard referable[next] == move.birth else { continue }
      try cachedStatement(
        sql: move.isGone
          ? "INSERT OR IGNORE INTO gone (birth) VALUES (?)" : "DELETE FROM gone WHERE birth = ?"
      ).execute(arguments: [move.birth])
      if changesCount > 0 { changed.append(move.birth) }
    }
    return changed
  }

  /// The objects of a range that are saved, or that an association or an attachment means, in order.
  func referableObjects(_ births: ClosedRange<Int64>) throws -> [Int64] {
    try Int64.fetchAll(
      cachedStatement(
        sql: """
          SELECT serial FROM identities WHERE serial BETWEEN ?1 AND ?2
          UNION SELECT owner FROM associations WHERE owner BETWEEN ?1 AND ?2
          UNION SELECT member FROM associations WHERE member BETWEEN ?1 AND ?2
          UNION SELECT object FROM attachments WHERE object BETWEEN ?1 AND ?2 ORDER BY 1
          """), arguments: [births.lowerBound, births.upperBound])
  }

  /// Whether an object is saved, or an association or an attachment means it.
  func isReferable(_ birth: Int64) throws -> Bool {
    try !referableObjects(birth...birth).isEmpty
  }

  /// Decides anew which version of a key stands.
  ///
  /// - Returns: the versions that change
  private func decideVersions(_ key: Data) throws -> [Int64] {
    let rows = try Row.fetchAll(
      cachedStatement(
        sql: """
          SELECT birth, version, versions.clock, versions.counter, versions.store, state,
            acts.clock, acts.counter, acts.store
          FROM versions LEFT JOIN acts ON acts.id = deletion WHERE versions.key = ?
          """), arguments: [key])
    let versions = try rows.map { row in
      VersionDecision.Version(
        birth: try row.decode(atIndex: 0), number: try row.decode(atIndex: 1),
        stamp: try Stamp(row, from: 2),
        deletion: row.hasNull(atIndex: 6) ? nil : try Stamp(row, from: 6))
    }
    var changed: [Int64] = []
    for ((row, version), state) in zip(zip(rows, versions), VersionDecision.decide(versions)) {
      guard let known = VersionDecision.State(rawValue: try row.decode(atIndex: 5)) else {
        throw Corruption()
      }
      guard state != known else { continue }
      try cachedStatement(sql: "UPDATE versions SET state = ? WHERE key = ? AND birth = ?")
        .execute(arguments: [state.rawValue, key, version.birth])
      if state.flags != nil { changed.append(version.birth) }
    }
    return changed
  }

  /// What decides whether a saved object counts, besides acts.
  private func marks(of birth: Int64) throws -> Provenance.Flags {
    let state = try Int64.fetchOne(
      cachedStatement(sql: "SELECT state FROM versions INDEXED BY versionsByBirth WHERE birth = ?"),
      arguments: [birth])
    var marks = state.flatMap(VersionDecision.State.init)?.flags ?? []
    let isWithoutSample =
      try Int.fetchOne(
        cachedStatement(
          sql: """
            SELECT 1 FROM associations JOIN gone ON gone.birth = owner
            WHERE member = ? AND kind = ? AND isEnded = 0 LIMIT 1
            """), arguments: [birth, Association.Kind.measurements.rawValue]) != nil
    if isWithoutSample { marks.insert(.superseded) }
    return marks
  }

  /// Marks saved objects, which then count or not.
  private func apply(
    _ marks: [Int64: Provenance.Flags], _ births: Births, _ revision: Revision
  ) throws {
    guard !marks.isEmpty else { return }
    let aside = try Set(marks.keys.filter { try marks[$0] == .superseded && !isGone($0) })
    let samples = try savedPlaces(of: aside).samples
    try hide(samples, births, revision)
    let rest = Set(marks.keys).subtracting(samples.values.joined().map(\.serial))
    try changeSets(of: rest, revision) { sets, birth, set in
      try sets.number(of: set, standing: marks[birth] ?? [])
    }
  }

  /// Hides saved samples that stand aside, and still stand for equal rows of files: nothing else
  /// changes.
  private func hide(
    _ samples: [SeriesNumbers: [SavedPlace]], _ births: Births, _ revision: Revision
  ) throws {
    guard !samples.isEmpty else { return }
    let sets = try Provenances(self)
    let names = try SeriesNames(self)
    for (series, var places) in samples {
      let (type, source) = try names[series]
      let serials = births.serials(ofBirths: places.map(\.serial))
      for (index, serial) in serials.enumerated() { places[index].serial = serial }
      let hidden = Set(serials)
      var editor = try SeriesEditor(type, source, database: self, revision: revision)
      for chunk in try chunks(at: places).sorted() {
        _ = try editor.hide(from: chunk) { cursor, row in
          guard hidden.contains(cursor.serial(row)) else { return nil }
          return try sets.number(of: cursor.memberSet(row), standing: .superseded)
        }
      }
      try editor.finish()
    }
    try sets.write(to: self)
  }

  /// Where saved objects are or were: samples by series, elements by kind.
  private func savedPlaces(
    of births: Set<Int64>
  ) throws -> (samples: [SeriesNumbers: [SavedPlace]], elements: [String: Set<Int64>]) {
    var samples: [SeriesNumbers: [SavedPlace]] = [:]
    var elements: [String: Set<Int64>] = [:]
    for birth in births.sorted() {
      let row = try Row.fetchOne(
        cachedStatement(
          sql: """
            SELECT \(SavedPlace.columns) FROM identities INDEXED BY identitiesBySerial
            WHERE serial = ?
            """), arguments: [birth])
      guard let place = try row.map(SavedPlace.init) else { continue }
      if let series = place.subject.series {
        samples[series, default: []].append(place)
      } else {
        elements[place.subject.kind, default: []].insert(birth)
      }
    }
    return (samples, elements)
  }

  /// Gives saved objects other sets, and decides anew whether they count.
  ///
  /// - Parameters:
  ///   - births: the first serials of the objects; others than saved ones are ignored
  ///   - revision: the transaction
  ///   - newSet: gets the sets, a first serial and its set; returns the other one
  /// - Throws: ``Corruption``, or an error of the database
  /// - Complexity: O(rows of the chunks that have the objects), and the elements of their kinds
  func changeSets(
    of births: Set<Int64>, _ revision: Revision,
    _ newSet: (Provenances, Int64, UInt32) throws -> UInt32
  ) throws {
    guard !births.isEmpty else { return }
    let (samples, elements) = try savedPlaces(of: births)
    let sets = try Provenances(self)
    let known = try Births(self, revision)
    let names = try SeriesNames(self)
    for (series, places) in samples {
      let starts = places.map(\.start)
      guard let first = starts.min(), let last = starts.max() else { throw Corruption() }
      let (type, source) = try names[series]
      let wanted = Set(places.map(\.serial))
      try withoutActuallyEscaping(newSet) { newSet in
        _ = try replay(
          type, source, SeriesFiles(sets, files(ofType: series.type, source: series.source)),
          naming: { cursor, row, _, set in
            let birth = known.birth(of: cursor.serial(row))
            return try wanted.contains(birth) ? newSet(sets, birth, set) : set
          }, in: first...last, revision: revision)
      }
    }
    for (letter, wanted) in elements.sorted(by: { $0.key < $1.key }) {
      guard let kind = ElementKind(storedText: letter) else { throw Corruption() }
      var replay = try ElementReplay(kind, sets, in: self, revision: revision)
      try replay.mark { wording in
        guard wanted.contains(wording.birth) else { return nil }
        return try newSet(sets, wording.birth, wording.set)
      }
    }
    try sets.write(to: self)
  }
}

extension Database {
  /// Makes the rows and elements of files that associations or attachments mean stay known with
  /// their UUIDs, also without a file.
  ///
  /// - Complexity: O(rows of the types and sources that have them)
  func reference(_ objects: Set<Int64>, _ revision: Revision) throws {
    guard !objects.isEmpty else { return }
    let births = try Births(self, revision)
    let names = try SeriesNames(self)
    let sets = try Provenances(self)
    var there: Set<Int64> = []
    func pin(in series: Set<SeriesNumbers>) throws {
      for numbers in series {
        let (type, source) = try names[numbers]
        _ = try replay(
          type, source, SeriesFiles(sets, files(ofType: numbers.type, source: numbers.source)),
          naming: { cursor, row, hidden, set in
            let birth = births.birth(of: cursor.serial(row))
            guard objects.contains(birth) else { return set }
            if hidden == nil { there.insert(birth) }
            return try sets.number(of: set, named: .association)
          }, revision: revision)
      }
    }
    // One text each, because the length of a list in SQL is limited.
    let lists = [births.serials(ofBirths: Array(objects)), Array(objects)].map {
      "[\($0.map(String.init).joined(separator: ","))]"
    }
    let letters = try String.fetchSet(
      self,
      sql: """
        SELECT kind FROM elements WHERE id IN (SELECT value FROM json_each(?))
        UNION SELECT kind FROM hiddenElements WHERE birth IN (SELECT value FROM json_each(?))
        """, arguments: StatementArguments(lists))
    for kind in ElementKind.allCases where letters.contains(kind.storedText) {
      var replay = try ElementReplay(kind, sets, in: self, revision: revision)
      try replay.mark { wording in
        guard objects.contains(wording.birth) else { return nil }
        if wording.isVisible { there.insert(wording.birth) }
        return try sets.number(of: wording.set, named: .association)
      }
    }
    var series: Set<SeriesNumbers> = []
    for birth in objects.subtracting(there) {
      let serial = births.serial(ofBirth: birth)
      series.formUnion(
        try seriesNumbers(
          "FROM chunks INDEXED BY chunksInTime WHERE firstSerial <= ?1 AND lastSerial >= ?1",
          [serial]))
    }
    try pin(in: series)
    if !objects.isSubset(of: there) {
      // Of what does not count only the series with hidden rows are known.
      let hidden = Set(try seriesNumbers("FROM hidden", []))
      try pin(in: hidden.subtracting(series))
    }
    for birth in objects.subtracting(there) {
      try execute(sql: "INSERT OR IGNORE INTO gone (birth) VALUES (?)", arguments: [birth])
    }
    try sets.write(to: self)
  }

  private func seriesNumbers(
    _ condition: String, _ arguments: StatementArguments
  ) throws -> [SeriesNumbers] {
    try Row.fetchAll(
      cachedStatement(sql: "SELECT DISTINCT type, source \(condition)"), arguments: arguments
    ).map(SeriesNumbers.init)
  }
}
