import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthUnits

// MARK: - Rhythms

extension AnalysisColumns {
  /// Whether rhythms are those of days, and not of weeks.
  private var isOfHours: Bool { answer.plan.question.interval != CalendarInterval(.day) }

  /// A row for each hour of the day, or weekday, of each type.
  func profile(_ found: [Result<RhythmAnswer, AnalysisError>]) throws -> [Column] {
    let rows = rows(
      try known(found).flatMap { found in
        found.profile.enumerated().map { (series: found.subject.series, place: $0, profile: $1) }
      })
    func number(_ name: String, _ path: KeyPath<RhythmProfile, Double?>) -> Column {
      rows.reals(name) { row in row.profile[keyPath: path].map(row.series.printing) }
    }
    return rows.subject(\.series) + [
      isOfHours ? rows.integers("hour", \.place) : rows.words("weekday", \.profile.label),
      number("mean", \.mean), number("median", \.median),
      number("lower_quartile", \.lowerQuartile), number("upper_quartile", \.upperQuartile),
      rows.integers("count", \.profile.count),
    ]
  }

  /// A row for each period of the model of each type; one with a refusal where there is no model.
  func rhythms(_ found: [Result<RhythmAnswer, AnalysisError>]) throws -> [Column] {
    let found = try known(found)
    if found.count == 1 { _ = try found[0].cosinor.get() }
    let rows = rows(
      found.flatMap { found -> [(found: RhythmAnswer, one: Cosinor.Rhythm?)] in
        guard let model = try? found.cosinor.get() else { return [(found, nil)] }
        return model.rhythms.map { (found, $0) }
      })
    let unit = isOfHours ? "h" : "d"
    return rows.subject(\.found.subject.series) + [
      rows.reals("period", unit: unit, \.one?.period), rows.reals("amplitude", \.one?.amplitude),
      rows.reals("amplitude_low") { row in
        row.one.flatMap { row.found.amplitudeInterval($0)?.lowerBound }
      },
      rows.reals("amplitude_high") { row in
        row.one.flatMap { row.found.amplitudeInterval($0)?.upperBound }
      },
      rows.reals("peak_time", unit: unit) { $0.one?.peakTime },
      rows.reals("peak_time_margin", unit: unit) { row in row.one.flatMap(row.found.margin) },
      rows.reals("acrophase", unit: "rad") { $0.one?.acrophase },
      rows.reals("f_statistic", unit: "1") { $0.one?.test.finiteStatistic },
      rows.reals("p_value", unit: "1") { row in row.one.map(row.found.pValue) },
      rows.words("refusal", \.found.cosinor.refusal),
    ]
  }

  /// The parts of the rhythm of rest, activity and sleep.
  ///
  /// - Throws: why there is no activity, where there are no nights either
  private func parts(
    of found: RestAndSleepAnswer
  ) throws -> (activity: ActivityRhythm?, sleep: SleepRhythm?) {
    let (activity, sleep) = (try? found.activity.get(), try? found.sleep.get())
    if activity == nil, sleep == nil { _ = try found.activity.get() }
    return (activity, sleep)
  }

  /// The mean day; a row for each hour.
  func meanDay(_ found: RestAndSleepAnswer) throws -> [Column] {
    let activity = try parts(of: found).activity
    let rows = rows(Array((activity?.measures.meanDay ?? []).enumerated()))
    return [
      rows.integers("hour", \.offset),
      rows.reals("mean") { activity?.subject.series.printing($0.element) },
    ]
  }

  /// One row with all numbers.
  func restAndSleep(_ found: RestAndSleepAnswer) throws -> [Column] {
    let (activity, sleep) = try parts(of: found)
    let (measures, timing) = (activity?.measures, sleep?.timing)
    let series = activity?.subject.series
    let index = sleep.flatMap { try? $0.regularity.get() }
    let row = rows([()])
    func clock(_ name: String, _ hours: Double?) -> Column {
      .texts(name, [hours.map { SleepAverages.clockText($0 * 3600) }])
    }
    func seconds(_ name: String, _ hours: Double?) -> Column {
      row.reals(name, unit: "s") { hours.map { ($0 * 3600).rounded() } }
    }
    func spell(_ name: String, _ spell: RestAndActivity.Spell?) -> [Column] {
      [
        row.integers(name + "_hours") { spell?.hours }, clock(name + "_onset", spell?.onset),
        row.reals(name + "_mean") { spell.flatMap { series?.printing($0.mean) } },
      ]
    }
    func summary(_ name: String, _ times: CircularSummary?) -> [Column] {
      [clock(name, times?.mean), seconds(name + "_deviation_s", times?.standardDeviation)]
    }
    var columns: [Column] = [
      row.words("type") { series?.type.identifier },
      row.words("unit") { series?.unitText },
      row.integers("days") { activity?.dayCount },
      row.integers("empty_days") { activity?.emptyDayCount },
      row.integers("partial_days") { activity?.partialDayCount },
      row.integers("hours") { measures?.presentCount },
      row.reals("interdaily_stability", unit: "1") { measures?.interdailyStability },
      row.reals("intradaily_variability", unit: "1") { measures?.intradailyVariability },
    ]
    columns += spell("least_active", measures?.leastActive)
    columns += spell("most_active", measures?.mostActive)
    columns += [
      row.reals("relative_amplitude", unit: "1") { measures?.relativeAmplitude },
      row.integers("nights") { sleep?.nightCount },
      row.integers("empty_nights") { sleep?.emptyNightCount },
      row.reals("regularity_index", unit: "1") { index?.value },
      row.integers("compared_days") { index?.dayPairCount },
      row.words("regularity_refusal") { sleep?.regularity.refusal },
    ]
    columns += summary("bedtime", timing?.onset) + summary("midpoint", timing?.midpoint)
    columns += summary("wake", timing?.wake)
    columns += [
      row.integers("free_nights") { timing.map { $0.freeMidpoint?.count ?? 0 } },
      row.integers("work_nights") { timing.map { $0.workMidpoint?.count ?? 0 } },
    ]
    columns += summary("free_midpoint", timing?.freeMidpoint)
    columns += summary("work_midpoint", timing?.workMidpoint)
    return columns + [
      seconds("social_jet_lag_s", timing?.socialJetLag),
      seconds("free_day_shift_s", timing?.freeDayShift),
      row.words("activity_refusal") { found.activity.refusal },
      row.words("sleep_refusal") { found.sleep.refusal },
    ]
  }
}

// MARK: - Training

extension AnalysisColumns {
  func days(_ found: TrainingAnswer) -> [Column] {
    let rows = rows(found.days)
    return [
      rows.instants("start", \.start), rows.instants("end", \.end),
      rows.integers("workouts", \.workoutCount), rows.integers("without_load", \.unknownCount),
      rows.reals("load", \.load), rows.reals("fitness", \.fitness),
      rows.reals("fatigue", \.fatigue), rows.reals("balance", \.balance),
    ]
  }

  func workouts(_ found: TrainingAnswer) -> [Column] {
    let rows = rows(found.workouts.map { (workout: $0, load: try? $0.load.get()) })
    let (seconds, rate) = ("s", "count/min")
    var columns: [Column] = [
      rows.instants("start", \.workout.start), rows.instants("end", \.workout.end),
      rows.words("activity", \.workout.activity),
      rows.reals("duration_s", unit: seconds, \.workout.duration),
      rows.reals("heart_rate_mean_count_min", unit: rate, \.workout.meanRate),
      rows.reals("heart_rate_max_count_min", unit: rate, \.workout.greatestRate),
      rows.integers("heart_rates", \.workout.rateCount),
      rows.reals("measured_s", unit: seconds, \.workout.measuredSeconds),
      rows.reals("resting_count_min", unit: rate, \.workout.resting),
      rows.reals("load", \.load?.impulse),
    ]
    columns += (0..<5).map { zone in
      rows.reals("zone\(zone + 1)_min", unit: "min") { row in
        row.load.flatMap { zone < $0.zoneMinutes.count ? $0.zoneMinutes[zone] : nil }
      }
    }
    columns.append(rows.reals("edwards", \.load?.edwards))
    for place in TrainingAnswer.recoverySeconds.indices {
      columns += recovery("recovery\(place + 1)", found.workouts.map { $0.recoveries[place] })
    }
    return columns + [
      rows.words("source", \.workout.source.name), rows.words("refusal", \.workout.load.refusal),
    ]
  }

  private func recovery(
    _ name: String, _ found: [Result<HeartRateRecovery, AnalysisError>]
  ) -> [Column] {
    let rows = rows(found.map { (result: $0, recovery: try? $0.get()) })
    let rate = "count/min"
    return [
      rows.reals(name + "_count_min", unit: rate) {
        $0.recovery.map { NumberText.shortest($0.drop) }
      },
      rows.reals(name + "_rate_at_end_count_min", unit: rate) {
        $0.recovery.map { NumberText.shortest($0.rateAtEnd) }
      },
      rows.words(name + "_basis_at_end") { $0.recovery?.basisAtEnd.rawValue },
      rows.words(name + "_basis_after") { $0.recovery?.basisAfter.rawValue },
      rows.words(name + "_refusal") { $0.result.refusal },
    ]
  }
}

// MARK: - Glucose

extension AnalysisColumns {
  /// One row with all that is said of the period.
  func summary(_ found: GlucoseAnswer) -> [Column] {
    let (report, statistics) = (found.report, found.report.statistics)
    let targets = report.targets
    let unit = found.unitText
    let row = rows([()])
    func shares(_ prefix: String, _ ranges: GlucoseRanges?) -> [Column] {
      GlucoseAnswer.ranges.map { range in
        row.reals(prefix + CommaSeparated.name(of: range.key), unit: "1") {
          ranges.map(range.share)
        }
      }
    }
    func met(_ name: String, _ path: KeyPath<GlucoseTargets, Bool>) -> Column {
      row.truths("target_" + name) { targets?[keyPath: path] }
    }
    var columns: [Column] = [
      row.instants("from") { found.period.lowerBound },
      row.instants("to") { found.period.upperBound },
      row.integers("days") { report.days },
      row.reals("coverage", unit: "1") { report.coverage },
      row.integers("count") { statistics.count },
      row.reals("mean", unit: unit) { found.printed(statistics.mean) },
      row.reals("standard_deviation", unit: unit) {
        statistics.standardDeviation.map(found.printed)
      },
      row.reals("variation_percent") { statistics.variationPercent },
      // Of too few data no estimate is said.
      row.reals("gmi_percent") { targets == nil ? nil : statistics.managementIndicator },
      row.reals("gri") { report.rangesByTime.riskIndex },
      row.reals("lbgi") { statistics.lowRiskIndex },
      row.reals("hbgi") { statistics.highRiskIndex },
      row.reals("j_index") { statistics.jIndex },
      row.reals("grade") { statistics.grade },
      row.reals("hold_s", unit: "s") { found.hold },
    ]
    columns += shares("", report.rangesByTime)
    columns += shares("of_readings_", report.rangesBySamples)
    return columns + [
      met("in_range", \.inRange), met("below", \.below), met("very_low", \.veryLow),
      met("above", \.above), met("very_high", \.veryHigh), met("variation", \.variation),
      row.integers("recorded_in_mmol") {
        report.units.first { $0.unit == .millimolesPerLitre }?.count ?? 0
      },
      row.integers("repeated") { found.repeatedCount },
      row.integers("implausible") { found.implausibleCount },
    ]
  }

  func hours(_ found: GlucoseAnswer) -> [Column] {
    let rows = rows(found.profile.hours)
    return [rows.integers("hour", \.hour), rows.integers("count", \.count)]
      + GlucoseAnswer.percentiles.map { percentile in
        rows.reals(percentile.key, unit: found.unitText) {
          found.printed(percentile.value($0))
        }
      }
      + GlucoseAnswer.ranges.map { range in
        rows.reals(CommaSeparated.name(of: range.key), unit: "1") { $0.ranges.map(range.share) }
      }
  }
}
