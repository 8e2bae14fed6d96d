/// Two watches of one name, on a day of a person who got a new one.
///
/// Most of the time the new one is worn, on some evenings the old one in its place, and for some hours
/// both: they see the same walks, and count them a little differently.
struct TwoWatches {
  private let day: DayPlan
  /// When both are worn.
  private let both: Range<Int>
  /// When the old one is worn alone.
  private let oldAlone: Range<Int>

  private static let key: UInt64 = 0x32

  /// What is worn on a day of one of `span` days; nothing in the first third, before the new watch
  /// came.
  init?(day: DayPlan, span: Int) {
    guard day.index >= span / 3 else { return nil }
    self.day = day
    var chance = Chance(seed: day.variation, stream: Self.key, day: day.index)
    func stretch(
      _ probability: Double, from hours: ClosedRange<Int>, lasting seconds: ClosedRange<Int>
    ) -> Range<Int> {
      let start = day.instant(3_600 * chance.whole(in: hours))
      let end = start + chance.whole(in: seconds)
      return chance.happens(probability) ? start..<end : start..<start
    }
    both = stretch(0.7, from: 8...14, lasting: 2 * 3_600...4 * 3_600)
    oldAlone = stretch(0.5, from: 18...20, lasting: 4 * 3_600...8 * 3_600)
  }

  /// Lets the watches write what the rows of a stream on the day say that the watch wrote.
  func write(_ rows: inout [Row], of stream: RecordStream) {
    var chance = Chance(seed: day.variation, stream: stream.key ^ Self.key, day: day.index)
    for place in rows.indices
    where rows[place].writer == .watch && !oldAlone.contains(rows[place].start) {
      if both.contains(rows[place].start), stream.isSeenByBoth {
        rows.append(Self.other(rows[place], of: stream, &chance))
      } else {
        rows[place].writer = .newWatch
      }
    }
  }

  /// What the new watch writes where the old one writes a row.
  private static func other(_ row: Row, of stream: RecordStream, _ chance: inout Chance) -> Row {
    var row = row
    let shift = chance.whole(in: 1...3)
    row.start += shift
    row.end += shift
    row.created += shift
    row.writer = .newWatch
    switch stream.unit {
    case .count: row.value = max(1, (row.value * (1 + 0.04 * chance.bell())).rounded())
    case .kilometres, .kilocalories: row.value *= 1 + 0.04 * chance.bell()
    case .perMinute: row.value += Double(chance.whole(in: -1...1))
    default: break
    }
    return row
  }
}

extension RecordStream {
  /// Whether two watches on one person both record the type; what takes a whole day or night, only
  /// one of them does.
  fileprivate var isSeenByBoth: Bool { isCumulative || name == "HeartRate" }
}
