package import HealthAnalysis
package import HealthAnswers
import HealthQuery
import HealthSamples

extension AnalysisAnswer {
  /// All that is said of readings of glucose, or the hours of the clock.
  func table(of found: GlucoseAnswer, _ list: String) -> AnswerTable {
    guard list == "summary" else {
      return table(
        list, found.profile.hours.count, subject: Self.subject(of: found),
        facts: HeadMember.facts(found.members(in: numbers.timeZone)),
        Self.hours(AnswerRows(found.profile.hours), unit: found.unitText, found.printed))
    }
    return table(
      list, 1, isInHead: true, subject: Self.subject(of: found),
      facts: [
        HeadMember("model", .string(GlucoseAnswer.model)),
        HeadMember("method", .string(GlucoseAnswer.method), .lines),
      ], Self.summary(of: found))
  }

  private static func subject(of found: GlucoseAnswer) -> [HeadMember] {
    HeadMember.subject(SampleType(.bloodGlucose).identifier, unit: found.unitText) + [
      HeadMember("source", .string(found.source.description))
    ]
  }

  private static func summary(of found: GlucoseAnswer) -> [AnswerColumn] {
    let (summary, statistics) = (found.summary, found.summary.statistics)
    let (targets, unit) = (summary.targets, found.unitText)
    let row = AnswerRows([()])
    func met(_ key: String, _ path: KeyPath<GlucoseTargets, Bool>) -> AnswerColumn {
      row.truth(key) { targets?[keyPath: path] }
    }
    var columns: [AnswerColumn] = [
      row.instant("from") { found.period.lowerBound },
      row.instant("to") { found.period.upperBound },
      row.count("days", unit: "d") { summary.days },
      row.number("coverage", unit: "1", about: "of the time with readings") { summary.coverage },
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
      row.number("gri", about: "the glycaemia risk index") { summary.rangesByTime.riskIndex },
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
    columns += shares(row, about: "of the time") { summary.rangesByTime }
    columns += [
      .group(
        "ofReadings", .prefixed, shares(row, about: "of readings") { summary.rangesBySamples }),
      .group(
        "targets", .prefixed,
        [
          met("inRange", \.inRange), met("below", \.below), met("veryLow", \.veryLow),
          met("above", \.above), met("veryHigh", \.veryHigh), met("variation", \.variation),
        ], isKnown: { _ in targets != nil }),
      .list("edges", .values, about: "between the ranges", [found.printedEdges]) {
        [$0.number("edge", unit: unit) { $0 }]
      },
      .list("recordedUnits", about: "in which readings were recorded", [summary.units]) { units in
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

extension GlucoseAnswer {
  /// Whose ranges these are.
  package static let model = "international consensus 2019"
  /// How shares were found.
  package static let method =
    "shares of the time, where a reading stands until the next one or hold"

  /// The ranges from the lowest on: words, key, and share.
  package static let ranges:
    [(name: String, key: String, share: @Sendable (GlucoseRanges) -> Double)] = [
      ("very low", "veryLow", { $0.veryLow }), ("low", "low", { $0.low }),
      ("in range", "inRange", { $0.inRange }),
      ("high", "high", { $0.high }), ("very high", "veryHigh", { $0.veryHigh }),
    ]

  /// The percentiles of an hour: key, title, and number in mg/dL.
  package static let percentiles:
    [(key: String, title: String, value: @Sendable (GlucoseProfile.Hour) -> Double)] = [
      ("p5", "5 %", { $0.fifthPercentile }), ("p25", "25 %", { $0.lowerQuartile }),
      ("median", "median", { $0.median }), ("p75", "75 %", { $0.upperQuartile }),
      ("p95", "95 %", { $0.ninetyFifthPercentile }),
    ]

  /// A number in mg/dL as programs read it.
  package func printed(_ value: Double) -> Double { NumberText.shortest(shown(value)) }

  /// The edges of most readings as programs read them.
  package var printedEdges: [Double] { edges.map(NumberText.shortest) }

  /// By which edges readings are judged: each by those of the unit in which it was recorded.
  package var judgement: String {
    let units = summary.units.map { recorded in
      let (unit, edges) = (recorded.unit, recorded.unit.edges)
      let texts = edges.map { NumberText.rounded($0, decimals: unit.decimals) }
      let count = summary.units.count > 1 ? " (\(NumberText.grouped(recorded.count)))" : ""
      return "in \(unit.rawValue)\(count) by \(texts.dropLast().joined(separator: ", ")) and "
        + "\(texts[edges.count - 1]) \(unit.rawValue)"
    }
    return "Each reading is judged as the consensus prints the edges for the unit in which it was "
      + "recorded: \(units.joined(separator: ", "))."
  }

  /// The units in which readings were recorded, with the edges that the consensus prints in each.
  package var recordedUnits: JSON {
    .array(
      summary.units.map { recorded in
        .object([
          .init("unit", .string(recorded.unit.rawValue)), .init("count", .integer(recorded.count)),
          .init("edges", .array(recorded.unit.edges.map { .number($0) })),
        ])
      })
  }

  func members(in zones: ZoneTimeline) -> [JSON.Member] {
    JSON.Member.made(model: Self.model, method: Self.method) + [
      .init("from", .string(LocalTime(period.lowerBound, in: zones).isoText)),
      .init("to", .string(LocalTime(period.upperBound, in: zones).isoText)),
      .init("days", .integer(summary.days)), .init("count", .integer(summary.statistics.count)),
      .init("hold", .number(hold)), .init("coverage", .number(summary.coverage)),
      .init("recordedUnits", recordedUnits),
      .sources("otherSources", others), .init("repeated", .integer(repeatedCount)),
      .init("implausible", .integer(implausibleCount)),
    ]
  }
}
