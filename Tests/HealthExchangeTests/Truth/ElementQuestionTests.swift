import Foundation
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStore
import Testing

@testable import ExportGenerator

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
    let answer = try export.store.bloodPressure(BloodPressurePlan(period(.month)))
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
    let hearts = try export.store.electrocardiograms(ElectrocardiogramPlan(period()))
    for (name, rows) in Dictionary(grouping: recordings, by: \.classification) {
      #expect(hearts[name] == [Double(rows.count)])
    }
    let meals = export.truth.correlations.filter { $0.type.hasSuffix("Food") }
    try #require(!meals.isEmpty)
    let food = try export.store.food(FoodPlan(period()))
    #expect(food.count == meals.count)
    #expect(food.texts("food")?.allSatisfy { $0 == "Red Snapper & Pineapple Salsa" } == true)
    let protein = meals.flatMap(\.members).filter { $0.type.hasSuffix("DietaryProtein") }
      .reduce(0) { $0 + $1.value }
    let found = (food["protein"] ?? []).compactMap(\.self).reduce(0, +)
    #expect(abs(found - protein) <= 1e-4 * protein && protein > 0)
    let energy = try export.store.totalEnergy(EnergyPlan(period(.day)))
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
    let answer = try export.store.labResults(LabPlan(period()))
    #expect(answer.count == known.count && answer.unreadable == 0)
    let values = (answer["value"] ?? []).compactMap(\.self)
    #expect(values.sorted() == known.map(\.value).sorted())
    #expect(Set(answer.texts("unit") ?? []) == Set(known.map(\.unit)))
    let dates = answer.starts.map { LocalTime($0, in: ZoneTimeline(paris)).dateText }
    #expect(dates == known.map(\.date).sorted())
    #expect(Set(answer.texts("name") ?? []) == ["Hemoglobin A1c/Hemoglobin.total in Blood"])
  }
}
