package import HealthAnalysis
package import HealthAnswers
import HealthQuery
import HealthSamples

// MARK: - Rhythms

extension AnalysisAnswer {
  /// Of one type as json has them, of several a list with one object for each.
  func members(of results: [Result<RhythmAnswer, AnalysisError>]) -> [JSON.Member] {
    let refused = JSON.Member.refusals(refused(among: results))
    let found = zip(numbers.columns, results).compactMap { column, result in
      (try? result.get()).map { (column.series.name, $0) }
    }
    guard results.count > 1 else { return found.first?.1.members() ?? [] }
    return [
      .init(
        "types",
        .array(found.map { .object([.init("name", .string($0.0))] + $0.1.members()) })),
      refused,
    ]
  }

  func members(of found: RestAndSleepAnswer) -> [JSON.Member] {
    JSON.Member.made(
      model: "interdaily stability and intradaily variability, sleep regularity index",
      method: "nonparametric, of amounts by the hour and of sleep by the half minute") + [
        .interval(CalendarInterval(.hour)),
        .init("freeDays", .array(found.parameters.freeDays.map { .string($0.rawValue) })),
      ]
  }
}

extension RhythmAnswer {
  /// Whether the profile is that of a day.
  package var isOfHours: Bool { group == .hour }

  /// The model and what it says.
  ///
  /// - Parameter refusal: how the refusal of a search is said
  /// - Returns: the members
  package func members(
    refusal: (AnalysisError) -> String = \.description
  ) -> [JSON.Member] {
    // As in a trend `method` is how means were computed.
    var members: [JSON.Member] = [
      .init("model", .string("cosinor")),
      .init("fit", .string("least squares, errors by the delta method")),
      .interval(CalendarInterval(isOfHours ? .hour : .day)),
      .init("periodUnit", .string(isOfHours ? "h" : "d")),
      .init("origin", .string(LocalTime(origin, in: subject.series.timeZone).isoText)),
      .init("count", .integer(subject.series.values.count { $0 != nil })),
      .init("empty", .integer(subject.emptyCount)),
      .init("days", .integer(dayCount)), .init("partialDays", .integer(partialDayCount)),
      .init("confidence", .number(parameters.confidence)),
    ]
    switch cosinor {
    case .success(let model):
      members += [
        .init("mesor", .number(model.mesor)), .init("mesorError", .number(model.mesorError)),
        .init("rSquared", .number(model.rSquared)),
        .init("fStatistic", .optional(model.test.finiteStatistic)),
        .init("pValue", .optional(model.dependentPValue)),
        .init("rhythms", .array(model.rhythms.map(json))),
        .init("tested", .integer(model.rhythms.count)),
      ]
    case .failure(let error): members.append(.init("refusal", .string(error.description)))
    }
    switch periodogram {
    case nil: break
    case .success(let found):
      members.append(
        .init(
          "search",
          .object([
            .init("method", .string("lombScargle")), .init("detrended", .bool(true)),
            .init("whitened", .bool(true)),
            .init("period", .number(found.peak.period)), .init("power", .number(found.peak.power)),
            .init("falseAlarmProbability", .number(found.peak.falseAlarmProbability)),
            .init("frequencies", .integer(found.frequencies.count)),
            .init("count", .integer(found.count)),
          ])))
    case .failure(let error):
      members.append(.init("search", .object([.init("refusal", .string(refusal(error)))])))
    }
    return members
  }

  private func json(_ one: Cosinor.Rhythm) -> JSON {
    let amplitude = amplitudeInterval(one)
    return .object([
      .init("period", .number(one.period)), .init("amplitude", .number(one.amplitude)),
      .init("amplitudeLow", .optional(amplitude?.lowerBound)),
      .init("amplitudeHigh", .optional(amplitude?.upperBound)),
      .init("peakTime", .optional(one.peakTime)),
      .init("peakTimeMargin", .optional(margin(one))),
      .init("acrophase", .optional(one.acrophase)),
      .init("fStatistic", .optional(one.test.finiteStatistic)),
      .init("pValue", .number(pValue(one))),
      .init("autocorrelation", .optional(one.dependent?.amplitude.autocorrelation)),
    ])
  }

  /// The interval of an amplitude, from 0 on; `nil` where it is 0, or overflows.
  package func amplitudeInterval(_ one: Cosinor.Rhythm) -> ClosedRange<Double>? {
    (try? one.dependent?.amplitude.interval(confidence: parameters.confidence)).map {
      max(0, $0.lowerBound)...max(0, $0.upperBound)
    }
  }

  /// The probability of an amplitude at least as large without the rhythm.
  package func pValue(_ one: Cosinor.Rhythm) -> Double { one.dependent?.pValue ?? 1 }

  /// Half of the interval of the time of the peak; `nil` where it may be at any time.
  ///
  /// A rhythm that chance alone makes as high more often than the confidence allows peaks at any time.
  package func margin(_ one: Cosinor.Rhythm) -> Double? {
    guard pValue(one) <= 1 - parameters.confidence,
      let angles = try? one.dependent?.acrophase.interval(confidence: parameters.confidence)
    else { return nil }
    let margin = (angles.upperBound - angles.lowerBound) / 2 / (2 * .pi) * one.period
    return margin < one.period / 2 ? margin : nil
  }
}

extension Cosinor.EffectTest {
  /// F; `nil` for the infinite one of an exact model.
  package var finiteStatistic: Double? { statistic.isFinite ? statistic : nil }
}

// MARK: - Types of their own

extension AnalysisAnswer {
  func members(of answer: TrainingAnswer) -> [JSON.Member] {
    let (basis, age): (JSON, Int?) =
      switch answer.maximumBasis {
      case nil: (.null, nil)
      case .given: (.string("given"), nil)
      case .age(let age): (.string("age"), age)
      case .measured: (.string("measured"), nil)
      }
    return JSON.Member.made(
      model: "banister",
      method: "impulses of the heart rate reserve, averaged over days by 1/N"
    ) + [
      .init("weighting", .optional(answer.weighting?.rawValue)),
      .init(
        "weightingBasis",
        answer.weighting == nil
          ? .null : .string(answer.parameters.weighting == nil ? "profile" : "given")),
      .init("maximum", .optional(answer.maximum)), .init("maximumBasis", basis),
      .init("age", age.map { .integer($0) } ?? .null),
      .init(
        "restingBasis",
        .string(
          answer.parameters.resting == nil
            ? "mean of the \(TrainingAnswer.restingDays) days before the day of each workout"
            : "given")),
      .init("assumedResting", .integer(answer.assumedRestingCount)),
      .init("fitnessDays", .integer(42)), .init("fatigueDays", .integer(7)),
      .init("form", .string(TrainingBalance.Form.reciprocal.rawValue)),
      .init("lookBackDays", .integer(TrainingAnswer.lookBackDays)),
      .init("workoutCount", .integer(answer.workouts.count)),
      .init("withoutLoad", .integer(answer.unknownCount)),
      .init("earlier", .integer(answer.earlierCount)),
      .init("earlierWithoutLoad", .integer(answer.earlierUnknownCount)),
    ]
  }

  func members(of answer: VariabilityAnswer) -> [JSON.Member] {
    guard case .variability(let parameters) = plan.method else { return [] }
    let (implausible, ectopic) = answer.leftOut
    return made(
      model: "Task Force 1996",
      method: "of beats, without intervals out of range or far from the one before"
    ) + [
      .init("count", .integer(answer.known.count)),
      .init("shortest", .number(parameters.shortest)),
      .init("longest", .number(parameters.longest)),
      .init("largestChange", .number(parameters.largestChange)),
      .init("implausible", .integer(implausible)), .init("ectopic", .integer(ectopic)),
      .init("refused", .integer(answer.series.count - answer.known.count)),
    ]
  }
}

extension VariabilityAnswer {
  /// The series with a variability.
  package var known: [HeartRateVariability] { series.compactMap { try? $0.variability.get() } }

  /// How many intervals do not count, of all series.
  package var leftOut: (implausible: Int, ectopic: Int) {
    known.reduce((0, 0)) { ($0.0 + $1.implausibleCount, $0.1 + $1.ectopicCount) }
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
    let units = report.units.map { recorded in
      let (unit, edges) = (recorded.unit, recorded.unit.edges)
      let texts = edges.map { NumberText.rounded($0, decimals: unit.decimals) }
      let count = report.units.count > 1 ? " (\(NumberText.grouped(recorded.count)))" : ""
      return "in \(unit.rawValue)\(count) by \(texts.dropLast().joined(separator: ", ")) and "
        + "\(texts[edges.count - 1]) \(unit.rawValue)"
    }
    return "Each reading is judged as the consensus prints the edges for the unit in which it was "
      + "recorded: \(units.joined(separator: ", "))."
  }

  /// The units in which readings were recorded, with the edges that the consensus prints in each.
  package var recordedUnits: JSON {
    .array(
      report.units.map { recorded in
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
      .init("days", .integer(report.days)), .init("count", .integer(report.statistics.count)),
      .init("hold", .number(hold)), .init("coverage", .number(report.coverage)),
      .init("recordedUnits", recordedUnits),
      .sources("otherSources", others), .init("repeated", .integer(repeatedCount)),
      .init("implausible", .integer(implausibleCount)),
    ]
  }
}

extension PressureAnswer {
  func members(in zones: ZoneTimeline) -> [JSON.Member] {
    var home = JSON.null
    var refusal: [JSON.Member] = []
    switch self.home {
    case .success(let average)?:
      func part(_ part: HomeBloodPressure.Average?) -> JSON {
        part.map { Self.json($0.count, $0.systolic, $0.diastolic) } ?? .null
      }
      home = .object([
        .init("from", .string(Self.day(average.days.lowerBound))),
        .init("to", .string(Self.day(average.days.upperBound))),
        .init("days", .integer(average.dayCount)),
        .init("droppedDay", .string(Self.day(average.droppedDay))),
        .init("otherHours", .integer(average.otherCount)), .init("all", part(average.all)),
        .init("mornings", part(average.mornings)), .init("evenings", part(average.evenings)),
        .init("class", .optional(homeClass?.category.rawValue)),
      ])
    case .failure(let error)?:
      let text = Self.reason(error)
      refusal = [.init("homeRefusal", .string(text.prefix(1).uppercased() + text.dropFirst()))]
    case nil: break
    }
    func average(_ average: PressureAnswer.Average?) -> JSON {
      average.map {
        Self.json($0.count, $0.systolic, $0.diastolic, class: $0.found.category)
      } ?? .null
    }
    return JSON.Member.made(
      model: parameters.guideline.name,
      method: "the higher class of both numbers; the average at home by ESH 2021"
    ) + [
      .init("from", .string(LocalTime(span.lowerBound, in: zones).isoText)),
      .init("to", .string(LocalTime(span.upperBound, in: zones).isoText)),
      .init("all", average(all)), .init("mornings", average(mornings)),
      .init("evenings", average(evenings)), .init("home", home),
    ] + refusal + [
      .sources("sources", sources), .init("implausible", .integer(implausibleCount)),
      .init("loneSystolic", .integer(loneSystolicCount)),
      .init("loneDiastolic", .integer(loneDiastolicCount)),
    ]
  }

  private static func json(
    _ count: Int, _ systolic: Double, _ diastolic: Double,
    class category: BloodPressureGuideline.Category? = nil
  ) -> JSON {
    .object(
      [
        .init("count", .integer(count)), .init("systolic", .number(systolic)),
        .init("diastolic", .number(diastolic)),
      ] + (category.map { [.init("class", .string($0.rawValue))] } ?? []))
  }

  /// A day by its date.
  package static func day(_ number: Int) -> String {
    LocalTime.text(of: CivilDate(dayNumber: number))
  }

  /// A number of readings as a share of all.
  package func share(_ count: Int) -> Double { Double(count) / Double(max(1, all.count)) }

  /// Why there is no average at home, within a sentence.
  package static func reason(_ error: AnalysisError) -> String {
    switch error.reason {
    case .tooFewPoints(let count, let needed):
      "the last seven days have \(readings(count)) of mornings and evenings "
        + "without their first day, and it needs \(needed)."
    case .spanTooShort(let days, let needed):
      "the last seven days have readings on \(days == 1 ? "1 day" : "\(days) days"), and it needs "
        + "\(needed)."
    default: error.description
    }
  }

  private static func readings(_ count: Int) -> String {
    count == 1 ? "1 reading" : "\(NumberText.grouped(count)) readings"
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
