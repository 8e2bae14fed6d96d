/// Gathers the rows of one stream on one day; models write into it.
struct DayRecorder {
  /// What the person does.
  let day: DayPlan
  /// How often to record, 1 being as often as a watch does.
  let density: Double
  /// Whether nights have stages.
  let hasSleepStages: Bool
  var chance: Chance
  var rows: [Row] = []

  init(day: DayPlan, density: Double, hasSleepStages: Bool, chance: Chance) {
    self.day = day
    self.density = density
    self.hasSleepStages = hasSleepStages
    self.chance = chance
  }

  /// Adds a row that is made `delay` seconds after its end, unless its writer lies in a drawer.
  mutating func add(
    _ writer: Writer, _ start: Int, _ end: Int, _ value: Double = 0, delay: ClosedRange<Int>,
    label: CategoryLabel = .none, extra: Extra = .none, isNestedOnly: Bool = false,
    item: Int = 0
  ) {
    let created = end + chance.whole(in: delay)
    guard writer != .watch || day.isWatchDay else { return }
    rows.append(
      Row(
        start: start, end: end, created: created, value: value, writer: writer, label: label,
        extra: extra, isNestedOnly: isNestedOnly, item: item))
  }

  /// A gap of about `seconds` at density 1, never less than a second.
  mutating func gap(_ seconds: ClosedRange<Double>) -> Int {
    max(1, Int(chance.number(in: seconds) / density))
  }

  /// Copies some of a thousand rows with another date of creation, and puts all in the order
  /// in which an export has them.
  mutating func finish(copiesPerThousand share: Double, reversed: Bool) {
    for row in rows where chance.happens(share / 1_000) && !row.isNestedOnly {
      var copy = row
      copy.copyDelay = chance.whole(in: 20...7_200)
      copy.created += copy.copyDelay
      rows.append(copy)
    }
    rows.sort(by: Row.isBefore)
    if reversed { rows.reverse() }
  }
}
