import Foundation
import HealthAnswers
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import Testing
import _HealthTestSupport

@Suite("Questions")
struct QuestionTests {
  private func question(_ json: String) throws -> Question { try Question(json: Data(json.utf8)) }

  @Test(
    "the JSON form is written and read with all that it asks",
    arguments: [
      #"{"type": "steps"}"#, #"{"type": ["steps", "heartRate.max", "sleep.deep"], "by": "week"}"#,
      #"{"type": "heartRate.p99.9", "by": "1mo15d", "from": "-30d", "to": "today"}"#,
      #"{"type": {"type": "bodyMass", "unit": "lb", "stat": ["mean", "p10"]}, "by": "30s"}"#,
      #"{"type": "bodyMass:lb", "exact": true, "clip": true, "from": "2024", "style": "arithmetic"}"#,
      #"{"type": "steps", "merge": "drop", "prefer": ["A", "B"], "source": "A", "exclude": ["C"]}"#,
      #"{"type": "heartRate", "hold": "5min", "style": "sdk18", "timezone": "recorded"}"#,
      #"{"type": "steps", "by": "day", "group": "weekday", "anchor": null}"#,
      #"{"type": "steps", "by": "day", "rolling": 7, "bySource": true}"#,
      #"{"type": "steps", "by": "day", "top": 10, "least": true, "explain": true}"#,
      #"{"type": "steps", "by": "day", "above": 10000, "below": "2e4", "streaks": true}"#,
      #"{"type": "steps", "by": "month", "compare": "year", "per": "day"}"#,
      #"{"type": ["steps", "sleep"], "by": "day", "gaps": true}"#,
      #"{"type": ["steps", "sleep"], "by": "day", "spread": true}"#,
      #"{"type": "heartRate", "during": "sleep", "from": "-7d"}"#,
      #"{"type": "steps", "zones": [{"from": null, "zone": "Europe/Paris"}, {"from": "2024-06-10T14:05:00+09:00", "zone": "Asia/Tokyo"}]}"#,
    ])
  func codable(json: String) throws {
    let question = try question(json)
    let data = try JSONEncoder().encode(question)
    #expect(try Question(json: data) == question)
    let members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let given = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    // What a type alone needs goes with the type; null is left out.
    let ofTypes: Set = ["stat", "unit", "merge", "prefer", "anchor"]
    #expect(Set(members.keys) == Set(given.keys).subtracting(ofTypes))
  }

  @Test(
    "times are read in parts",
    arguments: [
      ("6h30min", 23_400), ("6 h 30 min", 23_400), ("1h5s", 3_605), ("90min", 5_400),
      ("0.5h", 1_800), ("30min6h", nil), ("6h30", nil), ("h", nil), ("6h6h", nil), ("", nil),
      ("-1h", nil), ("1e3s", nil), ("6 hours", nil),
    ] as [(String, Double?)])
  func parts(text: String, seconds: Double?) {
    #expect(QuestionWords.secondsInParts(text) == seconds)
  }

  @Test(
    "A member has the form and the words that it is read with", arguments: Question.Member.allCases)
  func members(member: Question.Member) throws {
    let (key, facts) = (member.rawValue, member.facts)
    #expect(facts.about.hasSuffix(".") && facts.about.count > 12)
    // An object is of no form but that of types, which has a member of its own.
    let error = #expect(throws: QueryError.self) {
      _ = try question(
        #"{"type": "steps", "\#(key)": {}}"#.replacing(
          #""type": "steps", "type""#, with: #""type""#))
    }
    #expect(
      error?.reason
        == (member == .type ? .missingMember("type") : .wrongMember(key, facts.form.expected)))
    for word in facts.words {
      #expect(throws: Never.self) {
        _ = try question(#"{"type": "steps", "by": "month", "\#(key)": "\#(word)"}"#)
      }
    }
    guard !facts.words.isEmpty else { return }
    let unknown = #expect(throws: QueryError.self) {
      _ = try question(#"{"type": "steps", "\#(key)": "no such word"}"#)
    }
    guard case .unknownWord(_, _, _, let known) = unknown?.reason else {
      Issue.record("\(String(describing: unknown))")
      return
    }
    #expect(known == facts.words)
  }

  @Test("what ended early has a gap after it, up to the last sample of any type")
  func gapsReach() throws {
    let store = try SampleStore.temporary()
    let day = 86_400.0
    let samples = [(HKQuantityTypeIdentifier.stepCount, [0, 1, 3.0]), (.flightsClimbed, [2, 6])]
    for (type, days) in samples {
      try store.save(
        days.map {
          NewSample(
            type: SampleType(type), source: Source(name: "A"), start: $0 * day + 60,
            end: $0 * day + 120, value: 1, label: "count")
        })
    }
    func gaps(_ more: String = "") throws -> [Range<Double>] {
      let json = #"{"type": "steps", "by": "day", "timezone": "UTC", "gaps": true\#(more)}"#
      let column = try #require(try store.answer(try question(json)).columns.first)
      guard case .gaps(let rows) = column.derived else { return [] }
      return rows.map { rows in
        column.series.starts[rows.lowerBound] / day..<column.series.ends[rows.upperBound - 1] / day
      }
    }
    #expect(try gaps() == [4..<7, 2..<3])
    #expect(try gaps(#", "to": "2001-01-05""#) == [2..<3])
    #expect(try gaps(#", "from": "2001-01-03""#) == [4..<7, 2..<3])
  }

  @Test("names of one type are those of the list, and what is given for all goes to each")
  func types() throws {
    let list = try question(
      #"{"type": "steps, heartRate.max:count/min,sleep"}"#.replacing(" h", with: "h"))
    #expect(list.types.map(\.name) == ["steps", "heartRate", "sleep"])
    #expect(list.types.map(\.part) == [nil, "max", nil])
    #expect(list.types.map(\.unit) == [nil, "count/min", nil])
    let shared = try question(
      #"{"type": ["steps", {"type": "distanceWalkingRunning", "merge": "none"}], "merge": "drop", "stat": "sum"}"#
    )
    #expect(shared.types.map(\.policy) == [.drop, .unmerged])
    #expect(shared.types.map(\.statistics) == [[.sum], [.sum]])
    #expect(try TypeQuestion("HKQuantityTypeIdentifierStepCount").part == nil)
  }

  @Test(
    "what it does not know is refused, with what was meant",
    arguments: [
      (#"{"type": "steps", "bye": "day"}"#, "Did you mean: by?"),
      (#"{"type": "steps", "from": 7}"#, "from is a text"),
      (#"{"type": "steps", "by": "daily"}"#, "Did you mean: day?"),
      (#"{"type": "steps", "stat": "average"}"#, "Did you mean: mean?"),
      (#"{"type": "steps", "merge": "hkk"}"#, "Did you mean: hk"),
      (#"{"type": "steps", "top": 0}"#, "a whole number from 1"),
      (#"{"type": "steps", "top": 1.5}"#, "a whole number from 1"),
      (#"{"type": "steps", "least": true}"#, "lacks top"),
      (#"{"type": "steps", "streaks": true}"#, "lacks above"),
      (#"{"type": "steps", "top": 3, "rolling": 7}"#, "either rolling or top"),
      (#"{"type": "steps", "gaps": true, "spread": true}"#, "either gaps or spread"),
      (#"{"by": "day"}"#, "lacks type"), (#"{"type": []}"#, "lacks type"),
      (#"{"type": ""}"#, "lacks type"), (#"["steps"]"#, "an object of JSON"), ("", "JSON"),
      (#"{"type": [{"type": "steps", "units": "x"}]}"#, "Did you mean: unit?"),
      (#"{"type": "steps", "zones": [{"zone": "Europe/Atlantis"}]}"#, "no time zone"),
      (#"{"type": "steps", "zones": "Europe/Paris"}"#, "a list of objects"),
      (#"{"type": "steps", "timezone": "UTC", "zones": [{"zone": "UTC"}]}"#, "either timezone"),
    ])
  func refused(json: String, sentence: String) throws {
    let error = try #require(throws: QueryError.self) { try question(json) }
    #expect(error.description.contains(sentence), "\(error.description)")
  }

  @Test("answers are those of the plans, of each type with its own merge and statistic")
  func answers() throws {
    var generator = SplitMix64(seed: 5)
    let store = try SampleStore.temporary()
    let zone = try TimeZone.named("Europe/Paris")
    var samples: [NewSample] = []
    for _ in 0..<400 {
      let start = Double.random(in: 0...3_000_000, using: &generator).rounded()
      let source = Source(name: ["Phone", "Watch"].randomElement(using: &generator) ?? "")
      samples.append(
        NewSample(
          type: SampleType(.stepCount), source: source, start: start, end: start + 900,
          value: Double(Int.random(in: 1...500, using: &generator)), label: "count"))
      samples.append(
        NewSample(
          type: SampleType(.heartRate), source: source, start: start, end: start,
          value: Double(Int.random(in: 50...150, using: &generator)), label: "count/min"))
    }
    try store.save(samples)
    let now = Date(timeIntervalSinceReferenceDate: 3_000_000)
    let asked = try question(
      #"{"type": ["steps", {"type": "steps", "merge": "none"}, "heartRate.max"], "by": "day", "timezone": "Europe/Paris", "from": "2001-01-05", "to": "2001-01-20"}"#
    )
    let answer = try store.answer(asked, now: now)
    var plan = StatisticsPlan(type: SampleType(.stepCount), timeZone: zone)
    plan.interval = CalendarInterval(.day)
    plan.from = try QueryDate("2001-01-05", in: zone, now: 0)
    plan.to = try QueryDate("2001-01-20", in: zone, now: 0)
    #expect(answer.columns[0].series.values == (try store.statistics(plan).intervals[.sum]))
    plan.policy = .unmerged
    #expect(answer.columns[1].series.values == (try store.statistics(plan).intervals[.sum]))
    var rates = StatisticsPlan(type: SampleType(.heartRate), timeZone: zone)
    (rates.interval, rates.from, rates.to) = (plan.interval, plan.from, plan.to)
    rates.statistics = [.max]
    #expect(answer.columns[2].series.values == (try store.statistics(rates).intervals[.max]))
    #expect(answer.columns.map(\.series.name) == ["steps", "steps", "heartRate.max"])
    // Without dates all types have the intervals from the first sample of any to the last.
    let open = try store.answer(
      try question(#"{"type": ["steps", "heartRate", "sleep"], "by": "week", "timezone": "UTC"}"#),
      now: now)
    #expect(Set(open.columns.map(\.series.starts)).count == 1)
    #expect(open.columns[2].series.values.allSatisfy { $0 == nil })
    // The mean of three days is that of the three, also of days before the period.
    let rolling = try store.answer(
      try question(
        #"{"type": "steps", "by": "day", "timezone": "UTC", "from": "2001-01-10", "to": "2001-01-12", "rolling": 3}"#
      ), now: now)
    let all = try store.answer(
      try question(#"{"type": "steps", "by": "day", "timezone": "UTC"}"#), now: now
    ).columns[0].series
    guard case .rolling(let means) = rolling.columns[0].derived else {
      Issue.record("no rolling means")
      return
    }
    for (row, mean) in means.enumerated() {
      let end = try #require(
        all.starts.firstIndex(of: rolling.columns[0].series.starts[row]))
      let values = all.values[(end - 2)...end].compactMap(\.self)
      #expect(mean.count == values.count)
      #expect(mean.value == values.reduce(0, +) / Double(values.count))
    }
  }

  @Test(
    "parts of nights asked together are as each alone, and the means of all nights of intervals")
  func partsOfNights() throws {
    let zone = try TimeZone.named("Europe/Paris")
    var generator = SplitMix64(seed: 38)
    let store = try SampleStore.temporary()
    let first = try QueryDate("2024-03-20", in: zone, now: 0).instant
    var samples: [NewSample] = []
    for night in 0..<30 where night % 7 != 3 {
      for name in ["A", "B"] {
        var time =
          first + Double(night) * 86_400 - Double(Int.random(in: 0...7_200, using: &generator))
        for _ in 0..<Int.random(in: 1...9, using: &generator) {
          let end = time + Double(Int.random(in: 60...5_400, using: &generator))
          samples.append(
            NewSample(
              type: SleepPlan.type, source: Source(name: name), start: time, end: end,
              value: Double(Int.random(in: 0...5, using: &generator)), label: ""))
          time = end
        }
      }
    }
    try store.save(samples)
    try store.save([
      NewSample(
        type: SampleType(.stepCount), source: Source(name: "A"), start: first - 86_400,
        end: first - 86_000, value: 9, label: "count")
    ])
    let all = try store.sleep(SleepPlan(timeZone: ZoneTimeline(zone))).nights
    let parts = [
      #""sleep.deep""#, #""sleep.rem""#, #"{"type": "sleep.deep", "prefer": "B"}"#,
      #""sleep.efficiency""#, #"{"type": "sleep.deep", "prefer": "A"}"#, #""sleep""#,
    ]
    for by in ["", #", "by": "day""#, #", "by": "week""#, #", "by": "3d""#, #", "by": "month""#] {
      for period in [
        "", #", "from": "2024-03-28""#, #", "to": "2024-04-04T12:00""#,
        #", "from": "2024-03-28T13:00", "to": "2024-04-03""#,
      ] {
        func columns(_ types: [String]) throws -> [IntervalSeries] {
          let list = types.joined(separator: ", ")
          let json = #"{"type": [\#(list)], "timezone": "Europe/Paris"\#(by)\#(period)}"#
          return try store.answer(try question(json)).columns.map(\.series)
        }
        let together = try columns([#""steps""#] + parts)
        for (part, series) in zip(parts, together.dropFirst()) {
          let alone = try columns([#""steps""#, part])[1]
          #expect(series.starts == alone.starts && series.ends == alone.ends, "\(by)\(period)")
          #expect(series.values == alone.values, "\(part)\(by)\(period)")
        }
        let deep = together[1]
        for row in deep.values.indices {
          let seconds = all.days.indices
            .filter { all.days[$0] >= deep.starts[row] && all.days[$0] < deep.ends[row] }
            .compactMap { NightPart.deep.value(of: all, row: $0) }
          let mean = seconds.isEmpty ? nil : seconds.reduce(0, +) / Double(seconds.count)
          #expect(deep.values[row] == mean, "\(by)\(period), row \(row)")
        }
      }
    }
    // An order of sources of its own has an answer of its own.
    let (byB, byA) = try {
      let answer = try store.answer(
        try question(
          #"{"type": [\#(parts[2]), \#(parts[4])], "by": "day", "timezone": "Europe/Paris"}"#))
      return (answer.columns[0].series.values, answer.columns[1].series.values)
    }()
    #expect(byA != byB)
  }

  @Test(
    "a spread is that of the numbers of the intervals that count",
    arguments: [
      #""type": "steps", "by": "day""#, #""type": "heartRate", "by": "day""#,
      #""type": "sleep", "by": "day""#, #""type": "steps", "by": "week", "per": "day""#,
      #""type": ["steps", "heartRate.max", "sleep.deep", "appleStandHour"], "by": "week""#,
      #""type": "steps", "by": "month", "from": "2001-01-10", "to": "2001-03-08", "clip": true"#,
      #""type": "heartRate", "by": "day", "stat": "stddev""#,
    ])
  func spread(members: String) throws {
    var generator = SplitMix64(seed: 61)
    let store = try SampleStore.temporary()
    var samples: [NewSample] = []
    func add(_ type: SampleType, _ range: Range<Double>, _ value: Double, _ unit: String) {
      samples.append(
        NewSample(
          type: type, source: Source(name: "A"), start: range.lowerBound, end: range.upperBound,
          value: value, label: unit))
    }
    for day in 0..<80 where day % 9 != 4 {
      let start = Double(day) * 86_400
      let amount = Double(Int.random(in: 1...9_000, using: &generator))
      add(SampleType(.stepCount), start + 40_000..<start + 41_000, amount, "count")
      for hour in 0..<day % 4 {
        let instant = start + Double(hour) * 3_600
        let rate = Double(Int.random(in: 50...150, using: &generator))
        add(SampleType(.heartRate), instant..<instant, rate, "count/min")
      }
      let length = Double(Int.random(in: 3_600...30_000, using: &generator))
      add(SleepPlan.type, start + 10_000..<start + 10_000 + length, Double(3 + day % 2), "")
    }
    try store.save(samples)
    func columns(_ more: String) throws -> [QuestionAnswer.Column] {
      try store.answer(try question(#"{"timezone": "UTC", \#(members)\#(more)}"#)).columns
    }
    for (column, plain) in zip(try columns(#", "spread": true"#), try columns("")) {
      guard case .spread(let spread) = column.derived else {
        Issue.record("no spread")
        return
      }
      #expect(column.series == plain.series)
      // What is saved without a file tells up to the last sample of any type.
      let told = (
        first: samples.filter { $0.type == plain.series.type }.map(\.start).min() ?? .infinity,
        end: samples.map(\.end).max() ?? 0
      )
      let isOfAmounts = ["sum", "duration"].contains(plain.series.statistic)
      let isCut = members.contains("clip")
      let rows = plain.series.values.indices.filter { row in
        let interval = plain.series.starts[row]..<plain.series.ends[row]
        let isWhole =
          SlowWholeIntervals.isWhole(interval, at: .infinity, told: [told])
          && !(isCut && [0, plain.series.count - 1].contains(row))
        return plain.series.values[row] != nil && (isWhole || !isOfAmounts)
      }
      let numbers = rows.compactMap { plain.series.values[$0] }
      #expect(
        spread.count == numbers.count && !numbers.isEmpty || plain.series.name == "appleStandHour")
      #expect(spread.emptyCount == plain.series.values.count { $0 == nil })
      for statistic in IntervalSpread.statistics {
        let expected = slow(statistic, of: numbers)
        #expect((spread[statistic] == nil) == (expected == nil), "\(statistic)")
        let value = spread[statistic] ?? 0
        #expect(abs(value - (expected ?? 0)) <= 1e-9 * abs(value), "\(statistic)")
      }
    }
  }

  /// Steps, a resting heart rate and a night on most days from 2023 to October 2025, in Paris.
  private struct Years {
    let store: SampleStore
    let zone: TimeZone
    /// The noon of each day with data, and the number of each type.
    var days: [(noon: Double, numbers: [String: Double])] = []

    init() throws {
      store = try SampleStore.temporary()
      zone = try TimeZone.named("Europe/Paris")
      var generator = SplitMix64(seed: 23)
      var samples: [NewSample] = []
      func add(_ type: SampleType, _ range: Range<Double>, _ value: Double, _ unit: String) {
        samples.append(
          NewSample(
            type: type, source: Source(name: "A"), start: range.lowerBound, end: range.upperBound,
            value: value, label: unit))
      }
      let first = try instant("2023-01-01T12:00")
      let count = Int((try instant("2025-11-01") - first) / 86_400) + 1
      for day in 0..<count where day % 11 != 7 {
        // One o'clock in summer, on the same day.
        let noon = first + Double(day) * 86_400
        let steps = Double(Int.random(in: 1_000...20_000, using: &generator))
        let rate = Double(Int.random(in: 50...70, using: &generator))
        let asleep = Double(Int.random(in: 18_000...30_000, using: &generator))
        add(SampleType(.stepCount), noon..<noon + 600, steps, "count")
        add(SampleType(.restingHeartRate), noon..<noon, rate, "count/min")
        add(SleepPlan.type, noon - 39_000..<noon - 39_000 + asleep, 3, "")
        days.append((noon, ["steps": steps, "restingHeartRate": rate, "sleep": asleep]))
      }
      // What is saved without a file tells up to the last sample of any type.
      let last = try instant("2026-02-15")
      add(SampleType(.height), last..<last, 1.7, "m")
      try store.save(samples)
    }

    func instant(_ text: String) throws -> Double { try QueryDate(text, in: zone, now: 0).instant }

    /// The mean over the days from one date to another; `nil` without any.
    func mean(_ type: String, _ from: String, _ to: String) throws -> Double? {
      let range = try instant(from)..<instant(to)
      let numbers = days.filter { range.contains($0.noon) }.compactMap { $0.numbers[type] }
      return numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
    }
  }

  @Test("a year that the period or today cuts is compared up to the last day that is over")
  func comparedToTheSameDay() throws {
    let years = try Years()
    /// The rows of 2024 and 2025 beside those of the years before, which end on given dates.
    func check(
      _ more: String, at now: String, to end: String, before: String, isPartial: Bool = true
    ) throws {
      for type in ["steps", "restingHeartRate", "sleep"] {
        let per = type == "steps" ? #", "per": "day""# : ""
        let json =
          #"{"type": "\#(type)", "by": "year", "from": "2024", "timezone": "Europe/Paris"\#(per)\#(more)}"#
        let column = try #require(
          try years.store.answer(
            try question(json), now: Date(timeIntervalSinceReferenceDate: years.instant(now))
          ).columns.first)
        guard case .compared(let others) = column.derived else {
          Issue.record("nothing compared")
          return
        }
        #expect(column.series.count == 2 && others.count == 2, "\(json)")
        #expect(try column.series.ends.last == years.instant(end), "\(json)")
        #expect(try others.last??.end == years.instant(before), "\(json)")
        #expect(others.map { $0?.isPartial } == [false, isPartial], "\(json)")
        for (found, expected) in [
          (column.series.values[0], try years.mean(type, "2024", "2025")),
          (column.series.values[1], try years.mean(type, "2025", end)),
          // The data begin on the first day, at noon: it is in no mean of amounts.
          (others[0]?.value, try years.mean(type, type == "steps" ? "2023-01-02" : "2023", "2024")),
          (others[1]?.value, try years.mean(type, "2024", before)),
        ] {
          let (found, expected) = (try #require(found), try #require(expected))
          #expect(abs(found - expected) <= 1e-9 * expected, "\(json)")
        }
      }
    }
    for comparison in ["year", "previous"] {
      let compare = #", "compare": "\#(comparison)""#
      // The end of the period is today, or earlier in the year, or in a year that is over.
      for now in ["2025-11-01T00:00", "2025-11-26T15:00", "2026-03-01T00:00"] {
        try check(
          compare + #", "to": "2025-11-01", "clip": true"#, at: now, to: "2025-11-01",
          before: "2024-11-01")
      }
      // Today is before it.
      try check(
        compare + #", "to": "2025-12-20", "clip": true"#, at: "2025-10-11T09:00",
        to: "2025-10-11", before: "2024-10-11")
      try check(
        compare + #", "to": "2025-03-01T18:00", "clip": true"#, at: "2025-11-26T15:00",
        to: "2025-03-01T18:00", before: "2024-03-01T18:00")
      // Whole years: as far as yesterday goes, or all of it.
      try check(
        compare + #", "to": "2025-11-01""#, at: "2025-11-26T15:00", to: "2025-11-26",
        before: "2024-11-26")
      try check(
        compare + #", "to": "2025-11-01""#, at: "2026-02-01T15:00", to: "2026-01-01",
        before: "2025-01-01", isPartial: false)
      try check(
        compare + #", "to": "2026-01-01", "clip": true"#, at: "2026-02-01T15:00",
        to: "2026-01-01", before: "2025-01-01", isPartial: false)
    }
  }

  @Test("nights are cut where the period ends, as samples are, and only there")
  func clippedNights() throws {
    let years = try Years()
    func columns(_ members: String) throws -> [IntervalSeries] {
      try years.store.answer(
        try question(#"{"timezone": "Europe/Paris", "clip": true, \#(members)}"#)
      ).columns.map(\.series)
    }
    for period in [
      #""from": "2024-02-10", "to": "2025-03-05""#, #""from": "2024-02-10""#,
      #""to": "2025-03-05""#,
    ] {
      for by in ["week", "month", "quarter", "year"] {
        let together = try columns(
          #""type": ["sleep", "steps", "restingHeartRate"], "by": "\#(by)", \#(period)"#)
        for (place, type) in ["sleep", "steps", "restingHeartRate"].enumerated() {
          let series = together[place]
          #expect(series.starts == together[0].starts && series.ends == together[0].ends)
          for row in 0..<series.count where type != "steps" {
            let numbers = years.days
              .filter { $0.noon >= series.starts[row] && $0.noon < series.ends[row] }
              .compactMap { $0.numbers[type] }
            let mean = numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
            #expect((series.values[row] == nil) == (mean == nil))
            #expect(abs((series.values[row] ?? 0) - (mean ?? 0)) < 1e-6, "\(by) \(period)")
          }
        }
        let (first, last) = (together[0].starts.first, together[0].ends.last)
        if period.contains("from") { #expect(try first == years.instant("2024-02-10")) }
        if period.contains("to") { #expect(try last == years.instant("2025-03-05")) }
        guard by == "year" else { continue }
        if !period.contains("from") { #expect(try first == years.instant("2023-01-01")) }
        if !period.contains("to") { #expect(try last == years.instant("2026-01-01")) }
        let alone = try columns(#""type": "sleep", "by": "year", \#(period)"#)[0]
        #expect(alone == together[0])
      }
    }
  }

  @Test("a sample of another year is compared with, and of the running interval as much of it")
  func compared() throws {
    let store = try SampleStore.temporary()
    let zone = try TimeZone.named("Europe/Paris")
    func instant(_ text: String) throws -> Double { try QueryDate(text, in: zone, now: 0).instant }
    var samples: [NewSample] = []
    // On each day of two years as many steps as it is days since 2023-01-01.
    let first = try instant("2023-01-01T12:00")
    for day in 0..<731 {
      let start = first + Double(day) * 86_400
      samples.append(
        NewSample(
          type: SampleType(.stepCount), source: Source(name: "A"), start: start, end: start + 60,
          value: Double(day), label: "count"))
    }
    try store.save(samples)
    let now = Date(timeIntervalSinceReferenceDate: try instant("2024-03-10T18:00"))
    func compared(_ json: String) throws -> [ComparedInterval?] {
      let answer = try store.answer(
        try question(#"{"type": "steps", "timezone": "Europe/Paris", \#(json)}"#), now: now)
      guard case .compared(let compared) = answer.columns[0].derived else { return [] }
      return compared
    }
    func sum(_ from: String, _ to: String) throws -> Double {
      let range = try instant(from)..<instant(to)
      return samples.filter { range.contains($0.start) }.reduce(0) { $0 + $1.value }
    }
    let months = try compared(
      #""by": "month", "from": "2024-01-01", "to": "2024-03-11", "compare": "year""#)
    #expect(
      months.map { $0?.value } == [
        try sum("2023-01-01", "2023-02-01"), try sum("2023-02-01", "2023-03-01"),
        try sum("2023-03-01", "2023-03-10"),
      ])
    #expect(months.map { $0?.isPartial } == [false, false, true])
    let before = try compared(
      #""by": "month", "from": "2024-02-01", "to": "2024-03-11", "compare": "previous""#)
    #expect(
      before.map { $0?.value } == [
        try sum("2024-01-01", "2024-02-01"), try sum("2024-02-01", "2024-02-10"),
      ])
    // The 29th of February has no day a year before.
    let leap = try compared(
      #""by": "day", "from": "2024-02-28", "to": "2024-03-02", "compare": "year""#)
    #expect(
      leap.map { $0?.value } == [
        try sum("2023-02-28", "2023-03-01"), nil, try sum("2023-03-01", "2023-03-02"),
      ])
    // Up to the same date, before which 2024 has one day more.
    let years = try compared(#""by": "year", "from": "2024", "to": "2025", "compare": "year""#)
    #expect(years.map { $0?.value } == [try sum("2023-01-01", "2023-03-10")])
    let cut = try compared(
      #""by": "month", "from": "2024-02-01", "to": "2024-03-06", "clip": true, "compare": "previous""#
    )
    #expect(
      cut.map { $0?.value } == [
        try sum("2024-01-01", "2024-02-01"), try sum("2024-02-01", "2024-02-06"),
      ])
    #expect(cut.map { $0?.isPartial } == [false, true])
    let weeks = try compared(
      #""by": "week", "from": "2024-02-05", "to": "2024-02-12", "compare": "year""#)
    #expect(weeks.map { $0?.value } == [try sum("2023-02-06", "2023-02-13")])
    let one = try compared(#""from": "2024-02-01", "to": "2024-03-01", "compare": "previous""#)
    #expect(one.map { $0?.value } == [try sum("2024-01-01", "2024-02-01")])
    #expect(try compared(#""by": "month", "compare": "previous""#).first == .some(nil))
  }

  @Test(
    "questions that contradict themselves or their type are refused",
    arguments: [
      #"{"type": "steps", "by": "week", "group": "weekday"}"#,
      #"{"type": "steps", "by": "day", "group": "hour"}"#,
      #"{"type": "steps", "by": "day", "above": "many"}"#,
      #"{"type": "sleep", "by": "day", "above": "8"}"#,
      #"{"type": "sleep.dreams"}"#, #"{"type": "sleep", "by": "hour"}"#,
      #"{"type": "sleep", "unit": "kg"}"#, #"{"type": "appleStandHour", "unit": "s"}"#,
      #"{"type": "stepz"}"#, #"{"type": "steps", "unit": "kg"}"#,
      #"{"type": "steps", "source": "Nobody"}"#, #"{"type": "steps", "from": "soonish"}"#,
    ])
  func contradictions(json: String) throws { _ = try contradiction(json) }

  @Test(
    "members about one type's own numbers are refused where there is more",
    arguments: [
      (
        #"{"type": "steps", "by": "day", "top": 3, "explain": true}"#, "explain is about one type's"
      ),
      (#"{"type": ["steps", "bodyMass"], "bySource": true}"#, "bySource is about one type's"),
      (#"{"type": "sleep", "explain": true}"#, "sleepAnalysis has no explain"),
      (#"{"type": "steps", "explain": true, "exact": true}"#, "either explain or exact"),
      (#"{"type": "steps", "by": "hour", "per": "day"}"#, "days of the calendar"),
      (#"{"type": "steps", "by": "30 min", "per": "hour"}"#, "intervals of an hour"),
      (#"{"type": "heartRate", "explain": true}"#, "heartRate is not merged"),
    ])
  func ownNumbers(json: String, sentence: String) throws {
    let error = try contradiction(json)
    #expect(error.description.contains(sentence), "\(error.description)")
  }

  /// Why a store of steps has no answer to a question.
  private func contradiction(_ json: String) throws -> QueryError {
    let store = try SampleStore.temporary()
    try store.save([
      NewSample(
        type: SampleType(.stepCount), source: Source(name: "A"), start: 0, end: 60, value: 1,
        label: "count")
    ])
    let question = try question(json)
    let error = try #require(throws: QueryError.self) { try store.answer(question) }
    #expect(!error.description.isEmpty)
    return error
  }
}

@Suite("Series of intervals")
struct IntervalSeriesTests {
  private func series(
    _ values: [Double?], zone: String = "UTC", step: Double = 86_400
  ) throws -> IntervalSeries {
    let starts = values.indices.map { Double($0) * step }
    return IntervalSeries(
      name: "steps", type: SampleType(.stepCount), statistic: "sum",
      unit: try #require(SampleType(.stepCount).canonicalUnit),
      timeZone: ZoneTimeline(try .named(zone)), starts: starts, ends: starts.map { $0 + step },
      values: values)
  }

  /// All lists of up to `count` of these values.
  private func lists(_ count: Int, of values: [Double?]) -> [[Double?]] {
    var lists: [[Double?]] = [[]]
    var last = lists
    for _ in 0..<count {
      last = last.flatMap { list in values.map { list + [$0] } }
      lists += last
    }
    return lists
  }

  @Test("all short series agree with a search over all rows and runs")
  func twins() throws {
    for values in lists(5, of: [nil, 0, 2, 3]) {
      let series = try series(values)
      for least in [false, true] {
        for count in [1, 3, 9] {
          // Takes the best of what is left, again and again.
          var left = Array(values.indices).filter { values[$0] != nil }
          var expected: [Int] = []
          while expected.count < count, !left.isEmpty {
            var best = left[0]
            for row in left {
              let (value, known) = (values[row] ?? 0, values[best] ?? 0)
              if least ? value < known : value > known { best = row }
            }
            expected.append(best)
            left.removeAll { $0 == best }
          }
          #expect(series.top(count, least: least) == expected)
        }
      }
      // A run meets the condition everywhere and cannot be longer.
      func runs(_ isOne: (Double?) -> Bool) -> [Range<Int>] {
        func isMet(_ row: Int) -> Bool { values.indices.contains(row) && isOne(values[row]) }
        var runs: [Range<Int>] = []
        for first in values.indices {
          for end in first + 1..<values.count + 1 where (first..<end).allSatisfy(isMet) {
            if !isMet(first - 1), !isMet(end) { runs.append(first..<end) }
          }
        }
        return runs.sorted {
          $0.count == $1.count ? $0.lowerBound < $1.lowerBound : $0.count > $1.count
        }
      }
      func isMet(_ row: Int) -> Bool { values[row] ?? 0 >= 2 }
      #expect(series.streaks { $0 >= 2 } == runs { $0 ?? 0 >= 2 })
      #expect(series.gaps() == runs { $0 == nil })
      let (spread, numbers) = (series.spread(), values.compactMap(\.self))
      #expect(spread.count == numbers.count && spread.emptyCount == values.count - numbers.count)
      for statistic in IntervalSpread.statistics {
        let expected = slow(statistic, of: numbers)
        #expect((spread[statistic] == nil) == (expected == nil))
        #expect(abs((spread[statistic] ?? 0) - (expected ?? 0)) < 1e-12)
      }
      #expect(series.rows { $0 >= 2 } == values.indices.filter(isMet))
      for width in 1...3 {
        for (row, mean) in series.rolling(width).enumerated() {
          let known = (0..<width).compactMap { $0 <= row ? values[row - $0] : nil }
          #expect(mean.count == known.count)
          let expected = known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
          #expect(mean.value == expected)
        }
      }
    }
  }

  @Test("a spread of numbers too large to add up has what does not add them")
  func hugeSpread() throws {
    let huge = Double.greatestFiniteMagnitude
    let spread = try series([huge, nil, huge, -huge, huge]).spread()
    #expect(spread[.mean] == nil && spread[.standardDeviation] == nil && spread[.sum] == nil)
    #expect(spread[.median] == huge && spread[.min] == -huge && spread.numbers.count == 4)
    let one = try series([7]).spread()
    #expect(one[.standardDeviation] == nil && one[.mean] == 7)
    #expect(one[.percentile(try #require(Percentile(33)))] == 7)
    #expect(try series([]).spread().count == 0)
  }

  @Test("groups are those of Foundation's calendar", arguments: ["UTC", "America/New_York"])
  func groups(name: String) throws {
    var generator = SplitMix64(seed: 11)
    let zone = try TimeZone.named(name)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let values = (0..<5_000).map { _ in
      Bool.random(using: &generator) ? Double(Int.random(in: 0...9, using: &generator)) : nil
    }
    let series = try series(values, zone: name, step: 3600)
    for (group, component) in [
      (IntervalGroup.weekday, Calendar.Component.weekday), (.month, .month),
    ] {
      var members: [Int: [Double]] = [:]
      for (start, value) in zip(series.starts, values) {
        let part = calendar.component(
          component, from: Date(timeIntervalSinceReferenceDate: start))
        // Foundation's first weekday is Sunday.
        let place = group == .weekday ? (part + 5) % 7 : part - 1
        if let value { members[place, default: []].append(value) }
      }
      for (place, summary) in series.grouped(by: group).enumerated() {
        let known = members[place] ?? []
        #expect(summary.count == known.count)
        #expect(summary.min == known.min() && summary.max == known.max())
        #expect(summary.mean == (known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)))
      }
    }
    // The hours of days with data add up to the mean of these days.
    var days: [Date: Double] = [:]
    var hours = 0
    for (start, value) in zip(series.starts, values) {
      let day = calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: start))
      if let value { days[day, default: 0] += value }
      hours += 1
    }
    let summaries = series.grouped(by: .hour)
    let total = summaries.reduce(0) { $0 + ($1.mean ?? 0) * Double($1.count) }
    #expect(abs(total - days.values.reduce(0, +)) < 1e-6)
    #expect(summaries.reduce(0) { $0 + $1.count } > values.count { $0 != nil })
    let halves = series.grouped(by: .weekend)
    #expect(halves.map(\.count).reduce(0, +) == values.count { $0 != nil })
  }
}

/// A statistic of numbers as it is defined: ranks by counting, the variance by all pairs.
private func slow(_ statistic: Statistic, of numbers: [Double]) -> Double? {
  let count = numbers.count
  guard count > 0 else { return nil }
  func ranked(_ rank: Int) -> Double {
    numbers.first { number in
      let below = numbers.count { $0 < number }
      return below <= rank && rank < below + numbers.count { $0 == number }
    } ?? .nan
  }
  let share: Double
  switch statistic {
  case .mean: return numbers.reduce(0) { $0 + $1 / Double(count) }
  case .standardDeviation:
    guard count > 1 else { return nil }
    var squares = 0.0
    for left in numbers { for right in numbers { squares += (left - right) * (left - right) } }
    return (squares / Double(2 * count * (count - 1))).squareRoot()
  case .min: share = 0
  case .max: share = 1
  default:
    guard let percentile = statistic.percentile else { return nil }
    share = percentile.percent / 100
  }
  let place = share * Double(count - 1)
  let weight = place - place.rounded(.down)
  let low = Int(place)
  return ranked(low) * (1 - weight) + ranked(min(low + 1, count - 1)) * weight
}
