import HealthAnswers
import HealthQuery
import HealthSamples

/// The menstrual flow of a day.
struct FlowOfDay {
  let day: CivilDate
  /// How many samples there are of each case.
  let counts: [MenstrualFlow: Int]

  /// The heaviest flow.
  var heaviest: MenstrualFlow { counts.keys.max() ?? .unspecified }
}

/// The cases of `HKCategoryValueMenstrualFlow` that are flow, as answers name them.
enum MenstrualFlow: Int, CaseIterable, Comparable {
  case unspecified = 1
  case light, medium, heavy

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ReportReader {
  /// The days with menstrual flow from a day on.
  func flow(from first: CivilDate) throws(ReportError) -> (ask: Ask, days: [FlowOfDay]) {
    let answer = try flowByDay(from: first)
    guard case .category(let category) = answer.column.answer else { return (answer.ask, []) }
    var days: [FlowOfDay] = []
    for (row, start) in category.starts.enumerated() {
      var counts: [MenstrualFlow: Int] = [:]
      for flow in MenstrualFlow.allCases {
        let values = category.values.first { $0.value == Double(flow.rawValue) }
        if let count = values?.counts[row], count > 0 { counts[flow] = count }
      }
      if !counts.isEmpty { days.append(FlowOfDay(day: date(start), counts: counts)) }
    }
    return (answer.ask, days)
  }

  /// The days of a last cycle that is not over; `nil` of none, and of more days than a cycle has.
  func daysSoFar(
    of cycles: ElementColumns, longest: Int
  ) throws(ReportError) -> (ask: Ask, count: Int)? {
    guard let start = cycles.starts.last, cycles["length"]?.last ?? nil == nil else { return nil }
    let answer = try flowByDay(from: date(start))
    let count = answer.series.count
    return count <= longest ? (answer.ask, count) : nil
  }

  private func flowByDay(from first: CivilDate) throws(ReportError) -> Answer {
    let question = try read { () throws(QueryError) in
      var question = try Question(types: ["menstrualFlow"], by: CalendarInterval(.day))
      (question.from, question.to) = (first.text, period.end.text)
      (question.timeZone, question.zones) = (plan.timeZone, plan.zones)
      return question
    }
    return try ask(question)
  }
}

extension Words.Cycle {
  /// The name of a flow.
  func name(of flow: MenstrualFlow) -> String {
    switch flow {
    case .unspecified: unspecified
    case .light: light
    case .medium: medium
    case .heavy: heavy
    }
  }
}
