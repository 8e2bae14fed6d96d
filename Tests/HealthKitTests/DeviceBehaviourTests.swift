import Foundation
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthKit

/// What devices are seen to do, or Apple's pages and headers say, one test for each row of the list
/// of differences: its name begins with the number of the row.
@Suite struct DeviceBehaviourTests {
  private let steps = HKQuantityType(.stepCount)
  private let mass = HKQuantityType(.bodyMass)

  private func count(_ value: Double) -> HKQuantity {
    HKQuantity(unit: .count(), doubleValue: value)
  }

  // MARK: Values

  @Test("K1: A quantity that is not finite can be made, and not saved")
  func notFinite() async throws {
    let file = try HealthFile()
    let pressure = [
      HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic),
    ]
    let store = try await file.allowedStore(
      "com.example.diary", [steps, pressure[0], pressure[1]])
    for value in [Double.nan, .infinity, -.infinity] {
      let sample = Trial.steps(value)
      #expect(sample.quantity.doubleValue(for: .count()).isFinite == false)
      #expect(
        try HKQuantitySample.validated(
          type: steps, quantity: count(value), start: Trial.date(0), end: Trial.date(0)
        ).quantityType == steps)
      #expect(
        await healthError { try await store.save([Trial.steps(1), sample]) }
          == .errorInvalidArgument)
      let members = zip(pressure, [value, 80]).map {
        HKQuantitySample(
          type: $0, quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: $1),
          start: Trial.date(0), end: Trial.date(0))
      }
      let correlation = HKCorrelation(
        type: HKCorrelationType(.bloodPressure), start: Trial.date(0), end: Trial.date(0),
        objects: Set(members))
      #expect(await healthError { try await store.save(correlation) } == .errorInvalidArgument)
    }
    #expect(try file.rows(.stepCount).isEmpty && file.rows(.bloodPressureDiastolic).isEmpty)
  }

  @Test("K5: An initializer makes the class that is asked")
  func classes() async throws {
    let depth = HKQuantityType(.underwaterDepth)
    #expect(depth.aggregationStyle != .cumulative)
    let metres = HKQuantity(unit: .meter(), doubleValue: 12)
    let sample = HKCumulativeQuantitySample(
      type: depth, quantity: metres, start: Trial.date(0), end: Trial.date(1))
    #expect(type(of: sample) == HKCumulativeQuantitySample.self && sample.sumQuantity == metres)
    let discrete = HKDiscreteQuantitySample(
      type: steps, quantity: count(3), start: Trial.date(0), end: Trial.date(1))
    #expect(type(of: discrete) == HKDiscreteQuantitySample.self)
    #expect(discrete.averageQuantity == count(3))
    let series = HKCumulativeQuantitySeriesSample(
      type: steps, quantity: count(3), start: Trial.date(0), end: Trial.date(1))
    #expect(type(of: series) == HKCumulativeQuantitySeriesSample.self && series.sum == count(3))
    let usual = HKQuantitySample(
      type: depth, quantity: metres, start: Trial.date(0), end: Trial.date(1))
    #expect(type(of: usual) == HKDiscreteQuantitySample.self)

    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.diary", [depth])
    try await store.save(sample)
    let found = try #require(try await store.samples([depth]).first)
    #expect(found.uuid == sample.uuid && found is HKDiscreteQuantitySample)
  }

  @Test("K7: A place has the accuracies of course and speed, and a floor that is not known")
  func places() {
    let point = RouteLocation.Coordinate(latitude: 50, longitude: 4)
    let place = RouteLocation(
      coordinate: point, altitude: 1, horizontalAccuracy: 2, verticalAccuracy: 3, course: 4,
      courseAccuracy: 5, speed: 6, speedAccuracy: 7, timestamp: Trial.date(8))
    #expect(place.courseAccuracy == 5 && place.speedAccuracy == 7 && place.floor?.level == nil)
    #expect(place.course == 4 && place.speed == 6)
    // As in Core Location, what the shorter initializers do not say is negative.
    let short = RouteLocation(
      coordinate: point, altitude: 1, horizontalAccuracy: 2, verticalAccuracy: 3, course: 4,
      speed: 6, timestamp: Trial.date(8))
    #expect(short.courseAccuracy < 0 && short.speedAccuracy < 0 && short != place)
    let bare = RouteLocation(latitude: 50, longitude: 4)
    #expect(bare.courseAccuracy < 0 && bare.speedAccuracy < 0 && bare.floor == nil)
  }

  @Test("K9: Numbers of metadata that JSONSerialization read are saved with all their digits")
  func decimals() async throws {
    var random = SplitMix64(seed: 9)
    var numbers = [0.906_040_268_456_375_75, 1e-7 / 3, 1e22 / 7]
    numbers += (0..<40).map { _ in Double.random(in: -100...100, using: &random) }
    let texts = numbers.map { String(format: "%.17g", $0) }
    let json = "[" + texts.joined(separator: ", ") + "]"
    let read = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [Any])
    let metadata = Dictionary(uniqueKeysWithValues: zip(texts, read))
    let file = try HealthFile()
    let store = try await file.allowedStore()
    try await store.save(Trial.steps(1, metadata: metadata))
    let saved = try #require(try await store.samples([steps]).first?.metadata)
    for (text, number) in zip(texts, numbers) { #expect(saved[text] as? Double == number) }
    // A predicate reads the number in the same way.
    for (text, value) in metadata {
      let predicate = HKQuery.predicateForObjects(
        withMetadataKey: text, operatorType: .equalTo, value: value)
      #expect(try await store.samples([steps], predicate).count == 1, "\(text)")
    }
  }

  @Test("K10: Equality is the same in all units, and agrees with the hash")
  func equality() {
    let mole = HKUnit.moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose)
    let units = [
      mole.unitDivided(by: .liter()), HKUnit(from: "mg/dL"), HKUnit(from: "g/L"),
      HKUnit(from: "kg/m^3"),
    ]
    var random = SplitMix64(seed: 10)
    var equalNeighbours = 0
    for _ in 0..<300 {
      let value = Double.random(in: 1...400, using: &random)
      var group = [value.nextDown, value, value.nextUp].map {
        HKQuantity(unit: units[0], doubleValue: $0)
      }
      group += units.dropFirst().map {
        HKQuantity(unit: $0, doubleValue: group[1].doubleValue(for: $0))
      }
      if group[1] == group[0] || group[1] == group[2] { equalNeighbours += 1 }
      for a in group {
        for b in group where a == b {
          #expect(b == a && a.hash == b.hash)
          for c in group where b == c { #expect(a == c) }
        }
      }
    }
    // The price: some neighbouring numbers of one unit are equal.
    #expect(equalNeighbours > 0)
  }

  @Test("New: The heart rate variability of iOS 27 is in milliseconds and discrete")
  func variability() {
    // The header of the SDK: kingstinct/react-native-healthkit#388.
    let type = HKQuantityType(.heartRateVariabilityRMSSD)
    #expect(type.aggregationStyle == .discreteArithmetic)
    #expect(type.is(compatibleWith: .secondUnit(with: .milli)))
  }

  // MARK: Saving and deleting

  @Test("2.17: A blood pressure has one systolic and one diastolic sample")
  func members() throws {
    func pressure(_ identifier: HKQuantityTypeIdentifier, _ value: Double) -> HKSample {
      HKQuantitySample(
        type: HKQuantityType(identifier),
        quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value),
        start: Trial.date(0), end: Trial.date(0))
    }
    let one = [pressure(.bloodPressureSystolic, 120), pressure(.bloodPressureDiastolic, 80)]
    func correlation(_ objects: [HKSample], _ identifier: HKCorrelationTypeIdentifier) throws {
      _ = try HKCorrelation.validated(
        type: HKCorrelationType(identifier), start: Trial.date(0), end: Trial.date(0),
        objects: Set(objects))
    }
    try correlation(one, .bloodPressure)
    for more in [pressure(.bloodPressureSystolic, 121), pressure(.bloodPressureDiastolic, 81)] {
      let error = #expect(throws: ObjectError.self) {
        try correlation(one + [more], .bloodPressure)
      }
      #expect(
        error?.reason
          == .repeatedObject(
            type: HKCorrelationTypeIdentifier.bloodPressure.rawValue,
            object: more.sampleType.identifier))
    }
    // Food takes any number of samples of a nutrient.
    let sugar = (1...2).map {
      HKQuantitySample(
        type: HKQuantityType(.dietarySugar),
        quantity: HKQuantity(unit: .gram(), doubleValue: Double($0)), start: Trial.date(0),
        end: Trial.date(0))
    }
    try correlation(sugar, .food)
  }
}
