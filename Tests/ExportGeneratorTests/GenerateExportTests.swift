import ArgumentParser
import Foundation
import Testing
import _HealthTestSupport

@testable import ExportGenerator

@Suite("A generated export")
struct GenerateExportTests {
  private static let shared = Result {
    let export = try GeneratedExport(.sample(), detail: .days)
    return (export, export.elements)
  }

  private let export: GeneratedExport
  private let elements: [ExportElement]
  private let records: [ExportElement]
  private let formatter: DateFormatter

  init() throws {
    (export, elements) = try Self.shared.get()
    records = elements.records
    formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss Z"
  }

  private func instant(_ text: String) throws -> Int {
    Int(try #require(formatter.date(from: text)).timeIntervalSince1970)
  }

  @Test("The same options give the same bytes, another seed gives others")
  func determinism() throws {
    #expect(try GeneratedExport(.sample()).text == export.text)
    #expect(try GeneratedExport(.sample(seed: 2)).text != export.text)
  }

  @Test("Offset and addresses change the text, never a sample")
  func twoExportsOfOnePhone() throws {
    let other = try GeneratedExport(.sample(offset: "-0530", deviceSeed: 8)).elements.records
    #expect(other.count == records.count)
    var changedDates = 0
    var changedDevices = 0
    for (one, two) in zip(records, other).prefix(2_000) {
      for key: Substring in ["type", "sourceName", "unit", "value"] {
        #expect(one[key] == two[key])
      }
      for key: Substring in ["startDate", "endDate", "creationDate"] {
        #expect(try instant(one[key]) == instant(two[key]))
        changedDates += one[key] == two[key] ? 0 : 1
      }
      changedDevices += one["device"] == two["device"] ? 0 : 1
    }
    #expect(changedDates == 6_000)
    #expect(changedDevices > 0)
  }

  @Test(
    "Other units say the same within six digits",
    arguments: [RecordUnit.Preference.imperial, .kilojoules])
  func units(preference: RecordUnit.Preference) throws {
    let other = try GeneratedExport(.sample(preference: preference)).elements.records
    var ratios: [String: Set<String>] = [:]
    for (one, two) in zip(records, other) where one["unit"] != two["unit"] {
      guard one["unit"] != "degC", let before = Double(one["value"]),
        let after = Double(two["value"]), before != 0
      else { continue }
      ratios[one["type"], default: []].insert(String(format: "%.4f", after / before))
    }
    #expect(!ratios.isEmpty)
    for (type, ratios) in ratios { #expect(ratios.count <= 2, "\(type): \(ratios)") }
  }

  @Test("The truth counts what a plain search of the text counts")
  func truth() throws {
    let groups = Dictionary(grouping: records) { $0["type"] }
    #expect(Set(groups.keys) == Set(export.truth.records.keys))
    for (type, records) in groups {
      let counts = try #require(export.truth.records[type])
      let distinct = Set(
        records.map { [$0["startDate"], $0["endDate"], $0["sourceName"], $0["value"]] })
      #expect(counts.records == records.count)
      #expect(counts.copies == records.count - distinct.count, "\(type)")
    }
    let typed = export.truth.records.values.reduce(0) { $0 + $1.userEntered }
    let nested = elements.count { $0["key"] == "HKWasUserEntered" }
    #expect(typed == nested && typed > 0)
    #expect(export.truth.bytes == export.text.utf8.count)
  }

  @Test("A few records are there twice, with another date of creation")
  func copies() {
    let all = export.truth.records.values.reduce(0) { $0 + $1.records }
    let copies = export.truth.records.values.reduce(0) { $0 + $1.copies }
    #expect((0.001...0.01).contains(Double(copies) / Double(all)))
  }

  @Test("One offset for the whole file, though the clocks change in it")
  func offset() {
    for element in elements {
      for (key, value) in element.attributes where key.hasSuffix("Date") {
        #expect(value.hasSuffix(" +0100"))
      }
    }
  }

  @Test("A device has a new address every 400 rows, and only then")
  func addresses() {
    var addresses: [String: Int] = [:]
    for record in records where record["device"].contains("name:iPhone") {
      addresses[String(record["device"].prefix(40)), default: 0] += 1
    }
    #expect(addresses.count > 5)
    #expect(addresses.values.allSatisfy { $0 <= 400 })
  }

  @Test("Heart rates stand newest first, steps oldest first")
  func order() throws {
    func created(_ name: String) throws -> [Int] {
      try records.filter { $0["type"].hasSuffix("Identifier" + name) }
        .prefix(500).map { try instant($0["creationDate"]) }
    }
    #expect(try created("HeartRate") == created("HeartRate").sorted(by: >))
    #expect(try created("StepCount") == created("StepCount").sorted())
  }

  @Test("Watch and phone count most steps both, and nobody walks asleep")
  func steps() throws {
    let days = try #require(export.truth.sums["HKQuantityTypeIdentifierStepCount"])
    let raw = days.values.reduce(0) { $0 + $1.raw }
    let merged = days.values.reduce(0) { $0 + $1.merged }
    #expect((1.6...1.95).contains(raw / merged))
    #expect((5_000...16_000).contains(merged / Double(days.count)))
    let person = try ExportPlan.sample().person
    for day in 0..<9 {
      let plan = person.plan(ofDay: day)
      #expect(plan.asleepSince < plan.wake && plan.wake < plan.bed)
      #expect(plan.walks.allSatisfy { plan.wake < $0.start && $0.end < plan.bed })
    }
  }

  @Test("The truth's steps are those of the text")
  func stepsOfText() throws {
    let steps = records.filter { $0["type"].hasSuffix("StepCount") }
    var seen: Set<[String]> = []
    let until = try #require(ExportPlan.sample().timeline.midnights.last)
    let sum = try steps.reduce(into: 0.0) { sum, record in
      let key = [record["startDate"], record["endDate"], record["sourceName"]]
      guard seen.insert(key).inserted else { return }
      let start = try instant(record["startDate"])
      let end = try instant(record["endDate"])
      let share = Double(max(0, min(end, until) - start)) / Double(end - start)
      sum += share * (Double(record["value"]) ?? .nan)
    }
    let days = try #require(export.truth.sums["HKQuantityTypeIdentifierStepCount"])
    let sumOfDays = days.values.reduce(0) { $0 + $1.raw }
    #expect(abs(sum - sumOfDays) < 1e-6 * sum)
    for day in days.values {
      let sumOfSources = day.sources.values.reduce(0, +)
      #expect(abs(sumOfSources - day.raw) < 1e-6 * day.raw)
      #expect(day.merged <= day.raw)
    }
  }

  @Test(
    "The truth's values and constants are those of the text", arguments: ["HeartRate", "BodyMass"])
  func valuesOfText(name: String) throws {
    let type = "HKQuantityTypeIdentifier" + name
    let midnights = try ExportPlan.sample().timeline.midnights
    var days: [Int: [Double]] = [:]
    var seen: Set<[String]> = []
    for record in records where record["type"] == type {
      let key = [record["startDate"], record["sourceName"], record["value"]]
      guard seen.insert(key).inserted else { continue }
      let start = try instant(record["startDate"])
      let day = try #require(midnights.lastIndex { $0 <= start })
      days[day, default: []].append(try #require(Double(record["value"])))
    }
    let known = try #require(export.truth.values[type]).sorted { $0.key < $1.key }.map(\.value)
    // Records of the morning after belong to no day of the export.
    let found = days.filter { $0.key < midnights.count - 1 }.sorted { $0.key < $1.key }
    #expect(known.map(\.count) == found.map(\.value.count))
    for (known, found) in zip(known, found) {
      #expect(abs(known.minimum - (found.value.min() ?? .nan)) <= 1e-5 * known.minimum)
      #expect(abs(known.maximum - (found.value.max() ?? .nan)) <= 1e-5 * known.maximum)
      #expect(abs(known.total - found.value.reduce(0, +)) <= 1e-5 * known.total)
    }
    let asleep = records.filter { $0["value"] == CategoryLabel.asleepREM.rawValue }
    let nights = Set(asleep.map { [$0["startDate"], $0["endDate"]] })
    let labels = export.truth.labels["HKCategoryTypeIdentifierSleepAnalysis"]
    #expect(labels?[CategoryLabel.asleepREM.rawValue]?.count == nights.count)
  }

  @Test("Records inside correlations stand word for word at top level too")
  func correlations() {
    let top = Set(records.map(\.attributes))
    let nested = elements.filter { $0.name == "Record" && $0.depth == 2 }
    #expect(!nested.isEmpty)
    for record in nested { #expect(top.contains(record.attributes)) }
  }

  @Test("The text is as long as asked for, within two percent", arguments: [2_000_000, 9_000_000])
  func size(bytes: Int) throws {
    let plan = try #require(try ExportPlan.sample(days: 5).scaled(toBytes: bytes))
    let count = try GeneratedExport(plan).text.utf8.count
    #expect(abs(Double(count) / Double(bytes) - 1) < 0.02)
  }

  @Test(
    "Arguments that make no sense are refused",
    arguments: [
      ["--zone", "Mars/Olympus"], ["--until", "2026-02-30"], ["--years", "0"], ["--size", "1XB"],
      ["--density", "nan"], ["--utc-offset", "1h"], ["--dtd", "10"], ["--profile", "car"],
      ["--language", "xx_XX"], ["--later", "0"], ["--earlier-dtd", "11"],
      ["--years", "0.003", "--size", "1GB"], ["--with", "cars"], ["--with", "foods,"],
      ["--with", "foods,moods"], ["--with", "foods", "--auto-export", "doses.json"],
    ])
  func wrongArguments(arguments: [String]) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let error = #expect(throws: (any Error).self) {
      try GenerateExport.parse(["--out", file.path] + arguments).run()
    }
    #expect(GenerateExport.exitCode(for: try #require(error)) == .validationFailure)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }
}
