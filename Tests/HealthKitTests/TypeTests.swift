import HealthKit
import Testing
import _HealthTestSupport

@Suite struct TypeTests {
  @Test("every quantity type of the table is there, with its style and its unit")
  func quantityTypes() throws {
    let styles: [String: HKQuantityAggregationStyle] = [
      "cumulative": .cumulative, "discreteArithmetic": .discreteArithmetic,
      "discreteTemporallyWeighted": .discreteTemporallyWeighted,
      "discreteEquivalentContinuousLevel": .discreteEquivalentContinuousLevel,
    ]
    var counted = 0
    for row in try References.table("catalogue/quantity_types.tsv") {
      let identifier = HKQuantityTypeIdentifier(rawValue: row["identifier"] ?? "")
      let type = try #require(HKObjectType.quantityType(forIdentifier: identifier))
      #expect(type == HKQuantityType(identifier))
      #expect(type.identifier == identifier.rawValue)
      if let style = styles[row["aggregation_style"] ?? ""] {
        #expect(type.aggregationStyle == style, "\(type)")
        counted += 1
      }
      #expect(type.is(compatibleWith: HKUnit(from: row["canonical_unitString"] ?? "")))
      #expect(!type.is(compatibleWith: HKUnit(from: "K^7·V")))
      #expect(try archived(type) == type)
    }
    #expect(counted > 100)
    #expect(HKObjectType.quantityType(forIdentifier: .init(rawValue: "HKNothing")) == nil)
  }

  @Test("every category, correlation, characteristic and other type of the tables is there")
  func otherTypes() throws {
    for row in try References.table("catalogue/category_types.tsv") {
      let identifier = HKCategoryTypeIdentifier(rawValue: row["identifier_string"] ?? "")
      let type = try #require(HKObjectType.categoryType(forIdentifier: identifier))
      #expect(type == HKCategoryType(identifier))
      #expect(try archived(type) == type)
    }
    for row in try References.table("catalogue/correlation_types.tsv") {
      let identifier = HKCorrelationTypeIdentifier(rawValue: row["identifier"] ?? "")
      let type = try #require(HKObjectType.correlationType(forIdentifier: identifier))
      #expect(type == HKCorrelationType(identifier))
      #expect(try archived(type) == type)
    }
    for row in try References.table("catalogue/characteristic_types.tsv")
    where row["identifier"]?.hasPrefix("(private)") == false {
      let identifier = HKCharacteristicTypeIdentifier(rawValue: row["identifier"] ?? "")
      let type = try #require(HKObjectType.characteristicType(forIdentifier: identifier))
      #expect(try archived(type) == type)
    }
    let made: [String: HKObjectType] = [
      "HKWorkoutType": .workoutType(), "HKActivitySummaryType": .activitySummaryType(),
      "HKElectrocardiogramType": .electrocardiogramType(),
      "HKAudiogramSampleType": .audiogramSampleType(),
      "HKPrescriptionType": .visionPrescriptionType(), "HKStateOfMindType": .stateOfMindType(),
      "HKMedicationDoseEventType": .medicationDoseEventType(),
      "HKUserAnnotatedMedicationType": .userAnnotatedMedicationType(),
    ]
    for row in try References.table("catalogue/other_types.tsv") {
      let identifier = String((row["identifier_string"] ?? "").prefix { $0 != " " })
      let type: HKObjectType?
      switch row["type_class"] ?? "" {
      case "HKSeriesType": type = HKObjectType.seriesType(forIdentifier: identifier)
      case "HKDocumentType":
        type = HKObjectType.documentType(forIdentifier: .init(rawValue: identifier))
      case "HKClinicalType":
        type = HKObjectType.clinicalType(forIdentifier: .init(rawValue: identifier))
      case "HKScoredAssessmentType":
        type = HKScoredAssessmentType(.init(rawValue: identifier))
      case let name where made[name] != nil: type = made[name]
      default: continue
      }
      let found = try #require(type, "\(identifier)")
      #expect(found.identifier == identifier)
      #expect(try archived(found) == found)
    }
    #expect(HKSeriesType.heartbeat().identifier == "HKDataTypeIdentifierHeartbeatSeries")
    #expect(HKSeriesType.workoutRoute().identifier == HKWorkoutRouteTypeIdentifier)
    #expect(HKObjectType.seriesType(forIdentifier: "HKWorkoutTypeIdentifier") == nil)
    #expect(HKObjectType.clinicalType(forIdentifier: .init(rawValue: "HKNothing")) == nil)
  }

  @Test("types of one identifier are equal, types of two classes are not")
  func equality() {
    let steps: Set<HKObjectType> = [
      HKQuantityType(.stepCount), HKQuantityType(.stepCount), HKCategoryType(.sleepAnalysis),
    ]
    #expect(steps.count == 2)
    #expect(
      steps.contains(HKObjectType.categoryType(forIdentifier: .sleepAnalysis) ?? .workoutType()))
    #expect(HKObjectType.workoutType() == HKSampleType.workoutType())
    #expect(HKQuantityType(.stepCount).hash == HKQuantityType(.stepCount).hash)
  }

  @Test("durations are restricted, except of states that last")
  func durations() {
    #expect(HKQuantityType(.stepCount).isMaximumDurationRestricted)
    #expect(HKQuantityType(.stepCount).maximumAllowedDuration == 4 * 86400)
    #expect(!HKCategoryType(.pregnancy).isMaximumDurationRestricted)
    #expect(HKCategoryType(.pregnancy).maximumAllowedDuration == .infinity)
    #expect(HKQuantityType(.environmentalAudioExposure).isMinimumDurationRestricted)
    #expect(HKQuantityType(.environmentalAudioExposure).minimumAllowedDuration > 0)
    #expect(!HKQuantityType(.heartRate).isMinimumDurationRestricted)
    #expect(HKObjectType.visionPrescriptionType().requiresPerObjectAuthorization())
    #expect(HKObjectType.userAnnotatedMedicationType().requiresPerObjectAuthorization())
    #expect(!HKObjectType.workoutType().requiresPerObjectAuthorization())
  }

  @Test("a type that is not in the catalogue traps")
  func traps() async {
    let quantity = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = HKQuantityType(.init(rawValue: "HKNothing")) }
    expectWords("Unknown type identifier: HKNothing", quantity)
    let category = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = HKCategoryType(.init(rawValue: "HKNothing")) }
    expectWords("Unknown type identifier: HKNothing", category)
  }
}

/// Expects that a program ended with the words of an error.
func expectWords(
  _ words: String, _ result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  #expect(text.contains(words), "\(text)", sourceLocation: sourceLocation)
}
