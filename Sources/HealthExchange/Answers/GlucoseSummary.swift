package import HealthAnalysis
package import HealthAnswers
import HealthQuery
import HealthSamples

extension AnalysisAnswer {
  /// All that is said of readings of glucose, or one of its lists.
  func table(of found: GlucoseAnswer, _ list: String) -> AnswerTable {
    let columns: (count: Int, columns: [AnswerColumn])
    switch list {
    case "hours":
      columns = (found.profile.hours.count, Self.hours(AnswerRows(found.profile.hours), of: found))
    case "periods": columns = (found.parts.count, Self.parts(AnswerRows(found.parts), of: found))
    case "events":
      columns = (found.events?.count ?? 0, Self.events(AnswerRows(found.events ?? []), of: found))
    case "excursions":
      let all = found.excursions?.all ?? []
      columns = (all.count, Self.excursions(AnswerRows(all), of: found))
    default: return summary(of: found, list)
    }
    let refusal = list == "events" ? found.eventsRefusal : nil
    return table(
      list, columns.count, subject: Self.subject(of: found),
      facts: HeadMember.facts(
        found.members(in: numbers.timeZone)
          + (refusal.map { [.init("eventsRefusal", .string($0))] } ?? [])), columns.columns)
  }

  private func summary(of found: GlucoseAnswer, _ list: String) -> AnswerTable {
    table(
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
    columns += variability(row, of: found)
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
        hours($0, of: found)
      },
      .list("periods", about: "days and nights apart", [found.parts]) { parts($0, of: found) },
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

  /// Excursions, differences from hour to hour and from day to day, and how many events there are.
  private static func variability<Row>(
    _ row: AnswerRows<Row>, of found: GlucoseAnswer
  ) -> [AnswerColumn] {
    let (unit, excursions) = (found.unitText, found.excursions)
    func number(_ key: String, about: String, _ value: Double?) -> AnswerColumn {
      row.number(key, unit: unit, about: about) { _ in value.map(found.printed) }
    }
    return [
      number(
        "mage",
        about:
          "mean amplitude of glycemic excursions: of those in the direction of the first; none without any",
        excursions?.meanAmplitude),
      number("magePlus", about: "of rises", excursions?.meanRise),
      number("mageMinus", about: "of falls", excursions?.meanFall),
      number("mageMean", about: "of magePlus and mageMinus", excursions?.meanOfBoth),
      row.count("excursions", about: "rises and falls of more than one standard deviation") { _ in
        excursions?.all.count
      },
      number(
        "modd", about: "mean of daily differences; none without two readings a day apart",
        found.dailyDifferences?.meanMagnitude),
      row.count("moddPairs", about: "of readings a day apart") { _ in
        found.dailyDifferences?.count ?? 0
      },
      number(
        "conga",
        about:
          "continuous overlapping net glycemic action: the standard deviation of differences over congaHours; none of fewer than two pairs",
        found.differences?.standardDeviation),
      row.count("congaPairs", about: "of readings congaHours apart") { _ in
        found.differences?.count ?? 0
      },
      row.number("congaHours", about: "how many hours lie between the readings of a pair") { _ in
        found.congaHours
      },
      .group("events", .prefixed, eventCounts(row, of: found) { _ in .all }),
    ]
  }

  /// How many events begin in some hours, by the word before their level.
  private static func eventCounts<Row>(
    _ rows: AnswerRows<Row>, of found: GlucoseAnswer, after word: String = "",
    _ part: @escaping (Row) -> GlucoseAnswer.Part.Name
  ) -> [AnswerColumn] {
    func key(_ level: String) -> String {
      word.isEmpty ? level : word + level.prefix(1).uppercased() + level.dropFirst()
    }
    let about = "events of at least 15 minutes; none where readings are too far apart: "
    return GlucoseAnswer.levels.map { level in
      rows.count(key(level.level.rawValue), about: about + level.about) {
        found.events(level.level, in: part($0).hours)?.count
      }
    } + [
      rows.count(key("extended"), about: "low events of 120 minutes in a row") {
        found.events(.low, in: part($0).hours)?.count(where: \.isExtended)
      }
    ]
  }

  private static func parts(
    _ rows: AnswerRows<GlucoseAnswer.Part>, of found: GlucoseAnswer
  ) -> [AnswerColumn] {
    let unit = found.unitText
    return [
      rows.word("part", about: "all, day or night", \.name.rawValue),
      rows.count("fromHour", about: "of the clock", \.name.hours.lowerBound),
      rows.count("toHour", about: "of the clock, at which it is over", \.name.hours.upperBound),
      rows.count("count", about: "how many readings") { $0.found?.statistics.count ?? 0 },
      rows.duration("measured", naming: .withUnit, about: "time for which readings stand") {
        $0.found?.measuredTime ?? 0
      },
      rows.number("mean", unit: unit, about: "none without readings") {
        ($0.found?.statistics.mean).map(found.printed)
      },
      rows.number("standardDeviation", unit: unit, about: "none of fewer than two readings") {
        ($0.found?.statistics.standardDeviation).map(found.printed)
      },
      rows.number("variation", unit: "%", naming: .withUnit, about: "the coefficient of variation")
      { $0.found?.statistics.variationPercent },
    ] + shares(rows, about: "of the time", \.found?.ranges)
      + eventCounts(rows, of: found, after: "events", \.name)
  }

  private static func events(
    _ rows: AnswerRows<GlucoseAnswer.Event>, of found: GlucoseAnswer
  ) -> [AnswerColumn] {
    rows.interval(\.event.start, \.event.end) + [
      rows.word(
        "level",
        about: GlucoseAnswer.levels.map { "\($0.level.rawValue): \($0.about)" }
          .joined(separator: "; "), \.event.level.rawValue),
      rows.number(
        "extreme", unit: found.unitText, about: "the lowest reading of low events, else the highest"
      ) { found.printed($0.event.extreme) },
      rows.duration("duration", naming: .withUnit, \.event.duration),
      rows.duration(
        "longestRun", naming: .withUnit, about: "the longest time beyond the edge in a row",
        \.event.longestRun),
      rows.truth(
        "extended",
        about: "whether that is 120 minutes or more; the consensus says so of low events",
        \.event.isExtended),
      rows.truth(
        "cutOff", about: "whether data end before it is over, so that its end is not known",
        \.event.isCutOff),
      rows.word("part", about: "in which it begins: day or night") {
        GlucoseAnswer.Part.Name.night.hours.contains($0.hour) ? "night" : "day"
      },
    ]
  }

  private static func excursions(
    _ rows: AnswerRows<GlucoseExcursions.Excursion>, of found: GlucoseAnswer
  ) -> [AnswerColumn] {
    rows.interval(\.start, \.end) + [
      rows.number("change", unit: found.unitText, about: "above 0 of a rise") {
        found.printed($0.change)
      },
      rows.duration("duration", naming: .withUnit) { $0.end - $0.start },
    ]
  }

  private static func hours(
    _ rows: AnswerRows<GlucoseProfile.Hour>, of found: GlucoseAnswer
  ) -> [AnswerColumn] {
    [rows.count("hour", about: "of the clock", \.hour), rows.count("count", \.count)]
      + GlucoseAnswer.percentiles.map { percentile in
        rows.number(percentile.key, unit: found.unitText) { found.printed(percentile.value($0)) }
      }
      + shares(rows, about: "of the time", \.ranges)
  }

  /// A share for each range, and of the tight one.
  private static func shares<Row>(
    _ rows: AnswerRows<Row>, about: String, _ read: @escaping AnswerRows<Row>.Read<GlucoseRanges>
  ) -> [AnswerColumn] {
    GlucoseAnswer.ranges.map { range in
      rows.number(range.key, unit: "1", about: about) { read($0).map(range.share) }
    } + [
      rows.number(
        "inTightRange", unit: "1",
        about: about + ": the part of inRange up to 140 mg/dL or 7.8 mmol/L"
      ) { read($0)?.inTightRange }
    ]
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

  /// The levels of events: words, and what they are.
  package static let levels: [(level: GlucoseEvent.Level, name: String, about: String)] = [
    (.veryLow, "very low", "below 54 mg/dL or 3.0 mmol/L (level 2)"),
    (.low, "low", "below 70 mg/dL or 3.9 mmol/L (level 1), very low ones among them"),
    (.high, "high", "above 180 mg/dL or 10.0 mmol/L (level 1), very high ones among them"),
    (.veryHigh, "very high", "above 250 mg/dL or 13.9 mmol/L (level 2)"),
  ]

  /// Why no events are counted; `nil` where they are.
  package var eventsRefusal: String? {
    guard events == nil else { return nil }
    let minutes = NumberText.rounded(hold / 60)
    return "Events are not counted: they need readings of a sensor, at most \(minutes) min apart."
  }

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
