import GRDB
import HealthSamples
internal import _HealthNumerics

/// Decides which rows of a type and a source count, and moves rows between the counted and the
/// hidden ones.
///
/// The result depends only on which files have which rows and on the acts that mean them. Rows of
/// present files that agree are one (a group). Files are replayed by their dates, cluster by cluster
/// of groups that overlap: what a file no longer has stops counting where the file tells a new row,
/// and a new row that tells again what was deleted is kept out.
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
    /// The number of the row in its table, within the segment.
    var number: Int
    var isHidden: Bool
    var serial: Int64
    var birth: Int64
  }

  /// Rows that are the same one.
  fileprivate struct Group {
    var rows: [Row]
    /// The times and a value.
    let key: RowKey
    let span: TimeSpan
    /// The dates of present files that have it; none if only acts name it.
    var steps: [Int]
    /// The acts that name it.
    var names: [Int64]
    /// The last act that means it.
    var last: Paint?
    /// Whether a saved sample stands for it.
    var isAbsorbed = false
    /// Whether a later file tells it otherwise, under its identity.
    var isRetold: Bool
    /// A counted row of no file, whose serial the group may take over.
    var donor: Row?
    /// The serial that it had first.
    var birth: Int64
    var isPainted: Bool { last?.isDeletion ?? false }

    init(_ row: Row, _ span: TimeSpan, _ facts: SeriesFiles.Facts) {
      (rows, key, self.span, birth) = ([row], row.key, span, row.birth)
      (steps, names, isRetold) = (facts.steps, facts.acts, facts.isRetold)
    }

    mutating func add(_ row: Row, _ facts: SeriesFiles.Facts) {
      rows.append(row)
      birth = min(birth, row.birth)
      names += facts.acts
      guard !facts.steps.isEmpty else { return }
      // Words without the identity are told by their files alone.
      isRetold = facts.isRetold && (isRetold || steps.isEmpty)
      steps = Set(steps + facts.steps).sorted()
    }
  }

  private enum State {
    case none, counts, out
  }

  /// A row that a deletion keeps from counting, or has deleted.
  struct KeptOut {
    let key: RowKey
    let span: TimeSpan
    /// Whether a present file has it, and nothing has retold it since.
    var isOut = false
    let isSaved: Bool
    /// The first serials of its rows.
    let births: [Int64]
    /// The deletion that decides it.
    var act: Int64?
    /// Its numbers among the hidden rows of the series.
    var numbers: [Int]
    /// Its sets of members.
    let sets: [UInt32]

    fileprivate init(_ row: Row, isSaved: Bool) {
      (key, self.isSaved, numbers, sets) = (row.key, isSaved, [row.number], [row.set])
      births = [row.birth]
      span = row.key.span
    }

    fileprivate init(_ group: Group, front: Int) {
      (key, span, isSaved) = (group.rows[front].key, group.span, false)
      (numbers, sets) = (group.rows.map(\.number), group.rows.map(\.set))
      births = group.rows.map(\.birth)
    }
  }

  private let type: SampleType
  private let source: Source
  private let numbers: (type: Int64, source: Int64)
  private let database: Database
  private let revision: Revision
  private let files: SeriesFiles
  private let acts: SeriesActs
  private let agreement: ValueAgreement
  private var units: RecordedUnits
  /// Which hidden rows the import has, in their order; `nil` if there is no import.
  private let matched: [Bool]?
  /// Gives a row another set: gets the row, its number if it is hidden, and its set.
  typealias Naming = (RowCursor, Int, Int?, UInt32) throws -> UInt32
  private let naming: Naming?

  private let births: Births
  private var bucket: [Row] = []
  /// A row that nothing overlaps so far: nearly all are such.
  private var single: Row?
  /// A set whose counted rows count if nothing overlaps them, and one whose hidden rows then are
  /// kept out.
  private var plainSets: (counted: UInt32?, hidden: UInt32?)
  private var window: [Group] = []
  private var windowEnd = -Double.infinity
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
    numbers = try (database.identifier(of: type), database.identifier(of: source))
    acts = files.sets.history.acts(ofType: numbers.type, source: numbers.source)
    agreement = ValueAgreement(of: type)
    births = try Births(database, revision)
  }

  /// Whether a deletion or a restoration has a period in the series.
  var hasPeriods: Bool { !acts.periods.isEmpty }

  /// The periods of an act in the series.
  func periods(of name: Members.Name) -> [ClosedRange<Double>] {
    guard case .act(let act) = name else { return [] }
    return acts.periods.filter { $0.paint.id == act }.map { $0.period.start...$0.period.end }
  }

  /// Replays the clusters in a span, or all.
  ///
  /// Memory grows with the rows of a segment: chunks of which each overlaps another one.
  ///
  /// - Complexity: O(*n* log *n*) for the *n* rows of the segments that the span touches
  mutating func run(in span: ClosedRange<Double>? = nil) throws -> Outcome {
    let chunks = try database.chunks(of: type, source)
    let hidden = try StoredChunk.hidden(
      ofType: numbers.type, source: numbers.source, in: database)
    var first = 0
    var hiddenNumbers: [Int64: Int] = [:]
    for chunk in hidden {
      hiddenNumbers[chunk.id] = first
      first += chunk.count
    }
    var isChanged = false
    for segment in Self.segments(chunks, hidden) {
      let isTouched =
        span.map { segment.start <= $0.upperBound && $0.lowerBound <= segment.end } ?? true
      guard isTouched || matched != nil && !segment.hidden.isEmpty else { continue }
      if try drop(segment) {
        isChanged = true
        continue
      }
      (moves, hiddenMoves) = ([], [])
      let first = segment.hidden.first.flatMap { hiddenNumbers[$0.id] } ?? 0
      try decide(segment, firstHidden: first)
      guard !moves.isEmpty || !hiddenMoves.isEmpty else { continue }
      try write(segment, firstHidden: first)
      try revision.flushDeletions(to: database)
      isChanged = true
    }
    if isChanged { try database.updateSeries(type: numbers.type, source: numbers.source) }
    return outcome
  }

  /// The rows that deletions keep out, and those that they have deleted, in order of time.
  ///
  /// - Complexity: O(*n* log *n*) for the *n* rows of the segments with hidden rows
  mutating func keptOut() throws -> [KeptOut] {
    kept = []
    plainSets = (nil, nil)
    let hidden = try StoredChunk.hidden(
      ofType: numbers.type, source: numbers.source, in: database)
    var all: [KeptOut] = []
    var first = 0
    for segment in Self.segments(try database.chunks(of: type, source), hidden)
    where !segment.hidden.isEmpty {
      try decide(segment, firstHidden: first)
      all += (kept ?? []).map { row in
        var row = row
        row.numbers = row.numbers.map { $0 + first }
        return row
      }
      kept = []
      first += segment.hidden.reduce(0) { $0 + $1.count }
    }
    return all
  }

  // MARK: Segments

  /// Chunks that hang together: no row of others overlaps one of theirs.
  private struct Segment {
    var chunks: [StoredChunk] = []
    var hidden: [StoredChunk] = []
    var start = Double.infinity
    var end = -Double.infinity
    var lastStart = -Double.infinity
  }

  private static func segments(
    _ chunks: [StoredChunk], _ hidden: [StoredChunk]
  ) -> [Segment] {
    var segments: [Segment] = []
    var current = Segment()
    let all =
      (chunks.map { (chunk: $0, isHidden: false) } + hidden.map { (chunk: $0, isHidden: true) })
      .sorted { $0.chunk.firstStart < $1.chunk.firstStart }
    for (chunk, isHidden) in all {
      if chunk.firstStart >= current.end, chunk.firstStart > current.lastStart {
        if current.start.isFinite { segments.append(current) }
        current = Segment()
      }
      if isHidden { current.hidden.append(chunk) } else { current.chunks.append(chunk) }
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
    let subject = Revision.Subject(type: numbers.type, source: numbers.source)
    for chunk in segment.chunks {
      let cursor = try database.cursor(of: chunk.id, hasMemberSets: true, units: &units)
      while !cursor.isAtEnd {
        for row in 0..<cursor.rowCount {
          try revision.delete(row, of: cursor, from: subject)
        }
        outcome.dropped += cursor.rowCount
        try cursor.advanceBlock()
      }
      try database.execute(sql: "DELETE FROM chunks WHERE id = ?", arguments: [chunk.id])
      try revision.flushDeletions(to: database)
    }
    return true
  }

  // MARK: Deciding

  private mutating func decide(_ segment: Segment, firstHidden: Int) throws {
    var visible = try ChunkChain(segment.chunks.map(\.id), isHidden: false, database, &units)
    var hidden = try ChunkChain(segment.hidden.map(\.id), isHidden: true, database, &units)
    while true {
      try passPlain(&visible, &hidden)
      let isHidden: Bool
      switch (visible.key, hidden.key) {
      case (nil, nil):
        try closeBucket()
        return try closeWindow()
      case (nil, _): isHidden = true
      case (_, nil): isHidden = false
      case (let one?, let other?): isHidden = other < one
      }
      let row = try row(of: isHidden ? hidden : visible, isHidden: isHidden, firstHidden)
      if let first = bucket.first, first.key.start != row.key.start || first.key.end != row.key.end
      {
        try closeBucket()
      }
      bucket.append(row)
      if isHidden {
        try hidden.advance(database, &units)
      } else {
        try visible.advance(database, &units)
      }
    }
  }

  private func row(of chain: ChunkChain, isHidden: Bool, _ firstHidden: Int) throws -> Row {
    guard let cursor = chain.cursor else { throw Corruption() }
    let stored = cursor.memberSet(cursor.row)
    var set = stored
    if isHidden, let matched {
      let change = try files.change(set)
      set = matched[firstHidden + chain.number] ? change.present : change.absent
    }
    if let naming {
      set = try naming(cursor, cursor.row, isHidden ? firstHidden + chain.number : nil, set)
    }
    let serial = cursor.serial(cursor.row)
    return Row(
      key: cursor.key, set: set, storedSet: stored, number: chain.number, isHidden: isHidden,
      serial: serial, birth: isHidden ? serial : births.birth(of: serial))
  }

  private func agree(_ left: Row, _ right: Row) -> Bool {
    left.key.ordinal == right.key.ordinal && agreement(left.key.canonical, right.key.canonical)
  }

  /// Forms the groups of the rows of one time.
  private mutating func closeBucket() throws {
    defer { bucket.removeAll(keepingCapacity: true) }
    guard let first = bucket.first else { return }
    let span = first.key.span
    if span.start >= windowEnd { try closeWindow() }
    windowEnd = max(windowEnd, span.bound)
    if bucket.count == 1, window.isEmpty, single == nil, try isPlain(first) {
      single = first
      return
    }
    try openSingle()
    if bucket.contains(where: { $0.key.ordinal > 0 }) {
      bucket.sort { ($0.key.ordinal, $0.key) < ($1.key.ordinal, $1.key) }
    }
    var groups: [Group] = []
    /// Rows of present files, rows that only acts name, and saved ones.
    var others: [(row: Row, facts: SeriesFiles.Facts)] = []
    var absent: [(row: Row, facts: SeriesFiles.Facts)] = []
    var dropped: [Row] = []
    for row in bucket {
      let facts = try files.facts(row.set)
      if facts.isSaved || facts.steps.isEmpty && facts.isNamed {
        others.append((row, facts))
      } else if facts.steps.isEmpty, facts.isTold {
        // Of files that are replaced.
        absent.append((row, facts))
      } else if facts.steps.isEmpty {
        dropped.append(row)
      } else if let last = groups.indices.last, let before = groups[last].rows.last,
        agree(before, row)
      {
        groups[last].add(row, facts)
      } else {
        groups.append(Group(row, span, facts))
      }
    }
    let told = groups.indices
    for (row, facts) in others {
      let same = told.filter { index in groups[index].rows.contains { agree($0, row) } }
      for index in same {
        groups[index].names += facts.acts
      }
      if facts.isSaved {
        let deletion = try acts.last(of: facts.acts).flatMap { $0.isDeletion ? $0.id : nil }
        let isDead = deletion != nil || facts.marks.contains(.outlived)
        if !isDead { for index in same { groups[index].isAbsorbed = true } }
        if row.set != row.storedSet, kept == nil { revision.noteNaming(row.birth, deletion) }
        settleSaved(row, isVisible: !isDead && !facts.marks.contains(.aside), deletion)
      } else if let first = same.first {
        groups[first].add(row, facts)
      } else {
        groups.append(Group(row, span, facts))
      }
    }
    for (row, facts) in absent {
      // What another file words again keeps its UUID.
      let same = told.first { index in groups[index].rows.contains { agree($0, row) } }
      if let same {
        groups[same].add(row, facts)
      } else {
        groups.append(Group(row, span, facts))
      }
    }
    for index in groups.indices {
      // A row of which only replaced files tell is known to no period.
      if !groups[index].names.isEmpty || !acts.periods.isEmpty && !groups[index].steps.isEmpty {
        groups[index].last = try acts.last(
          of: groups[index].names, meaning: groups[index].key)
      }
      // What returns in other words keeps its serial.
      let birth = groups[index].birth
      guard !groups[index].rows.contains(where: { !$0.isHidden }) else { continue }
      if let donor = dropped.firstIndex(where: { !$0.isHidden && $0.birth == birth }) {
        groups[index].donor = dropped.remove(at: donor)
      }
    }
    for row in dropped {
      note(Move(isKept: false, isDeleted: !row.isHidden), of: row)
      if !row.isHidden { outcome.dropped += 1 }
    }
    window += groups
  }

  private mutating func note(_ move: Move, of row: Row) {
    if row.isHidden {
      hiddenMoves.append((row.number, move))
    } else {
      moves.append((row.number, move))
    }
  }

  /// Puts a saved row where it belongs.
  private mutating func settleSaved(_ row: Row, isVisible: Bool, _ deletion: Int64?) {
    if kept != nil {
      guard deletion != nil else { return }
      var saved = KeptOut(row, isSaved: true)
      saved.act = deletion
      kept?.append(saved)
    } else if row.isHidden == isVisible {
      let move = Move(
        isVisible: isVisible, serial: isVisible ? nil : row.birth,
        birth: isVisible ? row.birth : nil, isDeleted: !isVisible, set: row.set)
      note(move, of: row)
      if isVisible { outcome.returned += 1 } else { outcome.dropped += 1 }
    } else if row.set != row.storedSet {
      let move = Move(isVisible: isVisible, serial: row.serial, set: row.set)
      note(move, of: row)
    }
  }

  /// Whether a row stays as it is if nothing overlaps it.
  private mutating func isPlain(_ row: Row) throws -> Bool {
    try row.set == row.storedSet && isPlain(row.set, isHidden: row.isHidden)
  }

  private mutating func isPlain(_ set: UInt32, isHidden: Bool) throws -> Bool {
    if set == (isHidden ? plainSets.hidden : plainSets.counted) { return true }
    guard acts.periods.isEmpty else { return false }
    let facts = try files.facts(set)
    if isHidden {
      // An import reports how many rows deletions keep out; who asks for them gets each.
      guard files.index == nil, kept == nil, !facts.isSaved, !facts.steps.isEmpty,
        try acts.last(of: facts.acts)?.isDeletion ?? false
      else { return false }
      plainSets.hidden = set
    } else {
      guard facts.isPlain else { return false }
      plainSets.counted = set
    }
    return true
  }

  /// Passes rows that stay as they are and that nothing overlaps, up to the last of a block.
  private mutating func passPlain(
    _ visible: inout ChunkChain, _ hidden: inout ChunkChain
  ) throws {
    guard naming == nil, matched == nil else { return }
    let (one, other) = (visible.cursor, hidden.cursor)
    var (row, otherRow) = (one?.row ?? 0, other?.row ?? 0)
    if let first = bucket.first {
      // What comes next overlaps nothing before it.
      let bound = max(windowEnd, first.key.span.bound)
      let start = min(
        one?.block.starts[row] ?? .infinity, other?.block.starts[otherRow] ?? .infinity)
      guard start >= bound else { return }
      try closeBucket()
      try closeWindow()
    }
    while true {
      let start = one?.block.starts[row] ?? .infinity
      let otherStart = other?.block.starts[otherRow] ?? .infinity
      let isHidden = otherStart < start
      guard let cursor = isHidden ? other : one else { break }
      let place = isHidden ? otherRow : row
      guard place + 1 < cursor.rowCount,
        try isPlain(cursor.memberSet(place), isHidden: isHidden)
      else { break }
      let span = TimeSpan(start: cursor.block.starts[place], end: cursor.block.ends[place])
      let next = min(cursor.block.starts[place + 1], isHidden ? start : otherStart)
      guard next >= span.bound else { break }
      if isHidden { otherRow += 1 } else { row += 1 }
    }
    visible.move(to: row)
    hidden.move(to: otherRow)
  }

  /// Makes a group of the row that stood alone so far.
  private mutating func openSingle() throws {
    guard let row = single else { return }
    single = nil
    let facts = try files.facts(row.set)
    var group = Group(row, row.key.span, facts)
    group.last = try acts.last(of: facts.acts)
    window.append(group)
  }

  private mutating func closeWindow() throws {
    defer {
      window.removeAll(keepingCapacity: true)
      windowEnd = -.infinity
      single = nil
    }
    guard !window.isEmpty else { return }
    var births: Set<Int64> = []
    let (states, keepers, areDeleted) = replay()
    if kept != nil {
      for (index, group) in window.enumerated() where areDeleted[index] || states[index] == .out {
        var row = KeptOut(group, front: try front(of: group))
        row.isOut = states[index] == .out
        row.act = keepers[index] ?? group.last?.id
        kept?.append(row)
      }
      return
    }
    for (index, group) in window.enumerated() {
      var group = group
      if states[index] == .counts, !births.insert(group.birth).inserted {
        // Two rows that were one have parted: one keeps the UUID.
        group.birth = revision.takeSerials(1)
      }
      try settle(group, states[index], keptOutBy: keepers[index])
    }
  }

  /// Replays the files by date over the groups of a cluster; returns also which act keeps a group
  /// out.
  private func replay() -> (states: [State], keepers: [Int64?], areDeleted: [Bool]) {
    if window.count == 1, let group = window.first, !group.steps.isEmpty {
      let state = group.isPainted ? State.out : group.isRetold ? .none : .counts
      return ([state], [group.last?.id], [group.isPainted])
    }
    var states = [State](repeating: .none, count: window.count)
    var keepers = [Int64?](repeating: nil, count: window.count)
    // Deleted rows that only acts name are known from the beginning.
    var isDeleted = window.map { $0.steps.isEmpty && $0.isPainted }
    let steps = Set(window.flatMap(\.steps)).sorted()
    for step in steps {
      let isHere = window.map { $0.steps.contains(step) }
      let new = window.indices.filter { isHere[$0] && states[$0] == .none }
      guard !new.isEmpty else { continue }
      let news = SpanIndex(new.map { window[$0].span })
      let retold = window.indices.filter {
        !isHere[$0] && (states[$0] != .none || isDeleted[$0]) && news.overlaps(window[$0].span)
      }
      let deleted = retold.filter { isDeleted[$0] }
      let deletedSpans = SpanIndex(deleted.map { window[$0].span })
      var told: [Int] = []
      var out: [Int] = []
      for index in new {
        if window[index].isPainted {
          keepers[index] = window[index].last?.id
          out.append(index)
        } else if !deleted.isEmpty, deletedSpans.overlaps(window[index].span) {
          let teller = deletedSpans.overlapping(window[index].span)
          keepers[index] = teller.flatMap { window[deleted[$0]].last?.id }
          out.append(index)
        } else {
          told.append(index)
        }
      }
      let painted = new.filter { window[$0].isPainted }
      let rivals = SpanIndex((told + painted).sorted().map { window[$0].span })
      for index in retold {
        // What is kept out retells nothing but what was kept out.
        if states[index] == .out || rivals.overlaps(window[index].span) { states[index] = .none }
      }
      for index in told { states[index] = .counts }
      for index in out { states[index] = .out }
      for index in painted { isDeleted[index] = true }
    }
    // The files that tell these otherwise come after all that have them.
    for index in window.indices where states[index] == .counts && window[index].isRetold {
      states[index] = .none
    }
    return (states, keepers, isDeleted)
  }

  /// Puts the rows of a group where they belong.
  private mutating func settle(
    _ group: Group, _ state: State, keptOutBy keeper: Int64?
  ) throws {
    let isVisible = state == .counts && !group.isAbsorbed
    let firstSerial = revision.firstSerial
    let old =
      group.rows.filter { !$0.isHidden && $0.serial < firstSerial }
      + (group.donor.map { [$0] } ?? [])
    let fresh = group.rows.filter { !$0.isHidden && $0.serial >= firstSerial }
    let front = try front(of: group)
    if group.rows.count > fresh.count || group.donor != nil || !isVisible {
      outcome.known += fresh.count
      if isVisible, !old.isEmpty, !fresh.isEmpty { outcome.reworded += 1 }
    } else if !fresh.isEmpty {
      outcome.known += fresh.count - 1
    }
    if state == .out, keeper != nil, let index = files.index,
      try group.rows.allSatisfy({ try isOnly(in: index, $0.set) })
    {
      outcome.keptOut += 1
    }
    if !isVisible, !old.isEmpty {
      if group.steps.isEmpty { outcome.dropped += old.count } else { outcome.retold += old.count }
    }
    // The serial under which it counts.
    let kept = isVisible ? old.map(\.serial).min() : nil
    let serial = kept ?? (isVisible ? fresh.first?.serial : nil)
    if isVisible, old.isEmpty, fresh.isEmpty || group.birth < fresh[0].serial {
      outcome.returned += 1
    }
    for (index, row) in group.rows.enumerated() {
      let isFront = isVisible && index == front
      let needsBirth =
        isFront && kept == nil
        && (serial.map { group.birth < $0 && births.birth(of: $0) != group.birth } ?? true)
      let wanted: Int64? = isFront ? serial : row.serial < firstSerial ? row.birth : group.birth
      let isSame =
        row.isHidden != isFront && row.set == row.storedSet && wanted == row.serial && !needsBirth
      if isSame { continue }
      let move = Move(
        isVisible: isFront, serial: wanted, birth: needsBirth ? group.birth : nil,
        isDeleted: !row.isHidden && row.serial != kept, set: row.set)
      note(move, of: row)
    }
    if let donor = group.donor {
      moves.append((donor.number, Move(isKept: false, isDeleted: donor.serial != kept)))
    }
  }

  /// Whether no other file than one has a row.
  private func isOnly(in index: Int, _ set: UInt32) throws(Corruption) -> Bool {
    let presence = try files.presence(set)
    return presence[index] && presence.count(where: \.self) == 1
  }

  /// The row whose wording is that of the last file.
  private func front(of group: Group) throws(Corruption) -> Int {
    var front = 0
    var best = -1
    for (index, row) in group.rows.enumerated() {
      let rank = try files.facts(row.set).rank
      if rank > best { (front, best) = (index, rank) }
    }
    return front
  }
}

extension SeriesReplay {
  /// Writes the chunks of a segment again, as far as they change.
  private mutating func write(_ segment: Segment, firstHidden: Int) throws {
    moves.sort { $0.number < $1.number }
    hiddenMoves.sort { $0.number < $1.number }
    let (moves, hiddenMoves) = (moves, hiddenMoves)
    var next = 0
    var nextHidden = 0
    var chain = try ChunkChain(segment.hidden.map(\.id), isHidden: true, database, &units)
    let counting = ChunkWriter(
      type: type, source: source, database: database, revision: revision)
    let hidden = ChunkWriter(
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
    func takeHidden(before key: RowKey?) throws {
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
          try takeHidden(before: cursor.key(row))
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
      if index == segment.chunks.count - 1 { try takeHidden(before: nil) }
      try counting.end()
    }
    if segment.chunks.isEmpty {
      counting.begin(nil)
      try takeHidden(before: nil)
      try counting.end()
    }
    guard isHiddenChanged else { return }
    try hidden.end()
    for chunk in segment.hidden {
      try database.execute(sql: "DELETE FROM hidden WHERE id = ?", arguments: [chunk.id])
    }
  }
}

/// The rows of consecutive chunks.
struct ChunkChain {
  private var waiting: ArraySlice<Int64>
  private let isHidden: Bool
  /// The cursor on the next row; `nil` at the end.
  private(set) var cursor: RowCursor?
  /// The number of rows before it.
  private(set) var number = 0

  init(
    _ chunks: [Int64], isHidden: Bool, _ database: Database, _ units: inout RecordedUnits
  ) throws {
    waiting = chunks[...]
    self.isHidden = isHidden
    try open(database, &units)
  }

  var key: RowKey? { cursor?.key }

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
    cursor = try database.cursor(of: next, hasMemberSets: true, isHidden: isHidden, units: &units)
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

extension RowKey {
  fileprivate var span: TimeSpan { TimeSpan(start: start, end: end) }
}

/// Finds out whether one of some spans overlaps another one.
struct SpanIndex {
  private let starts: [Double]
  /// The greatest bound of a span and all before it, and the place of the span that has it.
  private var bounds: [(bound: Double, place: Int)] = []

  /// Takes spans in ascending order of their starts.
  init(_ spans: [TimeSpan]) {
    starts = spans.map(\.start)
    for (place, span) in spans.enumerated() {
      let last = bounds.last ?? (-.infinity, 0)
      bounds.append(span.bound > last.bound ? (span.bound, place) : last)
    }
  }

  /// - Complexity: O(log *n*) for *n* spans
  func overlaps(_ span: TimeSpan) -> Bool { overlapping(span) != nil }

  /// The place of a span that overlaps another one: of several that which goes on longest.
  ///
  /// - Complexity: O(log *n*) for *n* spans
  func overlapping(_ span: TimeSpan) -> Int? {
    let next = starts.partitioningIndex { $0 >= span.bound }
    guard next > 0, bounds[next - 1].bound > span.start else { return nil }
    return bounds[next - 1].place
  }
}
