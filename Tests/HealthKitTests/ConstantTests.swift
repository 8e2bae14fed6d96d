import HealthKit
import HealthSamples
import HealthUnits
import Testing
import _HealthTestSupport

/// The enumerations, options and constants of the module against the tables of the catalogue and
/// the published ones, both ways.
@Suite
struct ConstantTests {
  /// An enumeration of the module: its name in the tables, and its cases by raw value.
  struct Enumeration: Sendable, CustomTestStringConvertible {
    let name: String
    let cases: [Int: String]
    var testDescription: String { name }

    /// Asks for every raw value that is not far from those of the tables.
    init<Value: RawRepresentable>(
      _ name: String, _ type: Value.Type
    ) where Value.RawValue: FixedWidthInteger {
      self.name = name
      let candidates = (-10...4000).compactMap { raw in
        Value.RawValue(exactly: raw).flatMap(Value.init(rawValue:)).map { (raw, "\($0)") }
      }
      cases = Dictionary(uniqueKeysWithValues: candidates)
    }
  }

  static let enumerations: [Enumeration] = [
    .init("HKActivityMoveMode", HKActivityMoveMode.self),
    .init("HKAppleECGAlgorithmVersion", HKAppleECGAlgorithmVersion.self),
    .init(
      "HKAppleSleepingBreathingDisturbancesClassification",
      HKAppleSleepingBreathingDisturbancesClassification.self),
    .init("HKAppleWalkingSteadinessClassification", HKAppleWalkingSteadinessClassification.self),
    .init("HKAudiogramConductionType", HKAudiogramConductionType.self),
    .init("HKAudiogramSensitivityTestSide", HKAudiogramSensitivityTestSide.self),
    .init("HKAuthorizationRequestStatus", HKAuthorizationRequestStatus.self),
    .init("HKAuthorizationStatus", HKAuthorizationStatus.self),
    .init("HKBiologicalSex", HKBiologicalSex.self),
    .init("HKBloodGlucoseMealTime", HKBloodGlucoseMealTime.self),
    .init("HKBloodType", HKBloodType.self),
    .init("HKBodyTemperatureSensorLocation", HKBodyTemperatureSensorLocation.self),
    .init("HKCategoryValue", HKCategoryValue.self),
    .init("HKCategoryValueAppetiteChanges", HKCategoryValueAppetiteChanges.self),
    .init("HKCategoryValueAppleStandHour", HKCategoryValueAppleStandHour.self),
    .init(
      "HKCategoryValueAppleWalkingSteadinessEvent",
      HKCategoryValueAppleWalkingSteadinessEvent.self),
    .init("HKCategoryValueAudioExposureEvent", HKCategoryValueAudioExposureEvent.self),
    .init("HKCategoryValueCervicalMucusQuality", HKCategoryValueCervicalMucusQuality.self),
    .init("HKCategoryValueContraceptive", HKCategoryValueContraceptive.self),
    .init(
      "HKCategoryValueEnvironmentalAudioExposureEvent",
      HKCategoryValueEnvironmentalAudioExposureEvent.self),
    .init(
      "HKCategoryValueHeadphoneAudioExposureEvent",
      HKCategoryValueHeadphoneAudioExposureEvent.self),
    .init("HKCategoryValueLowCardioFitnessEvent", HKCategoryValueLowCardioFitnessEvent.self),
    .init("HKCategoryValueMenstrualFlow", HKCategoryValueMenstrualFlow.self),
    .init("HKCategoryValueOvulationTestResult", HKCategoryValueOvulationTestResult.self),
    .init("HKCategoryValuePregnancyTestResult", HKCategoryValuePregnancyTestResult.self),
    .init("HKCategoryValuePresence", HKCategoryValuePresence.self),
    .init("HKCategoryValueProgesteroneTestResult", HKCategoryValueProgesteroneTestResult.self),
    .init("HKCategoryValueSeverity", HKCategoryValueSeverity.self),
    .init("HKCategoryValueSleepAnalysis", HKCategoryValueSleepAnalysis.self),
    .init("HKCategoryValueVaginalBleeding", HKCategoryValueVaginalBleeding.self),
    .init(
      "HKCyclingFunctionalThresholdPowerTestType", HKCyclingFunctionalThresholdPowerTestType.self),
    .init("HKDevicePlacementSide", HKDevicePlacementSide.self),
    .init("HKElectrocardiogramClassification", HKElectrocardiogram.Classification.self),
    .init("HKElectrocardiogramLead", HKElectrocardiogram.Lead.self),
    .init("HKElectrocardiogramSymptomsStatus", HKElectrocardiogram.SymptomsStatus.self),
    .init("HKGAD7AssessmentAnswer", HKGAD7Assessment.Answer.self),
    .init("HKGAD7AssessmentRisk", HKGAD7Assessment.Risk.self),
    .init("HKPHQ9AssessmentAnswer", HKPHQ9Assessment.Answer.self),
    .init("HKPHQ9AssessmentRisk", HKPHQ9Assessment.Risk.self),
    .init("HKMedicationDoseEventLogStatus", HKMedicationDoseEvent.LogStatus.self),
    .init("HKMedicationDoseEventScheduleType", HKMedicationDoseEvent.ScheduleType.self),
    .init("HKStateOfMindAssociation", HKStateOfMind.Association.self),
    .init("HKStateOfMindKind", HKStateOfMind.Kind.self),
    .init("HKStateOfMindLabel", HKStateOfMind.Label.self),
    .init("HKStateOfMindValenceClassification", HKStateOfMind.ValenceClassification.self),
    .init("HKErrorCode", HKError.Code.self),
    .init("HKFitzpatrickSkinType", HKFitzpatrickSkinType.self),
    .init("HKHeartRateMotionContext", HKHeartRateMotionContext.self),
    .init("HKHeartRateRecoveryTestType", HKHeartRateRecoveryTestType.self),
    .init("HKHeartRateSensorLocation", HKHeartRateSensorLocation.self),
    .init("HKInsulinDeliveryReason", HKInsulinDeliveryReason.self),
    .init("HKMetricPrefix", HKMetricPrefix.self),
    .init("HKPhysicalEffortEstimationType", HKPhysicalEffortEstimationType.self),
    .init("HKPrismBase", HKPrismBase.self),
    .init("HKQuantityAggregationStyle", HKQuantityAggregationStyle.self),
    .init("HKSwimmingStrokeStyle", HKSwimmingStrokeStyle.self),
    .init("HKUpdateFrequency", HKUpdateFrequency.self),
    .init("HKUserMotionContext", HKUserMotionContext.self),
    .init("HKVO2MaxTestType", HKVO2MaxTestType.self),
    .init("HKVisionEye", HKVisionEye.self),
    .init("HKVisionPrescriptionType", HKVisionPrescriptionType.self),
    .init("HKWaterSalinity", HKWaterSalinity.self),
    .init("HKWeatherCondition", HKWeatherCondition.self),
    .init("HKWheelchairUse", HKWheelchairUse.self),
    .init("HKWorkoutActivityType", HKWorkoutActivityType.self),
    .init(
      "HKWorkoutEffortRelationshipQueryOptions", HKWorkoutEffortRelationshipQueryOptions.self),
    .init("HKWorkoutEventType", HKWorkoutEventType.self),
    .init("HKWorkoutSessionLocationType", HKWorkoutSessionLocationType.self),
    .init("HKWorkoutSessionState", HKWorkoutSessionState.self),
    .init("HKWorkoutSessionType", HKWorkoutSessionType.self),
    .init("HKWorkoutSwimmingLocationType", HKWorkoutSwimmingLocationType.self),
  ]

  /// The sets of options: the tables list them beside the enumerations.
  static let options: [String: [String: UInt]] = [
    "HKQueryOptions": [
      "none": ([] as HKQueryOptions).rawValue,
      "strictStartDate": HKQueryOptions.strictStartDate.rawValue,
      "strictEndDate": HKQueryOptions.strictEndDate.rawValue,
    ],
    "HKStatisticsOptions": [
      "none": ([] as HKStatisticsOptions).rawValue,
      "separateBySource": HKStatisticsOptions.separateBySource.rawValue,
      "discreteAverage": HKStatisticsOptions.discreteAverage.rawValue,
      "discreteMin": HKStatisticsOptions.discreteMin.rawValue,
      "discreteMax": HKStatisticsOptions.discreteMax.rawValue,
      "cumulativeSum": HKStatisticsOptions.cumulativeSum.rawValue,
      "mostRecent": HKStatisticsOptions.mostRecent.rawValue,
      "duration": HKStatisticsOptions.duration.rawValue,
    ],
  ]

  /// Enumerations of the tables that the module does not have, for the reasons that the document of
  /// the remaining interface gives.
  static let undeclared: Set = ["HKCategoryValueMenopausalState"]

  @Test(
    "Every case has the raw value of the tables, and there is no other",
    arguments: Self.enumerations)
  func cases(_ enumeration: Enumeration) throws {
    let catalogue = Catalogue.enumerationCases.filter { $0.enumeration == enumeration.name }
    let live = Set(catalogue.filter { !$0.isDeprecated }.compactMap(\.rawValue))
    var expected: [Int: String] = [:]
    for row in catalogue {
      let raw = try #require(row.rawValue)
      // A deprecated constant with the value of another is no case in Swift.
      guard !row.isDeprecated || !live.contains(raw) else { continue }
      expected[raw] = swiftCase(row.swiftName, of: enumeration.name)
    }
    #expect(enumeration.cases == expected)

    let rows = try References.table("catalogue/enums_all.tsv")
      .filter { $0["enum"] == enumeration.name }
    let published = Dictionary(
      grouping: try rows.map { row in
        let name = try #require(row["swift_case_guess"])
        let isErrorCode = enumeration.name == "HKErrorCode"
        let short = isErrorCode ? Catalogue.swiftName(of: name.dropFirst(2)) : name
        return (try number(row), swiftCase(short, of: enumeration.name))
      }, by: { $0.0 })
    #expect(Set(published.keys) == Set(enumeration.cases.keys))
    for (raw, names) in published {
      #expect(names.map { $0.1 }.contains(enumeration.cases[raw] ?? ""))
    }
  }

  @Test(
    "Every option has the bit of the tables", arguments: ["HKQueryOptions", "HKStatisticsOptions"])
  func bits(_ name: String) throws {
    let options = try #require(Self.options[name])
    let rows = try References.table("catalogue/enums_all.tsv").filter { $0["enum"] == name }
    let published = try rows.filter { $0["deprecated"] == "" }.map { row in
      (try #require(row["swift_case_guess"]), UInt(try number(row)))
    }
    #expect(options == Dictionary(uniqueKeysWithValues: published))
  }

  @Test("No enumeration of the tables is forgotten, and none of the module stands outside of them")
  func completeness() throws {
    let ours = Set(Self.enumerations.map(\.name)).union(Self.options.keys)
    let known = ours.union(Self.undeclared)
    #expect(Set(Catalogue.enumerationCases.map(\.enumeration)) == known)
    let published = try References.table("catalogue/enums_all.tsv").compactMap { $0["enum"] }
    #expect(Set(published).isSubset(of: known))
    #expect(ours.isSubset(of: published))
    #expect(Self.enumerations.count == Set(Self.enumerations.map(\.name)).count)
  }

  @Test("Older names stand for the constant with the same raw value")
  @available(*, deprecated)
  func olderNames() throws {
    let names: [(String, Int)] = [
      (
        "HKCategoryValueOvulationTestResultPositive",
        HKCategoryValueOvulationTestResult.positive.rawValue
      ),
      ("HKCategoryValueSleepAnalysisAsleep", HKCategoryValueSleepAnalysis.asleep.rawValue),
      ("HKNoError", HKError.noError.rawValue),
      ("HKNoError", HKError.Code.noError.rawValue),
      ("HKQuantityAggregationStyleDiscrete", HKQuantityAggregationStyle.discrete.rawValue),
      (
        "HKStatisticsOptionDiscreteMostRecent",
        Int(HKStatisticsOptions.discreteMostRecent.rawValue)
      ),
    ]
    for (constant, raw) in names {
      let row = try #require(Catalogue.enumerationCases.first { $0.constant == constant })
      #expect(row.isDeprecated)
      #expect(row.rawValue == raw, "\(constant)")
    }
    let aliases = Catalogue.enumerationCases.filter { row in
      row.isDeprecated
        && Catalogue.enumerationCases.contains {
          $0.enumeration == row.enumeration && $0.rawValue == row.rawValue && !$0.isDeprecated
        }
    }
    #expect(Set(aliases.map(\.constant)) == Set(names.map(\.0)))
  }

  @Test("The values of sleep are all but time in bed and awake")
  func sleep() {
    let others: Set<HKCategoryValueSleepAnalysis> = [.inBed, .awake]
    let all = Set((0...10).compactMap(HKCategoryValueSleepAnalysis.init(rawValue:)))
    #expect(HKCategoryValueSleepAnalysis.allAsleepValues == all.subtracting(others))
    #expect(all.count == 6)
  }

  @Test("Classifications list their cases")
  func classifications() throws {
    func isWhole<Value>(
      _ type: Value.Type, _ name: String
    ) throws -> Bool
    where Value: CaseIterable & RawRepresentable & Hashable, Value.RawValue == Int {
      let enumeration = try #require(Self.enumerations.first { $0.name == name })
      return Value.allCases.map(\.rawValue).sorted() == enumeration.cases.keys.sorted()
    }
    #expect(
      try isWhole(
        HKAppleWalkingSteadinessClassification.self, "HKAppleWalkingSteadinessClassification"))
    #expect(
      try isWhole(
        HKAppleSleepingBreathingDisturbancesClassification.self,
        "HKAppleSleepingBreathingDisturbancesClassification"))
  }

  @Test("Every metadata key has the published value, and none is missing")
  func metadataKeys() throws {
    let table = try References.table("catalogue/metadata_keys.tsv")
      .filter { $0["constant"]?.hasPrefix("HK") == true }
    #expect(table.map { $0["constant"] } == ConstantNames.metadataKeys.map(\.0))
    #expect(table.map { $0["string_value"] } == ConstantNames.metadataKeys.map(\.1))
    let catalogue = Catalogue.metadataKeys.filter { $0.constant != nil }
    #expect(catalogue.map(\.constant) == ConstantNames.metadataKeys.map(\.0))
    #expect(catalogue.map(\.key) == ConstantNames.metadataKeys.map(\.1))
  }

  @Test("Every other constant has the published value, and none is missing")
  func otherConstants() throws {
    // In Swift these are members of types.
    let members = ["HKFHIR", "HKVerifiableClinicalRecord", "HKHealthConceptDomain"]
    let table = try References.table("catalogue/other_constants.tsv").filter { row in
      !members.contains { row["constant"]?.hasPrefix($0) == true }
    }
    #expect(table.map { $0["constant"] } == ConstantNames.others.map(\.0))
    #expect(table.map { $0["string_value"] } == ConstantNames.others.map(\.1))
  }

  @Test("Constants that are members of a type have the published values")
  func memberConstants() throws {
    typealias Credential = HKVerifiableClinicalRecordCredentialType
    typealias Format = HKVerifiableClinicalRecordSourceType
    let members = [
      "HKVerifiableClinicalRecordCredentialTypeCOVID19": Credential.covid19.rawValue,
      "HKVerifiableClinicalRecordCredentialTypeImmunization": Credential.immunization.rawValue,
      "HKVerifiableClinicalRecordCredentialTypeLaboratory": Credential.laboratory.rawValue,
      "HKVerifiableClinicalRecordCredentialTypeRecovery": Credential.recovery.rawValue,
      "HKVerifiableClinicalRecordSourceTypeEUDigitalCOVIDCertificate":
        Format.euDigitalCOVIDCertificate.rawValue,
      "HKVerifiableClinicalRecordSourceTypeSMARTHealthCard": Format.smartHealthCard.rawValue,
      "HKHealthConceptDomainMedication": HKHealthConceptDomain.medication.rawValue,
    ]
    let pairs = try References.table("catalogue/other_constants.tsv").map { row in
      (try #require(row["constant"]), try #require(row["string_value"]))
    }
    let published = Dictionary(uniqueKeysWithValues: pairs).filter { name, _ in
      ["HKVerifiableClinicalRecord", "HKHealthConceptDomain"].contains { name.hasPrefix($0) }
    }
    #expect(members == published)
  }

  @Test("Constants of types have the identifiers of the catalogue")
  func typeConstants() throws {
    let rows = try References.table("catalogue/other_types.tsv")
    let constants = [
      ("HKWorkoutTypeIdentifier", HKWorkoutTypeIdentifier),
      ("HKWorkoutRouteTypeIdentifier", HKWorkoutRouteTypeIdentifier),
      ("HKDataTypeIdentifierHeartbeatSeries", HKDataTypeIdentifierHeartbeatSeries),
      ("HKVisionPrescriptionTypeIdentifier", HKVisionPrescriptionTypeIdentifier),
      ("HKDataTypeIdentifierStateOfMind", HKDataTypeIdentifierStateOfMind),
      (
        "HKDataTypeIdentifierUserAnnotatedMedicationConcept",
        HKDataTypeIdentifierUserAnnotatedMedicationConcept
      ),
    ]
    for (name, value) in constants {
      let row = try #require(rows.first { $0["constant"] == name }, "\(name)")
      #expect(row["identifier_string"] == value)
      #expect(Catalogue.otherTypes.contains { $0.identifier == value }, "\(name)")
    }
  }

  @Test("Limits, anchors and the molar mass are numbers of Apple's types")
  func numbers() throws {
    let limit: Int = HKObjectQueryNoLimit
    let anchor: Int32 = HKAnchoredObjectQueryNoAnchor
    #expect(limit == 0 && anchor == 0)
    let molarMass: Double = HKUnitMolarMassBloodGlucose
    let printed = try UnitExpression("mol<\(molarMass)>")
    #expect(try UnitExpression("mol<180.1558800000541>").isCompatible(with: printed))
    #expect(printed.description == "mol<180.1558800000541>")
    let any = HKSourceRevisionAnyOperatingSystem
    #expect(any.majorVersion < 0)
    #expect(
      NSNotification.Name.HKUserPreferencesDidChange.rawValue
        == "HKUserPreferencesDidChangeNotification")
  }

  /// The name that Swift gives to a case, where it is not that of the tables.
  private func swiftCase(_ name: String, of enumeration: String) -> String {
    switch enumeration {
    case "HKFitzpatrickSkinType": name == "notSet" ? name : name.uppercased()
    case "HKAppleECGAlgorithmVersion": "version" + name
    default: name
    }
  }

  /// The raw value of a published row: a number, a shift, or the name of another row.
  private func number(_ row: [String: String]) throws -> Int {
    let text = try #require(row["raw"])
    if let number = Int(text) { return number }
    let shift = text.split(separator: " << ").compactMap { Int($0) }
    if shift.count == 2 { return shift[0] << shift[1] }
    return try #require(text.split(separator: ".").last.flatMap { Int($0) })
  }
}
