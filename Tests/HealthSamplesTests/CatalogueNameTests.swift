import Testing
import _HealthTestSupport

@testable import HealthSamples

@Suite
struct CatalogueNameTests {
  @Test(
    "A type is found by every spelling that a person may use",
    arguments: [
      ("steps", HKQuantityTypeIdentifier.stepCount.rawValue),
      ("stepCount", HKQuantityTypeIdentifier.stepCount.rawValue),
      ("StepCount", HKQuantityTypeIdentifier.stepCount.rawValue),
      ("step-count", HKQuantityTypeIdentifier.stepCount.rawValue),
      ("STEP_COUNT", HKQuantityTypeIdentifier.stepCount.rawValue),
      (" step count ", HKQuantityTypeIdentifier.stepCount.rawValue),
      ("HKQuantityTypeIdentifierStepCount", HKQuantityTypeIdentifier.stepCount.rawValue),
      ("hkquantitytypeidentifierstepcount", HKQuantityTypeIdentifier.stepCount.rawValue),
      ("heart-rate", HKQuantityTypeIdentifier.heartRate.rawValue),
      ("hr", HKQuantityTypeIdentifier.heartRate.rawValue),
      ("weight", HKQuantityTypeIdentifier.bodyMass.rawValue),
      ("distance", HKQuantityTypeIdentifier.distanceWalkingRunning.rawValue),
      ("energy", HKQuantityTypeIdentifier.activeEnergyBurned.rawValue),
      ("calories", HKQuantityTypeIdentifier.activeEnergyBurned.rawValue),
      ("vo2max", HKQuantityTypeIdentifier.vo2Max.rawValue),
      ("sleep", HKCategoryTypeIdentifier.sleepAnalysis.rawValue),
      ("sleep-analysis", HKCategoryTypeIdentifier.sleepAnalysis.rawValue),
      (
        "environmentalAudioExposureEvent", HKCategoryTypeIdentifier.audioExposureEvent.rawValue
      ),
    ])
  func spellings(spelling: String, identifier: String) throws {
    #expect(try Catalogue.type(named: spelling).identifier == identifier)
  }

  @Test("Every type is found by its identifier, its constant's suffix and its Swift name")
  func everySpelling() throws {
    for row in Catalogue.quantityTypes {
      let suffix = row.identifier.rawValue.dropFirst("HKQuantityTypeIdentifier".count)
      for name in [row.identifier.rawValue, row.swiftName, String(suffix)] {
        #expect(try Catalogue.type(named: name).identifier == row.identifier.rawValue)
      }
    }
    for row in Catalogue.categoryTypes {
      let suffix = row.constant.dropFirst("HKCategoryTypeIdentifier".count)
      for name in [row.identifier.rawValue, row.swiftName, String(suffix)] {
        #expect(try Catalogue.type(named: name).identifier == row.identifier.rawValue)
      }
    }
  }

  @Test("No spelling names two types, and every word names a type")
  func spellingsAreUnique() {
    let byKey = Dictionary(grouping: Catalogue.names, by: \.key)
    for (key, names) in byKey {
      #expect(Set(names.map(\.type)).count == 1, "\(key)")
    }
    let known = Set(Catalogue.types.map(\.identifier))
    for word in Catalogue.words { #expect(known.contains(word.identifier), "\(word.spelling)") }
  }

  @Test(
    "A name with a typo is an error that suggests what was meant",
    arguments: [
      ("stepz", "steps"), ("setps", "steps"), ("stepcuont", "stepCount"),
      ("heartrat", "heartRate"), ("wieght", "weight"), ("sleeep", "sleep"),
      ("restingheartra", "restingHeartRate"),
      ("HKQuantityTypeIdentifierStepCounts", "HKQuantityTypeIdentifierStepCount"),
    ])
  func suggestions(name: String, suggestion: String) {
    let error = #expect(throws: CatalogueError.self) { try Catalogue.type(named: name) }
    #expect(error?.name == name)
    #expect(error?.suggestions.first == suggestion)
  }

  @Test("There are at most three suggestions, of different types, and each is a known name")
  func suggestionsAreKnown() throws {
    var random = SplitMix64(seed: 2)
    for _ in 0..<200 {
      let known = try #require(Catalogue.names.randomElement(using: &random))
      var letters = Array(known.key)
      let place = Int.random(in: 0..<letters.count, using: &random)
      letters[place] = "~"
      let error = #expect(throws: CatalogueError.self) {
        try Catalogue.type(named: String(letters))
      }
      let suggestions = try #require(error?.suggestions)
      #expect((letters.count < 3 || !suggestions.isEmpty) && suggestions.count <= 3)
      let types = try suggestions.map { try Catalogue.type(named: $0) }
      #expect(Set(types).count == suggestions.count)
    }
  }

  @Test(
    "A name like nothing known has no suggestion",
    arguments: [
      "", " ", "-", "qqqqqqqqqqqq", "\u{0}", "🏃", String(repeating: "steps", count: 100_000),
    ])
  func unlikeNames(name: String) {
    let error = #expect(throws: CatalogueError.self) { try Catalogue.type(named: name) }
    #expect(error?.suggestions == [])
  }

  @Test("Types that only a store knows are found and suggested too")
  func extraTypes() throws {
    let goal = SampleType(identifier: "HKDataTypeSleepDurationGoal", kind: .category)
    let own = SampleType(identifier: "com.example.Mood", kind: .category)
    let extra = [goal, own]
    #expect(try Catalogue.type(named: "sleep-duration-goal", besides: extra) == goal)
    #expect(try Catalogue.type(named: "HKDataTypeSleepDurationGoal", besides: extra) == goal)
    #expect(try Catalogue.type(named: "com.example.mood", besides: extra) == own)
    let error = #expect(throws: CatalogueError.self) {
      try Catalogue.type(named: "sleepDurationGaol", besides: extra)
    }
    #expect(error?.suggestions.first == "sleepDurationGoal")
    #expect(throws: CatalogueError.self) { try Catalogue.type(named: "sleepDurationGoal") }
  }
}
