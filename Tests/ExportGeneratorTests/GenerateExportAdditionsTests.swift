import Foundation
import Testing
import _HealthTestSupport

@testable import ExportGenerator

@Suite("What a generated export has beside its profile")
struct GenerateExportAdditionsTests {
  private let formatter: DateFormatter

  init() {
    formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss Z"
  }

  private func instant(_ text: String) throws -> Int {
    Int(try #require(formatter.date(from: text)).timeIntervalSince1970)
  }

  /// What an app writes of one nutrient of a food, but for when it wrote it.
  private struct FoodRecord: Hashable {
    let type: String
    let start: String
    let value: String
    let food: String
  }

  /// The records of the diary at a depth, copies once.
  private func diary(_ elements: [ExportElement], depth: Int) -> Set<FoodRecord> {
    let records = zip(elements, elements.dropFirst()).filter { record, _ in
      record.name == "Record" && record.depth == depth && record["sourceName"] == "Diary"
    }
    return Set(
      records.map { record, food in
        FoodRecord(
          type: record["type"], start: record["startDate"], value: record["value"],
          food: food["value"])
      })
  }

  @Test("Another parser finds what the truth counts", arguments: ExportVersion.allCases)
  func counts(version: ExportVersion) throws {
    let plan = try ExportPlan.sample(
      days: 12, version: version, density: 0.02,
      additions: [.foods, .watches, .unfinished, .cycles])
    let export = try GeneratedExport(plan)
    // Metadata in names of attributes are the one thing that no parser takes in iOS 8.
    let parser = GenerateExportParser(
      export.text.replacing(" Health Mate App Version=\"2.6.0\"", with: ""))
    #expect(parser.isWellFormed)
    #expect(parser.elements == export.truth.elements)
    #expect(
      parser.records == export.truth.records.mapValues(\.records).filter { $0.value > 0 })
    #expect(export.truth.bytes == export.text.utf8.count)
    #expect(try GeneratedExport(plan).text == export.text)
  }

  @Test(
    "Each food of a minute has its correlation, and counts once in the sums of the day",
    arguments: Profile.allCases)
  func foods(profile: Profile) throws {
    let export = try GeneratedExport(
      .sample(days: 12, density: 0.02, profile: profile, additions: [.foods]), detail: .days)
    let elements = export.elements
    let records = diary(elements, depth: 1)
    #expect(diary(elements, depth: 2) == records)
    let foods = Set(records.map { [$0.start, $0.food] })
    let correlations = elements.filter {
      $0.name == "Correlation" && $0["sourceName"] == "Diary"
    }
    #expect(correlations.count == foods.count && !foods.isEmpty)
    #expect(export.truth.correlations.count { $0.food != nil } == foods.count)
    // What told copies apart before: type, times and value.
    let amounts = Dictionary(grouping: records) { [$0.type, $0.start, $0.value] }
    #expect(amounts.values.contains { $0.count > 1 })
    for nutrient in DiaryFood.nutrients {
      let type = "HKQuantityTypeIdentifier" + nutrient.name
      let known = try #require(export.truth.sums[type])
      let days = Dictionary(grouping: records.filter { $0.type == type }) { $0.start.prefix(10) }
      #expect(days.count > 8)
      for (date, records) in days {
        let sum = records.reduce(0) { $0 + (Double($1.value) ?? .nan) }
        let day = known[String(date)]
        #expect(day?.sources["Diary"] == sum && day?.merged == day?.raw, "\(type) \(date)")
      }
    }
  }

  @Test("A new watch has the name of the old one, and tells some of its walks again")
  func watches() throws {
    let type = "HKQuantityTypeIdentifierStepCount"
    let alone = try GeneratedExport(.sample(density: 0.1), detail: .days)
    let export = try GeneratedExport(.sample(density: 0.1, additions: [.watches]), detail: .days)
    let steps = export.elements.records.filter {
      $0["type"] == type && $0["device"].contains("name:Apple Watch")
    }
    #expect(Set(steps.map { $0["sourceName"] }).count == 1)
    func spans(_ hardware: String) throws -> [Range<Int>] {
      try steps.filter { $0["device"].contains("hardware:\(hardware), ") }.map {
        try instant($0["startDate"])..<instant($0["endDate"])
      }
    }
    let (old, new) = (try spans("Watch6,7"), try spans("Watch7,5"))
    #expect(old.count + new.count == steps.count)
    let both = old.filter { span in new.contains { $0.overlaps(span) } }
    #expect(!both.isEmpty && both.count < old.count && both.count < new.count)

    let before = try #require(alone.truth.sums[type]).sorted { $0.key < $1.key }.map(\.value)
    let after = try #require(export.truth.sums[type]).sorted { $0.key < $1.key }.map(\.value)
    try #require(before.count == after.count)
    for (day, (one, two)) in zip(before, after).enumerated() {
      #expect(day >= 3 || one.raw == two.raw && one.merged == two.merged)
      #expect(abs(one.merged - two.merged) < 0.1 * one.merged)
    }
    #expect(after.reduce(0) { $0 + $1.raw } > before.reduce(0) { $0 + $1.raw })
    #expect(export.truth.mergeRule != nil && alone.truth.mergeRule == nil)
  }

  @Test("Files of iOS 8, which describe no device, have one watch")
  func watchesWithoutDevices() throws {
    let plan = try ExportPlan.sample(version: .ios8, density: 0.1)
    let other = try ExportPlan.sample(version: .ios8, density: 0.1, additions: [.watches])
    #expect(try GeneratedExport(plan).text == GeneratedExport(other).text)
  }

  @Test("Of two watches the new one counts, whichever began later")
  func daySums() {
    func merged(_ first: Writer, _ second: Writer) -> DaySum {
      func row(_ start: Int, _ end: Int, _ value: Double, _ writer: Writer) -> Row {
        Row(start: start, end: end, created: end, value: value, writer: writer)
      }
      var sums = DaySums(midnights: [0, 1_000])
      sums.add(
        [
          row(100, 200, 100, first), row(150, 250, 200, second), row(100, 300, 400, .phone),
        ], ofDay: 0)
      return sums.days[0]
    }
    for (sum, watches) in [
      (merged(.watch, .newWatch), 50.0 + 200), (merged(.newWatch, .watch), 100 + 100),
    ] {
      #expect(sum.merged == watches + 100)
      #expect(sum.raw == 700 && sum.sources[Writer.watch.name] == 300)
    }
  }

  @Test("Nothing is later than the export of an unfinished day", arguments: [3, 6, 7])
  func unfinished(days: Int) throws {
    let plan = try ExportPlan.sample(
      days: days, version: .version14, density: 0.05, additions: [.unfinished])
    let export = try GeneratedExport(plan, detail: .days)
    #expect(try plan.exported == instant("2026-10-31 10:37:00 +0100"))
    for element in export.elements {
      for (key, value) in element.attributes
      where key.hasSuffix("Date") && key != "expirationDate" {
        #expect(try instant(String(value)) <= plan.exported, "\(element.name) \(key)")
      }
    }
    // Glasses of the sixth day are from noon, a hearing test of the seventh from the evening.
    #expect(export.truth.prescriptions.isEmpty == (days < 7) && export.truth.audiograms.isEmpty)
    let unfinished = try #require(export.truth.unfinished)
    #expect(unfinished.date == "2026-10-31" && unfinished.wholeDays == days - 1)
    for (type, mean) in unfinished.means {
      let sums = try #require(export.truth.sums[type]).filter { $0.key != unfinished.date }
      let total = sums.values.reduce(0) { $0 + $1.merged }
      #expect(abs(total / Double(sums.count) - mean) <= 1e-9 * mean, "\(type)")
    }
    let steps = "HKQuantityTypeIdentifierStepCount"
    let today = export.truth.sums[steps]?[unfinished.date]?.merged ?? 0
    #expect(today < unfinished.means[steps] ?? 0)
  }

  @Test("A bleed goes on over one day without flow, and ends with two; spotting begins no cycle")
  func flowDays() {
    var flow = FlowDays()
    let days: [(Int, CategoryLabel, Extra)] = [
      (0, .bleedingMedium, .cycleStart), (1, .bleedingHeavy, .cycleDay),
      (2, .bleedingNone, .cycleDay), (3, .bleedingLight, .cycleDay),
      (6, .bleedingLight, .cycleDay), (14, .bleedingLight, .cycleDay),
      (28, .bleedingUnspecified, .cycleStart), (30, .bleedingLight, .cycleDay),
    ]
    for (day, label, extra) in days {
      let row = Row(
        start: 0, end: 0, created: 0, value: 0, writer: .hand, label: label, extra: extra)
      flow.add([row], ofDay: day)
    }
    #expect(flow.cycles.map(\.firstDay) == [0, 28])
    #expect(flow.cycles.map(\.length) == [28, nil])
    #expect(flow.cycles.map(\.bleedLength) == [4, 3])
  }

  @Test(
    "Cycles have the names of their version, and are those that the person has",
    arguments: [
      (ExportVersion.version11, "MenstrualFlow"), (.version14, "VaginalBleeding"),
    ])
  func cycles(version: ExportVersion, name: String) throws {
    let count = 200
    let plan = try ExportPlan.sample(
      days: count, version: version, density: 0.01, profile: .iphone, additions: [.cycles])
    let export = try GeneratedExport(plan, detail: .days)
    let records = export.elements.records
    func values(_ type: String) -> [String] {
      records.filter { $0["type"] == "HKCategoryTypeIdentifier" + type }.map { $0["value"] }
    }
    let flow = values("MenstrualFlow")
    #expect(
      Set(flow).isSubset(
        of: Set(
          ["Unspecified", "Light", "Medium", "Heavy", "None"].map {
            "HKCategoryValue\(name)\($0)"
          })))
    #expect(Set(values("IntermenstrualBleeding")) == ["HKCategoryValueNotApplicable"])

    let known = try #require(export.truth.cycles)
    let bleeds = (0..<9).map { Bleed(number: $0, seed: plan.person.seed) }
      .filter { $0.firstDay < count }
    try #require(known.count == bleeds.count)
    for (cycle, bleed) in zip(known, bleeds) {
      let date = CivilDate(day: plan.timeline.firstDay + bleed.firstDay)
      #expect(cycle.firstDay == date.description)
      #expect(bleed.firstDay + bleed.length > count || cycle.bleedLength == bleed.length)
    }
    let lengths = zip(bleeds, bleeds.dropFirst()).map { $1.firstDay - $0.firstDay }
    #expect(known.map(\.length) == lengths + [nil])
    #expect(lengths.allSatisfy { (23...33).contains($0) })
    // Some of the flow is spotting: more than three days after a bleed.
    let days = try records.filter { $0["type"].hasSuffix("MenstrualFlow") }.map {
      plan.timeline.clock(at: try instant($0["startDate"])).day
    }
    #expect(
      days.contains { day in
        bleeds.last { $0.firstDay <= day }.map { day > $0.firstDay + $0.length + 3 } ?? false
      })
  }

  @Test(
    "Doses and states of mind are those of the truth, in the style of the phone",
    arguments: [("en_US", "yyyy-MM-dd h:mm:ss a Z"), ("de_DE", "yyyy-MM-dd HH:mm:ss Z")])
  func autoExport(language: String, format: String) throws {
    let plan = try ExportPlan.sample(
      days: 150, language: #require(Language.all.first { $0.identifier == language }),
      additions: [.medications, .moods, .unfinished])
    let scratch = try TemporaryFolder()
    var truth = Truth(plan: plan)
    try AutoExportFile(plan: plan).write(to: scratch.path("doses.json"), truth: &truth)
    let text = try scratch.text("doses.json").replacing("\u{202F}", with: " ")
    // The clocks went back on 25 October.
    #expect(text.contains("+0100\"") && text.contains("+0200\""))
    let file = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [String: Any]])
    formatter.dateFormat = format
    let local = DateFormatter()
    local.locale = Locale(identifier: "en_US_POSIX")
    local.timeZone = TimeZone(identifier: "Europe/Paris")
    local.dateFormat = "yyyy-MM-dd"
    func rows(_ name: String) throws -> [(date: String, row: [String: Any])] {
      try #require(file["data"]?[name] as? [[String: Any]]).map { row in
        let instant = try instant(#require(row["start"] as? String))
        #expect(instant <= plan.exported)
        return (local.string(from: Date(timeIntervalSince1970: Double(instant))), row)
      }
    }
    var doses: [String: [String: [String: Int]]] = [:]
    let states = ["Taken": "taken", "Skipped": "skipped", "Not Interacted": "notInteracted"]
    for (date, row) in try rows("medications") {
      let name = try #require(row["displayText"] as? String)
      let state = try #require(states[row["status"] as? String ?? ""])
      doses[date, default: [:]][name, default: [:]][state, default: 0] += 1
    }
    #expect(truth.doses == doses)
    #expect(Set(doses.values.flatMap(\.values).flatMap(\.keys)) == Set(states.values))
    var valences: [String: [Double]] = [:]
    for (date, row) in try rows("stateOfMind") {
      valences[date, default: []].append(try #require(row["valence"] as? Double))
    }
    #expect(truth.valences?.mapValues(\.count) == valences.mapValues(\.count))
    for (date, found) in valences {
      let known = truth.valences?[date]
      #expect(known?.minimum == found.min() && known?.maximum == found.max(), "\(date)")
      #expect(known?.total == found.reduce(0, +) && found.allSatisfy { $0.magnitude <= 1 })
    }
  }
}
