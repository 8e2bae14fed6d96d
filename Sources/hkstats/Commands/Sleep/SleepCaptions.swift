import HealthAnswers
import HealthExchange
import HealthReport

/// What people read of sleep beside the numbers.
enum SleepCaptions {
  /// The name of a stage.
  static func name(_ stage: SleepStage) -> String {
    Vocabulary.current.stage(stage.key) ?? Vocabulary.current.word("no stage")
  }

  /// The name of a column of nights by its key.
  static func part(_ key: String) -> String {
    Vocabulary.current.stage(key) ?? Vocabulary.current.word(key)
  }

  /// The line above a table or chart.
  static func title(of answer: SleepAnswer, by period: SleepAverages.Period? = nil) -> String {
    let vocabulary = Vocabulary.current
    let means = period.map { ", " + vocabulary.word("means of each \($0.rawValue)") } ?? ""
    return "\(vocabulary.type("sleep"))\(means), \(StatisticsCaptions.zones(answer.timeZone))"
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
    Vocabulary.current.duration(minutes: Int((min(seconds, 1e12) / 60).rounded()))
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
}
