import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct BloodPressureGuidelineTests {
  private typealias Category = BloodPressureGuideline.Category

  /// The classes of whole numbers, as the guidelines' tables of ranges print them.
  ///
  /// Each has its systolic and its diastolic range. The "and" and "or" of the tables come to the
  /// higher class of both.
  private static let tables:
    [(
      guideline: BloodPressureGuideline, place: BloodPressureGuideline.Place,
      rows: [(Category, systolic: ClosedRange<Int>, diastolic: ClosedRange<Int>?)]
    )] = [
      (
        .ahaAcc2025, .office,
        [
          (.normal, 1...119, 1...79), (.elevated, 120...129, nil),
          (.stage1Hypertension, 130...139, 80...89), (.stage2Hypertension, 140...400, 90...399),
        ]
      ),
      (
        .ahaAcc2025, .home,
        [
          (.normal, 1...119, 1...79), (.elevated, 120...129, nil),
          (.stage1Hypertension, 130...134, 80...84), (.stage2Hypertension, 135...400, 85...399),
        ]
      ),
      (
        .esc2024, .office,
        [
          (.nonElevated, 1...119, 1...69), (.elevated, 120...139, 70...89),
          (.hypertension, 140...400, 90...399),
        ]
      ),
      (
        .esc2024, .home,
        [
          (.nonElevated, 1...119, 1...69), (.elevated, 120...134, 70...84),
          (.hypertension, 135...400, 85...399),
        ]
      ),
      (
        .esh2023, .office,
        [
          (.optimal, 1...119, 1...79), (.normal, 120...129, 80...84),
          (.highNormal, 130...139, 85...89),
          (.grade1Hypertension, 140...159, 90...99), (.grade2Hypertension, 160...179, 100...109),
          (.grade3Hypertension, 180...400, 110...399),
        ]
      ),
      (
        .esh2023, .home,
        [(.belowHypertension, 1...134, 1...84), (.hypertension, 135...400, 85...399)]
      ),
    ]

  @Test("Every pair of whole numbers has the class of the guidelines' tables")
  func everyPair() throws {
    #expect(Self.tables.count == BloodPressureGuideline.allCases.count * 2)
    for (guideline, place, rows) in Self.tables {
      #expect(guideline.categories(at: place) == rows.map(\.0))
      for systolic in 60...200 {
        for diastolic in 40..<min(systolic, 121) {
          let upper = rows.firstIndex { $0.systolic.contains(systolic) }
          let lower = rows.firstIndex { $0.diastolic?.contains(diastolic) ?? false }
          let expected = rows[max(try #require(upper), try #require(lower))].0
          let found = try guideline.classified(
            systolic: Double(systolic), diastolic: Double(diastolic), at: place)
          guard
            found.category == expected, found.systolicCategory == rows[try #require(upper)].0,
            found.diastolicCategory == rows[try #require(lower)].0
          else {
            Issue.record("\(guideline) \(place) \(systolic)/\(diastolic): \(found)")
            continue
          }
        }
      }
    }
  }

  @Test(
    "Readings on both sides of each edge, of one number at a time",
    arguments: [
      (BloodPressureGuideline.ahaAcc2025, BloodPressureGuideline.Place.office, 119, 79, "normal"),
      (.ahaAcc2025, .office, 120, 79, "elevated"), (.ahaAcc2025, .office, 129, 79, "elevated"),
      (.ahaAcc2025, .office, 119, 80, "stage1Hypertension"),
      (.ahaAcc2025, .office, 130, 79, "stage1Hypertension"),
      (.ahaAcc2025, .office, 139, 89, "stage1Hypertension"),
      (.ahaAcc2025, .office, 140, 79, "stage2Hypertension"),
      (.ahaAcc2025, .office, 119, 90, "stage2Hypertension"),
      (.ahaAcc2025, .home, 134, 84, "stage1Hypertension"),
      (.ahaAcc2025, .home, 135, 79, "stage2Hypertension"),
      (.ahaAcc2025, .home, 119, 85, "stage2Hypertension"),
      (.esc2024, .office, 119, 69, "nonElevated"), (.esc2024, .office, 120, 69, "elevated"),
      (.esc2024, .office, 119, 70, "elevated"), (.esc2024, .office, 139, 89, "elevated"),
      (.esc2024, .office, 140, 69, "hypertension"), (.esc2024, .office, 119, 90, "hypertension"),
      (.esc2024, .home, 134, 84, "elevated"), (.esc2024, .home, 135, 69, "hypertension"),
      (.esc2024, .home, 119, 85, "hypertension"), (.esh2023, .office, 119, 79, "optimal"),
      (.esh2023, .office, 120, 79, "normal"), (.esh2023, .office, 119, 80, "normal"),
      (.esh2023, .office, 129, 84, "normal"), (.esh2023, .office, 130, 79, "highNormal"),
      (.esh2023, .office, 119, 85, "highNormal"), (.esh2023, .office, 139, 89, "highNormal"),
      (.esh2023, .office, 140, 79, "grade1Hypertension"),
      (.esh2023, .office, 119, 90, "grade1Hypertension"),
      (.esh2023, .office, 159, 99, "grade1Hypertension"),
      (.esh2023, .office, 160, 79, "grade2Hypertension"),
      (.esh2023, .office, 119, 100, "grade2Hypertension"),
      (.esh2023, .office, 179, 109, "grade2Hypertension"),
      (.esh2023, .office, 180, 79, "grade3Hypertension"),
      (.esh2023, .office, 119, 110, "grade3Hypertension"),
      (.esh2023, .home, 134, 84, "belowHypertension"), (.esh2023, .home, 135, 84, "hypertension"),
      (.esh2023, .home, 134, 85, "hypertension"),
    ])
  func edges(
    guideline: BloodPressureGuideline, place: BloodPressureGuideline.Place, systolic: Int,
    diastolic: Int, name: String
  ) throws {
    let found = try guideline.classified(
      systolic: Double(systolic), diastolic: Double(diastolic), at: place)
    #expect(found.category.rawValue == name)
    #expect(found.guideline == guideline && found.place == place)
  }

  @Test("An average is not rounded: just below an edge is below it")
  func averages() throws {
    let esh = BloodPressureGuideline.esh2023
    #expect(try esh.classified(systolic: 129.6, diastolic: 70, at: .office).category == .normal)
    #expect(
      try esh.classified(systolic: 130.0.nextDown, diastolic: 84.9, at: .office).category
        == .normal)
    #expect(
      try esh.classified(systolic: 134.9, diastolic: 84.9, at: .home).category
        == .belowHypertension)
    #expect(try esh.classified(systolic: 100, diastolic: 85, at: .home).category == .hypertension)
  }

  @Test("The class never falls as a pressure rises, and is that of one of the numbers")
  func monotone() throws {
    var random = SplitMix64(seed: 51)
    for guideline in BloodPressureGuideline.allCases {
      for place in BloodPressureGuideline.Place.allCases {
        let categories = guideline.categories(at: place)
        for _ in 0..<500 {
          let diastolic = Double.random(in: 40...120, using: &random)
          let systolic = Double.random(in: diastolic + 1...200, using: &random)
          let low = try guideline.classified(systolic: systolic, diastolic: diastolic, at: place)
          let high = try guideline.classified(
            systolic: systolic + Double.random(in: 0...30, using: &random) + 30,
            diastolic: diastolic + Double.random(in: 0...30, using: &random), at: place)
          let places = [low, high].map { categories.firstIndex(of: $0.category) ?? -1 }
          #expect(places[0] >= 0 && places[0] <= places[1])
          #expect([low.systolicCategory, low.diastolicCategory].contains(low.category))
        }
      }
    }
  }

  @Test("A class says of what it is, by whom, and has no number in it")
  func words() throws {
    let found = try BloodPressureGuideline.esc2024.classified(
      systolic: 118, diastolic: 74, at: .home)
    #expect(found.description == "class of readings at home by ESC 2024: elevated")
    let office = try BloodPressureGuideline.esh2023.classified(
      systolic: 165, diastolic: 80, at: .office)
    #expect(
      office.description == "class of readings in an office by ESH 2023: grade 2 hypertension")
    #expect(
      Set(Category.allCases.map(\.name)).count == Category.allCases.count)
    #expect(Set(BloodPressureGuideline.allCases.map(\.name)).count == 3)
    // Every category is in a table.
    let used = BloodPressureGuideline.allCases.flatMap { guideline in
      BloodPressureGuideline.Place.allCases.flatMap { guideline.categories(at: $0) }
    }
    #expect(Set(used) == Set(Category.allCases))
  }

  @Test("What is no blood pressure is refused")
  func refusals() {
    func refusal(_ systolic: Double, _ diastolic: Double) -> AnalysisError? {
      do {
        _ = try BloodPressureGuideline.esc2024.classified(
          systolic: systolic, diastolic: diastolic, at: .home)
        return nil
      } catch { return error }
    }
    #expect(refusal(.nan, 80) == AnalysisError(.notFinite))
    #expect(refusal(120, .infinity) == AnalysisError(.notFinite))
    #expect(refusal(80, 120) == AnalysisError(.outOfRange))
    #expect(refusal(80, 80) == AnalysisError(.outOfRange))
    #expect(refusal(120, 0) == AnalysisError(.outOfRange))
    #expect(refusal(120, -1) == AnalysisError(.outOfRange))
    #expect(refusal(1e300, 1e299) == nil)
    #expect(refusal(1e-300, Double.leastNonzeroMagnitude) == nil)
  }
}
