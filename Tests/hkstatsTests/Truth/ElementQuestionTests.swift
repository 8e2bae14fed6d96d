import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import Testing

@testable import ExportGenerator
@testable import hkstats

@Suite("Questions about elements of a generated export, beside what its generator knows")
struct ElementQuestionTests {
  private let export: ImportedExport
  private let paris: TimeZone

  init() throws {
    paris = try #require(TimeZone(identifier: "Europe/Paris"))
    export = try ImportedExport(
      .sample(seed: 3, days: 45, version: .version14, density: 0.05), as: "export.zip")
  }

  private func period(_ interval: CalendarInterval.Alignment? = nil) -> ElementPeriod {
    ElementPeriod(timeZone: ZoneTimeline(paris), interval: interval.map { CalendarInterval($0) })
  }

  private func answer(
    _ question: ElementQuestion, by interval: CalendarInterval.Alignment? = nil
  ) throws -> ElementColumns {
    try question.answer(over: period(interval), in: export.store)
  }

  /// The first of the month of a day, by Foundation.
  private func month(_ instant: Double) -> Int {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = paris
    let parts = calendar.dateComponents(
      [.year, .month], from: Date(timeIntervalSinceReferenceDate: instant))
    return (parts.year ?? 0) * 12 + (parts.month ?? 0)
  }

  @Test("Blood pressures of each month are those of the truth")
  func bloodPressure() throws {
    let known = export.truth.correlations.filter { $0.type.hasSuffix("BloodPressure") }
    try #require(!known.isEmpty)
    let answer = try answer(.bloodPressure, by: .month)
    let count: Double? = answer["readings"]?.compactMap(\.self).reduce(0, +)
    #expect(count == Double(known.count))
    for row in 0..<answer.count {
      let readings = known.filter {
        month(ImportedExport.instant($0.start)) == month(answer.starts[row])
      }
      for (name, part) in [("systolic", "Systolic"), ("diastolic", "Diastolic")] {
        let values = readings.compactMap { reading in
          reading.members.first { $0.type.hasSuffix(part) }?.value
        }
        let mean = values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        #expect(TruthComparison.agree(answer[name]?[row], mean))
        #expect(TruthComparison.agree(answer[name + "Max"]?[row], values.max()))
      }
    }
  }

  @Test("Electrocardiograms, food and energy are those of the truth")
  func others() throws {
    let recordings = export.truth.electrocardiograms
    try #require(!recordings.isEmpty)
    let hearts = try answer(.electrocardiograms)
    for (name, rows) in Dictionary(grouping: recordings, by: \.classification) {
      #expect(hearts[name] == [Double(rows.count)])
    }
    let meals = export.truth.correlations.filter { $0.type.hasSuffix("Food") }
    try #require(!meals.isEmpty)
    let food = try answer(.food)
    #expect(food.count == meals.count)
    #expect(food.texts("food")?.allSatisfy { $0 == "Red Snapper & Pineapple Salsa" } == true)
    let protein = meals.flatMap(\.members).filter { $0.type.hasSuffix("DietaryProtein") }
      .reduce(0) { $0 + $1.value }
    let found = (food["protein"] ?? []).compactMap(\.self).reduce(0, +)
    #expect(abs(found - protein) <= 1e-4 * protein && protein > 0)
    let energy = try answer(.totalEnergy, by: .day)
    #expect(energy["total"]?.contains { $0 != nil } == true)
    for row in 0..<energy.count {
      guard let total = energy["total"]?[row] else { continue }
      let parts = ["active", "basal"].compactMap { energy[$0]?[row] }
      #expect(parts.reduce(0, +) == total)
    }
  }

  @Test("Lab results are what another parser reads in the documents")
  func labs() throws {
    let documents = try export.store.clinicalRecords().rows.compactMap { row in
      try JSONSerialization.jsonObject(with: Data(row.resource)) as? [String: Any]
    }
    let known = documents.compactMap { document -> (value: Double, unit: String, date: String)? in
      guard document["resourceType"] as? String == "Observation",
        let quantity = document["valueQuantity"] as? [String: Any],
        let value = quantity["value"] as? Double, let unit = quantity["unit"] as? String,
        let date = document["effectiveDateTime"] as? String
      else { return nil }
      return (value, unit, date)
    }
    try #require(!known.isEmpty)
    let answer = try answer(.labResults)
    #expect(answer.count == known.count && answer.unreadable == 0)
    let values = (answer["value"] ?? []).compactMap(\.self)
    #expect(values.sorted() == known.map(\.value).sorted())
    #expect(Set(answer.texts("unit") ?? []) == Set(known.map(\.unit)))
    let dates = answer.starts.map { LocalTime($0, in: ZoneTimeline(paris)).dateText }
    #expect(dates == known.map(\.date).sorted())
    #expect(Set(answer.texts("name") ?? []) == ["Hemoglobin A1c/Hemoglobin.total in Blood"])
  }

  @Test("Every question has a table, and names find it in any style")
  func reports() throws {
    for question in ElementQuestion.allCases { try check(question) }
  }

  private func check(_ question: ElementQuestion) throws {
    #expect(ElementQuestion(named: question.rawValue.uppercased()) == question)
    #expect(ElementQuestion(named: "steps") == nil)
    let answer = try answer(question, by: .month)
    let scratch = try Scratch()
    for format in ListFormat.allCases {
      let path = scratch.path(format.rawValue)
      let output = try TextOutput(path: path, replacing: false)
      try ElementReport(answer: answer, interval: CalendarInterval(.month)).report()
        .write(as: format, style: .plain, to: output)
      try output.finish()
      let text = try scratch.text(format.rawValue)
      switch format {
      case .json:
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let rows = document?[answer.rows == .intervals ? "intervals" : answer.question]
        #expect((rows as? [[String: Any]])?.count == answer.count)
      case .ndjson, .csv, .tsv:
        let lines = text.split(separator: "\n").count
        #expect(!text.prefix { $0 != "\n" }.contains(",_"))
        #expect(lines == answer.count + (format == .ndjson ? 0 : 1))
      case .table:
        let title = text.prefix { $0 != "," }.lowercased().filter(\.isLetter)
        #expect(title.hasPrefix(answer.question.lowercased()))
      }
    }
    let chart = ElementReport(answer: answer, interval: CalendarInterval(.month))
      .chart(width: 80, style: .plain)
    #expect(answer.count == 0 || !chart.isEmpty)
  }
}
