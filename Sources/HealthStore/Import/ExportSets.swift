import GRDB
import HealthSamples

/// The sets of Health app exports that contain a row, for one session.
///
/// A set is the list of exports, in date order, at which membership changes: the row is contained
/// from the first on, not from the second on, and so forth. A row that every later export also
/// contains keeps its set with each new export, so an import changes only the rows that it lacks.
final class ExportSets {
  /// The set of rows that use the set of their chunk.
  static let ofChunk: UInt32 = 0
  /// The empty set: no Health app export contains the row.
  static let none: UInt32 = 1
  /// The empty set of rows that were saved, not imported.
  static let saved: UInt32 = 2

  /// The dates of exports by number; those without a date are the earliest.
  private(set) var dates: [Int64: Double] = [:]
  private var toggles: [[Int64]] = [[], [], []]
  private var numbers: [[Int64]: UInt32] = [[]: none]
  private var storedDates: Set<Int64> = []
  private var storedSets = 3

  init(_ database: Database) throws {
    for row in try Row.fetchAll(database, sql: "SELECT id, exportedAt FROM exportDates") {
      dates[try row.decode(atIndex: 0)] = try row.decode(atIndex: 1)
    }
    storedDates = Set(dates.keys)
    for row in try Row.fetchAll(database, sql: "SELECT id, toggles FROM exportSets ORDER BY id") {
      let list = try row.decode(String.self, atIndex: 1).split(separator: " ")
      let exports = list.compactMap { Int64($0) }
      guard try row.decode(Int.self, atIndex: 0) == toggles.count, exports.count == list.count,
        exports.allSatisfy({ dates[$0] != nil })
      else { throw Corruption() }
      numbers[exports] = UInt32(toggles.count)
      toggles.append(exports)
    }
    storedSets = toggles.count
  }

  /// The number of the export of a date: two exports with the same date are the same.
  func export(at date: Double) -> Int64 {
    if let known = dates.first(where: { $0.value == date })?.key { return known }
    let number = (dates.keys.max() ?? 0) + 1
    dates[number] = date
    return number
  }

  /// The number of a set.
  func number(of list: [Int64]) -> UInt32 {
    if let known = numbers[list] { return known }
    let number = UInt32(toggles.count)
    numbers[list] = number
    toggles.append(list)
    return number
  }

  /// The exports at which membership in a set changes.
  func toggles(of exportSet: UInt32) throws(Corruption) -> [Int64] {
    guard exportSet < toggles.count else { throw Corruption() }
    return toggles[Int(exportSet)]
  }

  /// Writes new sets and exports.
  func write(to database: Database) throws {
    for (number, date) in dates.sorted(by: { $0.key < $1.key })
    where !storedDates.contains(number) {
      try database.execute(
        sql: "INSERT INTO exportDates (id, exportedAt) VALUES (?, ?)", arguments: [number, date])
    }
    for number in storedSets..<toggles.count {
      try database.execute(
        sql: "INSERT INTO exportSets (id, toggles) VALUES (?, ?)",
        arguments: [number, toggles[number].map(String.init).joined(separator: " ")])
    }
    storedDates = Set(dates.keys)
    storedSets = toggles.count
  }
}

/// Which of the exports with rows of a type and a source contain each row.
final class SeriesExports {
  /// The dates of the exports, ascending.
  let dates: [Double]
  /// The index of the imported export; `nil` for a file of another program.
  let index: Int?
  /// The set of rows that no other export contains.
  let fresh: UInt32
  private let sets: ExportSets
  private let exports: [Int64]
  /// Whether the imported export has had rows of the series before.
  let isKnown: Bool
  /// Whether the import updates a row that no export contains.
  private let isLater: Bool
  private let mayUpdate: Bool
  /// Whether rows that the import lacks are deleted.
  let isReplacing: Bool
  private var presences: [UInt32: [Bool]] = [:]
  private var changes: [UInt32: (present: UInt32, absent: UInt32)] = [:]

  /// Takes the exports that have had rows of the series before, and the imported one if it is from
  /// the Health app.
  ///
  /// `isLater` is whether the import updates rows that no export contains, `mayUpdate` whether it
  /// may update any row.
  init(
    _ sets: ExportSets, known: [Int64], export: Int64?, isLater: Bool, mayUpdate: Bool,
    isReplacing: Bool
  ) {
    self.sets = sets
    self.isLater = isLater
    self.mayUpdate = mayUpdate
    self.isReplacing = isReplacing
    let all = isReplacing && export != nil ? [] : known
    isKnown = export.map(all.contains) ?? true
    let exports = Set(all + (export.map { [$0] } ?? []))
      .sorted { (sets.dates[$0] ?? 0, $0) < (sets.dates[$1] ?? 0, $1) }
    self.exports = exports
    dates = exports.map { sets.dates[$0] ?? 0 }
    index = export.flatMap(exports.firstIndex)
    if let index {
      let list = exports[index...].prefix(2)
      fresh = sets.number(of: Array(list))
    } else {
      fresh = ExportSets.none
    }
  }

  /// The position of an export in the order of dates.
  func index(of export: Int64) -> Int? { exports.firstIndex(of: export) }

  /// Whether no later export is known.
  var isNewest: Bool { index == exports.count - 1 }

  /// Which exports contain the rows of a set.
  func presence(_ exportSet: UInt32) throws(Corruption) -> [Bool] {
    if let known = presences[exportSet] { return known }
    let toggles = Set(try sets.toggles(of: exportSet))
    var isPresent = false
    let presence = exports.map { export in
      if toggles.contains(export) { isPresent.toggle() }
      return isPresent
    }
    presences[exportSet] = presence
    return presence
  }

  /// The new sets for the rows of a set: for those that the import contains, and for those that it
  /// lacks.
  func change(_ exportSet: UInt32) throws(Corruption) -> (present: UInt32, absent: UInt32) {
    if let known = changes[exportSet] { return known }
    guard let index else { return (exportSet, exportSet) }
    var presence = try presence(exportSet)
    let wasPresent = presence[index]
    presence[index] = true
    let present = number(of: presence)
    presence[index] = isKnown && wasPresent
    // A row that no export contains stays a saved one, or one of another format.
    let isNowhere = !wasPresent && !presence.contains(true)
    let change = (present: present, absent: isNowhere ? exportSet : number(of: presence))
    changes[exportSet] = change
    return change
  }

  private func number(of presence: [Bool]) -> UInt32 {
    var isPresent = false
    var toggles: [Int64] = []
    for (export, contains) in zip(exports, presence) where contains != isPresent {
      toggles.append(export)
      isPresent = contains
    }
    return sets.number(of: toggles)
  }

  /// The set of the rows of others, of which these are a part.
  func number(of presence: [Bool], of others: SeriesExports) -> UInt32 {
    var contained: Set<Int64> = []
    for (export, isContained) in zip(others.exports, presence) where isContained {
      contained.insert(export)
    }
    return number(of: exports.map(contained.contains))
  }

  /// Whether the import updates a row of the store.
  func isLater(than exportSet: UInt32) throws(Corruption) -> Bool {
    if isReplacing { return true }
    guard mayUpdate else { return false }
    guard let index, let last = try presence(exportSet).lastIndex(of: true) else { return isLater }
    return last <= index
  }

  /// The changes of the sets of the rows of a chunk.
  func changes(of exportSets: [UInt32]) throws(Corruption) -> ExportSetChanges {
    var changes = ExportSetChanges()
    for exportSet in exportSets {
      let change = try change(exportSet)
      changes.present.append(change.present)
      changes.absent.append(change.absent)
      changes.isLater.append(try isLater(than: exportSet))
      changes.wasPresent.append(try presence(exportSet).contains(true))
    }
    return changes
  }
}

/// The changes of the export sets of the rows of a chunk, by origin index.
struct ExportSetChanges {
  /// The sets of rows that the import contains.
  var present: [UInt32] = []
  /// The sets of rows that it lacks.
  var absent: [UInt32] = []
  /// Whether the import updates the rows.
  var isLater: [Bool] = []
  /// Whether an export contained the rows before.
  var wasPresent: [Bool] = []
}

extension Database {
  /// The exports that have had rows of a type and a source.
  func exports(ofType type: Int64?, source: Int64?) throws -> [Int64] {
    try Int64.fetchAll(
      self, sql: "SELECT export FROM seriesExports WHERE type = ? AND source = ?",
      arguments: [type, source])
  }

  /// Records that an export has rows of a type and a source, and deletes the other records if it
  /// replaces them.
  func noteExport(_ export: Int64, ofType type: Int64, source: Int64, isReplacing: Bool) throws {
    if isReplacing { try forgetExports(ofType: type, source: source) }
    try execute(
      sql: "INSERT OR IGNORE INTO seriesExports (type, source, export) VALUES (?, ?, ?)",
      arguments: [type, source, export])
  }

  /// Deletes the records of exports of a type and a source, and the rows superseded by them.
  func forgetExports(ofType type: Int64, source: Int64) throws {
    for condition in ["seriesExports WHERE", "hidden WHERE NOT isDeleted AND"] {
      try execute(
        sql: "DELETE FROM \(condition) type = ? AND source = ?", arguments: [type, source])
    }
  }
}
