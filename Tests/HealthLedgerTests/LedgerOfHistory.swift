import Foundation
import HealthLedger
import HealthSamples

@testable import _HealthTestSupport

/// What `HealthLedger` decides of a history, without a store: the files and acts of the slow twin in the
/// forms in which a store keeps them.
struct LedgerOfHistory {
  private let files: [History.File]
  private let known: [Int64: KnownFile]
  private let acts: History.Acts
  private let stamps: [History.Stamp: Int64]
  private var ownerActs: [OwnerAct] = []
  private var numbers: [String: Int64] = [:]

  /// What of it counts.
  var present: Set<String> = []
  var visible: Set<String> = []
  var out: Set<String> = []
  var deleted: Set<String> = []
  var standing: Set<String> = []
  var dead: Set<String> = []
  var elements: [String] = []
  /// What must hold and does not.
  private(set) var contradictions: [String] = []

  init(_ store: HistoryStore) {
    (files, acts) = (store.files.values.sorted { $0.id < $1.id }, store.ordered)
    stamps = Dictionary(
      uniqueKeysWithValues: acts.all.map(\.stamp).enumerated().map { ($1, Int64($0 + 1)) })
    known = Self.known(files, acts, stamps)
    let places = files.indices.filter { known[Int64($0)]?.isPresent ?? false }
    present = Set(places.map { files[$0].id })
    let things = History.things(of: files.filter { present.contains($0.id) }, acts)
    readActs()
    decideVersions(things)
    decideRows(things)
    decideElements(things)
  }

  // MARK: Files and acts

  private static func known(
    _ files: [History.File], _ acts: History.Acts, _ stamps: [History.Stamp: Int64]
  ) -> [Int64: KnownFile] {
    var known: [Int64: KnownFile] = [:]
    for (number, file) in files.enumerated() {
      known[Int64(number)] = KnownFile(
        id: Int64(number), identity: Data(file.id.utf8), format: .appleHealth,
        exportedAt: file.date, lastEnd: file.place.time)
    }
    // What replaces may be undone: its content is gone, its number too.
    let numbers = Dictionary(
      uniqueKeysWithValues: files.enumerated().map { ($1.id, Int64($0)) })
    var tellings: [Int64: KnownFile.Telling] = [:]
    for act in acts.all {
      switch act.kind {
      case .importing(let file, let replaces):
        guard let number = numbers[file], let stamp = stamps[act.stamp] else { continue }
        tellings[number] = KnownFile.Telling(
          number: stamp, stamp: Stamp(clock: stamp, counter: 0, store: 0),
          replaced: Set(replaces.compactMap { numbers[$0] }))
      case .undoing(let file): if let number = numbers[file] { tellings[number] = nil }
      default: break
      }
    }
    KnownFile.decide(&known, tellings)
    return known
  }

  private func stamp(_ stamp: History.Stamp) -> Stamp {
    Stamp(clock: stamps[stamp] ?? 0, counter: 0, store: 0)
  }

  private mutating func number(_ text: String) -> Int64 {
    let number = numbers[text] ?? Int64(numbers.count + 1)
    numbers[text] = number
    return number
  }

  private mutating func readActs() {
    for paint in acts.paints {
      let periods = paint.names.periods.map { period in
        OwnerAct.Period(
          type: number(period.series.type), source: number(period.series.source),
          time: period.start...period.end)
      }
      ownerActs.append(
        OwnerAct(
          id: stamps[paint.stamp] ?? 0, stamp: stamp(paint.stamp), isDeletion: paint.deletes,
          terms: .init(periods: periods)))
    }
  }

  private func acts(where isNamed: (History.Names) -> Bool) -> [OwnerAct] {
    zip(acts.paints, ownerActs).filter { isNamed($0.0.names) }.map(\.1)
  }

  // MARK: Saved objects

  private var states: [String: VersionDecision.State] = [:]

  private mutating func decideVersions(_ things: [String: History.Thing]) {
    var versions: [[String]: [History.Thing]] = [:]
    for thing in things.values.sorted(by: { $0.uuid < $1.uuid }) {
      if let version = thing.version { versions[version.name, default: []].append(thing) }
    }
    for all in versions.values {
      let decided = VersionDecision.decide(
        all.enumerated().map { place, thing in
          VersionDecision.Version(
            birth: Int64(place), number: thing.version?.number ?? 0, stamp: stamp(thing.stamp),
            deletion: acts.deletion { $0.uuids.contains(thing.uuid) }.map(stamp))
        })
      for (thing, state) in zip(all, decided) { states[thing.uuid] = state }
    }
    for thing in things.values {
      let isDeleted = acts.deletion { $0.uuids.contains(thing.uuid) } != nil
      switch states[thing.uuid] {
      case .current?: standing.insert(thing.uuid)
      case .deletedWithVersion?, .deleted?: dead.insert(thing.uuid)
      case .superseded?: break
      case nil: if isDeleted { dead.insert(thing.uuid) }
      }
    }
  }

  private func facts(ofSaved uuid: String) -> RowFacts {
    let flags = states[uuid]?.flags ?? []
    return RowFacts(flags: flags.union(.saved), acts: acts { $0.uuids.contains(uuid) })
  }

  // MARK: Rows

  private struct Known {
    var row: History.Row
    var facts: RowFacts
    var key: RowKey {
      RowKey(
        start: row.start, end: row.end, canonical: row.value, ordinal: UInt32(row.ordinal))
    }
  }

  private mutating func decideRows(_ things: [String: History.Thing]) {
    var wordings: [History.Row: Set<Int64>] = [:]
    for (number, file) in files.enumerated() {
      for row in file.rows where row.uuid == nil {
        wordings[row, default: []].insert(Int64(number))
      }
    }
    var rows = Dictionary(grouping: wordings.keys, by: \.key.series)
    var unnamed = Set(acts.paints.flatMap(\.names.rows))
    for key in unnamed where rows[key.series] == nil { rows[key.series] = [] }
    for case .row(let row) in things.values.map(\.content) where rows[row.key.series] == nil {
      rows[row.key.series] = []
    }
    for (series, rows) in rows.sorted(by: { $0.key < $1.key }) {
      let concerned = Set(rows.flatMap { wordings[$0] ?? [] })
      let order = FileOrder(concerned.compactMap { known[$0] })
      var all: [Known] = []
      for row in rows.sorted() {
        let isThere = order.files.map { wordings[row]?.contains($0.id) ?? false }
        let toggles = order.toggles(isThere)
        if order.presence(toggles) != isThere { contradictions.append("toggles of \(row)") }
        // An act is kept with the first row of its key.
        let isNamed = unnamed.remove(row.key) != nil
        let named = isNamed ? acts { $0.rows.contains(row.key) } : []
        all.append(Known(row: row, facts: order.facts(isThere, [], named)))
      }
      for key in unnamed.sorted() where key.series == series {
        var row = History.Row(series.type, series.source, key.start, key.end, key.value)
        row.ordinal = key.ordinal
        all.append(Known(row: row, facts: RowFacts(acts: acts { $0.rows.contains(key) })))
      }
      for thing in things.values {
        guard case .row(var row) = thing.content, row.key.series == series else { continue }
        row.uuid = thing.uuid
        all.append(Known(row: row, facts: facts(ofSaved: thing.uuid)))
      }
      all.sort { $0.key < $1.key }
      decide(all, of: series)
    }
  }

  private mutating func decide(_ all: [Known], of series: History.Series) {
    let periods = SeriesPeriods(
      of: ownerActs, type: number(series.type), source: number(series.source))
    let type =
      series.type.hasPrefix("cat") ? SampleType(.sleepAnalysis) : SampleType(.stepCount)
    func decision(_ rows: [Known]) -> ClusterDecision {
      ClusterDecision(
        rows.enumerated().map { ClusterDecision.Row($1.key, $1.facts, birth: Int64($0)) },
        periods, ValueAgreement(of: type))
    }
    func take(_ rows: [Known]) -> [String] {
      decision(rows).samples.map { sample in
        let row = rows[sample.front].row
        var texts = ["\(row) \(sample.state)"]
        if sample.isVisible { texts.append("visible") }
        if sample.isDeleted { texts.append("deleted") }
        return texts.joined(separator: " ")
      }
    }
    let whole = take(all)
    var clusters: [[Known]] = []
    var bound = -Double.infinity
    for row in all {
      if row.key.span.lowerBound >= bound { clusters.append([]) }
      clusters[clusters.count - 1].append(row)
      bound = max(bound, row.key.span.upperBound)
    }
    if clusters.flatMap(take) != whole { contradictions.append("clusters of \(series)") }
    let decided = decision(all)
    if decided.samples.flatMap(\.rows).count + decided.saved.count + decided.forgotten.count
      != all.count
    {
      contradictions.append("rows of \(series)")
    }
    for sample in decided.samples {
      let text = Self.text(all[sample.front].row)
      if sample.isVisible { visible.insert(text) }
      if sample.state == .out { out.insert(text) }
      if sample.isDeleted { deleted.insert(Self.text(all[sample.front].row)) }
      if sample.birth != sample.rows.map(Int64.init).min() {
        contradictions.append("birth of \(text)")
      }
    }
    for saved in decided.saved {
      guard let uuid = all[saved.row].row.uuid else { continue }
      if saved.isVisible == (dead.contains(uuid) || states[uuid].map { $0 != .current } ?? false) {
        contradictions.append("saved \(uuid)")
      }
    }
  }

  static func text(_ row: History.Row) -> String {
    "\(row.type) \(row.source) \(row.start)-\(row.end) \(row.value) \(row.ordinal) \(row.word)"
  }

  // MARK: Elements

  private mutating func decideElements(_ things: [String: History.Thing]) {
    struct Wording: Hashable {
      var element: History.Element
      var bytes: [UInt8] { Array(element.fields.utf8) + [UInt8(element.file)] }
    }
    var wordings: [History.ElementKey: [Wording: Set<Int64>]] = [:]
    for (number, file) in files.enumerated() {
      for element in file.elements where element.uuid == nil {
        wordings[element.key, default: [:]][Wording(element: element), default: []]
          .insert(Int64(number))
      }
    }
    let alive = Set(
      things.values.filter { !dead.contains($0.uuid) }.compactMap { thing in
        if case .element(let element) = thing.content { element.key } else { nil }
      })
    let order = FileOrder(known.values)
    for (key, all) in wordings.sorted(by: { $0.key < $1.key }) where !alive.contains(key) {
      let named = acts { $0.elements.contains(key) }
      if OwnerAct.last(of: named)?.isDeletion ?? false { continue }
      let list = all.keys.sorted { $0.element < $1.element }
      let decided = ElementDecision.decide(
        list.map { wording in
          ElementDecision.Wording(
            presence: order.files.map { all[wording]?.contains($0.id) ?? false },
            isRetold: false)
        }, order
      ) { list[$0].bytes }
      guard let decided else { continue }
      var shown = decided.shown.map { list[$0].element }.sorted()
      if shown.count == 1 {
        shown[0].file = decided.present.map { list[$0].element.file }.max() ?? 0
      }
      elements += shown.map { "\($0)" }
    }
    elements.sort()
  }
}
