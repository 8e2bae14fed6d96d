import GRDB
import HealthLedger
import HealthSamples

/// The sets of members of rows, for one transaction; each is read when it is asked for.
final class Provenances {
  /// The set of rows that use the set of their chunk.
  static let ofChunk: UInt32 = 0
  /// The empty set.
  static let none: UInt32 = 1
  /// The set of rows that were saved, not imported.
  static let saved: UInt32 = 2

  private let database: Database
  private var knownHistory: StoreHistory?
  /// An act of this transaction, which no stored set names.
  private let act: Int64?
  /// The sets that were read, and new ones.
  private var sets = [ofChunk: Provenance(), none: Provenance(), saved: Provenance(flags: .saved)]
  private var numbers = [Provenance(): none, Provenance(flags: .saved): saved]
  /// The number after those of all stored sets, and that of the next new one.
  private var (stored, next): (UInt32, UInt32)
  private var areAllRead = false

  /// The sets of a store.
  ///
  /// - Parameters:
  ///   - database: the store
  ///   - history: its files and acts, if they are read
  ///   - act: an act of this transaction that names rows: for it no other sets are read
  /// - Throws: ``Corruption``, or an error of the database
  /// - Complexity: O(log *n*) for *n* sets
  init(_ database: Database, _ history: StoreHistory? = nil, naming act: Int64? = nil) throws {
    (self.database, knownHistory, self.act) = (database, history, act)
    let last = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT max(id) FROM memberSets"))
    guard let end = UInt32(exactly: 1 + (last ?? Int64(Self.saved))), end > Self.saved else {
      throw Corruption()
    }
    (stored, next) = (end, end)
  }

  /// The files, and the acts as far as they decide about rows.
  func history() throws -> StoreHistory {
    if let known = knownHistory { return known }
    let history = try StoreHistory(database, acts: .withPeriods)
    knownHistory = history
    return history
  }

  /// Reads a set with what it means.
  private func read(_ stored: (Int64, String, String), as number: UInt32) throws -> Provenance {
    let (flags, files, acts) = stored
    let set = Provenance(
      flags: .init(rawValue: flags), toggles: try Self.numbers(files),
      acts: try Self.numbers(acts))
    if !set.toggles.isEmpty {
      let files = try history().files
      guard set.toggles.allSatisfy({ files[$0] != nil }) else { throw Corruption() }
    }
    try self.acts(of: set)
    sets[number] = set
    numbers[set] = number
    return set
  }

  /// The acts that name the rows of a set.
  @discardableResult
  func acts(of set: Provenance) throws -> [OwnerAct] {
    set.acts.isEmpty ? [] : try history().acts(set.acts, from: database)
  }

  /// Reads all sets that are not read yet.
  ///
  /// - Throws: ``Corruption`` for a set that does not follow the one before, or of unknown files or acts
  /// - Complexity: O(*n*) for *n* sets
  func readAll() throws {
    guard !areAllRead else { return }
    areAllRead = true
    if stored > Self.saved + 1 { try history().readAllActs(from: database) }
    var number = Self.saved
    let rows = try Row.fetchCursor(
      database, sql: "SELECT id, marks, files, acts FROM memberSets WHERE id < ? ORDER BY id",
      arguments: [Int64(stored)])
    while let row = try rows.next() {
      number += 1
      guard try row.decode(Int64.self, atIndex: 0) == number else { throw Corruption() }
      if sets[number] == nil { _ = try read(row.values(from: 1), as: number) }
    }
    guard number + 1 == stored else { throw Corruption() }
  }

  private static func numbers(_ text: String) throws(Corruption) -> [Int64] {
    let list = text.split(separator: " ")
    let numbers = list.compactMap { Int64($0) }
    guard numbers.count == list.count else { throw Corruption() }
    return numbers
  }

  /// Whether associations mean rows of files.
  func haveReferences() throws -> Bool {
    try readAll()
    return sets.values.contains { $0.flags.contains(.pinned) }
  }

  /// - Complexity: O(log *n*) for *n* sets
  func members(_ set: UInt32) throws -> Provenance {
    if let known = sets[set] { return known }
    return try read(
      database.values("SELECT marks, files, acts FROM memberSets WHERE id = ?", [Int64(set)]),
      as: set)
  }

  /// - Complexity: O(1), or O(*n*) once for *n* sets if they do not name the act of the transaction
  func number(of members: Provenance) throws -> UInt32 {
    if let known = numbers[members] { return known }
    if act.map({ !members.acts.contains($0) }) ?? true {
      try readAll()
      if let known = numbers[members] { return known }
    }
    let number = next
    next += 1
    numbers[members] = number
    sets[number] = members
    return number
  }

  /// The set of a row that something names, too.
  func number(of set: UInt32, named name: Provenance.Referrer) throws -> UInt32 {
    var members = try members(set)
    members.add(name)
    return try number(of: members)
  }

  /// The set of a row that a later file tells otherwise, or not; a saved one keeps its own.
  func number(of set: UInt32, isRetold: Bool) throws -> UInt32 {
    var members = try members(set)
    guard !members.isSaved, members.flags.contains(.retold) != isRetold else { return set }
    if isRetold { members.flags.insert(.retold) } else { members.flags.remove(.retold) }
    return try number(of: members)
  }

  /// The set of a saved row that counts or stands aside.
  func number(of set: UInt32, standing marks: Provenance.Flags) throws -> UInt32 {
    var members = try members(set)
    members.flags.subtract([.superseded, .deletedWithVersion])
    members.flags.formUnion(marks)
    return try number(of: members)
  }

  /// Writes new sets.
  func write(to database: Database) throws {
    for number in stored..<next {
      guard let set = sets[number] else { throw Corruption() }
      try database.insert(
        into: "memberSets", "id, marks, files, acts",
        [
          Int64(number), set.flags.rawValue, set.toggles.map(String.init).joined(separator: " "),
          set.acts.map(String.init).joined(separator: " "),
        ])
    }
    stored = next
  }
}

/// The files that have rows of a type and a source, and what sets of members say of its rows.
final class SeriesFiles {
  let sets: Provenances
  let order: FileOrder
  /// The index of the imported file.
  let index: Int?
  /// The set of rows that nothing else has.
  let fresh: UInt32
  /// What names the rows.
  private let name: Provenance.Referrer?
  private var presences: [UInt32: [Bool]] = [:]
  /// By the number of the set: they are asked for once a row.
  private var facts: [RowFacts?] = []
  private var changes: [UInt32: SetChange] = [:]

  /// Reads the files that have rows of the series, or elements of a kind, and the imported one or
  /// the act that names them.
  init(
    _ sets: Provenances, _ known: [Int64], of kind: ElementKind? = nil,
    importing file: Int64? = nil, naming name: Provenance.Referrer? = nil
  ) throws {
    self.sets = sets
    self.name = name
    let history = try sets.history()
    var files: [KnownFile] = []
    for id in Set(known + (file.map { [$0] } ?? [])) {
      guard let file = history.files[id] else { throw Corruption() }
      files.append(file)
    }
    order = FileOrder(files, of: kind)
    files = order.files
    index = file.flatMap { id in files.firstIndex { $0.id == id } }
    if let index {
      fresh = try sets.number(of: Provenance(toggles: files[index...].prefix(2).map(\.id)))
    } else {
      var members = Provenance()
      if let name { members.add(name) }
      fresh = try sets.number(of: members)
    }
  }

  /// In the order of their ranks.
  var files: [KnownFile] { order.files }

  /// Whether one of the files is undone.
  var haveUndone: Bool { files.contains { !$0.isTold } }

  /// Whether no later file has rows of the series.
  var isNewest: Bool { index == files.count - 1 }

  /// Which files contain the rows of a set.
  func presence(_ set: UInt32) throws -> [Bool] {
    if let known = presences[set] { return known }
    let presence = order.presence(try sets.members(set).toggles)
    presences[set] = presence
    return presence
  }

  /// Which present files contain the rows of a set.
  func presentFiles(_ set: UInt32) throws -> [KnownFile] {
    let presence = try presence(set)
    return files.indices.filter { presence[$0] && order.step(of: $0) != nil }.map { files[$0] }
  }

  func facts(_ set: UInt32) throws -> RowFacts {
    if set < facts.count, let known = facts[Int(set)] { return known }
    let members = try sets.members(set)
    let found = order.facts(
      try presence(set), members.flags, try sets.acts(of: members))
    if set >= facts.count {
      facts += Array(repeating: nil, count: Int(set) + 1 - facts.count)
    }
    facts[Int(set)] = found
    return found
  }

  /// What the import makes of the rows of a set.
  func change(_ set: UInt32) throws -> SetChange {
    if let known = changes[set] { return known }
    var members = try sets.members(set)
    if members.isSaved { return SetChange(present: set, absent: set, isSaved: true) }
    if let name {
      return SetChange(present: try sets.number(of: set, named: name), absent: set)
    }
    guard let index else { return SetChange(present: set, absent: set) }
    var presence = try presence(set)
    func number(_ isPresent: Bool) throws -> UInt32 {
      presence[index] = isPresent
      members.toggles = order.toggles(presence)
      return try sets.number(of: members)
    }
    let change = SetChange(present: try number(true), absent: try number(false))
    changes[set] = change
    return change
  }
}

/// What an import makes of the set of some rows.
struct SetChange {
  /// The new set of rows that it has.
  let present: UInt32
  /// The new set of rows that it lacks.
  let absent: UInt32
  /// Whether the rows were saved: they keep their set.
  var isSaved = false

  func set(_ isPresent: Bool) -> UInt32 { isPresent ? present : absent }
}

extension Database {
  /// The files that have rows of a type and a source.
  func files(ofType type: Int64?, source: Int64?) throws -> [Int64] {
    try Int64.fetchAll(
      cachedStatement(sql: "SELECT file FROM seriesFiles WHERE type = ? AND source = ?"),
      arguments: [type, source])
  }

  /// Records that a file has rows of a type and a source.
  func record(_ file: Int64, of series: SeriesNumbers) throws {
    try insert(
      into: "seriesFiles", "type, source, file", [series.type, series.source, file],
      or: "OR IGNORE")
  }
}
