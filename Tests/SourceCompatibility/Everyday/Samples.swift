import HealthKit
import Testing

/// Samples as apps make and read them.
@Suite
struct Samples {
  let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
  var end: Date { start.addingTimeInterval(1800) }

  @Test("A quantity sample holds what it was made of")
  func quantities() {
    let sample = HKQuantitySample(
      type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 1200),
      start: start, end: end,
      metadata: [HKMetadataKeyWasUserEntered: true, HKMetadataKeyTimeZone: "Europe/Paris"])
    #expect(sample.quantity.doubleValue(for: .count()) == 1200)
    #expect(sample.quantityType == sample.sampleType)
    #expect(sample.endDate.timeIntervalSince(sample.startDate) == 1800)
    #expect(sample.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true)
    #expect(sample.metadata?[HKMetadataKeyTimeZone] as? String == "Europe/Paris")
    #expect(
      sample.uuid
        != HKQuantitySample(
          type: sample.quantityType, quantity: sample.quantity, start: start, end: end
        ).uuid)
    #expect(sample.sourceRevision.source == HKSource.default())
    #expect(sample.device == nil)
  }

  @Test("A category sample's value is that of its enumeration")
  func categories() throws {
    let night = HKCategorySample(
      type: HKCategoryType(.sleepAnalysis),
      value: HKCategoryValueSleepAnalysis.asleepREM.rawValue, start: start, end: end)
    let stage = try #require(HKCategoryValueSleepAnalysis(rawValue: night.value))
    #expect(HKCategoryValueSleepAnalysis.allAsleepValues.contains(stage))
    switch stage {
    case .inBed, .awake: Issue.record("not asleep")
    case .asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM: break
    @unknown default: Issue.record("unknown")
    }
    let period = HKCategorySample(
      type: HKCategoryType(.menstrualFlow), value: HKCategoryValueMenstrualFlow.light.rawValue,
      start: start, end: end, metadata: [HKMetadataKeyMenstrualCycleStart: true])
    #expect(period.categoryType.identifier == "HKCategoryTypeIdentifierMenstrualFlow")
    let moment = HKCategorySample(
      type: HKCategoryType(.mindfulSession), value: HKCategoryValue.notApplicable.rawValue,
      start: start, end: end)
    #expect(moment.value == 0)
  }

  @Test("A correlation of blood pressure gives out its parts")
  func correlations() throws {
    let unit = HKUnit.millimeterOfMercury()
    func part(_ identifier: HKQuantityTypeIdentifier, _ value: Double) -> HKQuantitySample {
      HKQuantitySample(
        type: HKQuantityType(identifier), quantity: HKQuantity(unit: unit, doubleValue: value),
        start: start, end: start)
    }
    let parts: Set<HKSample> = [
      part(.bloodPressureSystolic, 120), part(.bloodPressureDiastolic, 80),
    ]
    let pressure = HKCorrelation(
      type: HKCorrelationType(.bloodPressure), start: start, end: start, objects: parts)
    #expect(pressure.objects.count == 2)
    let high = pressure.objects(for: HKQuantityType(.bloodPressureSystolic))
    let systolic = try #require(high.first as? HKQuantitySample)
    #expect(systolic.quantity.doubleValue(for: unit) == 120)
  }

  @Test("A device and a source revision say where a sample is from")
  func origins() {
    let device = HKDevice(
      name: "Meter", manufacturer: "Maker", model: "M1", hardwareVersion: "1",
      firmwareVersion: "2", softwareVersion: "3", localIdentifier: "abc",
      udiDeviceIdentifier: nil)
    let sample = HKQuantitySample(
      type: HKQuantityType(.bloodGlucose),
      quantity: HKQuantity(unit: HKUnit(from: "mg/dL"), doubleValue: 99), start: start, end: start,
      device: device, metadata: nil)
    #expect(sample.device?.model == "M1")
    #expect(sample.device == device)
    let revision = HKSourceRevision(
      source: .default(), version: "1.0", productType: "Watch1,1",
      operatingSystemVersion: OperatingSystemVersion(
        majorVersion: 11, minorVersion: 0, patchVersion: 1))
    #expect(revision.source.bundleIdentifier == HKSource.default().bundleIdentifier)
    #expect(revision.operatingSystemVersion.majorVersion == 11)
  }

  @Test("Lists of samples narrow to their class, and sort by key path")
  func lists() {
    let samples: [HKSample] = (0..<5).map { index in
      HKQuantitySample(
        type: HKQuantityType(.heartRate),
        quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: Double(60 + index)),
        start: start.addingTimeInterval(Double(-index)), end: start)
    }
    let quantities = samples as? [HKQuantitySample] ?? []
    #expect(quantities.count == 5)
    let sorted = quantities.sorted { $0.startDate < $1.startDate }
    #expect(sorted.map { $0.quantity.doubleValue(for: HKUnit(from: "count/min")) }.first == 64)
    #expect(samples.sorted(using: SortDescriptor(\.startDate, order: .reverse)).first == samples[0])
    #expect(Dictionary(grouping: samples, by: \.sampleType).count == 1)
  }
}
