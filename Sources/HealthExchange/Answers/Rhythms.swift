package import HealthAnalysis
package import HealthAnswers
import HealthQuery
import HealthSamples

extension AnalysisAnswer {
  /// The course of a day or a week of each type, or the periods of its model.
  func table(
    of results: [Result<RhythmAnswer, AnalysisError>], _ list: String
  ) throws(AnalysisError) -> AnswerTable {
    if let refusal { throw refusal }
    let found: [RhythmAnswer] = results.known()
    let isOfHours = plan.question.interval != CalendarInterval(.day)
    if list == "rhythms", found.count == 1 { _ = try found[0].cosinor.get() }
    let facts = HeadMember.facts(members(of: results))
    var table =
      list == "rhythms"
      ? periods(of: found, list, unit: isOfHours ? "h" : "d", facts: facts)
      : profiles(of: found, list, isOfHours, facts: facts)
    if results.count == 1 {
      table.head = numbers.columns[0].head + facts
    }
    return table
  }

  /// A row for each hour of the day, or weekday.
  private func profiles(
    of found: [RhythmAnswer], _ list: String, _ isOfHours: Bool, facts: [HeadMember]
  ) -> AnswerTable {
    let rows = AnswerRows(
      found.flatMap { found in
        found.profile.enumerated().map { (series: found.subject.series, place: $0, profile: $1) }
      })
    func number(_ key: String, _ read: @escaping (RhythmProfile) -> Double?) -> AnswerColumn {
      rows.number(key) { row in read(row.profile).map(row.series.printing) }
    }
    return table(
      list, key: isOfHours ? "hours" : "weekdays", rows.count, facts: facts,
      rows.subject(\.series) + [
        isOfHours
          ? rows.count("hour", about: "of the clock", \.place)
          : rows.word("weekday", \.profile.label), number("mean", \.mean),
        number("median", \.median), number("lowerQuartile", \.lowerQuartile),
        number("upperQuartile", \.upperQuartile),
        rows.count("count", about: "how many have a number", \.profile.count),
      ])
  }

  /// A row for each period of the model; one with a refusal where there is no model.
  private func periods(
    of found: [RhythmAnswer], _ list: String, unit: String, facts: [HeadMember]
  ) -> AnswerTable {
    let rows = AnswerRows(
      found.flatMap { found -> [(found: RhythmAnswer, one: Cosinor.Rhythm?)] in
        guard let model = try? found.cosinor.get() else { return [(found, nil)] }
        return model.rhythms.map { (found, $0) }
      })
    return table(
      list, rows.count, facts: facts,
      rows.subject(\.found.subject.series) + [
        rows.number("period", unit: unit, \.one?.period),
        rows.number("amplitude", \.one?.amplitude),
        rows.number("amplitudeLow") { row in
          row.one.flatMap { row.found.amplitudeInterval($0)?.lowerBound }
        },
        rows.number("amplitudeHigh") { row in
          row.one.flatMap { row.found.amplitudeInterval($0)?.upperBound }
        },
        rows.number("peakTime", unit: unit) { $0.one?.peakTime },
        rows.number("peakTimeMargin", unit: unit, about: "give or take") { row in
          row.one.flatMap(row.found.margin)
        },
        rows.number("acrophase", unit: "rad") { $0.one?.acrophase },
        rows.number("fStatistic", unit: "1") { $0.one?.test.finiteStatistic },
        rows.number("pValue", unit: "1") { row in row.one.map(row.found.pValue) },
        rows.refusal(\.found.cosinor.refusal),
      ])
  }

  /// Of one type as json has them, of several a list with one object for each.
  private func members(of results: [Result<RhythmAnswer, AnalysisError>]) -> [JSON.Member] {
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
