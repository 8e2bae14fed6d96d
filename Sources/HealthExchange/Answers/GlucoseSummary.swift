import HealthAnalysis
import HealthAnswers
import HealthSamples

extension AnalysisAnswer {
  /// All that is said of readings of glucose, or the hours of the clock.
  func table(of found: GlucoseAnswer, _ list: String) -> AnswerTable {
    guard list == "summary" else {
      return table(
        list, found.profile.hours.count,
        Self.hours(AnswerRows(found.profile.hours), unit: found.unitText, found.printed))
    }
    return table(
      list, 1, isInHead: true,
      facts: [
        HeadMember("model", .string(GlucoseAnswer.model)),
        HeadMember("method", .string(GlucoseAnswer.method), .lines),
      ], Self.summary(of: found))
  }

  private static func summary(of found: GlucoseAnswer) -> [AnswerColumn] {
    let (report, statistics) = (found.report, found.report.statistics)
    let (targets, unit) = (report.targets, found.unitText)
    let row = AnswerRows([()])
    func met(_ key: String, _ path: KeyPath<GlucoseTargets, Bool>) -> AnswerColumn {
      row.truth(key) { targets?[keyPath: path] }
    }
    var columns: [AnswerColumn] = [
      row.instant("from") { found.period.lowerBound },
      row.instant("to") { found.period.upperBound },
      row.count("days", unit: "d") { report.days },
      row.number("coverage", unit: "1", about: "of the time with readings") { report.coverage },
      row.count("count", about: "how many readings") { statistics.count },
      row.number("mean", unit: unit) { found.printed(statistics.mean) },
      row.number("standardDeviation", unit: unit) {
        statistics.standardDeviation.map(found.printed)
      },
      row.number(
        "variation", unit: "%", naming: .withUnit, about: "the coefficient of variation"
      ) { statistics.variationPercent },
      // Of too few data no estimate is said.
      row.number(
        "gmi", unit: "%", naming: .withUnit,
        about: "the glucose management indicator; none of too few data"
      ) { targets == nil ? nil : statistics.managementIndicator },
      row.number("gri", about: "the glycaemia risk index") { report.rangesByTime.riskIndex },
      row.number("lbgi", about: "the low blood glucose index") { statistics.lowRiskIndex },
      row.number("hbgi", about: "the high blood glucose index") { statistics.highRiskIndex },
      row.number("jIndex") { statistics.jIndex },
      row.number("grade", about: "the glycaemic risk assessment diabetes equation") {
        statistics.grade
      },
      row.duration("hold", naming: .withUnit, about: "the longest time that a reading stands for") {
        found.hold
      },
    ]
    columns += shares(row, about: "of the time") { report.rangesByTime }
    columns += [
      .group("ofReadings", .prefixed, shares(row, about: "of readings") { report.rangesBySamples }),
      .group(
        "targets", .prefixed,
        [
          met("inRange", \.inRange), met("below", \.below), met("veryLow", \.veryLow),
          met("above", \.above), met("veryHigh", \.veryHigh), met("variation", \.variation),
        ], isKnown: { _ in targets != nil }),
      .list("edges", .values, about: "between the ranges", [found.printedEdges]) {
        [$0.number("edge", unit: unit) { $0 }]
      },
      .list("recordedUnits", about: "in which readings were recorded", [report.units]) { units in
        [
          units.word("unit", \.unit.rawValue), units.count("count", \.count),
          .list("edges", .values, units.rows.map(\.unit.edges)) { [$0.number("edge") { $0 }] },
        ]
      },
      .list("profile", about: "the hours of the clock", [found.profile.hours]) {
        hours($0, unit: unit, found.printed)
      },
      .list("otherSources", about: "whose readings do not count", [found.others]) {
        [$0.word("source", \.source.description), $0.count("count", \.count)]
      },
      row.count("repeated", about: "readings at the time of another") { found.repeatedCount },
      row.count("implausible", about: "readings that no meter can show") {
        found.implausibleCount
      },
    ]
    return columns
  }

  private static func hours(
    _ rows: AnswerRows<GlucoseProfile.Hour>, unit: String, _ printed: @escaping (Double) -> Double
  ) -> [AnswerColumn] {
    [rows.count("hour", about: "of the clock", \.hour), rows.count("count", \.count)]
      + GlucoseAnswer.percentiles.map { percentile in
        rows.number(percentile.key, unit: unit) { printed(percentile.value($0)) }
      }
      + shares(rows, about: "of the time", \.ranges)
  }

  /// A share for each range.
  private static func shares<Row>(
    _ rows: AnswerRows<Row>, about: String, _ read: @escaping AnswerRows<Row>.Read<GlucoseRanges>
  ) -> [AnswerColumn] {
    GlucoseAnswer.ranges.map { range in
      rows.number(range.key, unit: "1", about: about) { read($0).map(range.share) }
    }
  }
}
