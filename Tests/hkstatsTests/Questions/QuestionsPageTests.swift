import Foundation
import Testing

/// A question of the page and its command.
struct PageQuestion: CustomTestStringConvertible {
  let title: String
  let commands: [String]

  var testDescription: String { title }

  /// The words of the command, as a shell splits them.
  var words: [String] {
    var words: [String] = []
    for (index, part) in (commands.first ?? "").split(
      separator: "\"", omittingEmptySubsequences: false
    ).enumerated() {
      words += index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
    return Array(words.dropFirst())
  }

  /// The questions that stand in the page.
  static let all: [PageQuestion] = {
    let page = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Docs.docc/Questions.md")
    let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
    return text.components(separatedBy: "\n#### ").dropFirst().map { part in
      let lines = part.components(separatedBy: "\n### ")[0].split(separator: "\n")
      return PageQuestion(
        title: lines.first.map(String.init) ?? "",
        commands: lines.filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) })
    }
  }()
}

/// A moment at which questions are asked, on the wall clock of a zone.
struct QuestionMoment: Sendable, CustomTestStringConvertible {
  let day: String
  let time: String
  let zone: String

  init(_ day: String, _ time: String, _ zone: String) {
    (self.day, self.time, self.zone) = (day, time, zone)
  }

  var testDescription: String { "\(day) \(time) \(zone)" }

  /// The calendar in which days are counted here, that of Foundation.
  var calendar: Calendar {
    get throws {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(identifier: zone))
      calendar.firstWeekday = 2
      calendar.minimumDaysInFirstWeek = 4
      return calendar
    }
  }

  private func formatter(_ pattern: String) throws -> DateFormatter {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = try calendar.timeZone
    format.dateFormat = pattern
    return format
  }

  /// How dates are written.
  var dates: DateFormatter { get throws { try formatter("yyyy-MM-dd") } }

  var today: Date { get throws { try #require(dates.date(from: day)) } }

  var moment: Date {
    get throws { try #require(formatter("yyyy-MM-dd HH:mm").date(from: "\(day) \(time)")) }
  }

  /// The moment as `HKSTATS_NOW` has it.
  var text: String {
    get throws { try formatter("yyyy-MM-dd'T'HH:mm:ssxxx").string(from: moment) }
  }
}

/// The made-up data of one person, imported once.
struct QuestionStore: Sendable {
  let scratch: Scratch
  let facts: HealthFacts
  private let now: String

  /// A person who has what the page asks for, until today.
  static let shared = Result {
    try QuestionStore(at: QuestionMoment("2026-11-28", "03:06", "Europe/Paris"))
  }

  /// Runs the program on the store, at its moment.
  func run(_ words: [String]) throws -> ProgramRun {
    try ProgramRun.hkstats(
      words,
      environment: ["HKSTATS_STORE": scratch.path("store.sqlite"), "HKSTATS_NOW": now])
  }

  /// A person of few days, whose export goes on for a day after today.
  init(briefly moment: QuestionMoment, seed: Int) throws {
    let (calendar, format, today) = (try moment.calendar, try moment.dates, try moment.today)
    scratch = try Scratch()
    now = try moment.text
    let end = try #require(calendar.date(byAdding: .day, value: 2, to: today))
    let export = try Self.generate(
      in: scratch, seed: seed, years: "0.1", density: "0.05", until: format.string(from: end),
      zone: moment.zone)
    facts = try Self.import(
      export, more: Self.more(before: today, calendar), at: moment, into: scratch)
  }

  /// Makes an export, with what its generator tells.
  private static func generate(
    in scratch: Scratch, seed: Int, years: String, density: String, until end: String,
    zone: String
  ) throws -> String {
    let folder = scratch.path("export")
    try? FileManager.default.removeItem(atPath: folder)
    let made = try ProgramRun.run(
      "generate-export",
      [
        "--out", folder, "--seed", String(seed), "--years", years, "--density", density,
        "--until", end, "--zone", zone, "--truth", scratch.path("truth.json"),
      ])
    try #require(made.exitCode == 0, "\(made.errors)")
    return folder
  }

  private static func `import`(
    _ folder: String, more: Data, at moment: QuestionMoment, into scratch: Scratch
  ) throws -> HealthFacts {
    let store = scratch.path("store.sqlite")
    for words in [
      ["import", folder, try scratch.file("more.xml", more)], ["zones", "set", moment.zone],
    ] {
      let done = try ProgramRun.hkstats(words + ["--store", store])
      try #require(done.exitCode == 0, "\(done.errors)")
    }
    return try HealthFacts(
      today: moment.today, now: moment.moment, calendar: moment.calendar,
      truth: Data(contentsOf: scratch.url("truth.json")),
      export: Data(contentsOf: scratch.url("export/apple_health_export/export.xml")), more: more)
  }

  private init(at moment: QuestionMoment) throws {
    scratch = try Scratch()
    now = try moment.text
    let (calendar, format, today) = (try moment.calendar, try moment.dates, try moment.today)
    let tomorrow = try #require(calendar.date(byAdding: .day, value: 1, to: today))
    var found: String?
    for seed in 1...400 where found == nil {
      let folder = try Self.generate(
        in: scratch, seed: seed, years: "0.33", density: "0.12",
        until: format.string(from: tomorrow),
        zone: moment.zone)
      let told = try JSONSerialization.jsonObject(with: Data(contentsOf: scratch.url("truth.json")))
      guard Self.isRich(try #require(told as? [String: Any]), today: today, format) else {
        continue
      }
      let export = try String(
        contentsOf: scratch.url("export/apple_health_export/export.xml"), encoding: .utf8)
      // Who walks home after midnight has records of tomorrow, which questions about all days have,
      // too. The slow count ends with today.
      if !export.contains("startDate=\"" + format.string(from: tomorrow)) { found = folder }
    }
    facts = try Self.import(
      try #require(found), more: Self.more(before: today, calendar), at: moment, into: scratch)
  }

  /// Whether a person has what the page asks for: not everybody had a short night or was ill.
  private static func isRich(_ told: [String: Any], today: Date, _ format: DateFormatter) -> Bool {
    func kinds(_ list: String, _ key: String) -> Set<String> {
      Set((told[list] as? [[String: Any]] ?? []).compactMap { $0[key] as? String })
    }
    func days(_ list: String, _ type: String) -> [String: [String: Any]] {
      let all = told[list] as? [String: [String: [String: Any]]]
      return all?["HKQuantityTypeIdentifier" + type] ?? [:]
    }
    func has(_ days: [String: [String: Any]], since count: Int = 200) -> Bool {
      let first = format.string(from: today.addingTimeInterval(Double(1 - count) * 86_400))
      return days.keys.contains { $0 >= first }
    }
    func all(_ days: [String: [String: Any]], _ key: String) -> [Double] {
      days.values.compactMap { $0[key] as? Double }
    }
    let week = today.addingTimeInterval(-5 * 86_400).timeIntervalSince1970
    let runs = (told["workouts"] as? [[String: Any]] ?? []).filter {
      $0["activity"] as? String == "Running" && $0["start"] as? Double ?? 0 > week
        && $0["points"] as? Int ?? 0 > 0
    }
    let records = told["records"] as? [String: [String: Any]] ?? [:]
    return kinds("clinicalRecords", "type")
      .isSuperset(of: ["Immunization", "AllergyIntolerance", "Observation"])
      && kinds("electrocardiograms", "classification").contains("Atrial Fibrillation")
      && has(days("sums", "DietaryProtein"), since: 7) && !runs.isEmpty
      && has(days("values", "OxygenSaturation"), since: 2)
      && all(days("values", "OxygenSaturation"), "minimum").contains { $0 < 0.95 }
      && all(days("values", "EnvironmentalAudioExposure"), "maximum").contains { $0 > 70 }
      && all(days("sums", "StepCount"), "merged").contains { $0 < 5000 }
      && records["HKQuantityTypeIdentifierStepCount"]?["userEntered"] as? Int ?? 0 > 0
  }

  /// What the generator leaves out: water and coffee, cycles, and steps of the year before.
  private static func more(before today: Date, _ calendar: Calendar) throws -> Data {
    var export = SmallExport()
    let format = ISO8601DateFormatter()
    func add(_ type: String, _ value: Int, _ unit: String, days: Int, hour: Int) throws {
      let day = try #require(calendar.date(byAdding: .day, value: -days, to: today))
      let text = format.string(from: day.addingTimeInterval(Double(hour) * 3600)).dropLast()
      export.add(
        "HKQuantityTypeIdentifier" + type, String(value), unit: unit, from: String(text),
        to: String(text), source: SmallExport.phone)
    }
    for days in 0..<20 {
      try add("DietaryWater", 250 + days, "mL", days: days, hour: 9)
      try add("DietaryWater", 330, "mL", days: days, hour: 15)
      try add("DietaryCaffeine", 80 + 10 * days, "mg", days: days, hour: 8)
    }
    for first in [80, 51, 23] {
      for days in first - 4...first {
        let day = format.string(
          from: try #require(calendar.date(byAdding: .day, value: -days, to: today)))
        export.add(
          "HKCategoryTypeIdentifierMenstrualFlow", "HKCategoryValueMenstrualFlowMedium", unit: nil,
          from: String(day.dropLast()), to: String(day.dropLast()), source: SmallExport.phone,
          metadata: ["HKMenstrualCycleStart": days == first ? "1" : "0"])
      }
    }
    for days in 350..<430 { try add("StepCount", 5000 + 10 * days, "count", days: days, hour: 10) }
    return export.data
  }
}

@Suite("The questions of the page, each asked and checked")
struct QuestionsPageTests {
  @Test("A command answers what a slow count or the generator knows", arguments: PageQuestion.all)
  func answer(question: PageQuestion) throws {
    let check = try #require(Self.checks[question.title], "nothing checks this answer")
    try #require(question.commands.count == 1)
    let store = try QuestionStore.shared.get()
    func run(_ more: [String]) throws -> ProgramRun {
      let words = question.words.map {
        ["runs", "routes.gpx"].contains($0) && question.words.contains("--out")
          ? store.scratch.path($0) : $0
      }
      return try store.run(words + more)
    }
    let table = try run([])
    #expect(table.exitCode == 0, "\(table.errors)")
    let isExport = question.words.first == "export"
    let isEmpty = ["No data", "No samples", "No workouts", "No nights"]
      .contains { table.output.contains($0) }
    #expect(!isEmpty && (isExport || !table.output.isEmpty), "\(table.output)")
    // The last word of a form counts, so that a chart is asked for its numbers, too.
    let answer = isExport ? table : try run(["--format", "json"])
    #expect(answer.exitCode == 0, "\(answer.errors)")
    try check(
      Inquiry(facts: store.facts, words: question.words, table: table, answer: answer),
      store.scratch)
  }

  /// Forty moments: each weekday, last and first days of months and of years, days on which clocks
  /// change, a leap day, the ends of days.
  static let moments: [QuestionMoment] = {
    let zones = ["Europe/Paris", "Pacific/Apia", "America/Los_Angeles"]
    let times = ["00:00", "03:06", "23:59"]
    let days = [
      "2026-11-23", "2026-11-24", "2026-11-25", "2026-11-26", "2026-11-27", "2026-11-28",
      "2026-11-29", "2026-11-30", "2026-12-01", "2026-12-31", "2025-01-01", "2026-01-31",
      "2026-02-01", "2026-02-28", "2026-03-01", "2028-02-29", "2028-03-01", "2026-04-30",
      "2026-05-01", "2026-06-30", "2026-07-31", "2026-08-31", "2026-10-31", "2024-12-29",
    ]
    let turns = [
      ("2026-03-29", "Europe/Paris"), ("2026-10-25", "Europe/Paris"),
      ("2026-03-08", "America/Los_Angeles"), ("2026-11-01", "America/Los_Angeles"),
      ("2027-01-01", "Pacific/Apia"),
    ].flatMap { day, zone in times.map { QuestionMoment(day, $0, zone) } }
    // Each pair of a time and a zone comes, in turn.
    return turns
      + days.enumerated().map { place, day in
        QuestionMoment(day, times[place % 3], zones[(place + place / 3) % 3])
      } + [QuestionMoment("2026-05-31", "12:00", "Europe/Paris")]
  }()

  /// Questions about days that are told back from now, which everybody's data answer.
  private static let recent: [String: Check] = [
    "How many steps today?": series, "How far did I go yesterday?": series,
    "How much did I move last weekend?": series, "How many miles a day this week?": series,
    "At which hour of the day do I walk?": groups, "Is this week better than the last?": comparison,
    "What is my weekly average of steps, day by day?": rolling,
    "How many hours did I stand?": category,
    "What were my lowest and highest heart rates today?": series,
    "How do my steps and my sleep compare, side by side?": series,
    "When did I go to bed in the last month?": nights,
    "What have I trained in the last month?": workouts,
    "Did I close my rings this week?": rings,
    "How many calories did I burn, all added up?": { question, _ in try question.checkEnergy() },
  ]

  @Test("At any time of any day, also where the export goes on after today", arguments: moments)
  func anyDay(moment: QuestionMoment) throws {
    let place = try #require(
      Self.moments.firstIndex { $0.testDescription == moment.testDescription })
    let store = try QuestionStore(briefly: moment, seed: 1 + place)
    for (title, check) in Self.recent.sorted(by: { $0.key < $1.key }) {
      let question = try #require(PageQuestion.all.first { $0.title == title }, "\(title)")
      let answer = try store.run(question.words + ["--format", "json"])
      #expect(answer.exitCode == 0, "\(title) \(answer.errors)")
      try check(
        Inquiry(facts: store.facts, words: question.words, table: answer, answer: answer),
        store.scratch)
    }
  }

  @Test("The page asks whatever is checked, once, in one command each")
  func page() {
    let titles = PageQuestion.all.map(\.title)
    #expect(Set(titles).count == titles.count)
    #expect(Set(titles) == Set(Self.checks.keys))
    #expect(titles.count >= 105)
    for question in PageQuestion.all { #expect(question.commands.count == 1, "\(question.title)") }
  }

  private typealias Check = @Sendable (Inquiry, Scratch) throws -> Void

  private static let series: Check = { question, _ in try question.checkSeries() }
  private static let top: Check = { question, _ in try question.checkTop() }
  private static let bound: Check = { question, _ in try question.checkBound() }
  private static let streaks: Check = { question, _ in try question.checkStreaks() }
  private static let groups: Check = { question, _ in try question.checkGroups() }
  private static let rolling: Check = { question, _ in try question.checkRolling() }
  private static let comparison: Check = { question, _ in try question.checkComparison() }
  private static let trend: Check = { question, _ in try question.checkTrend() }
  private static let category: Check = { question, _ in try question.checkCategory() }
  private static let nights: Check = { question, _ in try question.checkNights() }
  private static let workouts: Check = { question, _ in try question.checkWorkouts() }

  private static func samples(
    where isMet: @escaping @Sendable (HealthFacts.Row) -> Bool = { _ in true }
  ) -> Check {
    { question, _ in try question.checkSamples(where: isMet) }
  }

  private static func records(_ type: String) -> Check {
    { question, _ in
      let told = try question.facts.told("clinicalRecords").filter { $0["type"] as? String == type }
      let rows = try question.checkElements(told, start: "received")
      #expect(rows.allSatisfy { $0["type"] as? String == type })
    }
  }

  private static let checks: [String: Check] = moving.merging(heart) { one, _ in one }
    .merging(sleep) { one, _ in one }.merging(others) { one, _ in one }
    .merging(analyses) { one, _ in one }

  private static let analyses: [String: Check] = [
    "What was unusual this week?": { question, _ in try question.checkAnomalies() },
    "Is this week as my weeks are?": { question, _ in try question.checkTypical() },
    "Does my sleep go with my heart rate variability?": { question, _ in
      try question.checkRelations()
    },
    "What goes with what?": { question, _ in try question.checkRelations() },
    "What is my weight without the noise?": { question, _ in try question.checkCourse() },
    "How did my steps go, without the week?": { question, _ in try question.checkCourse() },
    "Which numbers come and go together?": { question, _ in try question.checkComponents() },
    "When did my resting heart rate change?": { question, _ in try question.checkChanges() },
    "Is my sleep getting longer or shorter?": trend,
  ]

  private static let moving: [String: Check] = [
    "How many steps today?": series,
    "Which was my best month for steps?": top,
    "Did I walk more this month than in the same month of last year?": comparison,
    "How much did I move last weekend?": series,
    "How far have I walked and run, ever?": { question, _ in try question.checkTotal() },
    "On which weekday do I walk most?": groups,
    "Which were my ten best days?": top,
    "At which hour of the day do I walk?": groups,
    "On how many days did I reach 10,000 steps?": bound,
    "What is my longest streak over 10,000 steps?": streaks,
    "How many hours did I stand?": category,
    "How many days in a row did I close my move ring?": streaks,
    "Did I close my rings this week?": rings,
    "How far did I go yesterday?": series,
    "How many miles a day this week?": series,
    "How many flights of stairs did I climb this week?": series,
    "How many steps a day do I average, month by month?": series,
    "What is an ordinary day, without the extremes?": series,
    "Which days did I hardly move?": bound,
    "Which were my five laziest days?": top,
    "Do I walk more at weekends?": groups,
    "Is this week better than the last?": comparison,
    "Do I walk less than I used to?": trend,
    "What is my weekly average of steps, day by day?": rolling,
    "How many minutes of exercise a week?": series,
    "How long was I in daylight?": series,
    "Do I walk slower than before?": series,
  ]

  private static let heart: [String: Check] = [
    "What is my resting heart rate, year by year?": series,
    "Is my VO2max rising?": trend,
    "How does my heart rate variability look as a chart?": series,
    "What is my heart rate variability over the last seven days, each day?": rolling,
    "How high was my heart rate in the last workout?": workouts,
    "How much oxygen was in my blood last night?": series,
    "What did my last electrocardiogram say?": { question, _ in
      let told = try question.facts.told("electrocardiograms")
      let row = try #require(try question.checkElements(told, start: "start").first)
      let last = told.max { ($0["start"] as? Double ?? 0) < ($1["start"] as? Double ?? 0) }
      #expect(row["classification"] as? String == last?["classification"] as? String)
      #expect((row["voltages"] as? [Any])?.count == last?["voltages"] as? Int)
    },
    "Did an electrocardiogram find atrial fibrillation?": findings,
    "What were my lowest and highest heart rates today?": series,
    "When did my heart beat faster than 120 this month?": samples { $0.value > 120 },
    "On which days did my heart rate go highest?": top,
    "Below which rate is my heart nine tenths of the time it is measured?": series,
    "Is my resting heart rate falling?": trend,
    "On which days was my resting heart rate unusually high?": top,
    "How fast does my heart beat while I walk?": series,
    "Within which rates does my heart beat for half of the day?": series,
    "How fast does my heart beat while I sleep?": { question, _ in try question.checkVitals() },
    "What is my blood pressure in the morning and in the evening?": { question, _ in
      try question.checkBloodPressure()
    },
    "How fast do I breathe?": series,
    "Was my blood oxygen ever below 95 %?": samples { $0.value < 0.95 },
  ]

  private static let sleep: [String: Check] = [
    "When did I go to bed in the last month?": nights,
    "Did I sleep enough this week?": bound,
    "How much deep sleep a week?": series,
    "Do I sleep better than some months ago?": series,
    "How do my steps and my sleep compare, side by side?": series,
    "Was my wrist warmer than usual?": series,
    "Which nights were too short?": bound,
    "What is my longest run of good nights?": streaks,
    "Do I sleep longer at weekends?": groups,
    "How much REM sleep do I get?": series,
    "How long do I lie awake?": series,
    "Did I sleep more than the week before?": comparison,
    "Which were my longest nights?": top,
    "How did last night go?": nights,
  ]

  private static let others: [String: Check] = [
    "How long was I in each heart rate zone?": workouts,
    "What have I trained in the last month?": workouts,
    "Which runs did I do?": { question, _ in try question.checkWorkouts(activity: "Running") },
    "What was my longest run?": { question, _ in try question.checkLongestRun() },
    "How many kilometres do I run a month?": totals,
    "How many workouts a week?": totals,
    "What is my pace?": totals,
    "What were my fastest five kilometres?": totals,
    "How fast was each kilometre of this week's runs?": { question, _ in
      try question.checkSplits()
    },
    "How do I get one GPX file for each run?": { question, scratch in
      try question.checkRouteFiles(in: scratch, folder: "runs")
    },
    "How do I get my routes on a map?": { question, scratch in
      let parts = try scratch.text("routes.gpx").components(separatedBy: "<trkpt ")
      let points = question.facts.workouts.reduce(0) { $0 + $1.points }
      #expect(parts.count - 1 == points && points > 0)
    },
    "What did the watch record of my last workout?": { question, _ in
      let last = try #require(question.facts.workouts.max { $0.start < $1.start })
      let row = try #require((try question.answer.json() as? [[String: Any]])?.first)
      #expect(try question.instant(row["start"]).timeIntervalSinceReferenceDate == last.start)
      #expect(row["activity"] as? String == "HKWorkoutActivityType" + last.activity)
    },
    "How did my weight change since January?": series,
    "How many pounds do I weigh?": series,
    "Am I losing weight, and how fast?": trend,
    "When was I lightest?": top,
    "How does my body fat change?": series,
    "How tall am I?": samples(),
    "How was my blood sugar?": series,
    "What were my last blood pressures?": { question, _ in
      let told = try question.facts.told("correlations").filter {
        ($0["type"] as? String)?.hasSuffix("BloodPressure") == true
      }
      let rows = try question.checkElements(told, start: "start")
      for row in rows {
        let start = try question.instant(row["start"]).timeIntervalSince1970
        let known = told.first { $0["start"] as? Double == start }?["members"] as? [[String: Any]]
        let members = row["members"] as? [[String: Any]]
        let values = members?.compactMap { $0["value"] as? Double }
        #expect(values == known?.compactMap { $0["value"] as? Double } && values?.count == 2)
      }
    },
    "How much water do I drink a day?": series,
    "How much caffeine did I have?": series,
    "How much protein a day, month by month?": series,
    "Do I eat more than I burn?": series,
    "How many calories did I burn, all added up?": { question, _ in try question.checkEnergy() },
    "What did I eat this week?": { question, _ in try question.checkFood() },
    "What are my lab results?": { question, scratch in try question.checkLabs(in: scratch) },
    "How long are my cycles?": { question, _ in try question.checkCycles() },
    "What am I made to eat: carbohydrates, fat or protein?": series,
    "On which days did I have more than 200 mg of caffeine?": bound,
    "How many mindful minutes do I have?": category,
    "How loud is my day?": series,
    "When was it too loud?": samples { $0.value > 70 },
    "How loud do I listen to music?": series,
    "What did my last hearing test find?": { question, _ in
      let told = try question.facts.told("audiograms")
      let row = try #require(try question.checkElements(told, start: "start").first)
      let last = told.max { ($0["start"] as? Double ?? 0) < ($1["start"] as? Double ?? 0) }
      let known = (last?["points"] as? [[String: Any]] ?? []).map { point in
        ["left", "right"].map { (point[$0] as? [String: Any])?["level"] as? Double }
      }
      let found = (row["points"] as? [[String: Any]] ?? []).map { point in
        ["left", "right"].map { point[$0] as? Double }
      }
      #expect(found == known && !known.isEmpty)
    },
    "What are my age and my blood type?": { question, _ in
      let told = try JSONSerialization.jsonObject(with: question.facts.truth) as? [String: Any]
      let known = try #require(told?["characteristics"] as? [String: String])
      let rows = try question.answer.rows("profile")
      let found = rows.map {
        ($0["characteristic"] as? String ?? "", $0["value"] as? String ?? "")
      }
      #expect(Dictionary(found) { one, _ in one } == known)
    },
    "Which glasses was I prescribed?": { question, _ in
      let told = try question.facts.told("prescriptions")
      let rows = try question.checkElements(told, start: "issued")
      #expect(!rows.isEmpty)
    },
    "Which vaccinations do my records have?": records("Immunization"),
    "Which allergies do my records have?": records("AllergyIntolerance"),
    "What is in my data at all?": { question, _ in
      for row in try question.answer.rows("types") {
        let type = (row["type"] as? String)?.components(separatedBy: "Identifier").last ?? ""
        guard let known = question.facts.rows[type] else { continue }
        #expect(row["count"] as? Int == known.count, "\(type)")
      }
      #expect(try question.answer.rows("types").count >= question.facts.rows.count)
    },
    "On which days is something missing?": { question, _ in try question.checkGaps() },
    "Which device counted my steps?": { question, _ in
      let steps = try #require(question.facts.rows["StepCount"])
      for row in try question.answer.rows("sources") {
        let name = row["source"] as? String ?? ""
        let own = steps.filter {
          $0.isByHand ? name.hasSuffix("(entered by hand)") : name == $0.source
        }
        #expect(row["count"] as? Int == own.count, "\(name)")
      }
    },
    "Why is the total less than watch and phone together?": { question, _ in
      let rows = try question.answer.rows("intervals")
      #expect(rows.count == 7)
      for row in rows {
        let (start, end) = try question.seconds(of: row)
        let merged = question.facts.sums["StepCount"]?[try question.span(row).start]
        #expect(Inquiry.agree(row["merged"] as? Double, merged))
        let raw = question.facts.rawSum("StepCount", from: start, to: end)
        #expect(Inquiry.agree(row["raw"] as? Double, raw))
        for (source, sum) in row["sources"] as? [String: Any] ?? [:] {
          let own = question.facts.rawSum("StepCount", from: start, to: end) {
            $0.isByHand ? source.hasSuffix("(entered by hand)") : $0.source == source
          }
          #expect(Inquiry.agree(sum as? Double ?? 0, own), "\(source)")
        }
      }
    },
    "How many steps did the watch alone count?": { question, _ in
      let rows = try question.answer.rows("intervals")
      #expect(rows.count == 7)
      for row in rows {
        let (start, end) = try question.seconds(of: row)
        let sum = question.facts.rawSum("StepCount", from: start, to: end) {
          $0.source.contains("Watch")
        }
        #expect(Inquiry.agree(row["sum"] as? Double, sum) && sum > 0)
      }
    },
    "Which steps did I enter by hand?": samples(where: \.isByHand),
    "By which time zone do my days go?": { question, _ in
      let answer = try question.answer.object()
      #expect(answer["timezone"] as? String == "Europe/Paris")
    },
  ]

  private static let findings: Check = { question, _ in try question.checkFindings() }
  private static let totals: Check = { question, _ in try question.checkWorkoutTotals() }

  private static let rings: Check = { question, _ in
    let told = try question.facts.told("summaries")
    let rows = try question.answer.rows("days")
    #expect(rows.count == 7)
    for row in rows {
      let known = told.last { $0["date"] as? String == row["day"] as? String }
      for (key, name) in [("move", "kilocalories"), ("exercise", "exerciseMinutes")] {
        let value = (row[key] as? [String: Any])?["value"] as? Double
        #expect(Inquiry.agree(value, known?[name] as? Double), "\(key)")
      }
      let stand = (row["stand"] as? [String: Any])?["value"] as? Double
      #expect(Inquiry.agree(stand, known?["standHours"] as? Double))
    }
  }
}
