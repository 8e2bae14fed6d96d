import Algorithms
import GRDB
import HealthSamples

/// Decides, after an import, which rows of a type and a source count and which are superseded by a
/// later export.
///
/// The result depends only on the contents of each export, not on the order of imports: the exports
/// are replayed by their dates. A row that an export no longer has does not count any more if the
/// export tells a new one that overlaps it. Such rows stay in a separate table, so that an earlier
/// export that is imported late, or again, is recognised.
struct SeriesReview {
  /// The changes by the review, in rows.
  struct Outcome: Equatable {
    /// Rows that no longer count.
    var superseded = 0
    /// Rows of the import that are known: superseded by a later export, before or now.
    var known = 0
  }

  private enum Action: UInt8 {
    /// Stays in its table.
    case stay
    /// Moves between the counted and the superseded rows.
    case move
    /// Is the same sample as another row, which is kept for both.
    case drop
  }

  /// A row in a window.
  fileprivate struct Row {
    /// As recorded: it may lie before the start.
    var end: Double
    var span: TimeSpan
    var value: Double
    var exportSet: UInt32
    /// The number of the row in its table.
    var number: Int
    var isSuperseded: Bool
    /// Whether it is in this import and was superseded before.
    var isBack = false
  }

  private let type: SampleType
  private let source: Source
  private let database: Database
  private let revision: Revision
  private let exports: SeriesExports
  private let zeroOffset: Double
  /// Whether no later export is known, and this one is imported for the first time: then the rule
  /// is applied once, to the counted rows.
  private let isNewest: Bool

  private var window: [Row] = []
  private var windowEnd = -Double.infinity
  /// The actions for the counted rows, and for the superseded ones, by number.
  private var actions: [Action] = []
  private var supersededActions: [Action] = []
  /// New export sets of rows, by number.
  private var changedSets: [Int: UInt32] = [:]
  private var changedSupersededSets: [Int: UInt32] = [:]
  private var outcome = Outcome()

  init(
    _ type: SampleType, _ source: Source, exports: SeriesExports, units: RecordedUnits,
    in database: Database, revision: Revision
  ) {
    self.revision = revision
    self.type = type
    self.source = source
    self.database = database
    self.exports = exports
    zeroOffset = units.zeroOffset
    isNewest = exports.index == nil || exports.isNewest && !exports.isKnown
  }

  /// Reviews the series and moves rows.
  ///
  /// Memory grows with rows that are not in all exports and that overlap in time.
  ///
  /// - Complexity: O(*n* log *n* · *e*) for *n* rows and *e* exports
  mutating func run(_ units: inout RecordedUnits) throws -> Outcome {
    let chunks = try database.chunks(of: type, source).map(\.id)
    let superseded = try database.supersededChunks(of: type, source)
    var chains = (
      try ChunkChain(chunks, isSuperseded: false, database, &units),
      try ChunkChain(superseded, isSuperseded: true, database, &units)
    )
    var group: [Row] = []
    while let isSuperseded = Self.isNextSuperseded(chains.0, chains.1) {
      let row: Row
      if isSuperseded {
        row = chains.1.row(isSuperseded: true)
        supersededActions.append(.stay)
        try chains.1.advance(database, &units)
      } else {
        row = chains.0.row(isSuperseded: false)
        actions.append(.stay)
        try chains.0.advance(database, &units)
      }
      guard try isConcerned(row) else { continue }
      if let first = group.first,
        first.span.start != row.span.start || first.end != row.end
      {
        try close(&group)
      }
      group.append(row)
    }
    try close(&group)
    try closeWindow()
    let isChanged =
      !changedSets.isEmpty || !changedSupersededSets.isEmpty || actions.contains { $0 != .stay }
      || supersededActions.contains { $0 != .stay }
    if isChanged { try move(chunks, superseded, &units) }
    return outcome
  }

  /// Whether the next row in order of time is a superseded one; `nil` at the end.
  private static func isNextSuperseded(_ counting: ChunkChain, _ superseded: ChunkChain)
    -> Bool?
  {
    guard let key = superseded.key else { return counting.key == nil ? nil : false }
    guard let other = counting.key else { return true }
    return key < other
  }

  /// Whether the rule may apply to a row.
  private func isConcerned(_ row: Row) throws(Corruption) -> Bool {
    if row.isSuperseded || row.exportSet == exports.fresh { return true }
    let presence = try exports.presence(row.exportSet)
    guard presence.contains(true), exports.index != nil else { return false }
    return isNewest ? presence.last == false : presence.contains(false)
  }

  /// Matches rows with the same times and values, and adds the rest to the window.
  private mutating func close(_ group: inout [Row]) throws {
    defer { group = [] }
    let fresh = group.indices.filter {
      !group[$0].isSuperseded && group[$0].exportSet == exports.fresh
    }
    var candidates = fresh[...]
    var dropped: Set<Int> = []
    for index in group.indices where group[index].isSuperseded {
      // The merge matched the import with the counted rows; superseded ones are matched here.
      let change = try exports.change(group[index].exportSet)
      let value = group[index].value
      while let next = candidates.first, group[next].value < value,
        !agree(group[next].value, value)
      {
        candidates.removeFirst()
      }
      guard let twin = candidates.first, agree(group[twin].value, value) else {
        setExportSet(group[index], change.absent)
        group[index].exportSet = change.absent
        continue
      }
      candidates.removeFirst()
      // The payload of the later export is kept.
      let isLater = try exports.isLater(than: group[index].exportSet)
      let (kept, lost) = isLater ? (twin, index) : (index, twin)
      dropped.insert(lost)
      setExportSet(group[kept], change.present)
      act(.drop, on: group[lost])
      group[kept].exportSet = change.present
      group[kept].isBack = true
    }
    for index in group.indices where !dropped.contains(index) {
      let row = group[index]
      // For the newest export only its own rows and those that it lacks are compared.
      if isNewest, row.isSuperseded, !row.isBack { continue }
      if row.span.start >= windowEnd { try closeWindow() }
      windowEnd = max(windowEnd, row.span.bound)
      window.append(row)
    }
  }

  private func agree(_ left: Double, _ right: Double) -> Bool {
    SeriesMerge.agree(
      left, right, isExact: type.canonicalUnit == nil, zeroOffset: zeroOffset)
  }

  private mutating func setExportSet(_ row: Row, _ exportSet: UInt32) {
    guard row.exportSet != exportSet else { return }
    if row.isSuperseded {
      changedSupersededSets[row.number] = exportSet
    } else {
      changedSets[row.number] = exportSet
    }
  }

  private mutating func act(_ action: Action, on row: Row) {
    if row.isSuperseded {
      supersededActions[row.number] = action
    } else {
      actions[row.number] = action
    }
  }

  /// Applies the rule from one export to the next, and records which rows move.
  private mutating func closeWindow() throws {
    defer {
      window = []
      windowEnd = -.infinity
    }
    guard !window.isEmpty, let current = exports.index else {
      for row in window where row.isBack {
        if !row.isSuperseded { act(.move, on: row) }
        outcome.known += 1
      }
      return
    }
    let presences = try window.map { row throws(Corruption) in
      try exports.presence(row.exportSet)
    }
    var counts = [Bool](repeating: false, count: window.count)
    if isNewest {
      // The rows that counted before the import.
      for index in window.indices {
        counts[index] =
          !window[index].isSuperseded && !window[index].isBack
          && window[index].exportSet != exports.fresh
      }
    }
    for step in (isNewest ? current : 0)..<exports.dates.count {
      let new = window.indices.filter { !counts[$0] && presences[$0][step] }
      if step > 0, !new.isEmpty {
        let told = SpanIndex(new.map { window[$0].span })
        for index in window.indices where counts[index] && !presences[index][step] {
          if told.overlaps(window[index].span) { counts[index] = false }
        }
      }
      for index in new { counts[index] = true }
    }
    for (index, row) in window.enumerated() {
      let isNew = row.exportSet == exports.fresh
      if counts[index] == row.isSuperseded { act(.move, on: row) }
      if !counts[index], !row.isSuperseded, !row.isBack, !isNew { outcome.superseded += 1 }
      if !counts[index], row.isBack || isNew && !row.isSuperseded { outcome.known += 1 }
    }
  }
}

extension SeriesReview {
  /// Writes both tables again, as far as they change.
  private func move(
    _ chunks: [Int64], _ superseded: [Int64], _ units: inout RecordedUnits
  ) throws {
    var chain = try ChunkChain(superseded, isSuperseded: true, database, &units)
    let counting = ChunkWriter(
      type: type, source: source, database: database, revision: revision)
    let hidden = ChunkWriter(
      type: type, source: source, database: database, revision: revision, table: .superseded)
    hidden.begin(nil)
    /// Inserts superseded rows that come before a row, or all.
    func takeSuperseded(before key: RowKey?) throws {
      while let next = chain.key, let cursor = chain.cursor, key.map({ next < $0 }) ?? true {
        let writer: ChunkWriter? =
          switch supersededActions[chain.number] {
          case .stay: hidden
          case .move: counting
          case .drop: nil
          }
        try writer?.insert(
          cursor.row..<cursor.row + 1, of: cursor, exportSet: changedSupersededSets[chain.number])
        try chain.advance(database, &units)
      }
    }
    var number = 0
    for (index, chunk) in chunks.enumerated() {
      let cursor = try database.cursor(of: chunk, hasExportSets: true, units: &units)
      counting.begin(chunk)
      while !cursor.isAtEnd {
        var row = 0
        while row < cursor.rowCount {
          try takeSuperseded(before: cursor.key(row))
          let position = number + row
          switch actions[position] {
          case .stay where changedSets[position] == nil:
            var end = row + 1
            while end < cursor.rowCount, actions[number + end] == .stay,
              changedSets[number + end] == nil, chain.key.map({ cursor.key(end) < $0 }) ?? true
            {
              end += 1
            }
            try counting.pass(row..<end, of: cursor)
            row = end
            continue
          case .stay:
            try counting.insert(
              row..<row + 1, of: cursor, serial: cursor.serial(row),
              exportSet: changedSets[position])
          case .move:
            try counting.leaveOut(row..<row + 1, of: cursor)
            try hidden.insert(row..<row + 1, of: cursor, exportSet: changedSets[position])
          case .drop: try counting.leaveOut(row..<row + 1, of: cursor)
          }
          row += 1
        }
        number += cursor.rowCount
        try cursor.advanceBlock()
      }
      if index == chunks.count - 1 { try takeSuperseded(before: nil) }
      try counting.end()
    }
    if chunks.isEmpty {
      counting.begin(nil)
      try takeSuperseded(before: nil)
      try counting.end()
    }
    try hidden.end()
    for chunk in superseded {
      try database.execute(sql: "DELETE FROM hidden WHERE id = ?", arguments: [chunk])
    }
    try database.updateSeries(
      type: database.identifier(of: type), source: database.identifier(of: source))
  }
}

/// The rows of consecutive chunks.
private struct ChunkChain {
  private var waiting: ArraySlice<Int64>
  private let isSuperseded: Bool
  /// The cursor on the next row; `nil` at the end.
  private(set) var cursor: RowCursor?
  /// The number of rows before it.
  private(set) var number = 0

  init(
    _ chunks: [Int64], isSuperseded: Bool, _ database: Database,
    _ units: inout RecordedUnits
  ) throws {
    waiting = chunks[...]
    self.isSuperseded = isSuperseded
    try open(database, &units)
  }

  var key: RowKey? { cursor?.key }

  func row(isSuperseded: Bool) -> SeriesReview.Row {
    guard let cursor else { preconditionFailure("There is no row at the end of a chain.") }
    let key = cursor.key
    return SeriesReview.Row(
      end: key.end, span: TimeSpan(start: key.start, end: key.end),
      value: key.canonical,
      exportSet: cursor.exportSet(cursor.row), number: number, isSuperseded: isSuperseded)
  }

  mutating func advance(_ database: Database, _ units: inout RecordedUnits) throws {
    try cursor?.advance()
    number += 1
    if cursor?.isAtEnd ?? true { try open(database, &units) }
  }

  private mutating func open(_ database: Database, _ units: inout RecordedUnits) throws {
    cursor = nil
    guard let next = waiting.popFirst() else { return }
    cursor = try database.cursor(
      of: next, hasExportSets: true, isHidden: isSuperseded, units: &units)
  }
}

extension Database {
  /// The superseded rows of a type and a source, in order of time.
  func supersededChunks(of type: SampleType, _ source: Source) throws -> [Int64] {
    try Int64.fetchAll(
      self,
      sql: """
        SELECT id FROM hidden WHERE type = ? AND source = ? AND NOT isDeleted
        ORDER BY firstStart, lastStart, id
        """, arguments: [storedIdentifier(of: type), storedIdentifier(of: source)])
  }
}

/// The time of a row, for comparisons: half-open, an instant as the shortest span that starts at it.
///
/// Two spans overlap if they share more than an instant. An instant overlaps an equal one, and a
/// span that it starts or lies inside of, not one that ends at it.
struct TimeSpan {
  let start: Double
  /// The first instant after it.
  let bound: Double

  /// An end before its start is taken as the start.
  init(start: Double, end: Double) {
    self.start = start
    bound = end > start ? end : start.nextUp
  }
}

/// Finds out whether one of some spans overlaps another one.
struct SpanIndex {
  private let starts: [Double]
  /// The greatest bound of a span and all before it.
  private let bounds: [Double]

  /// Takes spans in ascending order of their starts.
  init(_ spans: [TimeSpan]) {
    starts = spans.map(\.start)
    bounds = spans.map(\.bound).reductions(max)
  }

  /// - Complexity: O(log *n*) for *n* spans
  func overlaps(_ span: TimeSpan) -> Bool {
    let next = starts.partitioningIndex { $0 >= span.bound }
    return next > 0 && bounds[next - 1] > span.start
  }
}
