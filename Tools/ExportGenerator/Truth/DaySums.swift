/// What a counting type amounts to on one local day, without copies.
struct DaySum: Encodable {
  /// The sum of all sources.
  var raw = 0.0
  /// What counts when a hand-entered second hides one of the watch, and that one of the phone, as
  /// far as the file tells what was entered by hand.
  var merged = 0.0
  var sources: [String: Double] = [:]
}

/// The sums of a counting type day by day, found second by second: slow, and plain to see.
struct DaySums {
  private(set) var days: [DaySum]
  private let midnights: [Int]
  private let tellsTyped: Bool
  /// Rows of the day added last, which may reach into the next one.
  private var recent: [Row] = []

  /// The order of sources, in words.
  static let rule = """
    Each second belongs to one source: what a person typed in, else the watch of the later hardware, \
    else the other watch, else the phone, else the rest. Two watches of one name differ in the hardware \
    of their device.
    """

  init(midnights: [Int], tellsTyped: Bool = true) {
    self.midnights = midnights
    self.tellsTyped = tellsTyped
    days = Array(repeating: DaySum(), count: max(0, midnights.count - 1))
  }

  /// Adds the rows of a day; days come in ascending order.
  ///
  /// Each second belongs to the highest source that has it, and a record gives each of its seconds
  /// the same share. A record without a second counts unless a higher source has its instant, ends
  /// included.
  mutating func add(_ rows: [Row], ofDay day: Int) {
    let seconds = midnights[day]..<midnights[day + 1]
    let rows = rows.filter { !$0.isCopy }
    let today = recent + rows
    let highest = highest(of: today, in: seconds)
    for row in today {
      let share: (raw: Double, merged: Double)
      if row.start == row.end {
        guard seconds.contains(row.start) else { continue }
        let isHidden = today.contains {
          rank($0) < rank(row) && $0.start <= row.start && row.start <= $0.end
        }
        share = (row.value, isHidden ? 0 : row.value)
      } else {
        let inside = (row.start..<row.end).clamped(to: seconds)
        let rank = rank(row)
        let counted =
          highest.map { highest in
            inside.count { highest[$0 - seconds.lowerBound] == rank }
          } ?? inside.count
        let second = row.value / Double(row.end - row.start)
        share = (second * Double(inside.count), second * Double(counted))
        if inside.isEmpty { continue }
      }
      days[day].raw += share.raw
      days[day].merged += share.merged
      days[day].sources[row.writer.name, default: 0] += share.raw
    }
    recent = rows.filter { $0.end > seconds.upperBound || $0.start >= seconds.upperBound }
  }

  /// The rank of the highest row in each second, or nothing when all rows have the same.
  private func highest(of rows: [Row], in seconds: Range<Int>) -> [UInt8]? {
    guard let first = rows.first.map(rank), rows.contains(where: { rank($0) != first }) else {
      return nil
    }
    var highest = [UInt8](repeating: .max, count: seconds.count)
    for row in rows where row.end > row.start {
      let rank = rank(row)
      for second in (row.start..<row.end).clamped(to: seconds) {
        let place = second - seconds.lowerBound
        highest[place] = min(highest[place], rank)
      }
    }
    return highest
  }

  /// 0 for what a person typed, then the watches, the new one first, then the phone, then the rest.
  private func rank(_ row: Row) -> UInt8 {
    if tellsTyped, row.extra == .userEntered { return 0 }
    return switch row.writer {
    case .hand: tellsTyped ? 0 : 4
    case .watch: 2
    case .newWatch: 1
    case .phone: 3
    case .scale, .food, .connect, .tracker, .diary: 4
    }
  }
}

extension Writer {
  /// The name without escapes.
  var name: String { escapedName.replacing("&amp;", with: "&") }
}
