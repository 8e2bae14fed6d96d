import HealthSamples
import HealthUnits
import Testing

@testable import HealthReport

@Suite("Measures of a report")
struct MeasureTests {
  @Test("stand in the order of the design, a family after another")
  func order() {
    let ids = Set(Measures.all.map(\.id))
    #expect(ids.count == Measures.all.count)
    let families = Measures.all.map(\.family)
    let firsts = families.indices.filter { $0 == 0 || families[$0] != families[$0 - 1] }
    #expect(firsts.map { families[$0] } == Measure.Family.allCases)
    let heart = [
      "restingHeartRate", "heartRateVariabilitySDNN", "heartRate", "walkingHeartRateAverage",
      "vo2Max", "oxygenSaturation", "respiratoryRate",
    ]
    let orders = heart.map { Measure.of($0).order }
    #expect(orders == orders.sorted())
  }

  @Test("have a name in every language, which no other measure has")
  func names() {
    #expect(Measures.all.allSatisfy { MeasureNames.byIdentifier[$0.id] != nil })
    #expect(MeasureNames.rows.allSatisfy { Measures.byIdentifier[$0.id] != nil })
    #expect(MeasureNames.rows.count > 70)
    for base in ReportLanguage.Base.allCases {
      let titles = MeasureNames.rows.map { $0[base].title }
      #expect(Set(titles).count == titles.count)
      for row in MeasureNames.rows {
        #expect(!row[base].title.isEmpty && !row[base].phrase.contains("("), "\(row.id)")
        #expect(row[base].title.first?.isLowercase == false, "\(row.id)")
      }
    }
  }

  @Test("have a unit of their type, and its kind of words")
  func units() throws {
    for measure in Measures.all {
      let type = try? Catalogue.type(named: measure.id)
      guard let type, let everyday = type.everydayUnit() else { continue }
      #expect(type.name == measure.id)
      #expect(everyday.shortDescription == measure.unit, "\(measure.id)")
      let isSum = type.style == .cumulative
      let isAmount = [.counted, .mass].contains(measure.comparison)
      #expect(measure.isSum == isSum && isAmount == isSum, "\(measure.id)")
      let isLength = ["m", "cm"].contains(measure.unit) && !isSum
      #expect([.length, .size].contains(measure.comparison) == isLength, "\(measure.id)")
    }
  }

  @Test("cover the catalogue", arguments: Catalogue.quantityTypes.map(\.swiftName))
  func catalogue(id: String) throws {
    let measure = Measure.of(id)
    #expect(measure.id == id && (0...3).contains(measure.digits))
    for base in ReportLanguage.Base.allCases {
      #expect(!measure.name(in: base).title.isEmpty)
      let name = UnitNames.name(of: measure, base)
      if measure.unit != "count", measure.unit != "appleEffortScore" {
        #expect(!name.one.isEmpty && !name.other.isEmpty)
      }
      #expect(!name.other.contains("count") && !name.other.contains("_"))
    }
  }

  @Test("without a row are described by the catalogue")
  func fallback() {
    let zinc = Measure.of("dietaryZinc")
    #expect(zinc.family == .food && zinc.unit == "mg" && zinc.per == .day)
    #expect(zinc.name(in: .german).title == "Zinc" && zinc.comparison == .mass)
    let rowing = Measure.of("rowingSpeed")
    #expect(rowing.family == .activity && rowing.unit == "km/hr" && rowing.digits == 1)
    #expect(rowing.name(in: .english).title == "Rowing speed" && rowing.per == .none)
    #expect(Measure.of("runningStrideLength").comparison == .size)
    let own = Measure.of("app.example.coffee")
    #expect(own.family == .activity && own.comparison == .level)
  }

  @Test(
    "without a name have the words of their type",
    arguments: [
      ("distanceRowing", "Distance rowing"), ("dietaryVitaminC", "Vitamin C"),
      ("dietaryVitaminB12", "Vitamin B12"),
      ("uvExposure", "UV exposure"),
      ("heartRateVariabilitySDNN", "Heart rate variability SDNN"),
      ("dietaryFatMonounsaturated", "Fat monounsaturated"), ("taiChi", "Tai chi"), ("", ""),
    ])
  func spelledOut(id: String, words: String) {
    #expect(Measure.words(of: id) == words)
  }

  @Test("have as many more decimals in another unit as in their own")
  func digits() {
    #expect(Measure.of("bloodGlucose").digits(in: "mmol/L") == 1)
    #expect(Measure.of("bloodGlucose").digits(in: "mg/dL") == 0)
    #expect(Measure.of("bodyMass").digits(in: "lb") == 1)
    #expect(Measure.of("appleSleepingWristTemperature").digits(in: "degF") == 2)
    #expect(Measure.of("distanceWalkingRunning").digits(in: "m") == 0)
  }

  @Test(
    "have three significant digits where the usual decimals would leave none",
    arguments: [
      ("dietaryVitaminB12", "mg", 0.003, 5), ("dietaryVitaminB12", "mcg", 2.4, 2),
      ("dietaryVitaminB12", "mcg", 24, 0), ("electrodermalActivity", "S", 1.2e-6, 8),
      ("dietarySugar", "g", 0.5, 3), ("dietarySugar", "g", 50, 0), ("dietaryWater", "L", 0.8, 1),
      ("bodyMass", "kg", 66.9, 1), ("bodyMass", "kg", 1e-300, 1), ("bodyMass", "kg", 0, 1),
      ("restingHeartRate", "count/min", 57, 0), ("oxygenSaturation", "%", 0.97, 1),
      ("bloodAlcoholContent", "%", 0.000_02, 5), ("stepCount", "count", 0.4, 0),
      ("sleep", "min", 0.1, 0), ("bloodGlucose", "mmol/L", .infinity, 1),
    ] as [(String, String, Double, Int)])
  func small(id: String, unit: String, magnitude: Double, digits: Int) {
    var measure = Measure.of(id)
    measure.moreDigits = measure.moreDigits(for: magnitude, in: unit)
    #expect(measure.digits(in: unit) == digits)
    // Deciding again decides the same.
    #expect(measure.moreDigits(for: magnitude, in: unit) == measure.moreDigits)
    let number = NumberWriter(.english).number(240, of: measure, in: unit)
    #expect(digits != 2 || number == "2.40")
  }
}
