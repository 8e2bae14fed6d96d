import HealthAnalysis
import HealthAnswers
import HealthSamples

extension AnalysisAnswer {
  /// Menstrual cycles.
  func table(of found: CyclesAnswer, _ list: String) -> AnswerTable {
    let rows = AnswerRows(found.cycles)
    return table(
      list, rows.count,
      subject: HeadMember.subject(SampleType(.menstrualFlow).identifier, unit: "d"),
      facts: HeadMember.facts(found.members),
      rows.interval(\.start, \.end) + [
        rows.count("length", unit: "d", about: "none of a cycle that goes on", \.cycle.length),
        rows.number("difference", unit: "d", about: "from the median", \.difference),
        rows.count("bleedLength", unit: "d", \.cycle.bleedLength),
        rows.count("flowDays", about: "days with flow", \.cycle.flowDayCount),
        rows.truth("counts", about: "whether it is in the median") { $0.difference != nil },
      ])
  }
}

extension CyclesAnswer {
  var members: [JSON.Member] {
    JSON.Member.made(
      model: "days from the first day of flow to the next",
      method: "median and quartiles (Hyndman-Fan type 7), standard deviation (n - 1)"
    ) + [
      .init("gap", .integer(parameters.gap)), .init("longest", .integer(parameters.longest)),
      .init("length", Self.json(statistics.length)),
      .init("bleedLength", Self.json(statistics.bleedLength)),
      .init("flowDays", Self.json(statistics.flowDays)),
      .init("tooLong", .integer(statistics.tooLongCount)),
    ]
  }

  private static func json(_ spread: DaySpread) -> JSON {
    .object([
      .init("count", .integer(spread.count)), .init("median", .number(spread.median)),
      .init("p25", .number(spread.lowerQuartile)), .init("p75", .number(spread.upperQuartile)),
      .init("interquartileRange", .number(spread.interquartileRange)),
      .init("standardDeviation", .number(spread.standardDeviation)),
      .init("min", .integer(spread.least)), .init("max", .integer(spread.greatest)),
      .init("range", .integer(spread.range)),
    ])
  }
}
