/// What is known of one stream day by day while it is written.
struct StreamTruth {
  private let stream: RecordStream
  private let timeline: Timeline
  private var sums: DaySums
  private var values: [DayValues]
  private var labels: [String: LabelTime] = [:]
  private var flow = FlowDays()

  /// What is known before anything is written; `tellsTyped` says whether the file tells what a
  /// person typed in.
  init(stream: RecordStream, timeline: Timeline, tellsTyped: Bool) {
    self.stream = stream
    self.timeline = timeline
    sums = DaySums(midnights: timeline.midnights, tellsTyped: tellsTyped)
    values = Array(repeating: DayValues(), count: timeline.count)
  }

  /// Adds the rows of a day; those of a counting type in ascending order of days.
  mutating func add(_ rows: [Row], ofDay day: Int) {
    if stream.unit == nil {
      for row in rows where !row.isCopy {
        labels[row.label.rawValue, default: LabelTime()].add(row)
      }
      if stream.type == RecordStream.menstrualFlow.type { flow.add(rows, ofDay: day) }
    } else if stream.isCumulative {
      sums.add(rows, ofDay: day)
    } else {
      // A row reaches no further than into the days beside its own.
      let near = max(0, day - 1)..<min(timeline.count, day + 2)
      var part = Array(values[near])
      part.add(rows, midnights: Array(timeline.midnights[near.lowerBound...near.upperBound]))
      values.replaceSubrange(near, with: part)
    }
  }

  /// Gives what is known to the truth, days without anything left out.
  func write(to truth: inout Truth) {
    func date(_ day: Int) -> String { CivilDate(day: timeline.firstDay + day).description }
    if stream.unit == nil {
      if !labels.isEmpty { truth.labels[stream.type] = labels }
      if stream.type == RecordStream.menstrualFlow.type {
        truth.cycles = flow.cycles.map {
          Truth.Cycle(
            firstDay: date($0.firstDay), length: $0.length, bleedLength: $0.bleedLength)
        }
      }
    } else if stream.isCumulative {
      let days = sums.days.enumerated().filter { !$0.element.sources.isEmpty }
      guard !days.isEmpty else { return }
      truth.sums[stream.type] = Dictionary(
        uniqueKeysWithValues: days.map { (date($0.offset), $0.element) })
      if let wholeDays = truth.unfinished?.wholeDays {
        let whole = days.filter { $0.offset < wholeDays }.map(\.element.merged)
        if !whole.isEmpty {
          truth.unfinished?.means[stream.type] = whole.reduce(0, +) / Double(whole.count)
        }
      }
    } else {
      let days = values.enumerated().filter { $0.element.count > 0 }
      guard !days.isEmpty else { return }
      truth.values[stream.type] = Dictionary(
        uniqueKeysWithValues: days.map { (date($0.offset), $0.element) })
    }
  }
}
