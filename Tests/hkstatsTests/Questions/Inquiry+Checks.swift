import Foundation
import Testing

/// How answers are checked: each kind of answer beside the slow count of it.
extension Inquiry {
  // MARK: - Intervals

  private static let keys: Set<String> = [
    "sum", "perDay", "days", "mean", "min", "max", "median", "p90", "timeP25",
    "timeMedian", "timeP75",
  ]
  private static let shares = ["dayP25": "p25", "dayMedian": "median", "dayP75": "p75"]

  /// Every interval of the period is there, as Foundation's calendar has it, with its numbers.
  func checkSeries() throws {
    for (name, statistic, rows) in try series("intervals") {
      let shown = try rows.map { try span($0) }
      let expected = try spans(name)
      #expect(Set(shown).isSubset(of: expected), "\(name)")
      #expect(shown == shown.sorted { $0.start < $1.start } && !shown.isEmpty, "\(name)")
      var numbers = 0
      for span in expected {
        guard let place = shown.firstIndex(of: span) else {
          // What is not shown has nothing.
          let key = rows[0].keys.contains("sum") || statistic == "sum" ? "sum" : "mean"
          let missing = try number(name, key, in: span) ?? 0
          #expect(missing == 0, "\(name) \(span.start)")
          continue
        }
        for (key, value) in rows[place] {
          let key = key == "value" ? statistic : Self.shares[key] ?? key
          guard Self.keys.contains(key) || Self.shares.values.contains(key) || isSleep(name)
          else { continue }
          if isSleep(name), key == "start" || key == "end" { continue }
          let known = try number(name, key, in: span)
          let found = value as? Double
          #expect(Self.agree(found ?? 0, known ?? 0), "\(name) \(key) \(span.start)")
          numbers += found == nil ? 0 : 1
        }
      }
      #expect(numbers > 0, "\(name)")
    }
  }

  /// The one interval over everything.
  func checkTotal() throws {
    let row = try #require(try series("intervals").first?.rows.first)
    let known = (facts.sums[type(names[0])] ?? [:]).reduce(0) { $0 + $1.value }
    #expect(Self.agree(row["sum"] as? Double, known) && known > 0)
  }

  /// The intervals that count and have a number, with it.
  private func numbered(
    _ name: String, _ statistic: String, earlier: Int = 0
  ) throws -> [(span: Span, number: Double)] {
    try spans(name, earlier: earlier).compactMap { span in
      guard try counts(name, statistic, span) else { return nil }
      if facts.sums[type(name)] != nil, statistic == "sum", days(name, in: span).isEmpty {
        return nil
      }
      return try number(name, statistic, in: span).map { (span, $0) }
    }
  }

  /// The largest or smallest intervals, in order.
  func checkTop() throws {
    let (name, statistic, rows) = try #require(try series("intervals").first)
    let all = try numbered(name, statistic)
    let isLeast = words.contains("--least")
    let sorted = all.map(\.number).sorted { isLeast ? $0 < $1 : $0 > $1 }
    let count = Int(option("--top") ?? "") ?? 0
    #expect(rows.count == min(count, all.count) && !rows.isEmpty)
    for (row, number) in zip(rows, sorted) {
      #expect(Self.agree(row["value"] as? Double, number))
      let span = try span(row)
      let own = all.first { $0.span == span }?.number
      #expect(Self.agree(own, number), "\(span.start)")
    }
  }

  private func isMet(_ number: Double) throws -> Bool {
    func bound(_ text: String) throws -> Double {
      let plain = text.replacingOccurrences(of: "min", with: "")
      let parts = plain.split(separator: "h").compactMap { Double($0) }
      try #require(!parts.isEmpty, "\(text)")
      return text.contains("h") ? parts[0] * 3600 + (parts.count > 1 ? parts[1] * 60 : 0) : parts[0]
    }
    if let above = option("--above") { return number >= (try bound(above)) }
    return number < (try bound(try #require(option("--below"))))
  }

  /// Exactly the intervals beyond a bound.
  func checkBound() throws {
    let (name, statistic, rows) = try #require(try series("intervals").first)
    let known = try numbered(name, statistic).filter { try isMet($0.number) }
    let found = try rows.map { try span($0) }
    #expect(found == known.map(\.span) && !known.isEmpty)
    for (row, known) in zip(rows, known) {
      #expect(Self.agree(row["value"] as? Double, known.number))
    }
  }

  /// Runs of intervals beyond a bound, the longest first.
  func checkStreaks() throws {
    let (name, _, rows) = try #require(try series("streaks").first)
    var known: [(span: Span, count: Int)] = []
    for (span, number) in try numbered(name, "sum") where try isMet(number) {
      if let last = known.last, last.span.end == span.start {
        known[known.count - 1] = (Span(start: last.span.start, end: span.end), last.count + 1)
      } else {
        known.append((span, 1))
      }
    }
    let found = try rows.map { (span: try span($0), count: $0["intervals"] as? Int ?? 0) }
    #expect(Set(found.map(\.span)) == Set(known.map(\.span)) && !known.isEmpty)
    #expect(found.map(\.count) == known.map(\.count).sorted(by: >))
    for one in found { #expect(known.contains { $0 == one }) }
  }

  /// Runs of days without data, the longest first.
  func checkGaps() throws {
    for (name, _, rows) in try series("gaps") {
      let records = facts.rows[type(name)] ?? []
      var known: [(span: Span, count: Int)] = []
      // Without --to they go up to the last sample of any type.
      let latest = facts.rows.values.flatMap { $0.map { max($0.start, $0.end) } }.max() ?? 0
      let last = Date(timeIntervalSinceReferenceDate: latest)
      var places = try spans(name).filter { option("--to") != nil || $0.start < last }
      while option("--to") == nil, let end = places.last?.end, end < last {
        places.append(Span(start: end, end: facts.day(end, plus: 1)))
      }
      // A day that is not over is no gap yet.
      places.removeAll { $0.end > facts.now }
      for span in places {
        let (start, end) = (
          span.start.timeIntervalSinceReferenceDate, span.end.timeIntervalSinceReferenceDate
        )
        let hasData =
          isSleep(name)
          ? facts.nights[span.start] != nil
          : records.contains {
            $0.start < end && ($0.end > start || $0.end == $0.start && $0.start >= start)
          }
        if hasData { continue }
        if let last = known.last, last.span.end == span.start {
          known[known.count - 1] = (Span(start: last.span.start, end: span.end), last.count + 1)
        } else {
          known.append((span, 1))
        }
      }
      let found = try rows.map { (span: try span($0), count: $0["intervals"] as? Int ?? 0) }
      #expect(found.count == known.count && !known.isEmpty, "\(name)")
      #expect(found.map(\.count) == known.map(\.count).sorted(by: >), "\(name)")
      for one in found { #expect(known.contains { $0 == one }, "\(name)") }
    }
  }

  /// One row for each part of the week or of the day.
  func checkGroups() throws {
    let (name, statistic, rows) = try #require(try series("groups").first)
    let names = [
      "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    var groups: [String: [Double]] = [:]
    for span in try spans(name) {
      let parts = facts.calendar.dateComponents([.weekday, .hour], from: span.start)
      let weekday = parts.weekday ?? 1
      let group: String
      switch option("--group") {
      case "weekday": group = names[weekday - 1]
      case "weekend": group = [1, 7].contains(weekday) ? "weekend" : "weekday"
      default: group = String(parts.hour ?? 0)
      }
      // Hours count with their days.
      let day = facts.calendar.startOfDay(for: span.start)
      let whole =
        option("--group") == "hour" ? Span(start: day, end: facts.day(day, plus: 1)) : span
      guard try counts(name, statistic, whole) else { continue }
      let isEmpty = option("--by") == "day" && !isSleep(name) && days(name, in: span).isEmpty
      guard !isEmpty, let number = try number(name, statistic, in: span) else { continue }
      groups[group, default: []].append(number)
    }
    #expect(Set(rows.compactMap { $0["group"] as? String }) == Set(groups.keys))
    for row in rows {
      let group = row["group"] as? String ?? ""
      let known = try #require(groups[group])
      #expect(row["intervals"] as? Int == known.count, "\(group)")
      #expect(
        Self.agree(row["mean"] as? Double, known.reduce(0, +) / Double(known.count)), "\(group)")
      #expect(Self.agree(row["min"] as? Double, known.min()), "\(group)")
      #expect(Self.agree(row["max"] as? Double, known.max()), "\(group)")
    }
  }

  /// The mean of the last intervals beside each.
  func checkRolling() throws {
    let (name, statistic, rows) = try #require(try series("intervals").first)
    let width = Int(option("--rolling") ?? "") ?? 0
    let all = try spans(name, earlier: width - 1)
    try #require(rows.count == all.count - (width - 1))
    for (index, row) in rows.enumerated() {
      let window = try all[index..<index + width].compactMap { span in
        try counts(name, statistic, span) ? try number(name, statistic, in: span) : nil
      }
      #expect(try span(row) == all[index + width - 1])
      #expect(row["rollingIntervals"] as? Int == window.count)
      let mean = window.isEmpty ? nil : window.reduce(0, +) / Double(window.count)
      #expect(Self.agree(row["rolling"] as? Double, mean), "\(all[index + width - 1].start)")
    }
  }

  /// Each interval beside an earlier one, both up to yesterday where it is not over.
  func checkComparison() throws {
    let (name, statistic, rows) = try #require(try series("intervals").first)
    var compared = 0
    // The interval of today ends with yesterday, unless it begins today.
    let cut = try spans(name).map { span in
      span.end > facts.now && span.start < facts.today
        ? Span(start: span.start, end: facts.today) : span
    }
    #expect(try rows.map { try span($0) } == cut)
    for row in rows {
      let own = try span(row)
      #expect(Self.agree(row["value"] as? Double, try number(name, statistic, in: own)))
      guard let number = row["compared"] as? Double else { continue }
      let other = try span(row, "comparedStart", "comparedEnd")
      let isWeek = option("--by") == "week"
      let unit: Calendar.Component =
        option("--compare") == "year" ? .year : isWeek ? .weekOfYear : .month
      func before(_ date: Date) -> Date? {
        facts.calendar.date(byAdding: unit, value: -1, to: date)
      }
      #expect(other.start == before(own.start))
      #expect(other.end == before(own.end))
      #expect(Self.agree(number, try self.number(name, statistic, in: other)))
      let change = (row["value"] as? Double ?? .nan) - number
      #expect(Self.agree(row["change"] as? Double, change))
      compared += 1
    }
    #expect(compared > 0)
  }

  /// A line by least squares, worked out from sums over all pairs.
  func checkTrend() throws {
    let answer = try answer.object()
    #expect(answer["model"] is String && answer["fit"] is String && answer["interval"] is String)
    let name = names[0]
    let statistic = try #require(answer["statistic"] as? String)
    let points = try numbered(name, statistic)
    #expect(answer["count"] as? Int == points.count && points.count > 2)
    let days = points.map { point in
      let span = point.span
      return (span.start.timeIntervalSinceReferenceDate + span.end.timeIntervalSinceReferenceDate)
        / 172_800
    }
    var (above, below) = (0.0, 0.0)
    for (one, first) in points.enumerated() {
      for (two, second) in points.enumerated() {
        above += (days[one] - days[two]) * (first.number - second.number)
        below += (days[one] - days[two]) * (days[one] - days[two])
      }
    }
    let slope = try #require(answer["slopePerDay"] as? Double)
    #expect(abs(slope - above / below) <= 1e-3 * abs(above / below) + 1e-6)
    let bounds = ["slopePerDayLow", "slopePerDayHigh"].compactMap { answer[$0] as? Double }
    #expect(bounds.count == 2 && bounds[0] <= slope && slope <= bounds[1])
  }

  /// How long and how often each value of a category was.
  func checkCategory() throws {
    let rows = try #require(try series("intervals").first?.rows)
    let type = type(names[0])
    var count = 0
    for row in rows {
      let (start, end) = try seconds(of: row)
      let records = facts.rows(type, from: start, to: end)
      for (label, value) in row["values"] as? [String: [String: Double]] ?? [:] {
        let own = records.filter {
          label == "notApplicable" || $0.label.lowercased().hasSuffix(label.lowercased())
        }
        let seconds = own.reduce(0) { $0 + min($1.end, end) - max($1.start, start) }
        #expect(value["count"] == Double(own.count), "\(start)")
        #expect(value["duration"] == seconds, "\(start)")
        count += own.count
      }
    }
    let shown = try (rows.first.map { try span($0).start }, rows.last.map { try span($0).end })
    let inside = try #require(facts.rows[type]).filter { row in
      let start = Date(timeIntervalSinceReferenceDate: row.start)
      return (shown.0 ?? .distantFuture) <= start && start < (shown.1 ?? .distantPast)
    }
    #expect(count >= inside.count && count > 0)
    if let from = try from { #expect(try #require(shown.0) <= from) }
  }

  // MARK: - Nights

  /// Every night of the period, with its times and stages.
  func checkNights() throws {
    let rows = try answer.rows("nights")
    let from = try #require(try from)
    let end = try end
    let known = facts.nights.keys.filter { from <= $0 && $0 < end }.sorted()
    #expect(rows.compactMap { $0["night"] as? String } == known.map { facts.text($0) })
    for (row, day) in zip(rows, known) {
      let night = try #require(facts.nights[day])
      #expect(try instant(row["start"]).timeIntervalSinceReferenceDate == night.start)
      #expect(try instant(row["end"]).timeIntervalSinceReferenceDate == night.end)
      #expect(Self.agree(row["asleep"] as? Double, night.asleep), "\(day)")
      for (key, stage) in [("deep", 4), ("rem", 5), ("core", 3), ("awake", 2)] {
        #expect(Self.agree(row[key] as? Double ?? 0, night.stages[stage] ?? 0), "\(key) \(day)")
      }
    }
    #expect(!rows.isEmpty)
  }

  /// The readings of a type that begin while asleep, night by night.
  func checkVitals() throws {
    let name = names[0]
    let rows = try answer.rows("intervals")
    let from = try #require(try from)
    let end = try end
    let nights = facts.nights.filter { from <= $0.key && $0.key < end }
    #expect(try Set(rows.map { try span($0).start }) == Set(nights.keys))
    var count = 0
    for row in rows {
      let night = try #require(nights[try span(row).start])
      let all = facts.rows(type(name), from: night.start, to: night.end)
      let own = all.filter { row in night.stretchesAsleep.contains { $0.contains(row.start) } }
      #expect(row["count"] as? Int == own.count)
      #expect(Self.agree(row["min"] as? Double, own.map(\.value).min()))
      #expect(Self.agree(row["max"] as? Double, own.map(\.value).max()))
      let mean = HealthFacts.weightedMean(of: own, from: night.asleepFrom, to: night.asleepTo)
      #expect(Self.agree(row["mean"] as? Double, mean), "\(night.asleepFrom)")
      count += own.count
    }
    #expect(count > 0)
  }

  // MARK: - Samples and elements

  /// The correlations of a kind in the period, with their members' values by the end of the type.
  private func correlations(
    _ kind: String
  ) throws -> [(start: Date, members: [String: Double], source: String)] {
    let from = try from ?? .distantPast
    return try facts.told("correlations").filter {
      ($0["type"] as? String)?.hasSuffix(kind) == true
    }.map { told in
      let members = (told["members"] as? [[String: Any]] ?? []).map { member in
        let type = (member["type"] as? String)?.components(separatedBy: "Identifier").last ?? ""
        return (type, member["value"] as? Double ?? .nan)
      }
      return (
        Date(timeIntervalSince1970: told["start"] as? Double ?? .nan),
        Dictionary(members) { one, _ in one }, told["source"] as? String ?? ""
      )
    }.filter { $0.start >= from }.sorted { $0.start < $1.start }
  }

  /// The mean pressures of each interval, of its mornings and of its evenings.
  func checkBloodPressure() throws {
    let known = try correlations("BloodPressure")
    let rows = try answer.rows("intervals")
    var count = 0
    for row in rows {
      let span = try span(row)
      let own = known.filter { span.start <= $0.start && $0.start < span.end }
      func compare(_ counted: String, _ names: [String], _ hours: ClosedRange<Int>) throws {
        let part = own.filter {
          hours.contains(facts.calendar.component(.hour, from: $0.start))
        }
        #expect(row[counted] as? Int == part.count)
        for (name, type) in zip(names, ["BloodPressureSystolic", "BloodPressureDiastolic"]) {
          let values = part.compactMap { $0.members[type] }
          let mean = values.isEmpty ? nil : values.reduce(0, +) / Double(part.count)
          #expect(Self.agree(row[name] as? Double, mean), "\(name)")
        }
      }
      try compare("readings", ["systolic", "diastolic"], 0...23)
      try compare("mornings", ["morningSystolic", "morningDiastolic"], 4...11)
      try compare("evenings", ["eveningSystolic", "eveningDiastolic"], 18...23)
      count += own.count
    }
    #expect(try count == known.filter { try $0.start < end }.count && count > 0)
  }

  /// Each meal with what is in it.
  func checkFood() throws {
    let known = try correlations("Food")
    let rows = try answer.rows("food")
    #expect(try rows.map { try instant($0["date"]) } == known.map(\.start) && !rows.isEmpty)
    for (row, meal) in zip(rows, known) {
      #expect((row["food"] as? String)?.isEmpty == false && row["source"] as? String == meal.source)
      for (type, value) in meal.members {
        let key = type.dropFirst("Dietary".count)
        #expect(
          Self.agree(row[key.prefix(1).lowercased() + key.dropFirst()] as? Double, value), "\(key)")
      }
    }
  }

  /// Both parts of what was burnt, and their sum.
  func checkEnergy() throws {
    let rows = try answer.rows("intervals")
    #expect(!rows.isEmpty)
    for row in rows {
      let span = try span(row)
      let parts = ["activeEnergyBurned", "basalEnergyBurned"].map { name in
        days(name, in: span).reduce(0, +)
      }
      #expect(Self.agree(row["active"] as? Double ?? 0, parts[0]))
      #expect(Self.agree(row["basal"] as? Double ?? 0, parts[1]))
      #expect(Self.agree(row["total"] as? Double ?? 0, parts[0] + parts[1]) && parts[1] > 0)
    }
  }

  /// Each observation of the records, as its document has it.
  func checkLabs(in scratch: Scratch) throws {
    let told = try facts.told("clinicalRecords").filter { $0["type"] as? String == "Observation" }
    var known: Set<[String]> = []
    for record in told {
      let path = try #require(record["path"] as? String)
      let data = try Data(contentsOf: scratch.url("export/apple_health_export" + path))
      let document = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
      let quantity = try #require(document["valueQuantity"] as? [String: Any])
      let codings = (document["code"] as? [String: Any])?["coding"] as? [[String: Any]]
      known.insert([
        document["effectiveDateTime"] as? String ?? "", codings?.first?["display"] as? String ?? "",
        codings?.first?["code"] as? String ?? "", "\(quantity["value"] as? Double ?? .nan)",
        quantity["unit"] as? String ?? "",
      ])
    }
    let rows = try answer.rows("labResults")
    let found = rows.map { row in
      [
        (row["date"] as? String ?? "").prefix(10).description, row["name"] as? String ?? "",
        row["code"] as? String ?? "", "\(row["value"] as? Double ?? .nan)",
        row["unit"] as? String ?? "",
      ]
    }
    #expect(rows.count == told.count && Set(found) == known && !known.isEmpty)
  }

  /// The first day of each cycle, the days to the next one, and the days of flow.
  func checkCycles() throws {
    let rows = try answer.rows("cycles")
    let flow = facts.rows["MenstrualFlow"] ?? []
    let days = Set(
      flow.map { row in
        facts.calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: row.start))
      })
    let firsts = days.filter { !days.contains(facts.day($0, plus: -1)) }.sorted()
    #expect(try rows.map { try span($0).start } == firsts && firsts.count > 1)
    for (place, row) in rows.enumerated() {
      let next = place + 1 < firsts.count ? firsts[place + 1] : Date.distantFuture
      let length = facts.calendar.dateComponents([.day], from: firsts[place], to: next).day
      #expect(row["length"] as? Int == (place + 1 < firsts.count ? length : nil))
      #expect(row["flowDays"] as? Int == days.count { firsts[place] <= $0 && $0 < next })
    }
  }

  /// The records that meet a condition, one by one.
  func checkSamples(where isMet: (HealthFacts.Row) -> Bool = { _ in true }) throws {
    let rows = try #require(try answer.json() as? [[String: Any]])
    let from = try from?.timeIntervalSinceReferenceDate ?? -.infinity
    let known = try #require(facts.rows[type(names[0])])
      .filter { $0.end >= from && isMet($0) }
    #expect(rows.count == known.count && !known.isEmpty)
    let instants = try rows.map { try instant($0["start"]).timeIntervalSinceReferenceDate }
    #expect(instants == known.map(\.start).sorted())
    let values = rows.compactMap { $0["value"] as? Double }
    #expect(values.sorted() == known.map(\.value).sorted())
  }

  /// The starts of the elements that the generator tells of.
  func checkElements(_ told: [[String: Any]], start key: String) throws -> [[String: Any]] {
    let rows = try #require(try answer.json() as? [[String: Any]])
    let limit = option("--limit").flatMap { Int($0) } ?? .max
    let isNewest = words.contains("--newest-first") || option("--limit") != nil
    let known = told.compactMap { $0[key] as? Double }.sorted { isNewest ? $0 > $1 : $0 < $1 }
    let found = try rows.map { row in
      try instant(row["start"] ?? row["received"] ?? row["issued"]).timeIntervalSince1970
    }
    #expect(found == Array(known.prefix(limit)) && !known.isEmpty)
    return rows
  }

  /// Workouts of the period with distance, energy, heart rate and zones.
  func checkWorkouts(activity: String? = nil) throws {
    let rows = try answer.rows("workouts")
    let from = try from?.timeIntervalSinceReferenceDate ?? -.infinity
    let end = try end.timeIntervalSinceReferenceDate
    let known = facts.workouts.filter {
      from <= $0.start && $0.start < end && (activity == nil || $0.activity == activity)
    }.sorted { $0.start < $1.start }
    try #require(rows.count == known.count && !known.isEmpty)
    let bounds = option("--zones")?.split(separator: ",").compactMap { Double($0) } ?? []
    for (row, workout) in zip(rows, known) {
      #expect(row["activity"] as? String == "HKWorkoutActivityType" + workout.activity)
      #expect(try instant(row["start"]).timeIntervalSinceReferenceDate == workout.start)
      #expect(Self.agree(row["duration"] as? Double, workout.seconds))
      let statistics = row["statistics"] as? [[String: Any]] ?? []
      func sum(_ type: String) -> Double {
        statistics.filter { ($0["type"] as? String)?.contains(type) == true }
          .reduce(0) { $0 + ($1["sum"] as? Double ?? 0) }
      }
      #expect(Self.agree(sum("Distance") / 1000, workout.kilometres))
      #expect(Self.agree(sum("ActiveEnergy"), workout.kilocalories))
      let rates = row["heartRate"] as? [String: Double]
      if let maximum = workout.maximum { #expect(Self.agree(rates?["max"], maximum)) }
      try check(row["zones"] as? [[String: Any]] ?? [], of: workout, bounds)
    }
  }

  /// The finding of every electrocardiogram, in the table, too.
  func checkFindings() throws {
    let told = try facts.told("electrocardiograms")
    let rows = try checkElements(told, start: "start")
    let sorted = told.sorted { ($0["start"] as? Double ?? 0) < ($1["start"] as? Double ?? 0) }
    let known = sorted.map { $0["classification"] as? String ?? "" }
    let found = rows.map { $0["classification"] as? String ?? "" }
    #expect(found == known)
    let sought = "Atrial Fibrillation"
    let lines = table.lines.filter { $0.contains(sought) }.count
    let count = known.filter { $0 == sought }.count
    #expect(lines == count && count > 0)
  }

  /// The run with the most kilometres.
  func checkLongestRun() throws {
    let row = try #require(try answer.rows("workouts").first)
    let runs = facts.workouts.filter { $0.activity == "Running" }
    let longest = try #require(runs.max { $0.kilometres < $1.kilometres })
    let start = try instant(row["start"]).timeIntervalSinceReferenceDate
    #expect(start == longest.start)
  }

  /// How many metres the unit has in which the answer tells distances.
  private func metres() throws -> Double {
    let units = try #require(try answer.object()["units"] as? [String: String])
    return try #require(["m": 1, "km": 1000, "mi": 1609.344][units["distance"] ?? ""])
  }

  /// Kilometres of routes, which add up to the distances.
  func checkSplits() throws {
    let rows = try answer.rows("splits")
    let from = try #require(try from).timeIntervalSinceReferenceDate
    let runs = facts.workouts.filter {
      $0.activity == "Running" && $0.start >= from && $0.points > 0
    }
    let metres = try rows.compactMap { $0["distance"] as? Double }.reduce(0, +) * self.metres()
    let known = runs.reduce(0) { $0 + $1.kilometres } * 1000
    #expect(abs(metres - known) <= 0.05 * known && known > 0)
  }

  /// A file for each workout with a route, with all its points.
  func checkRouteFiles(in scratch: Scratch, folder: String) throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path(folder))
    let known = facts.workouts.filter { $0.points > 0 }
    #expect(files.count == known.count && !files.isEmpty)
    var points = 0
    for file in files {
      points += try scratch.text(folder + "/" + file).components(separatedBy: "<trkpt ").count - 1
    }
    #expect(points == known.reduce(0) { $0 + $1.points })
  }

  /// How many workouts each interval has, how far and how long they were.
  func checkWorkoutTotals() throws {
    let rows = try answer.rows("intervals")
    var count = 0
    for row in rows {
      let (start, end) = try seconds(of: row)
      let known = facts.workouts.filter {
        start <= $0.start && $0.start < end
          && (option("--activity") == nil || $0.activity.lowercased() == option("--activity"))
      }
      let seconds = known.reduce(0) { $0 + $1.seconds }
      let metres = known.reduce(0) { $0 + $1.kilometres } * 1000
      if let found = row["count"] as? Int { #expect(found == known.count) }
      if let found = row["distance"] as? Double {
        #expect(Self.agree(try found * self.metres(), metres))
      }
      if let found = row["duration"] as? Double { #expect(Self.agree(found, seconds)) }
      if let found = row["pace"] as? Double { #expect(Self.agree(found, seconds / metres * 1000)) }
      if let found = row["best5k"] as? Double {
        // No run of the interval was faster on all of its way than on its fastest part. A route
        // is up to a twentieth shorter than the distance of its workout.
        let whole = known.filter { $0.kilometres > 5.3 && $0.routes == 1 }
          .map { $0.seconds / $0.kilometres * 5 }.min()
        #expect(found <= (whole ?? .infinity) * 1.05 && found > 5 * 120)
      }
      count += known.count
    }
    #expect(count > 0)
  }

  private func check(
    _ zones: [[String: Any]], of workout: HealthFacts.Workout, _ bounds: [Double]
  ) throws {
    if bounds.isEmpty { return }
    let rates = facts.rows("HeartRate", from: workout.start, to: workout.end)
      .filter { $0.start >= workout.start }.sorted { $0.start < $1.start }
    var known = [Double](repeating: 0, count: bounds.count + 1)
    for (index, rate) in rates.enumerated() {
      let next = index + 1 < rates.count ? rates[index + 1].start : workout.end
      known[bounds.count { $0 <= rate.value }] += min(60, next - rate.start)
    }
    let found = zones.compactMap { $0["duration"] as? Double }
    #expect(found.count == known.count)
    for (one, two) in zip(found, known) { #expect(abs(one - two) <= 1) }
  }
}
