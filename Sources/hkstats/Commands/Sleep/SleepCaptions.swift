import HealthExchange
import HealthQuery

/// What people read of sleep beside the numbers.
enum SleepCaptions {
  /// The name of a stage.
  static func name(_ stage: SleepStage) -> String {
    switch stage {
    case .inBed: "in bed"
    case .unspecified: "no stage"
    case .awake: "awake"
    case .core: "core"
    case .deep: "deep"
    case .rem: "REM"
    }
  }

  /// The line above a table or chart.
  static func title(of answer: SleepAnswer, by period: SleepAverages.Period? = nil) -> String {
    let means = period.map { ", means of each \($0.rawValue)" } ?? ""
    return "sleep\(means), \(StatisticsCaptions.zones(answer.timeZone))"
  }

  /// The lines below a chart: who is believed.
  static func order(of answer: SleepAnswer, width: Int) -> [String] {
    answer.priority.count > 1
      ? StatisticsCaptions.order(of: answer.priority).wrapped(to: width) : []
  }

  /// The lines below a table.
  static func notes(of answer: SleepAnswer) -> [String] {
    var notes = order(of: answer, width: .max)
    if answer.nights.inBed.contains(where: { $0 != nil }) {
      notes.append("efficiency: the share of the time in bed that is sleep.")
    }
    if answer.nights.naps.contains(where: { !$0.isEmpty }) {
      notes.append(
        "A night is the longest sleep that ends on the day; sleeps are two when more than "
          + "\(time(answer.longestGap)) lie between them.")
    }
    return notes
  }

  /// A duration in hours and minutes.
  static func time(_ seconds: Double) -> String {
    let minutes = Int((min(seconds, 1e12) / 60).rounded())
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(two(minutes % 60))"
  }

  /// A length of time within a sentence: `38 min`, `1 h 14 min`.
  static func span(_ seconds: Double) -> String {
    let text = time(seconds)
    return text.contains("h") ? text + " min" : text
  }

  /// A time of day, given in seconds since midnight.
  static func clock(_ seconds: Double) -> String {
    SleepAverages.clockText(seconds)
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
