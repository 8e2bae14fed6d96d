/// Gathers the rows of one stream on one day; models write into it.
struct DayRecorder {
  /// What the person does.
  let day: DayPlan
  /// How often to record, 1 being as often as a watch does.
  let density: Double
  var chance: Chance
  private(set) var rows: [Row] = []

  init(day: DayPlan, density: Double, chance: Chance) {
    self.day = day
    self.density = density
    self.chance = chance
  }

  /// Adds a row that is made `delay` seconds after its end.
  mutating func add(
    _ writer: Writer, _ start: Int, _ end: Int, _ value: Double = 0, delay: ClosedRange<Int>,
    label: CategoryLabel = .none, extra: Extra = .none
  ) {
    rows.append(
      Row(
        start: start, end: end, created: end + chance.whole(in: delay), value: value,
        writer: writer, label: label, extra: extra))
  }

  /// A gap of about `seconds` at density 1, never less than a second.
  mutating func gap(_ seconds: ClosedRange<Double>) -> Int {
    max(1, Int(chance.number(in: seconds) / density))
  }

  /// Copies some of a thousand rows with another date of creation, and puts all in the order
  /// in which an export has them.
  mutating func finish(copiesPerThousand share: Double, reversed: Bool) {
    for row in rows where chance.happens(share / 1_000) {
      var copy = row
      copy.created += chance.whole(in: 20...7_200)
      copy.isCopy = true
      rows.append(copy)
    }
    rows.sort {
      ($0.created, $0.start, $0.writer.rawValue, $0.end)
        < ($1.created, $1.start, $1.writer.rawValue, $1.end)
    }
    if reversed { rows.reverse() }
  }
}
