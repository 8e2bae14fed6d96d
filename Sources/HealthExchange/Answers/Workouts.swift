package import HealthAnswers
package import HealthQuery
package import HealthSamples
import HealthUnits

// Workouts, what they are in all, and what their routes say.

extension AnswerTable {
  /// A row a workout.
  ///
  /// - Parameters:
  ///   - workouts: the workouts
  ///   - units: the units of numbers
  ///   - bounds: bounds between heart rate zones, in beats a minute
  ///   - added: numbers that no other column has
  ///   - zones: the zones of instants
  ///   - head: more of the head
  /// - Returns: the table
  package static func workouts(
    _ workouts: [WorkoutSummary], in units: ActivityUnits, bounds: [Double],
    added: [(statistic: WorkoutStatistic, values: [Double?])] = [], zones: ZoneTimeline,
    saying head: [HeadMember] = []
  ) -> AnswerTable {
    let rows = AnswerRows(workouts)
    func numbers(
      _ key: String, _ statistic: WorkoutStatistic, about: String = "",
      _ value: (WorkoutSummary) -> Double?
    ) -> AnswerColumn {
      units.column(key, of: statistic, about: about, workouts.map(value))
    }
    var columns: [AnswerColumn] = [
      rows.instant("start", about: "when it begins", \.workout.facts.start),
      rows.instant("end", about: "when it ends", \.workout.facts.end),
      rows.word("activity", about: "the identifier of the activity", \.workout.activity),
    ]
    columns += added.map { units.column($0.statistic.rawValue, of: $0.statistic, $0.values) }
    columns += [
      numbers("duration", .duration, about: "without pauses", \.duration),
      numbers("distance", .distance, about: "null without distance", \.workout.totalDistance),
      numbers("energy", .energy, about: "null without energy", \.workout.totalEnergy),
      .group(
        "heartRate", .prefixed,
        [
          numbers("mean", .heartRate, about: "null without heart rates", \.meanHeartRate),
          numbers("max", .heartRateMax, about: "null without heart rates", \.highestHeartRate),
        ]),
      rows.count("eventCount", about: "such as pauses", \.workout.events.count),
      rows.count("activityCount", about: "parts of it", \.workout.activities.count),
      rows.count("routeCount", \.routes.count),
      rows.count("places", about: "locations of all routes", \.routes.placeCount),
    ]
    columns += HeartRateZones.names(bounds).enumerated().map { place, name in
      AnswerColumn(
        AnswerField(
          "zone\(place + 1)", .duration, unit: "s", naming: .withUnit,
          about: "time with heart rates \(name)", facts: [AnswerField.Fact("rates", name)]),
        .numbers(rows.cells { $0.zoneSeconds[place] }))
    }
    columns += [
      rows.word("source", about: "the name of the source", \.workout.facts.source.name),
      rows.truth(
        "enteredByHand", about: "whether a person entered it",
        \.workout.facts.source.isUserEntered),
      rows.json("metadata", about: "keys and values as JSON; null without any") {
        let metadata = $0.workout.facts.metadata
        return metadata.isEmpty ? nil : JSON(pairsOf: metadata)
      },
    ]
    let told: [(String, WorkoutStatistic)] = [
      ("duration", .duration), ("distance", .distance), ("energy", .energy),
      ("heartRate", .heartRate),
    ]
    return AnswerTable(
      "workouts", list: "workouts", count: rows.count, zones: zones,
      head: HeadMember.zones(zones) + head + [
        units.member(of: told + added.map { ($0.statistic.rawValue, $0.statistic) })
      ], columns)
  }

  /// A row a kilometre or mile of workouts.
  ///
  /// - Parameters:
  ///   - workouts: the workouts
  ///   - splits: the splits of each
  ///   - length: how long a split is
  ///   - units: the units of numbers
  ///   - zones: the zones of instants
  /// - Returns: the table
  package static func splits(
    of workouts: [Workouts.Row], _ splits: [[WorkoutSplit]], length: SplitLength,
    in units: ActivityUnits, zones: ZoneTimeline
  ) -> AnswerTable {
    let pairs = zip(workouts, splits).flatMap { workout, splits in
      splits.map { (workout: workout, split: $0) }
    }
    let rows = AnswerRows(pairs)
    let told: [(String, WorkoutStatistic, about: String, (WorkoutSplit) -> Double?)] = [
      ("distance", .distance, "of the last one less than of others", \.distance),
      ("duration", .duration, "without pauses", \.duration), ("pace", .pace, "", \.pace),
      ("elevationGain", .elevation, "null without altitudes", \.elevationGain),
      ("elevationLoss", .elevation, "null without altitudes", \.elevationLoss),
      ("heartRate", .heartRate, "the mean; null without any", \.meanHeartRate),
    ]
    let numbers = told.map { key, statistic, about, value in
      units.column(key, of: statistic, about: about, pairs.map { value($0.split) })
    }
    return AnswerTable(
      "splits", list: "splits", count: rows.count, zones: zones,
      head: [
        HeadMember("length", .string(length.rawValue)), units.member(of: told.map { ($0.0, $0.1) }),
      ] + HeadMember.zones(zones),
      [
        rows.instant("workout", about: "when the workout begins", \.workout.facts.start),
        rows.word("activity", about: "the identifier of the activity", \.workout.activity),
        rows.count("split", about: "from 1 in each workout", \.split.number),
        rows.instant("start", about: "when it begins", \.split.start),
        rows.instant("end", about: "when it ends", \.split.end),
      ] + numbers)
  }

  /// A row a place where routes lie.
  package static func places(
    _ places: [RoutePlace], in units: ActivityUnits, zones: ZoneTimeline
  ) -> AnswerTable {
    let rows = AnswerRows(places)
    return AnswerTable(
      "places", list: "places", count: rows.count, zones: zones,
      head: [
        HeadMember("radius", .number(RoutePlace.radius)),
        units.member(of: [("distance", .distance)]),
      ] + HeadMember.zones(zones),
      [
        rows.number("latitude", unit: "deg", \.latitude),
        rows.number("longitude", unit: "deg", \.longitude),
        rows.count("routes", about: "how many", \.count),
        units.column(
          "distance", of: .distance, about: "of all routes", places.map(\.distance)),
        rows.instant("first", about: "when the first one begins", \.first),
        rows.instant("last", about: "when the last one begins", \.last),
      ])
  }
}

// MARK: - Totals

extension WorkoutAnswer {
  /// A row an interval, with the time of each kind.
  ///
  /// - Parameters:
  ///   - units: the units of numbers
  ///   - activity: the activity that was asked for
  /// - Returns: the table
  package func table(in units: ActivityUnits, activity: String?) -> AnswerTable {
    var head = [HeadMember("type", .string("workouts"))]
    if let activity { head.append(HeadMember("activity", .string(activity))) }
    head.append(units.member(of: statistics.map { ($0.rawValue, $0) }))
    head += HeadMember.zones(timeZone)
    var columns = AnswerColumn.interval(.all(starts), .all(ends))
    columns += statistics.map { units.column(of: $0, rows) }
    if !kinds.isEmpty {
      var offsets = OffsetCache(timeZone)
      func json(_ totals: [WorkoutTotals]) -> [JSON] {
        let columns = statistics.map { units.column(of: $0, totals) }
        return totals.indices.map { .object(columns.members(of: $0, &offsets)) }
      }
      head.append(.fact("total", json([total]).first ?? .null))
      let kindTotals = zip(kinds, json(kinds.map(\.total))).map { kind, totals -> JSON in
        guard case .object(let members) = totals else { return .null }
        return .object([JSON.Member("activity", .optional(kind.activity))] + members)
      }
      head.append(.fact("kinds", .array(kindTotals)))
      columns += kindColumns(in: units)
    }
    return AnswerTable(
      "workouts.intervals", list: "intervals", count: rows.count, zones: timeZone, head: head,
      columns)
  }

  /// The time of each kind, and everything of each.
  private func kindColumns(in units: ActivityUnits) -> [AnswerColumn] {
    let times = kinds.map { kind in
      units.column(
        kind.activity.map(ActivityName.short) ?? "other", of: .duration,
        kind.rows.map { $0.value(.duration) })
    }
    let parts = rows.indices.map { row in
      kinds.map { (activity: $0.activity, totals: $0.rows[row]) }
    }
    let list = AnswerColumn.list("kinds", about: "all that was asked, of each kind", parts) {
      parts in
      [parts.word("activity", about: "null of all others together", \.activity)]
        + statistics.map { units.column(of: $0, parts.rows.map(\.totals)) }
    }
    return [.group("kindDurations", .plain, times), list]
  }
}

// MARK: - Units

extension ActivityUnits {
  /// A number of a workout as programs read it.
  package func number(_ value: Double?, of statistic: WorkoutStatistic) -> Double? {
    value.map { NumberText.shortest(self.value($0, of: statistic)) }
  }

  /// An amount of a ring as programs read it.
  package func number(_ value: Double?, of ring: ActivityRing) -> Double? {
    value.map { NumberText.shortest(self.value($0, of: ring)) }
  }

  /// The name of the unit of a number; `nil` for a count.
  package func name(of statistic: WorkoutStatistic) -> String? {
    unit(of: statistic)?.shortDescription
  }

  /// The head that names the units of numbers, for json and each line of ndjson: csv has them in the
  /// names of columns.
  package func member(of statistics: [(key: String, statistic: WorkoutStatistic)]) -> HeadMember {
    let units = statistics.compactMap { key, statistic in
      name(of: statistic).map { JSON.Member(key, .string($0)) }
    }
    return HeadMember("units", .object(units), .lines)
  }

  /// Numbers whose column ends with their unit.
  fileprivate func column(
    _ key: String, of statistic: WorkoutStatistic, about: String = "", _ values: [Double?]
  ) -> AnswerColumn {
    .numbers(
      key, unit: name(of: statistic), naming: .withUnit, about: about,
      .optional(values.map { number($0, of: statistic) }))
  }

  /// What totals say.
  fileprivate func column(of statistic: WorkoutStatistic, _ totals: [WorkoutTotals]) -> AnswerColumn
  {
    guard statistic != .count else {
      return .counts(statistic.rawValue, about: "how many", .all(totals.map(\.count)))
    }
    return column(statistic.rawValue, of: statistic, totals.map { $0.value(statistic) })
  }
}
