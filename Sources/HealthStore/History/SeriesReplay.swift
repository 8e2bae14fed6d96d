import GRDB
import HealthLedger
import HealthSamples

/// Applies the law to the rows of a type and a source: moves rows between the counted and the hidden
/// ones as ``ClusterDecision`` says.
///
/// It reads the chunks of a span, closes a cluster where no row crosses, and writes the chunks that
/// change.
struct SeriesReplay {
  /// What changed, in rows.
  struct Outcome: Equatable {
    /// Rows that counted and do not any more.
    var retold = 0
    /// Rows of no file, which are gone.
    var dropped = 0
    /// New rows that are not new: in other words, hidden before, or saved.
    var known = 0
    /// Rows that the import alone brings and that deletions keep out.
    var keptOut = 0
    /// Rows that count again or for the first time, although they were known.
    var returned = 0
    /// Counted rows that another wording of the import replaces.
    var reworded = 0
  }

  /// What is to be done with a row that does not stay as it is.
  private struct Move {
    /// Whether it is kept, and where.
    var isKept = true
    var isVisible = false
    /// The serial that it has there; `nil` for a new one.
    var serial: Int64?
    /// The serial that it had first, if it returns under a new one.
    var birth: Int64?
    /// Whether it leaves the counted rows for their readers.
    var isDeleted = false
    var set: UInt32?
  }

  fileprivate struct Row {
    var key: RowKey
    var set: UInt32
    /// The set as it is stored.
    var storedSet: UInt32
    /// The number of the row: of a hidden one among all of the series, else within the segment.
    var number: Int
    var isHidden: Bool
    var serial: Int64
    var birth: Int64
  }

  /// A row that a deletion keeps from counting, or has deleted.
  struct KeptOut {
    let key: RowKey
    let span: Range<Double>
    /// Whether a present file has it, and nothing has retold it since.
    var isOut = false
    let isSaved: Bool
    /// The first serials of its rows.
    let births: [Int64]
    /// The deletion that decides it.
    let act: Int64?
    /// Its numbers among the hidden rows of the series.
    let numbers: [Int]
    /// Its sets of members.
    let sets: [UInt32]

    fileprivate init(_ rows: [Row], front: Row, isSaved: Bool, act: Int64?) {
      (key, span, self.isSaved, self.act) = (front.key, front.key.span, isSaved, act)
      (numbers, sets, births) = (rows.map(\.number), rows.map(\.set), rows.map(\.birth))
    }
  }

  private let type: SampleType
  private let source: Source
  private let numbers: SeriesNumbers
  private let database: Database
  private let revision: Revision
  private let files: SeriesFiles
  private let periods: SeriesPeriods
  private let agreement: ValueAgreement
  private var units: RecordedUnits
  /// Which hidden rows the import has, in their order; `nil` if there is no import.
  private let matched: [Bool]?
  /// Gives a row another set: gets the row, its number if it is hidden, and its set.
  typealias Naming = (RowCursor, Int, Int?, UInt32) throws -> UInt32
  private let naming: Naming?

  private let births: Births
  /// The time whose clusters are decided anew; `nil` for all time.
  private var replayed: ClosedRange<Double>?
  /// The rows of the cluster that is open, and the first moment that none of them reaches.
  private var cluster: [Row] = []
  private var clusterEnd = -Double.infinity
  /// The last set whose counted rows, and the last one whose hidden rows, stay as they are where
  /// nothing overlaps them.
  private var plainSets: (counted: UInt32?, hidden: UInt32?)
  /// What is to be done with rows, by their numbers; at most once with each.
  private var moves: [(number: Int, move: Move)] = []
  private var hiddenMoves: [(number: Int, move: Move)] = []
  private(set) var outcome = Outcome()
  /// What is kept out, if that is asked for.
  private var kept: [KeptOut]?

  init(
    _ type: SampleType, _ source: Source, _ files: SeriesFiles, units: RecordedUnits,
    matched: [Bool]? = nil,
    naming: Naming? = nil,
    in database: Database, revision: Revision
  ) throws {
    (self.type, self.source, self.files, self.units) = (type, source, files, units)
    (self.database, self.revision, self.matched) = (database, revision, matched)
    self.naming = naming
    numbers = try database.numbers(of: type, source)
    periods = try files.sets.history().periods(ofType: numbers.type, source: numbers.source)
    agreement = ValueAgreement(of: type)
    births = try Births(database, revision)
  }

  /// Whether a deletion or a restoration has a period in the series.
  var hasPeriods: Bool { !periods.isEmpty }

  /// The periods of an act in the series.
  func periods(of referrer: Provenance.Referrer) -> [ClosedRange<Double>] {
    guard case .act(let act) = referrer else { return [] }
    return periods.periods(of: act)
  }

  /// Replays the clusters in a span, or all.
  ///
  /// Memory grows with the rows of a segment: chunks of which each overlaps another one.
  ///
  /// - Complexity: O(*n* log *n*) for the *n* rows of the segments that the span touches
  mutating func run(in span: ClosedRange<Double>? = nil) throws -> Outcome {
    replayed = span
    var isChanged = false
    for segment in try segments() {
      let isTouched =
        span.map { segment.start <= $0.upperBound && $0.lowerBound <= segment.end } ?? true
      guard isTouched || matched != nil && !segment.hidden.isEmpty else { continue }
      if try drop(segment) {
        isChanged = true
        continue
      }
      (moves, hiddenMoves) = ([], [])
      try decide(segment)
      guard !moves.isEmpty || !hiddenMoves.isEmpty else { continue }
      try write(segment)
      try revision.flushDeletions(to: database)
      isChanged = true
    }
    if isChanged { try database.updateSeries(numbers) }
    return outcome
  }

  /// The rows that deletions keep out, and those that they have deleted, in order of time.
  ///
  /// - Complexity: O(*n* log *n*) for the *n* rows of the segments with hidden rows
  mutating func keptOut() throws -> [KeptOut] {
    kept = []
    plainSets = (nil, nil)
    for segment in try segments() where !segment.hidden.isEmpty { try decide(segment) }
    return kept ?? []
  }

  // MARK: Segments

  /// Chunks that hang together: no row of others overlaps one of theirs.
  private struct Segment {
    var chunks: [StoredChunk] = []
    var hidden: [StoredChunk] = []
    /// The number of the first hidden row among those of the series.
    var firstHidden = 0
    var start = Double.infinity
    var end = -Double.infinity
    var lastStart = -Double.infinity
  }

  private func segments() throws -> [Segment] {
    var segments: [Segment] = []
    var current = Segment()
    var hiddenCount = 0
    let all = try [StoredChunk.Table.chunks, .hidden].flatMap { table in
      try database.chunks(table, of: type, source).map { (chunk: $0, table: table) }
    }
    for (chunk, table) in all.sorted(by: { $0.chunk.firstStart < $1.chunk.firstStart }) {
      if chunk.firstStart >= current.end, chunk.firstStart > current.lastStart {
        if current.start.isFinite { segments.append(current) }
        current = Segment(firstHidden: hiddenCount)
      }
      if table == .hidden {
        current.hidden.append(chunk)
        hiddenCount += chunk.count
      } else {
        current.chunks.append(chunk)
      }
      current.start = min(current.start, chunk.firstStart)
      current.end = max(current.end, chunk.lastEnd)
      current.lastStart = max(current.lastStart, chunk.lastStart)
    }
    if current.start.isFinite { segments.append(current) }
    return segments
  }

  /// Deletes chunks without hidden neighbours, if all their rows are of undone files and nothing
  /// names one; returns whether it did.
  private mutating func drop(_ segment: Segment) throws -> Bool {
    guard files.haveUndone, segment.hidden.isEmpty, matched == nil, naming == nil, kept == nil
    else { return false }
    for chunk in segment.chunks {
      let cursor = try database.cursor(of: chunk.id, hasMemberSets: true, units: &units)
      let isDropped = try cursor.originTable.allSatisfy { origin in
        let facts = try files.facts(origin.memberSet)
        return facts.steps.isEmpty && !facts.isTold && !facts.isNamed && !facts.isSaved
      }
      guard isDropped else { return false }
    }
    for chunk in segment.chunks {
      let cursor = try database.cursor(of: chunk.id, hasMemberSets: true, units: &units)
      try cursor.forEachRow { try revision.delete($0, of: cursor, from: numbers.subject) }
      outcome.dropped += cursor.count
      try database.deleteChunk(chunk.id)
      try revision.flushDeletions(to: database)
    }
    return true
  }

  // MARK: Deciding

  private mutating func decide(_ segment: Segment) throws {
    var visible = try ChunkChain(segment.chunks, isHidden: false, database, &units)
    var hidden = try ChunkChain(
      segment.hidden, isHidden: true, from: segment.firstHidden, database, &units)
    while true {
      try passPlain(&visible, &hidden)
      let isHidden: Bool
      switch (visible.key, hidden.key) {
      case (nil, nil): return try closeCluster()
      case (nil, _): isHidden = true
      case (_, nil): isHidden = false
      case (let one?, let other?): isHidden = other < one
      }
      let row = try row(of: isHidden ? hidden : visible)
      if row.key.start >= clusterEnd { try closeCluster() }
      cluster.append(row)
      clusterEnd = max(clusterEnd, row.key.span.upperBound)
      if isHidden {
        try hidden.advance(database, &units)
      } else {
        try visible.advance(database, &units)
      }
    }
  }

  private func row(of chain: ChunkChain) throws -> Row {
    guard let cursor = chain.cursor else { throw Corruption() }
    let (stored, isHidden) = (cursor.memberSet(cursor.row), chain.isHidden)
    var set = try chain.set(files, matched)
    if let naming { set = try naming(cursor, cursor.row, isHidden ? chain.number : nil, set) }
    let serial = cursor.serial(cursor.row)
    return Row(
      key: cursor.key, set: set, storedSet: stored, number: chain.number, isHidden: isHidden,
      serial: serial, birth: isHidden ? serial : births.birth(of: serial))
  }

  private mutating func record(_ move: Move, of row: Row) {
    if row.isHidden {
      hiddenMoves.append((row.number, move))
    } else {
      moves.append((row.number, move))
    }
  }

  /// Puts a saved row where it belongs.
  private mutating func apply(_ saved: ClusterDecision.Saved) {
    let (row, isVisible) = (cluster[saved.row], saved.isVisible)
    if row.set != row.storedSet { revision.undecided.namings.append((row.birth, saved.deletion)) }
    if row.isHidden == isVisible {
      let move = Move(
        isVisible: isVisible, serial: isVisible ? nil : row.birth,
        birth: isVisible ? row.birth : nil, isDeleted: !isVisible, set: row.set)
      record(move, of: row)
      if isVisible { outcome.returned += 1 } else { outcome.dropped += 1 }
    } else if row.set != row.storedSet {
      record(Move(isVisible: isVisible, serial: row.serial, set: row.set), of: row)
    }
  }

  /// Whether a row stays as it is if nothing overlaps it.
  private mutating func isPlain(_ row: Row) throws -> Bool {
    try row.set == row.storedSet && isPlain(row.set, isHidden: row.isHidden)
  }

  private mutating func isPlain(_ set: UInt32, isHidden: Bool) throws -> Bool {
    if set == (isHidden ? plainSets.hidden : plainSets.counted) { return true }
    guard periods.isEmpty else { return false }
    let facts = try files.facts(set)
    if isHidden {
      // An import reports how many rows deletions keep out; who asks for them gets each.
      guard files.index == nil, kept == nil, !facts.isSaved, !facts.steps.isEmpty, facts.isDeleted
      else { return false }
      plainSets.hidden = set
    } else {
      guard facts.isPlain else { return false }
      plainSets.counted = set
    }
    return true
  }

  /// Passes rows that stay as they are and that nothing overlaps, up to the last of a block.
  private mutating func passPlain(_ visible: inout ChunkChain, _ hidden: inout ChunkChain) throws {
    guard naming == nil, matched == nil else { return }
    let (one, other) = (visible.cursor, hidden.cursor)
    var (row, otherRow) = (one?.row ?? 0, other?.row ?? 0)
    if !cluster.isEmpty {
      // What comes next overlaps nothing before it.
      let start = min(
        one?.block.starts[row] ?? .infinity, other?.block.starts[otherRow] ?? .infinity)
      guard start >= clusterEnd else { return }
      try closeCluster()
    }
    while true {
      let start = one?.block.starts[row] ?? .infinity
      let otherStart = other?.block.starts[otherRow] ?? .infinity
      let isHidden = otherStart < start
      guard let cursor = isHidden ? other : one else { break }
      let place = isHidden ? otherRow : row
      let span = SampleTime.halfOpen(
        from: cursor.block.starts[place], to: cursor.block.ends[place])
      let isOutside = replayed.map { !$0.overlaps(span) } ?? false
      guard place + 1 < cursor.rowCount,
        try isOutside || isPlain(cursor.memberSet(place), isHidden: isHidden)
      else { break }
      let next = min(cursor.block.starts[place + 1], isHidden ? start : otherStart)
      guard next >= span.upperBound else { break }
      if isHidden { otherRow += 1 } else { row += 1 }
    }
    visible.move(to: row)
    hidden.move(to: otherRow)
  }

  private mutating func closeCluster() throws {
    defer {
      cluster.removeAll(keepingCapacity: true)
      clusterEnd = -.infinity
    }
    guard let first = cluster.first else { return }
    if cluster.count == 1, try isPlain(first) { return }
    let decision = ClusterDecision(
      try cluster.map { ClusterDecision.Row($0.key, try files.facts($0.set), birth: $0.birth) },
      periods, agreement)
    if kept != nil { return keep(decision) }
    for saved in decision.saved { apply(saved) }
    var counted: [Int64: Int] = [:]
    for place in decision.forgotten.reversed() where !cluster[place].isHidden {
      counted[cluster[place].birth] = place
    }
    var donors: Set<Int> = []
    for sample in decision.samples {
      // What returns in other words keeps its serial.
      let donor = counted[sample.birth].flatMap { place in
        cluster[place].key.isSimultaneous(with: cluster[sample.front].key)
          && sample.rows.allSatisfy { cluster[$0].isHidden } && donors.insert(place).inserted
          ? cluster[place] : nil
      }
      try apply(sample, donor)
    }
    for place in decision.forgotten where !donors.contains(place) {
      let row = cluster[place]
      record(Move(isKept: false, isDeleted: !row.isHidden), of: row)
      if !row.isHidden { outcome.dropped += 1 }
    }
  }

  /// Takes in what deletions keep out of a cluster, and what they have deleted.
  private mutating func keep(_ decision: ClusterDecision) {
    for saved in decision.saved where saved.deletion != nil {
      let row = cluster[saved.row]
      kept?.append(KeptOut([row], front: row, isSaved: true, act: saved.deletion))
    }
    for sample in decision.samples where sample.isDeleted || sample.state == .out {
      var row = KeptOut(
        sample.rows.map { cluster[$0] }, front: cluster[sample.front], isSaved: false,
        act: sample.deletion)
      row.isOut = sample.state == .out
      kept?.append(row)
    }
  }

  /// Puts the rows of a sample where they belong.
  ///
  /// - Parameters:
  ///   - sample: the sample
  ///   - donor: a counted row of no file, whose serial the sample may take over
  /// - Throws: ``Corruption``
  private mutating func apply(_ sample: ClusterDecision.Sample, _ donor: Row?) throws {
    let isVisible = sample.isVisible
    let birth = sample.hasParted ? revision.allocateSerials(1) : sample.birth
    let firstSerial = revision.firstSerial
    let rows = sample.rows.map { cluster[$0] }
    let old =
      rows.filter { !$0.isHidden && $0.serial < firstSerial } + (donor.map { [$0] } ?? [])
    let fresh = rows.filter { !$0.isHidden && $0.serial >= firstSerial }
    if rows.count > fresh.count || donor != nil || !isVisible {
      outcome.known += fresh.count
      if isVisible, !old.isEmpty, !fresh.isEmpty { outcome.reworded += 1 }
    } else if !fresh.isEmpty {
      outcome.known += fresh.count - 1
    }
    if sample.state == .out, sample.deletion != nil, let index = files.index,
      try rows.allSatisfy({ row in
        let presence = try files.presence(row.set)
        return presence[index] && presence.count(where: \.self) == 1
      })
    {
      outcome.keptOut += 1
    }
    if !isVisible, !old.isEmpty {
      if sample.isPresent { outcome.retold += old.count } else { outcome.dropped += old.count }
    }
    // The serial under which it counts.
    let kept = isVisible ? old.map(\.serial).min() : nil
    let serial = kept ?? (isVisible ? fresh.first?.serial : nil)
    if isVisible, old.isEmpty, fresh.isEmpty || birth < fresh[0].serial { outcome.returned += 1 }
    for (place, row) in zip(sample.rows, rows) {
      let isFront = isVisible && place == sample.front
      let needsBirth =
        isFront && kept == nil
        && (serial.map { birth < $0 && births.birth(of: $0) != birth } ?? true)
      let wanted: Int64? = isFront ? serial : row.serial < firstSerial ? row.birth : birth
      let isSame =
        row.isHidden != isFront && row.set == row.storedSet && wanted == row.serial && !needsBirth
      if isSame { continue }
      let move = Move(
        isVisible: isFront, serial: wanted, birth: needsBirth ? birth : nil,
        isDeleted: !row.isHidden && row.serial != kept, set: row.set)
      record(move, of: row)
    }
    if let donor {
      record(Move(isKept: false, isDeleted: donor.serial != kept), of: donor)
    }
  }
}

extension SeriesReplay {
  /// Writes the chunks of a segment again, as far as they change.
  private mutating func write(_ segment: Segment) throws {
    moves.sort { $0.number < $1.number }
    hiddenMoves.sort { $0.number < $1.number }
    let (moves, hiddenMoves) = (moves, hiddenMoves)
    var next = 0
    var nextHidden = 0
    var chain = try ChunkChain(
      segment.hidden, isHidden: true, from: segment.firstHidden, database, &units)
    let counting = try ChunkWriter(
      type: type, source: source, database: database, revision: revision)
    let hidden = try ChunkWriter(
      type: type, source: source, database: database, revision: revision, table: .hidden)
    hidden.begin(nil)
    let isHiddenChanged =
      !hiddenMoves.isEmpty || moves.contains { $0.move.isKept && !$0.move.isVisible }
    func place(_ row: Int, of cursor: RowCursor, _ move: Move) throws {
      guard move.isKept else { return }
      if move.isVisible {
        try counting.insert(
          row..<row + 1, of: cursor, serial: move.serial, memberSet: move.set, birth: move.birth)
      } else {
        try hidden.insert(row..<row + 1, of: cursor, serial: move.serial, memberSet: move.set)
      }
    }
    /// Inserts hidden rows that come before a row, or all.
    func passHidden(before key: RowKey?) throws {
      while let next = chain.key, let cursor = chain.cursor, key.map({ next < $0 }) ?? true {
        if nextHidden < hiddenMoves.count, hiddenMoves[nextHidden].number == chain.number {
          try place(cursor.row, of: cursor, hiddenMoves[nextHidden].move)
          nextHidden += 1
        } else {
          try hidden.insert(cursor.row..<cursor.row + 1, of: cursor)
        }
        try chain.advance(database, &units)
      }
    }
    var number = 0
    for (index, chunk) in segment.chunks.enumerated() {
      let cursor = try database.cursor(of: chunk.id, hasMemberSets: true, units: &units)
      counting.begin(chunk.id)
      while !cursor.isAtEnd {
        var row = 0
        while row < cursor.rowCount {
          try passHidden(before: cursor.key(row))
          let nextMove = next < moves.count ? moves[next].number : .max
          guard nextMove == number + row else {
            let bound = min(cursor.rowCount, nextMove - number)
            var end = bound
            if let key = chain.key {
              end = row + 1
              while end < bound, cursor.key(end) < key { end += 1 }
            }
            try counting.pass(row..<end, of: cursor)
            row = end
            continue
          }
          let move = moves[next].move
          next += 1
          try counting.leaveOut(row, of: cursor, isDeleted: move.isDeleted)
          try place(row, of: cursor, move)
          row += 1
        }
        number += cursor.rowCount
        try cursor.advanceBlock()
      }
      if index == segment.chunks.count - 1 { try passHidden(before: nil) }
      try counting.end()
    }
    if segment.chunks.isEmpty {
      counting.begin(nil)
      try passHidden(before: nil)
      try counting.end()
    }
    guard isHiddenChanged else { return }
    try hidden.end()
    for chunk in segment.hidden { try database.deleteChunk(chunk.id, from: .hidden) }
  }
}

/// The rows of consecutive chunks.
struct ChunkChain {
  private var waiting: ArraySlice<StoredChunk>
  let isHidden: Bool
  /// The cursor on the next row; `nil` at the end.
  private(set) var cursor: RowCursor?
  /// The number of the next row.
  private(set) var number: Int

  /// Begins at the first row, with its number.
  init(
    _ chunks: [StoredChunk], isHidden: Bool, from first: Int = 0, _ database: Database,
    _ units: inout RecordedUnits
  ) throws {
    waiting = chunks[...]
    (self.isHidden, number) = (isHidden, first)
    try open(database, &units)
  }

  var key: RowKey? { cursor?.key }

  /// The set of the next row, with what an import makes of it that has some of the hidden rows.
  func set(_ files: SeriesFiles, _ matched: [Bool]?) throws -> UInt32 {
    guard let cursor else { throw Corruption() }
    let set = cursor.memberSet(cursor.row)
    guard isHidden, let matched else { return set }
    return try files.change(set).set(matched[number])
  }

  /// Moves to a row of the same block, at or after the current one.
  mutating func move(to row: Int) {
    guard let cursor else { return }
    number += row - cursor.row
    cursor.move(to: row)
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
      of: next.id, hasMemberSets: true, isHidden: isHidden, units: &units)
  }
}
