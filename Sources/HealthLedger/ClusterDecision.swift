/// Decides which rows of a cluster count, and why the others do not (law 2, 4, 5, 6.3).
///
/// A cluster has all known rows of a series up to a moment that none of them crosses. The decision
/// depends on nothing but the rows, what files and acts say of them, and the periods of the series.
/// The order of rows of one time does not matter, nor whether clusters are decided together.
package struct ClusterDecision {
  /// A known row: one wording of a sample, or a saved sample.
  package struct Row {
    package let key: RowKey
    package let facts: RowFacts
    /// The serial that it had first.
    package let birth: Int64

    package init(_ key: RowKey, _ facts: RowFacts, birth: Int64) {
      (self.key, self.facts, self.birth) = (key, facts, birth)
    }
  }

  package enum State: Sendable {
    /// It counts.
    case counts
    /// A present file has it, a deletion keeps it out, and nothing has retold it since (law 5.6).
    case out
    /// It does not count: a later file tells its time anew, or no present file has it.
    case retold
  }

  /// Rows that are the same one (law 2.2).
  package struct Sample {
    /// The places of its rows among those of the cluster.
    package fileprivate(set) var rows: [Int]
    package let span: Range<Double>
    package fileprivate(set) var state = State.retold
    /// Whether the last act that means it deletes it (law 5.3).
    package fileprivate(set) var isDeleted = false
    /// Whether a saved sample stands for it (law 6.3).
    package fileprivate(set) var isAbsorbed = false
    /// The deletion that keeps it out, or has deleted it (law 5.6).
    package fileprivate(set) var deletion: Int64?
    /// The least first serial of its rows, which gives its UUID (law 8.2).
    package fileprivate(set) var birth: Int64
    /// Whether another row that counts has the same first serial: two that were one have parted.
    package fileprivate(set) var hasParted = false
    /// The row whose wording is shown, that of the last file (law 2.3), as a place among all rows.
    package fileprivate(set) var front: Int
    /// The dates of present files that have it; none if only acts name it (law 5.5).
    fileprivate var steps: [Int]
    /// The last act that means it.
    fileprivate var act: OwnerAct?
    /// Whether a later file tells it otherwise, under its identity.
    fileprivate var isRetold: Bool
    fileprivate var rank: Int

    /// Whether a present file has it.
    package var isPresent: Bool { !steps.isEmpty }
    /// Whether it is shown as a row of files.
    package var isVisible: Bool { state == .counts && !isAbsorbed }
    fileprivate var isPainted: Bool { act?.isDeletion ?? false }

    fileprivate init(_ row: Row, at place: Int) {
      (rows, front, rank) = ([place], place, row.facts.rank)
      (span, birth, act) = (row.key.span, row.birth, row.facts.act)
      (steps, isRetold) = (row.facts.steps, row.facts.isRetold)
    }

    fileprivate mutating func add(_ row: Row, at place: Int) {
      rows.append(place)
      birth = min(birth, row.birth)
      name(row.facts.act)
      if row.facts.rank > rank { (front, rank) = (place, row.facts.rank) }
      guard !row.facts.steps.isEmpty else { return }
      // Words without the identity are told by their files alone.
      isRetold = row.facts.isRetold && (isRetold || steps.isEmpty)
      steps = Set(steps + row.facts.steps).sorted()
    }

    fileprivate mutating func name(_ act: OwnerAct?) {
      self.act = OwnerAct.last(of: [self.act, act].compactMap(\.self))
    }
  }

  /// A saved sample (law 6).
  package struct Saved {
    /// Its place among the rows of the cluster.
    package let row: Int
    /// Whether it is shown.
    package let isVisible: Bool
    /// The deletion that took it.
    package let deletion: Int64?
  }

  /// In the order of their times.
  package private(set) var samples: [Sample] = []
  package private(set) var saved: [Saved] = []
  /// The places of rows that no file has and nothing names, which are forgotten.
  package private(set) var forgotten: [Int] = []

  private let rows: [Row]
  private let agreement: ValueAgreement

  /// Decides on rows in ascending order of their keys.
  ///
  /// - Parameters:
  ///   - rows: all known rows of the cluster
  ///   - periods: the periods of deletions and restorations in the series
  ///   - agreement: when values of the series are one
  /// - Complexity: O(*n* log *n* · *s*) for *n* rows and *s* steps; O(*m*²) for *m* rows of one time
  package init(_ rows: [Row], _ periods: SeriesPeriods, _ agreement: ValueAgreement) {
    (self.rows, self.agreement) = (rows, agreement)
    var next = 0
    while next < rows.count {
      let first = next
      while next < rows.count, rows[next].key.isSimultaneous(with: rows[first].key) { next += 1 }
      group(first..<next, periods)
    }
    replay()
    guard samples.count > 1 else { return }
    var births: Set<Int64> = []
    for index in samples.indices where samples[index].state == .counts {
      samples[index].hasParted = !births.insert(samples[index].birth).inserted
    }
  }

  // MARK: Rows that are the same one (law 2.2, 6.3)

  private func agree(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (rows[left].key, rows[right].key)
    return left.ordinal == right.ordinal && agreement(left.canonical, right.canonical)
  }

  /// Forms the samples of the rows of one time.
  private mutating func group(_ places: Range<Int>, _ periods: SeriesPeriods) {
    var order = Array(places)
    if order.contains(where: { rows[$0].key.ordinal > 0 }) {
      order.sort { (rows[$0].key.ordinal, rows[$0].key) < (rows[$1].key.ordinal, rows[$1].key) }
    }
    let first = samples.count
    var others: [Int] = []
    var absent: [Int] = []
    for place in order {
      let facts = rows[place].facts
      if facts.isSaved || facts.steps.isEmpty && facts.isNamed {
        others.append(place)
      } else if facts.steps.isEmpty, facts.isTold {
        absent.append(place)
      } else if facts.steps.isEmpty {
        forgotten.append(place)
      } else if samples.count > first, let last = samples[samples.count - 1].rows.last,
        agree(last, place)
      {
        samples[samples.count - 1].add(rows[place], at: place)
      } else {
        samples.append(Sample(rows[place], at: place))
      }
    }
    let present = first..<samples.count
    func told(like place: Int) -> [Int] {
      present.filter { samples[$0].rows.contains { agree($0, place) } }
    }
    for place in others {
      let facts = rows[place].facts
      let same = told(like: place)
      if facts.isSaved {
        let isDead = facts.isDeleted || facts.flags.contains(.deletedWithVersion)
        for index in same {
          samples[index].name(facts.act)
          samples[index].isAbsorbed = samples[index].isAbsorbed || !isDead
        }
        saved.append(
          Saved(
            row: place, isVisible: !isDead && !facts.flags.contains(.superseded),
            deletion: facts.isDeleted ? facts.act?.id : nil))
      } else if let one = same.first {
        for index in same.dropFirst() { samples[index].name(facts.act) }
        samples[one].add(rows[place], at: place)
      } else {
        samples.append(Sample(rows[place], at: place))
      }
    }
    // What another file words again keeps its UUID.
    for place in absent {
      if let one = told(like: place).first {
        samples[one].add(rows[place], at: place)
      } else {
        samples.append(Sample(rows[place], at: place))
      }
    }
    // A row of which only replaced files tell is known to no period.
    for index in first..<samples.count where samples[index].act != nil || samples[index].isPresent {
      samples[index].act = periods.last(
        samples[index].act, meaning: rows[samples[index].rows[0]].key)
    }
  }

  // MARK: What a later file retells (law 4, 5.4)

  /// Replays the files by date over the samples of the cluster.
  private mutating func replay() {
    for index in samples.indices {
      // What a deletion names is known from the beginning, also without a file (law 5.5).
      samples[index].isDeleted =
        !samples[index].isPresent && samples[index].isPainted
        && rows[samples[index].front].facts.isNamedByDeletion
    }
    if samples.count > 1 {
      for step in Set(samples.flatMap(\.steps)).sorted() { replay(step) }
    } else if samples.first?.isPresent ?? false {
      // Most samples overlap no other one, and nothing tells their time anew.
      samples[0].state = samples[0].isPainted ? .out : .counts
      samples[0].isDeleted = samples[0].isPainted
    }
    for index in samples.indices {
      // The files that tell it otherwise come after all that have it.
      if samples[index].state == .counts, samples[index].isRetold { samples[index].state = .retold }
      samples[index].deletion = samples[index].deletion ?? samples[index].act?.id
    }
  }

  private mutating func replay(_ step: Int) {
    let isHere = samples.map { $0.steps.contains(step) }
    let new = samples.indices.filter { isHere[$0] && samples[$0].state == .retold }
    guard !new.isEmpty else { return }
    func index(_ some: [Int]) -> SpanIndex { SpanIndex(some.map { samples[$0].span }) }
    let news = index(new)
    let gone = samples.indices.filter {
      !isHere[$0] && (samples[$0].state != .retold || samples[$0].isDeleted)
        && news.overlaps(samples[$0].span)
    }
    let deleted = gone.filter { samples[$0].isDeleted }
    let deletedSpans = index(deleted)
    /// What it tells, and what acts delete: these retell, and what is kept out does not (law 5.4).
    var rivals: [Int] = []
    var out: [Int] = []
    for place in new {
      if samples[place].isPainted {
        samples[place].deletion = samples[place].act?.id
        rivals.append(place)
        out.append(place)
      } else if let teller = deletedSpans.overlapping(samples[place].span) {
        samples[place].deletion = samples[deleted[teller]].act?.id
        out.append(place)
      } else {
        rivals.append(place)
      }
    }
    let rivalSpans = index(rivals)
    for place in gone
    where samples[place].state == .out || rivalSpans.overlaps(samples[place].span) {
      samples[place].state = .retold
    }
    for place in rivals { samples[place].state = .counts }
    for place in out { samples[place].state = .out }
    for place in new where samples[place].isPainted { samples[place].isDeleted = true }
  }
}
