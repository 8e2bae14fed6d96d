import GRDB
import HealthSamples

/// Decides anew, after an import, which rows of a type and a source count and which a later export
/// has superseded.
///
/// The answer depends on what each export told alone, not on the order in which they came: the rule
/// of ``Superseding`` is applied from one export to the next, by the dates on which they were made.
/// Superseded rows stay in a table of their own, so that an earlier export which comes late, or
/// again, is recognised.
struct StreamReview {
  /// What the review changed, in rows.
  struct Outcome: Equatable {
    /// Rows that counted and no longer do.
    var superseded = 0
    /// Rows that a later export says otherwise, and that stay.
    var disagreeing = 0
    /// Rows of the import that count as known: a later export had superseded them, or does.
    var known = 0
  }

  private enum Action: UInt8 {
    /// Stays where it is.
    case stay
    /// Moves from those that count to the superseded ones, or back.
    case move
    /// Is the same sample as another row, which stands for both.
    case drop
  }

  /// A row in a window.
  fileprivate struct Row {
    /// As recorded: it may stand before the start.
    var end: Double
    var span: Superseding.Span
    var telling: UInt32
    /// The number of the row among those of its table.
    var number: Int
    var isSuperseded: Bool
    /// Whether it came with this import and was among the superseded ones before.
    var isBack = false
  }

  private let type: SampleType
  private let source: Source
  private let database: Database
  private let tellings: StreamTellings
  private let zeroOffset: Double
  private let rule: Superseding
  /// Whether no later export is known, and this one comes for the first time: then the rule is
  /// applied once, to what counts.
  private let isNewest: Bool

  private var window: [Row] = []
  private var reach = -Double.infinity
  /// What happens to the rows that count, and to the superseded ones, by number.
  private var actions: [Action] = []
  private var supersededActions: [Action] = []
  /// Other tellings, by number.
  private var retold: [Int: UInt32] = [:]
  private var supersededRetold: [Int: UInt32] = [:]
  private var outcome = Outcome()

  init(
    _ type: SampleType, _ source: Source, tellings: StreamTellings, meanings: LabelMeanings,
    in database: Database
  ) {
    self.type = type
    self.source = source
    self.database = database
    self.tellings = tellings
    zeroOffset = meanings.zeroOffset
    rule = Superseding(type, zeroOffset: meanings.zeroOffset)
    isNewest = tellings.place == nil || tellings.isNewest && !tellings.isKnown
  }

  /// Reviews the stream and moves rows.
  ///
  /// Memory grows with rows that different exports told of and that hang together in time.
  ///
  /// - Complexity: O(*n* log *n* · *e*) for *n* rows and *e* exports
  mutating func run(_ meanings: inout LabelMeanings) throws -> Outcome {
    let segments = try database.segments(of: type, source).map(\.id)
    let superseded = try database.supersededSegments(of: type, source)
    var chains = (
      try SegmentChain(segments, isSuperseded: false, database, &meanings),
      try SegmentChain(superseded, isSuperseded: true, database, &meanings)
    )
    var group: [Row] = []
    while let isSuperseded = Self.isNextSuperseded(chains.0, chains.1) {
      let row: Row
      if isSuperseded {
        row = chains.1.row(isSuperseded: true)
        supersededActions.append(.stay)
        try chains.1.advance(database, &meanings)
      } else {
        row = chains.0.row(isSuperseded: false)
        actions.append(.stay)
        try chains.0.advance(database, &meanings)
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
      !retold.isEmpty || !supersededRetold.isEmpty || actions.contains { $0 != .stay }
      || supersededActions.contains { $0 != .stay }
    if isChanged { try move(segments, superseded, &meanings) }
    return outcome
  }

  /// Whether the next row in the order of time is a superseded one; `nil` at the end.
  private static func isNextSuperseded(_ counting: SegmentChain, _ superseded: SegmentChain)
    -> Bool?
  {
    guard let key = superseded.key else { return counting.key == nil ? nil : false }
    guard let other = counting.key else { return true }
    return key < other
  }

  /// Whether the rule may say something about a row.
  private func isConcerned(_ row: Row) throws(SegmentDamage) -> Bool {
    if row.isSuperseded || row.telling == tellings.fresh { return true }
    let presence = try tellings.presence(row.telling)
    guard presence.contains(true), tellings.place != nil else { return false }
    return isNewest ? presence.last == false : presence.contains(false)
  }

  /// Finds rows with the same times that are one sample, and adds the rest to the window.
  private mutating func close(_ group: inout [Row]) throws {
    defer { group = [] }
    let fresh = group.indices.filter {
      !group[$0].isSuperseded && group[$0].telling == tellings.fresh
    }
    var candidates = fresh[...]
    var dropped: Set<Int> = []
    for index in group.indices where group[index].isSuperseded {
      // The merge met the import with the rows that count; superseded ones meet it here.
      let change = try tellings.change(group[index].telling)
      let value = group[index].span.value
      while let next = candidates.first, group[next].span.value < value,
        !agree(group[next].span.value, value)
      {
        candidates.removeFirst()
      }
      guard let twin = candidates.first, agree(group[twin].span.value, value) else {
        retell(group[index], change.lacked)
        group[index].telling = change.lacked
        continue
      }
      candidates.removeFirst()
      // The words of the later export stay.
      let isLater = try tellings.isLater(than: group[index].telling)
      let (kept, lost) = isLater ? (twin, index) : (index, twin)
      dropped.insert(lost)
      retell(group[kept], change.told)
      act(.drop, on: group[lost])
      group[kept].telling = change.told
      group[kept].isBack = true
    }
    for index in group.indices where !dropped.contains(index) {
      let row = group[index]
      // Of a newest export only its own rows and those that it lacks are compared.
      if isNewest, row.isSuperseded, !row.isBack { continue }
      if row.span.start > reach { try closeWindow() }
      reach = max(reach, row.span.end)
      window.append(row)
    }
  }

  private func agree(_ left: Double, _ right: Double) -> Bool {
    StreamMerge.agree(
      left, right, isExact: type.canonicalUnit == nil, zeroOffset: zeroOffset)
  }

  private mutating func retell(_ row: Row, _ telling: UInt32) {
    guard row.telling != telling else { return }
    if row.isSuperseded {
      supersededRetold[row.number] = telling
    } else {
      retold[row.number] = telling
    }
  }

  private mutating func act(_ action: Action, on row: Row) {
    if row.isSuperseded {
      supersededActions[row.number] = action
    } else {
      actions[row.number] = action
    }
  }

  /// Applies the rule from one export to the next, and notes which rows move.
  private mutating func closeWindow() throws {
    defer {
      window = []
      reach = -.infinity
    }
    guard !window.isEmpty, let place = tellings.place else {
      for row in window where row.isBack {
        if !row.isSuperseded { act(.move, on: row) }
        outcome.known += 1
      }
      return
    }
    let presences = try window.map { row throws(SegmentDamage) in
      try tellings.presence(row.telling)
    }
    var counts = [Bool](repeating: false, count: window.count)
    if isNewest {
      // What counted before the import.
      for index in window.indices {
        counts[index] =
          !window[index].isSuperseded && !window[index].isBack
          && window[index].telling != tellings.fresh
      }
    }
    var disagreeing = [Bool](repeating: false, count: window.count)
    for step in (isNewest ? place : 0)..<tellings.dates.count {
      let old = window.indices.filter { counts[$0] && !presences[$0][step] }
      let new = window.indices.filter { !counts[$0] && presences[$0][step] }
      if step > 0, !old.isEmpty, !new.isEmpty {
        let fates = rule.fates(
          of: old.map { window[$0].span }, after: new.map { window[$0].span },
          made: tellings.dates[step - 1])
        for (index, fate) in zip(old, fates) {
          if fate == .superseded { counts[index] = false }
          if fate == .disagreeing, step == place || step == place + 1 { disagreeing[index] = true }
        }
      }
      for index in new { counts[index] = true }
    }
    for (index, row) in window.enumerated() {
      let isNew = row.telling == tellings.fresh
      if counts[index] == row.isSuperseded { act(.move, on: row) }
      if disagreeing[index], counts[index], !isNew { outcome.disagreeing += 1 }
      if !counts[index], !row.isSuperseded, !row.isBack, !isNew { outcome.superseded += 1 }
      if !counts[index], row.isBack || isNew && !row.isSuperseded { outcome.known += 1 }
    }
  }
}

extension StreamReview {
  /// Writes both tables anew, as far as they change.
  private func move(
    _ segments: [Int64], _ superseded: [Int64], _ meanings: inout LabelMeanings
  ) throws {
    var chain = try SegmentChain(superseded, isSuperseded: true, database, &meanings)
    let counting = SegmentWriter(type: type, source: source, database: database)
    let hidden = SegmentWriter(
      type: type, source: source, database: database, isSuperseded: true)
    hidden.begin(nil)
    /// Takes superseded rows that stand before a row, or all.
    func takeSuperseded(before key: RowKey?) throws {
      while let next = chain.key, let cursor = chain.cursor, key.map({ next < $0 }) ?? true {
        let writer: SegmentWriter? =
          switch supersededActions[chain.number] {
          case .stay: hidden
          case .move: counting
          case .drop: nil
          }
        try writer?.insert(
          cursor.row..<cursor.row + 1, of: cursor, telling: supersededRetold[chain.number])
        try chain.advance(database, &meanings)
      }
    }
    var number = 0
    for (index, segment) in segments.enumerated() {
      let cursor = try database.cursor(of: segment, hasTellings: true, meanings: &meanings)
      counting.begin(segment)
      while !cursor.isAtEnd {
        var row = 0
        while row < cursor.rowCount {
          try takeSuperseded(before: cursor.key(row))
          let place = number + row
          switch actions[place] {
          case .stay where retold[place] == nil:
            var end = row + 1
            while end < cursor.rowCount, actions[number + end] == .stay,
              retold[number + end] == nil, chain.key.map({ cursor.key(end) < $0 }) ?? true
            {
              end += 1
            }
            try counting.pass(row..<end, of: cursor)
            row = end
            continue
          case .stay:
            try counting.insert(row..<row + 1, of: cursor, telling: retold[place])
          case .move:
            counting.leaveOut()
            try hidden.insert(row..<row + 1, of: cursor, telling: retold[place])
          case .drop: counting.leaveOut()
          }
          row += 1
        }
        number += cursor.rowCount
        try cursor.advanceBlock()
      }
      if index == segments.count - 1 { try takeSuperseded(before: nil) }
      try counting.end()
    }
    if segments.isEmpty {
      counting.begin(nil)
      try takeSuperseded(before: nil)
      try counting.end()
    }
    try hidden.end()
    for segment in superseded {
      try database.execute(sql: "DELETE FROM superseded WHERE id = ?", arguments: [segment])
    }
    try database.summariseStream(
      type: database.identifier(of: type), source: database.identifier(of: source))
  }
}

/// The rows of segments one after the other.
private struct SegmentChain {
  private var waiting: ArraySlice<Int64>
  private let isSuperseded: Bool
  /// The cursor on the next row; `nil` at the end.
  private(set) var cursor: RowCursor?
  /// How many rows came before.
  private(set) var number = 0

  init(
    _ segments: [Int64], isSuperseded: Bool, _ database: Database,
    _ meanings: inout LabelMeanings
  ) throws {
    waiting = segments[...]
    self.isSuperseded = isSuperseded
    try open(database, &meanings)
  }

  var key: RowKey? { cursor?.key }

  func row(isSuperseded: Bool) -> StreamReview.Row {
    guard let cursor else { preconditionFailure("There is no row at the end of a chain.") }
    let key = cursor.key
    return StreamReview.Row(
      end: key.end, span: .init(start: key.start, end: key.end, value: key.canonical),
      telling: cursor.telling(cursor.row), number: number, isSuperseded: isSuperseded)
  }

  mutating func advance(_ database: Database, _ meanings: inout LabelMeanings) throws {
    try cursor?.advance()
    number += 1
    if cursor?.isAtEnd ?? true { try open(database, &meanings) }
  }

  private mutating func open(_ database: Database, _ meanings: inout LabelMeanings) throws {
    cursor = nil
    guard let next = waiting.popFirst() else { return }
    cursor = try database.cursor(
      of: next, hasTellings: true, isSuperseded: isSuperseded, meanings: &meanings)
  }
}

extension Database {
  /// The superseded rows of a type and a source, in the order of time.
  func supersededSegments(of type: SampleType, _ source: Source) throws -> [Int64] {
    try Int64.fetchAll(
      self,
      sql: """
        SELECT id FROM superseded WHERE type = ? AND source = ?
        ORDER BY firstStart, lastStart, id
        """, arguments: [storedIdentifier(of: type), storedIdentifier(of: source)])
  }
}
