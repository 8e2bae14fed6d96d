import HealthKit
import Testing
import _HealthTestSupport

@Suite struct SampleTests {
  static let start = Date(timeIntervalSinceReferenceDate: 700_000_000.125)
  static let end = start.addingTimeInterval(600)

  @Test("a sample of every quantity type is made, archived and read back, equal in every property")
  func quantitySamples() throws {
    for row in try References.table("catalogue/quantity_types.tsv") {
      let type = HKQuantityType(.init(rawValue: row["identifier"] ?? ""))
      let unit = HKUnit(from: row["canonical_unitString"] ?? "")
      var metadata: [String: Any] = [HKMetadataKeyWasUserEntered: true, "note": "text"]
      if type == HKQuantityType(.insulinDelivery) {
        metadata[HKMetadataKeyInsulinDeliveryReason] = HKInsulinDeliveryReason.basal.rawValue
      }
      let sample = HKQuantitySample(
        type: type, quantity: HKQuantity(unit: unit, doubleValue: 0.1 + 0.2), start: Self.start,
        end: Self.end, device: .local(), metadata: metadata)
      #expect(sample.quantityType == type)
      #expect(sample.sampleType == type)
      #expect(
        type.aggregationStyle == .cumulative
          ? sample is HKCumulativeQuantitySample : sample is HKDiscreteQuantitySample)
      let copy = try archivedObject(sample)
      #expect(copy == sample)
      #expect(copy.startDate == sample.startDate)
      #expect(copy.endDate == sample.endDate)
      #expect(copy.quantity.doubleValue(for: unit).bitPattern == (0.1 + 0.2).bitPattern)
      #expect(copy.sourceRevision == sample.sourceRevision)
      #expect(copy.device == sample.device)
      #expect(copy.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true)
      #expect(copy.metadata?["note"] as? String == "text")
    }
  }

  @Test("a sample of every category type is made with each of its values, and with no other")
  func categorySamples() throws {
    let values = Dictionary(
      grouping: try References.table("catalogue/category_values.tsv"), by: { $0["enum"] ?? "" })
    for row in try References.table("catalogue/category_types.tsv") {
      let type = HKCategoryType(.init(rawValue: row["identifier_string"] ?? ""))
      let known = (values[row["value_enum"] ?? ""] ?? []).compactMap { Int($0["raw"] ?? "") }
      guard !known.isEmpty else { continue }
      let metadata: [String: Any]? =
        type == HKCategoryType(.menstrualFlow) ? [HKMetadataKeyMenstrualCycleStart: true] : nil
      for value in -1...(known.max() ?? 0) + 1 {
        let make = { () throws(ObjectError) in
          try HKCategorySample.validated(
            type: type, value: value, start: Self.start, end: Self.end, metadata: metadata)
        }
        if known.contains(value) {
          let sample = try make()
          let copy = try archivedObject(sample)
          #expect(copy == sample)
          #expect(copy.value == value)
          #expect(copy.categoryType == type)
        } else {
          let error = #expect(throws: ObjectError.self) { try make() }
          #expect(error?.description == "Value is not compatible with type \(type.identifier)")
        }
      }
    }
  }

  @Test("a correlation takes what its type takes, and no less")
  func correlations() throws {
    func pressure(_ identifier: HKQuantityTypeIdentifier, _ value: Double) -> HKSample {
      HKQuantitySample(
        type: HKQuantityType(identifier),
        quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value),
        start: Self.start, end: Self.start)
    }
    let (systolic, diastolic) = (
      pressure(.bloodPressureSystolic, 120), pressure(.bloodPressureDiastolic, 80)
    )
    let type = HKCorrelationType(.bloodPressure)
    let both = HKCorrelation(
      type: type, start: Self.start, end: Self.start, objects: [systolic, diastolic])
    #expect(both.objects(for: HKQuantityType(.bloodPressureSystolic)) == [systolic])
    let copy = try archivedObject(both)
    #expect(copy == both)
    #expect(copy.objects == both.objects)
    #expect(copy.correlationType == type)
    let sugar = HKQuantitySample(
      type: HKQuantityType(.dietarySugar), quantity: HKQuantity(unit: .gram(), doubleValue: 9),
      start: Self.start, end: Self.start)
    let food = HKCorrelation(
      type: HKCorrelationType(.food), start: Self.start, end: Self.start, objects: [sugar],
      metadata: [HKMetadataKeyFoodType: "Apple"])
    #expect(food.metadata?[HKMetadataKeyFoodType] as? String == "Apple")
    for (objects, words) in [
      ([], "HKCorrelation requires at least one HKSample object"),
      ([systolic], "requires an object of type HKQuantityTypeIdentifierBloodPressureDiastolic"),
      ([systolic, diastolic, sugar], "may not contain an object of type"),
    ] as [(Set<HKSample>, String)] {
      let error = #expect(throws: ObjectError.self) {
        try HKCorrelation.validated(
          type: type, start: Self.start, end: Self.start, objects: objects)
      }
      #expect(error?.description.contains(words) == true)
    }
  }

  /// What a sample is refused for, and the words.
  static let refusals: [(String, @Sendable () throws(ObjectError) -> HKSample)] = [
    (
      "HKDiscreteQuantitySample requires unit of type Mass. Incompatible unit: m",
      { () throws(ObjectError) in try sample(.bodyMass, .meter()) }
    ),
    (
      "startDate must be equal to or earlier than endDate",
      { () throws(ObjectError) in try sample(.stepCount, .count(), duration: -1) }
    ),
    (
      "exceed the maximum allowed duration for this sample type",
      { () throws(ObjectError) in try sample(.stepCount, .count(), duration: 345_601) }
    ),
    (
      "below the minimum allowed duration for this sample type",
      { () throws(ObjectError) in
        try sample(
          .environmentalAudioExposure, .decibelAWeightedSoundPressureLevel(), duration: 0)
      }
    ),
    (
      "can not have endDate of NSDate.distantFuture",
      { () throws(ObjectError) in
        try sample(.stepCount, .count(), duration: Date.distantFuture.timeIntervalSince(start))
      }
    ),
    (
      "HKMetadataKeySyncVersion may not be provided if HKMetadataKeySyncIdentifier is not provided",
      { () throws(ObjectError) in
        try sample(.stepCount, .count(), metadata: [HKMetadataKeySyncVersion: 1])
      }
    ),
    (
      "HKMetadataKeyMenstrualCycleStart is required",
      { () throws(ObjectError) in
        try HKCategorySample.validated(
          type: HKCategoryType(.menstrualFlow),
          value: HKCategoryValueMenstrualFlow.light.rawValue, start: start, end: end)
      }
    ),
    (
      "Value for metadata key own must be a string, a number, a date or a quantity",
      { () throws(ObjectError) in try sample(.stepCount, .count(), metadata: ["own": [1, 2]]) }
    ),
    (
      "Value for metadata key HKWasUserEntered must be of class NSNumber",
      { () throws(ObjectError) in
        try sample(.stepCount, .count(), metadata: [HKMetadataKeyWasUserEntered: "yes"])
      }
    ),
    (
      "Value for metadata key HKWeatherTemperature must be of class HKQuantity",
      { () throws(ObjectError) in
        try sample(
          .stepCount, .count(),
          metadata: [HKMetadataKeyWeatherTemperature: HKQuantity(unit: .gram(), doubleValue: 1)])
      }
    ),
  ]

  static func sample(
    _ identifier: HKQuantityTypeIdentifier, _ unit: HKUnit, value: Double = 1,
    duration: TimeInterval = 1, metadata: [String: Any]? = nil
  ) throws(ObjectError) -> HKSample {
    try HKQuantitySample.validated(
      type: HKQuantityType(identifier), quantity: HKQuantity(unit: unit, doubleValue: value),
      start: start, end: start.addingTimeInterval(duration), metadata: metadata)
  }

  @Test(
    "what a sample is refused for is thrown in words without values and dates", arguments: 0..<10)
  func refused(_ index: Int) {
    let (words, make) = Self.refusals[index]
    let error = #expect(throws: ObjectError.self) { try make() }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    #expect(Self.refusals.count == 10)
  }

  @Test("the forms with Apple's names trap with the same words")
  func traps() async {
    let unit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKUnit(from: "ug")
    }
    expectWords("Unable to parse factorization string ug", unit)
    let conversion = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = HKQuantity(unit: .decibelAWeightedSoundPressureLevel(), doubleValue: 1)
        .doubleValue(for: .pascal())
    }
    expectWords("Attempt to convert incompatible units: dBASPL, Pa", conversion)
    let comparison = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = HKQuantity(unit: .gram(), doubleValue: 1)
        .compare(HKQuantity(unit: .meter(), doubleValue: 1))
    }
    expectWords("Attempt to convert incompatible units: m, g", comparison)
    let power = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKUnit.meter().unitRaised(toPower: 1000)
    }
    expectWords("The unit is out of range", power)
    let mole = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKUnit.moleUnit(withMolarMass: -1)
    }
    expectWords("The unit is out of range", mole)
    let formatter = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = HKUnit.massFormatterUnit(from: .meter()) }
    expectWords("No formatter unit corresponds to m", formatter)
    let sample = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKQuantitySample(
        type: HKQuantityType(.bodyMass),
        quantity: HKQuantity(unit: .meter(), doubleValue: 1), start: Trial.date(0),
        end: Trial.date(0))
    }
    expectWords(
      "HKDiscreteQuantitySample requires unit of type Mass. Incompatible unit: m", sample)
    let category = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = HKCategorySample(
        type: HKCategoryType(.cervicalMucusQuality), value: 0, start: Trial.date(0),
        end: Trial.date(0))
    }
    expectWords(
      "Value is not compatible with type HKCategoryTypeIdentifierCervicalMucusQuality", category)
    let correlation = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = HKCorrelation(
        type: HKCorrelationType(.food), start: Trial.date(0), end: Trial.date(0), objects: [])
    }
    expectWords("HKCorrelation requires at least one HKSample object", correlation)
  }

  @Test("metadata takes texts, numbers, dates and quantities, and gives them back")
  func metadata() throws {
    let date = Date(timeIntervalSinceReferenceDate: 0.25)
    let sample = try Self.sample(
      .stepCount, .count(),
      metadata: [
        "text": "a", "whole": 3, "number": 0.1, "flag": true, "date": date,
        HKMetadataKeyWeatherTemperature: HKQuantity(unit: .degreeCelsius(), doubleValue: 21),
        HKMetadataKeySyncIdentifier: "id", HKMetadataKeySyncVersion: 2,
      ])
    for copy in [sample, try archivedObject(sample)] {
      #expect(copy.metadata?["text"] as? String == "a")
      #expect(copy.metadata?["whole"] as? Int == 3)
      #expect(copy.metadata?["number"] as? Double == 0.1)
      #expect(copy.metadata?["flag"] as? Bool == true)
      #expect(copy.metadata?["date"] as? Date == date)
      #expect(
        copy.metadata?[HKMetadataKeyWeatherTemperature] as? HKQuantity
          == HKQuantity(unit: .degreeCelsius(), doubleValue: 21))
      #expect(copy.metadata?.count == 8)
    }
  }

  @Test("sources, revisions and devices archive and compare by their fields")
  func sources() throws {
    #expect(HKSource.default() == HKSource.default())
    #expect(try archived(HKSource.default()) == .default())
    let revision = HKSourceRevision(
      source: .default(), version: "1", productType: "Watch6,1",
      operatingSystemVersion: OperatingSystemVersion(
        majorVersion: 18, minorVersion: 4, patchVersion: 1))
    #expect(try archived(revision) == revision)
    #expect(try archived(revision).hash == revision.hash)
    #expect(revision != HKSourceRevision(source: .default(), version: "1"))
    let device = HKDevice(
      name: "Watch, name:odd", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: "W",
      firmwareVersion: nil, softwareVersion: "11", localIdentifier: "l", udiDeviceIdentifier: "u")
    let copy = try archived(device)
    #expect(copy == device)
    #expect(copy.name == "Watch, name:odd")
    #expect(copy.firmwareVersion == nil)
    #expect(copy.udiDeviceIdentifier == "u")
    #expect(HKDevice.local() != device)
  }
}

/// The object after an archive was written and read; its class may be a subclass.
func archivedObject<Object: HKObject>(_ object: Object) throws -> Object {
  let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
  let classes: [AnyClass] = [type(of: object)]
  let copy = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
  return try #require(copy as? Object)
}
