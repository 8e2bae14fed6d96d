/// What an export holds, counted while writing it by code that knows nothing of any engine.
struct Truth {
  /// Records of one type.
  struct Records {
    /// Lines at top level, copies included.
    var records = 0
    var copies = 0
    var userEntered = 0
  }

  /// Steps of one local day, without copies.
  struct Steps {
    /// The sum of all sources.
    var raw = 0.0
    /// What counts when a hand-entered second hides one of the watch, and that one of the phone.
    var merged = 0.0
    var sources: [Writer: Double] = [:]
  }

  var records: [String: Records] = [:]
  var elements: [String: Int] = [:]
  var bytes = 0
  private(set) var steps: [Steps]
  private let midnights: [Int]
  private let firstDay: Int
  /// Steps of the day added last, which may reach into the next one.
  private var recent: [Row] = []

  init(midnights: [Int], firstDay: Int) {
    self.midnights = midnights
    self.firstDay = firstDay
    steps = Array(repeating: Steps(), count: max(0, midnights.count - 1))
  }

  mutating func add(_ rows: [Row], of type: String) {
    guard !rows.isEmpty else { return }
    records[type, default: Records()].records += rows.count
    records[type, default: Records()].copies += rows.count(where: \.isCopy)
    records[type, default: Records()].userEntered += rows.count { $0.extra == .userEntered }
  }

  /// Adds the steps that start on a day; days come in ascending order.
  ///
  /// Each second of the day belongs to the highest source that has it, and a record gives each of
  /// its seconds the same share: slow, and plain to see.
  mutating func addSteps(_ rows: [Row], ofDay day: Int) {
    let seconds = midnights[day]..<midnights[day + 1]
    let today = recent + rows.filter { !$0.isCopy }
    var highest = [Int](repeating: Int.max, count: seconds.count)
    for row in today {
      for second in (row.start..<row.end).clamped(to: seconds) {
        let place = second - seconds.lowerBound
        highest[place] = min(highest[place], row.writer.rank)
      }
    }
    for row in today {
      let inside = (row.start..<row.end).clamped(to: seconds)
      let counted = inside.count { highest[$0 - seconds.lowerBound] == row.writer.rank }
      let share = row.value / Double(row.end - row.start)
      steps[day].raw += share * Double(inside.count)
      steps[day].merged += share * Double(counted)
      steps[day].sources[row.writer, default: 0] += share * Double(inside.count)
    }
    recent = rows.filter { !$0.isCopy && $0.end > seconds.upperBound }
  }
}

extension Writer {
  /// 0 for what a person typed, then the watch, then the phone, then the rest.
  fileprivate var rank: Int {
    switch self {
    case .hand: 0
    case .watch: 1
    case .phone: 2
    case .scale, .food: 3
    }
  }

  /// The name without escapes.
  var name: String { escapedName.replacing("&amp;", with: "&") }
}

extension Truth {
  /// The truth as JSON, keys in order.
  var json: String {
    let types = records.sorted { $0.key < $1.key }.map { type, counts in
      """
          "\(type)": {"records": \(counts.records), "copies": \(counts.copies), \
      "userEntered": \(counts.userEntered)}
      """
    }
    let others = elements.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
    let days = steps.indices.map { index in
      let day = steps[index]
      let sources = Writer.allCases.compactMap { writer in
        day.sources[writer].map { "\"\(writer.name)\": \($0)" }
      }
      return """
            "\(CivilDate(day: firstDay + index))": {"raw": \(day.raw), "merged": \(day.merged), \
        "sources": {\(sources.joined(separator: ", "))}}
        """
    }
    return """
      {
        "bytes": \(bytes),
        "records": {
      \(types.joined(separator: ",\n"))
        },
        "elements": {\(others.joined(separator: ", "))},
        "steps": {
      \(days.joined(separator: ",\n"))
        }
      }

      """
  }
}
