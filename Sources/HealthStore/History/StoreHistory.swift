import Foundation
import GRDB
import HealthLedger
import HealthSamples

/// The files that a store knows and the deletions and restorations of its owner, which together
/// decide what it holds.
final class StoreHistory {
  private(set) var files: [Int64: KnownFile] = [:]
  /// Those of the deletions and restorations that were read, by number.
  private(set) var acts: [Int64: OwnerAct] = [:]
  private var areAllActsRead: Bool

  /// Reads files and acts.
  ///
  /// - Parameters:
  ///   - database: the store
  ///   - selection: which acts are read; the others as sets of members name them
  /// - Throws: ``Corruption``, or an error of the database
  /// - Complexity: O(*n*) for *n* files and acts
  init(_ database: Database, acts selection: StoredAct.Selection = .all) throws {
    areAllActsRead = selection == .all
    for row in try Row.fetchAll(
      database, sql: "SELECT id, identity, format, exportedAt, lastEnd, lacks FROM files")
    {
      typealias Values = (Int64, Data, String, Double?, Double, String)
      let (id, identity, format, exportedAt, lastEnd, lacks): Values = try row.values()
      guard let format = ImportFormat(rawValue: format) else { throw Corruption() }
      files[id] = KnownFile(
        id: id, identity: identity, format: format, exportedAt: exportedAt, lastEnd: lastEnd,
        lacks: try .init(storedText: lacks))
    }
    var tellings: [Int64: KnownFile.Telling] = [:]
    for act in try StoredAct.all(in: database, selection) {
      var reader = try ByteReader(checked: act.content)
      switch (act.kind, act.file) {
      case (.importing, let file?):
        var replaced: Set<Int64> = []
        for _ in 0..<(try reader.count()) {
          replaced.insert(Int64(bitPattern: try reader.variable()))
        }
        tellings[file] = KnownFile.Telling(
          number: act.id, stamp: act.stamp, replaced: replaced)
      case (.undoing, let file?): tellings[file] = nil
      default: try add(act)
      }
    }
    KnownFile.decide(&files, tellings)
  }

  @discardableResult
  private func add(_ act: StoredAct) throws(Corruption) -> OwnerAct {
    guard act.file == nil, act.kind == .deleting || act.kind == .restoring else {
      throw Corruption()
    }
    let added = OwnerAct(
      id: act.id, stamp: act.stamp, isDeletion: act.kind == .deleting, terms: try act.terms)
    acts[act.id] = added
    return added
  }

  /// Deletions and restorations by their numbers, which are read if they are not known.
  ///
  /// - Throws: ``Corruption`` if the store does not have one, or an error of the database
  /// - Complexity: O(log *n*) for each of *n* acts
  @discardableResult
  func acts(_ numbers: [Int64], from database: Database) throws -> [OwnerAct] {
    try numbers.map { number in
      if let act = acts[number] { return act }
      guard let act = try StoredAct.all(in: database, .number(number)).first else {
        throw Corruption()
      }
      return try add(act)
    }
  }

  /// Reads all deletions and restorations.
  func readAllActs(from database: Database) throws {
    guard !areAllActsRead else { return }
    for act in try StoredAct.all(in: database, .all) where act.file == nil { try add(act) }
    areAllActsRead = true
  }

  /// Takes in a file that is not written, as if it were imported.
  func include(_ file: KnownFile, as number: Int64) {
    files[file.id] = file
    files[file.id]?.count(as: number)
  }

  /// The file of an import that is not undone.
  func file(ofImport number: Int64) -> KnownFile? { files.values.first { $0.number == number } }

  /// The file with an identity.
  func file(_ identity: Data) -> KnownFile? { files.values.first { $0.identity == identity } }

  /// The periods of acts in a series.
  func periods(ofType type: Int64, source: Int64) -> SeriesPeriods {
    SeriesPeriods(of: acts.values, type: type, source: source)
  }
}

/// A row of the table of acts.
struct StoredAct {
  enum Kind: String {
    case importing = "i"
    case undoing = "u"
    case deleting = "d"
    case restoring = "r"
  }

  let id: Int64
  let stamp: Stamp
  let kind: Kind
  /// The file of an import or of an undo.
  let file: Int64?
  let content: [UInt8]

  /// The terms of a deletion or a restoration; those of earlier versions have no conditions.
  var terms: OwnerAct.Terms {
    get throws(Corruption) {
      var reader = try ByteReader(checked: content)
      var terms = OwnerAct.Terms()
      for _ in 0..<(try reader.count()) {
        let type = Int64(bitPattern: try reader.variable())
        let source = Int64(bitPattern: try reader.variable())
        let start = Double(bitPattern: try reader.number())
        let end = Double(bitPattern: try reader.number())
        guard start <= end else { throw Corruption() }
        terms.periods.append(OwnerAct.Period(type: type, source: source, time: start...end))
      }
      guard !reader.isAtEnd else { return terms }
      for _ in 0..<(try reader.count()) { terms.conditions.append(try reader.text()) }
      return terms
    }
  }

  /// Which acts are read.
  enum Selection: Equatable {
    case all
    /// Imports and undos.
    case ofFiles
    /// Those of files, and deletions and restorations that mean rows which do not name them.
    case withPeriods
    case number(Int64)

    /// What is asked of a row, and the argument of that.
    fileprivate var condition: (sql: String, argument: Int64) {
      switch self {
      case .all: ("?", 1)
      case .ofFiles: ("? AND file IS NOT NULL", 1)
      case .withPeriods: ("(file IS NOT NULL OR length(content) > ?)", Self.lengthWithoutTerms)
      case .number(let number): ("id = ?", number)
      }
    }

    /// The length of the content of an act without terms.
    private static let lengthWithoutTerms = Int64(
      ByteWriter.checksummed { $0.append(OwnerAct.Terms()) }.count)
  }

  /// Acts in their order.
  static func all(in database: Database, _ selection: Selection = .all) throws -> [StoredAct] {
    let (condition, argument) = selection.condition
    return try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, clock, counter, store, kind, file, content FROM acts
          WHERE \(condition) ORDER BY clock, counter, store
          """), arguments: [argument]
    ).map { row in
      let (kind, file, content): (String, Int64?, Data) = try row.values(from: 4)
      guard let kind = Kind(rawValue: kind) else { throw Corruption() }
      return StoredAct(
        id: try row.decode(atIndex: 0), stamp: try Stamp(row, from: 1), kind: kind, file: file,
        content: [UInt8](content))
    }
  }
}

extension Database {
  /// Writes an act, later than all that the store knows; returns its number.
  @discardableResult
  func append(
    _ kind: StoredAct.Kind, file: Int64? = nil, at time: Double, _ body: (inout ByteWriter) -> Void
  ) throws -> Int64 {
    try insert(kind, at: allocateStamp(at: time), file: file, ByteWriter.checksummed(body))
  }

  /// Writes an act; returns its number.
  @discardableResult
  func insert(
    _ kind: StoredAct.Kind, _ id: Int64? = nil, at stamp: Stamp, file: Int64?, _ content: [UInt8]
  ) throws -> Int64 {
    try insert(
      into: "acts", "id, clock, counter, store, kind, file, content",
      [
        try id ?? nextID(in: "acts"), stamp.clock, stamp.counter, stamp.store, kind.rawValue, file,
        Data(content),
      ])
  }

  /// The stamp of a new act, later than all that the store knows.
  func allocateStamp(at time: Double) throws -> Stamp {
    let last = try Row.fetchOne(
      cachedStatement(sql: "SELECT lastClock, lastCounter, store FROM identity"))
    guard let last else { throw Corruption() }
    let stamp = try Stamp(last, from: 0).next(at: time)
    try record(stamp)
    return stamp
  }

  /// Records a stamp: the next act comes later.
  func record(_ stamp: Stamp) throws {
    try cachedStatement(
      sql: """
        UPDATE identity SET lastClock = ?1, lastCounter = ?2
        WHERE (lastClock, lastCounter) < (?1, ?2)
        """
    ).execute(arguments: [stamp.clock, stamp.counter])
  }

  /// Writes the import of a file, which may replace others; returns its number.
  func appendImport(
    of file: Int64, replacing replaced: some Sequence<Int64>, at time: Double
  ) throws -> Int64 {
    let replaced = replaced.sorted()
    return try append(.importing, file: file, at: time) { writer in
      writer.append(variable: UInt64(replaced.count))
      for file in replaced { writer.append(variable: UInt64(bitPattern: file)) }
    }
  }

  /// Writes a deletion or a restoration; the rows that it names have its number in their sets.
  func appendOwnerAct(
    deletes: Bool, periods: [OwnerAct.Period] = [], at time: Double
  ) throws -> Int64 {
    try append(deletes ? .deleting : .restoring, at: time) { $0.append(.init(periods: periods)) }
  }

  /// Sets the terms of a deletion or a restoration of this transaction.
  func setTerms(_ terms: OwnerAct.Terms, of act: Int64) throws {
    try execute(
      sql: "UPDATE acts SET content = ? WHERE id = ?",
      arguments: [Data(ByteWriter.checksummed { $0.append(terms) }), act])
  }
}

extension ByteWriter {
  mutating func append(_ terms: OwnerAct.Terms) {
    append(variable: UInt64(terms.periods.count))
    for period in terms.periods {
      append(variable: UInt64(bitPattern: period.type))
      append(variable: UInt64(bitPattern: period.source))
      append(period.time.lowerBound.bitPattern)
      append(period.time.upperBound.bitPattern)
    }
    guard !terms.conditions.isEmpty else { return }
    append(variable: UInt64(terms.conditions.count))
    for condition in terms.conditions { append(condition) }
  }
}

extension Set<ElementKind> {
  /// Kinds from their letters.
  init(storedText text: String) throws(Corruption) {
    self.init()
    for letter in text {
      guard let kind = ElementKind(storedText: String(letter)) else { throw Corruption() }
      insert(kind)
    }
  }

  /// The letters of the kinds.
  var storedText: String { map(\.storedText).sorted().joined() }
}
