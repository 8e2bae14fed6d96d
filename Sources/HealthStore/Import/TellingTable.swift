import GRDB
import HealthSamples

/// Which exports of the Health app told of rows, for one session.
///
/// A telling is a list of the exports at which a row begins or ceases to be told, in the order of
/// their dates. A row that every later export tells as well needs no other telling when a later one
/// comes, so an import changes only the rows that it lacks.
final class TellingTable {
  /// The telling of rows that stand for themselves in a segment that names one for them.
  static let ofSegment: UInt32 = 0
  /// The telling of rows of which no export of the Health app told.
  static let none: UInt32 = 1

  /// When exports were made, by number; the earliest of all for those that do not say so.
  private(set) var dates: [Int64: Double] = [:]
  private var turns: [[Int64]] = [[], []]
  private var numbers: [[Int64]: UInt32] = [[]: none]
  private var storedDates: Set<Int64> = []
  private var storedTurns = 2

  init(_ database: Database) throws {
    for row in try Row.fetchAll(database, sql: "SELECT id, made FROM exportDates") {
      dates[try row.decode(atIndex: 0)] = try row.decode(atIndex: 1)
    }
    storedDates = Set(dates.keys)
    for row in try Row.fetchAll(database, sql: "SELECT id, turns FROM tellings ORDER BY id") {
      let list = try row.decode(String.self, atIndex: 1).split(separator: " ")
      let exports = list.compactMap { Int64($0) }
      guard try row.decode(Int.self, atIndex: 0) == turns.count, exports.count == list.count,
        exports.allSatisfy({ dates[$0] != nil })
      else { throw SegmentDamage() }
      numbers[exports] = UInt32(turns.count)
      turns.append(exports)
    }
    storedTurns = turns.count
  }

  /// The number of the export that was made at an instant: two with one date are the same.
  func export(made: Double) -> Int64 {
    if let known = dates.first(where: { $0.value == made })?.key { return known }
    let number = (dates.keys.max() ?? 0) + 1
    dates[number] = made
    return number
  }

  /// The number of a telling.
  func number(of list: [Int64]) -> UInt32 {
    if let known = numbers[list] { return known }
    let number = UInt32(turns.count)
    numbers[list] = number
    turns.append(list)
    return number
  }

  /// The exports at which a telling turns.
  func turns(of telling: UInt32) throws(SegmentDamage) -> [Int64] {
    guard telling < turns.count else { throw SegmentDamage() }
    return turns[Int(telling)]
  }

  /// Writes what is new.
  func write(to database: Database) throws {
    for (number, made) in dates.sorted(by: { $0.key < $1.key })
    where !storedDates.contains(number) {
      try database.execute(
        sql: "INSERT INTO exportDates (id, made) VALUES (?, ?)", arguments: [number, made])
    }
    for number in storedTurns..<turns.count {
      try database.execute(
        sql: "INSERT INTO tellings (id, turns) VALUES (?, ?)",
        arguments: [number, turns[number].map(String.init).joined(separator: " ")])
    }
    storedDates = Set(dates.keys)
    storedTurns = turns.count
  }
}

/// Which of the exports that had rows of a type and a source told of each row.
final class StreamTellings {
  /// When the exports were made, ascending.
  let dates: [Double]
  /// The place of the export that is imported; `nil` for a file of another program.
  let place: Int?
  /// The telling of rows that no other export told.
  let fresh: UInt32
  private let table: TellingTable
  private let exports: [Int64]
  /// Whether the export that is imported had rows of the stream before.
  let isKnown: Bool
  /// Whether a row of which no export told takes the words of the import.
  private let isLater: Bool
  private let mayReword: Bool
  private let isReplacing: Bool
  private var presences: [UInt32: [Bool]] = [:]
  private var changed: [UInt32: (told: UInt32, lacked: UInt32)] = [:]

  /// Takes the exports that had rows of the stream before, and the one that is imported, if it is
  /// one of the Health app.
  ///
  /// `isLater` says whether the import has the last word on rows of which no export told, `mayReword`
  /// whether it may say any row in its words.
  init(
    _ table: TellingTable, known: [Int64], export: Int64?, isLater: Bool, mayReword: Bool,
    isReplacing: Bool
  ) {
    self.table = table
    self.isLater = isLater
    self.mayReword = mayReword
    self.isReplacing = isReplacing
    let all = isReplacing && export != nil ? [] : known
    isKnown = export.map(all.contains) ?? true
    let exports = Set(all + (export.map { [$0] } ?? []))
      .sorted { (table.dates[$0] ?? 0, $0) < (table.dates[$1] ?? 0, $1) }
    self.exports = exports
    dates = exports.map { table.dates[$0] ?? 0 }
    place = export.flatMap(exports.firstIndex)
    if let place {
      let list = exports[place...].prefix(2)
      fresh = table.number(of: Array(list))
    } else {
      fresh = TellingTable.none
    }
  }

  /// Whether no later export is known.
  var isNewest: Bool { place == exports.count - 1 }

  /// Which exports told of a row.
  func presence(_ telling: UInt32) throws(SegmentDamage) -> [Bool] {
    if let known = presences[telling] { return known }
    let turns = Set(try table.turns(of: telling))
    var isTold = false
    let presence = exports.map { export in
      if turns.contains(export) { isTold.toggle() }
      return isTold
    }
    presences[telling] = presence
    return presence
  }

  /// The telling of a row that the import tells, and of one that it lacks.
  func change(_ telling: UInt32) throws(SegmentDamage) -> (told: UInt32, lacked: UInt32) {
    if let known = changed[telling] { return known }
    guard let place else { return (telling, telling) }
    var presence = try presence(telling)
    let wasTold = presence[place]
    presence[place] = true
    let told = number(of: presence)
    presence[place] = isKnown && wasTold
    let change = (told: told, lacked: number(of: presence))
    changed[telling] = change
    return change
  }

  private func number(of presence: [Bool]) -> UInt32 {
    var isTold = false
    var turns: [Int64] = []
    for (export, isTelling) in zip(exports, presence) where isTelling != isTold {
      turns.append(export)
      isTold = isTelling
    }
    return table.number(of: turns)
  }

  /// Whether the import has the last word on a row of the store.
  func isLater(than telling: UInt32) throws(SegmentDamage) -> Bool {
    if isReplacing { return true }
    guard mayReword else { return false }
    guard let place, let last = try presence(telling).lastIndex(of: true) else { return isLater }
    return last <= place
  }

  /// How the rows of a segment change.
  func retelling(of tellings: [UInt32]) throws(SegmentDamage) -> Retelling {
    var retelling = Retelling()
    for telling in tellings {
      let change = try change(telling)
      retelling.told.append(change.told)
      retelling.lacked.append(change.lacked)
      retelling.isLater.append(try isLater(than: telling))
      retelling.changesTold = retelling.changesTold || change.told != telling
      retelling.changesLacked = retelling.changesLacked || change.lacked != telling
      retelling.isTold.append(try presence(telling).contains(true))
    }
    return retelling
  }
}

/// How the tellings of rows of a segment change, by the place of their origin.
struct Retelling {
  /// The telling of rows that the import tells too.
  var told: [UInt32] = []
  /// The telling of rows that it lacks.
  var lacked: [UInt32] = []
  /// Whether the import has the last word on the rows.
  var isLater: [Bool] = []
  /// Whether an export told of the rows before.
  var isTold: [Bool] = []
  var changesTold = false
  var changesLacked = false
}

extension Database {
  /// The exports that had rows of a type and a source.
  func exports(ofType type: Int64?, source: Int64?) throws -> [Int64] {
    try Int64.fetchAll(
      self, sql: "SELECT export FROM streamExports WHERE type = ? AND source = ?",
      arguments: [type, source])
  }

  /// Notes that an export had rows of a type and a source, and forgets the others when it replaces
  /// them.
  func noteExport(_ export: Int64, ofType type: Int64, source: Int64, isReplacing: Bool) throws {
    if isReplacing { try forgetExports(ofType: type, source: source) }
    try execute(
      sql: "INSERT OR IGNORE INTO streamExports (type, source, export) VALUES (?, ?, ?)",
      arguments: [type, source, export])
  }

  /// Forgets what exports told of a type and a source, superseded rows included.
  func forgetExports(ofType type: Int64, source: Int64) throws {
    for table in ["streamExports", "superseded"] {
      try execute(
        sql: "DELETE FROM \(table) WHERE type = ? AND source = ?", arguments: [type, source])
    }
  }
}
