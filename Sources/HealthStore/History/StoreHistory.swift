import Foundation
import GRDB
import HealthSamples

/// The order of acts: a hybrid logical clock, so that an act that follows from what a store knew
/// comes after it, even when a clock was set back.
struct Stamp: Comparable, Hashable {
  /// Milliseconds since 2001-01-01 UTC.
  var clock: Int64
  /// The order of acts of one time.
  var counter: Int64
  /// The store of the act.
  var store: Int64

  /// The time in seconds since 2001-01-01 UTC.
  var time: Double { Double(clock) / 1_000 }

  static func < (left: Self, right: Self) -> Bool {
    (left.clock, left.counter, left.store) < (right.clock, right.counter, right.store)
  }
}

/// A file that a store knows.
struct StoredFile {
  let id: Int64
  /// The digest of what was read of it.
  let identity: Data
  let format: ImportFormat
  /// The date that it states.
  let exportedAt: Double?
  let place: ReplayPlace
  /// The number of its import, which is that of its last act; `nil` after an undo.
  ///
  /// Acts stay, so that no import gets the number of another, nor an undone one the same again.
  fileprivate(set) var number: Int64?
  /// Whether its last act is an import; its rows are kept while it is.
  var isTold: Bool { number != nil }
  /// Whether its rows count: it is told, and no later import replaced it.
  fileprivate(set) var isPresent = false
  /// The kinds of which its elements count: also those that what replaced it may lack.
  fileprivate(set) var presentKinds: Set<ElementKind> = []
  /// The kinds that it may lack elements of.
  let lacks: Set<ElementKind>

  init(
    id: Int64, identity: Data, format: ImportFormat, exportedAt: Double?, lastEnd: Double,
    lacks: Set<ElementKind> = []
  ) {
    self.lacks = lacks
    (self.id, self.identity, self.format, self.exportedAt) = (id, identity, format, exportedAt)
    place = ReplayPlace(exportedAt: exportedAt, lastEnd: lastEnd)
  }

  /// The order in which files are replayed; of two of one date the identity decides wordings.
  static func precedes(_ left: Self, _ right: Self) -> Bool {
    left.place == right.place
      ? left.identity.lexicographicallyPrecedes(right.identity) : left.place < right.place
  }
}

/// A step of the replay: the date of a file, or the last end of the rows of an undated one, which
/// comes before all dated ones.
struct ReplayPlace: Comparable, Hashable {
  let isDated: Bool
  let time: Double

  init(exportedAt: Double?, lastEnd: Double) {
    isDated = exportedAt != nil
    time = exportedAt ?? lastEnd
  }

  static func < (left: Self, right: Self) -> Bool {
    left.isDated == right.isDated ? left.time < right.time : right.isDated
  }
}

/// A deletion or a restoration.
struct Paint {
  /// A span of a series: it means the rows that start in it and do not end after it.
  struct Period: Hashable {
    var type: Int64
    var source: Int64
    var start: Double
    var end: Double
  }

  /// What an act is of, as its owner said it.
  struct Words: Hashable {
    var periods: [Period] = []
    /// What was asked of each row besides.
    var conditions: [String] = []
  }

  let id: Int64
  let stamp: Stamp
  let isDeletion: Bool
  let words: Words
  var periods: [Period] { words.periods }
}

/// The files that a store knows and the deletions and restorations of its owner, which together
/// decide what it holds.
struct StoreHistory {
  private(set) var files: [Int64: StoredFile] = [:]
  private(set) var paints: [Int64: Paint] = [:]

  /// Reads files and acts; only the acts that decide which files count where no more is needed.
  ///
  /// - Complexity: O(*n*) for *n* files and acts
  init(_ database: Database, ofFilesOnly: Bool = false) throws {
    for row in try Row.fetchAll(
      database, sql: "SELECT id, identity, format, exportedAt, lastEnd, lacks FROM files")
    {
      guard let format = ImportFormat(rawValue: try row.decode(atIndex: 2)) else {
        throw Corruption()
      }
      let exportedAt = try row.decode(Double?.self, atIndex: 3)
      let id: Int64 = try row.decode(atIndex: 0)
      files[id] = StoredFile(
        id: id, identity: try row.decode(atIndex: 1), format: format, exportedAt: exportedAt,
        lastEnd: try row.decode(atIndex: 4), lacks: try .init(storedText: row.decode(atIndex: 5)))
    }
    var tellings: [Int64: (number: Int64, stamp: Stamp, replaced: Set<Int64>)] = [:]
    for act in try StoredAct.all(in: database, ofFilesOnly: ofFilesOnly) {
      var reader = try ByteReader(sealed: act.content)
      switch (act.kind, act.file) {
      case (.importing, let file?):
        var replaced: Set<Int64> = []
        for _ in 0..<(try reader.count()) {
          replaced.insert(Int64(bitPattern: try reader.variable()))
        }
        tellings[file] = (act.id, act.stamp, replaced)
      case (.undoing, let file?): tellings[file] = nil
      case (.deleting, nil), (.restoring, nil):
        paints[act.id] = Paint(
          id: act.id, stamp: act.stamp, isDeletion: act.kind == .deleting,
          words: try act.words)
      default: throw Corruption()
      }
    }
    for (file, telling) in tellings {
      let replacing = tellings.filter {
        $0.value.replaced.contains(file) && $0.value.stamp > telling.stamp
      }
      files[file]?.number = telling.number
      files[file]?.isPresent = replacing.isEmpty
      let lacks = replacing.keys.map { files[$0]?.lacks ?? [] }
      files[file]?.presentKinds = lacks.reduce(Set(ElementKind.allCases)) { $0.intersection($1) }
    }
  }

  /// Takes in a file that is not written, as if it were imported.
  mutating func include(_ file: StoredFile, as number: Int64) {
    files[file.id] = file
    files[file.id]?.number = number
    files[file.id]?.isPresent = true
    files[file.id]?.presentKinds = Set(ElementKind.allCases)
  }

  /// The file of an import that is not undone.
  func file(ofImport number: Int64) -> StoredFile? { files.values.first { $0.number == number } }

  /// The file with an identity.
  func file(_ identity: Data) -> StoredFile? { files.values.first { $0.identity == identity } }

  /// The last of some acts.
  func last(of names: [Int64]) throws(Corruption) -> Paint? {
    try SeriesActs(paints: paints).last(of: names)
  }

  /// Whether each period of a deletion lies in one of a later restoration; what it names by itself does
  /// not decide.
  func isRestored(_ deletion: Paint) -> Bool {
    let later = paints.values.filter { !$0.isDeletion && deletion.stamp < $0.stamp }
      .flatMap(\.periods)
    return deletion.periods.allSatisfy { period in
      later.contains {
        ($0.type, $0.source) == (period.type, period.source)
          && $0.start <= period.start && period.end <= $0.end
      }
    }
  }

  /// What is meant by acts of a series.
  func acts(ofType type: Int64, source: Int64) -> SeriesActs {
    var acts = SeriesActs(paints: paints)
    for paint in paints.values.sorted(by: { $0.stamp < $1.stamp }) {
      for period in paint.periods where period.type == type && period.source == source {
        acts.periods.append((paint, period))
      }
    }
    return acts
  }
}

/// The deletions and restorations as far as they mean rows of one type and one source.
struct SeriesActs {
  fileprivate let paints: [Int64: Paint]
  /// The periods in the order of their acts.
  fileprivate(set) var periods: [(paint: Paint, period: Paint.Period)] = []

  /// The last of some acts.
  func last(of names: [Int64]) throws(Corruption) -> Paint? {
    var last: Paint?
    for name in names {
      guard let paint = paints[name] else { throw Corruption() }
      if last.map({ $0.stamp < paint.stamp }) ?? true { last = paint }
    }
    return last
  }

  /// The last act that means a row: one of those that name it, or one that has it in a period.
  func last(of names: [Int64], meaning row: RowKey) throws(Corruption) -> Paint? {
    var last = try last(of: names)
    let end = max(row.start, row.end)
    let period = periods.last { _, period in
      period.start <= row.start && end <= period.end
        && (row.start < period.end || period.start == period.end)
    }
    if let paint = period?.paint, last.map({ $0.stamp < paint.stamp }) ?? true { last = paint }
    return last
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

  /// The words of a deletion or a restoration; those of earlier versions have no conditions.
  var words: Paint.Words {
    get throws(Corruption) {
      var reader = try ByteReader(sealed: content)
      var words = Paint.Words()
      for _ in 0..<(try reader.count()) {
        words.periods.append(
          Paint.Period(
            type: Int64(bitPattern: try reader.variable()),
            source: Int64(bitPattern: try reader.variable()),
            start: Double(bitPattern: try reader.number()),
            end: Double(bitPattern: try reader.number())))
      }
      guard words.periods.allSatisfy({ $0.start <= $0.end }) else { throw Corruption() }
      guard !reader.isAtEnd else { return words }
      for _ in 0..<(try reader.count()) { words.conditions.append(try reader.text()) }
      return words
    }
  }

  /// All acts in their order, or those of files only.
  static func all(in database: Database, ofFilesOnly: Bool = false) throws -> [StoredAct] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT id, clock, counter, store, kind, file, content FROM acts
        \(ofFilesOnly ? "WHERE file IS NOT NULL" : "") ORDER BY clock, counter, store
        """
    ).map { row in
      guard let kind = Kind(rawValue: try row.decode(atIndex: 4)) else { throw Corruption() }
      let id: Int64 = try row.decode(atIndex: 0)
      return StoredAct(
        id: id,
        stamp: try Stamp(row, from: 1),
        kind: kind, file: try row.decode(atIndex: 5),
        content: [UInt8](try row.decode(Data.self, atIndex: 6)))
    }
  }
}

extension Database {
  /// Writes an act, later than all that the store knows; returns its number.
  @discardableResult
  func append(
    _ kind: StoredAct.Kind, file: Int64? = nil, at time: Double, _ body: (inout ByteWriter) -> Void
  ) throws -> Int64 {
    let stamp = try takeStamp(at: time)
    let id = try nextID(in: "acts")
    var writer = ByteWriter()
    body(&writer)
    writer.seal()
    try execute(
      sql: """
        INSERT INTO acts (id, clock, counter, store, kind, file, content)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        id, stamp.clock, stamp.counter, stamp.store, kind.rawValue, file, Data(writer.bytes),
      ])
    return id
  }

  /// The stamp of a new act, later than all that the store knows.
  func takeStamp(at time: Double) throws -> Stamp {
    let last = try Row.fetchOne(
      cachedStatement(sql: "SELECT lastClock, lastCounter, store FROM identity"))
    guard let last else { throw Corruption() }
    var stamp = try Stamp(last, from: 0)
    let now = Int64(exactly: (time * 1_000).rounded(.down)) ?? 0
    stamp.counter = now > stamp.clock ? 0 : stamp.counter + 1
    stamp.clock = max(now, stamp.clock)
    try note(stamp)
    return stamp
  }

  /// Records a stamp: the next act comes later.
  func note(_ stamp: Stamp) throws {
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
  func appendPaint(
    deletes: Bool, periods: [Paint.Period] = [], at time: Double
  ) throws -> Int64 {
    try append(deletes ? .deleting : .restoring, at: time) { $0.append(.init(periods: periods)) }
  }

  /// Sets the words of a deletion or a restoration of this transaction.
  func setWords(_ words: Paint.Words, of act: Int64) throws {
    var writer = ByteWriter()
    writer.append(words)
    writer.seal()
    try execute(
      sql: "UPDATE acts SET content = ? WHERE id = ?", arguments: [Data(writer.bytes), act])
  }
}

extension ByteWriter {
  mutating func append(_ words: Paint.Words) {
    append(variable: UInt64(words.periods.count))
    for period in words.periods {
      append(variable: UInt64(bitPattern: period.type))
      append(variable: UInt64(bitPattern: period.source))
      append(period.start.bitPattern)
      append(period.end.bitPattern)
    }
    guard !words.conditions.isEmpty else { return }
    append(variable: UInt64(words.conditions.count))
    for condition in words.conditions { append(condition) }
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
