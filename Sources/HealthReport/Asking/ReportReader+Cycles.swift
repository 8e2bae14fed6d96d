import HealthQuery
import HealthSamples

/// The heaviest menstrual flow of a day.
struct FlowOfDay {
  let day: CivilDate
  /// A case of `HKCategoryValueMenstrualFlow`, from 1 to 4.
  let value: Int
}

extension ReportReader {
  /// The days with menstrual flow from a day on.
  func flow(from first: CivilDate) throws(ReportError) -> (ask: Ask, days: [FlowOfDay]) {
    let answer = try flowByDay(from: first)
    guard case .category(let category) = answer.column.answer else { return (answer.ask, []) }
    // HKCategoryValueMenstrualFlow: unspecified, light, medium, heavy; 5 is none.
    let values = [1, 2, 3, 4].compactMap { value in
      category.values.first { $0.value == Double(value) }.map { (value, $0.counts) }
    }
    let days = category.starts.indices.compactMap { row in
      values.last { $0.1[row] > 0 }.map {
        FlowOfDay(day: date(category.starts[row]), value: $0.0)
      }
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
  /// The name of a flow, by the cases of `HKCategoryValueMenstrualFlow`.
  func name(of flow: Int) -> String {
    switch flow {
    case 2: light
    case 3: medium
    case 4: heavy
    default: unspecified
    }
  }
}
