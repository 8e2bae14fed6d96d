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

  @Test("A distance is that on the earth, in both directions")
  func distances() {
    func place(_ latitude: Double, _ longitude: Double, _ altitude: Double = 0) -> RouteLocation {
      RouteLocation(
        coordinate: .init(latitude: latitude, longitude: longitude), altitude: altitude,
        horizontalAccuracy: 5, verticalAccuracy: 5, timestamp: Trial.date(0))
    }
    // The quarter of a meridian of WGS 84 (NGA.STND.0036) is 10 001 966 m: a sphere is within 0.5 %.
    let quarter = place(0, 7).distance(from: place(90, 0))
    #expect(abs(quarter / 10_001_966 - 1) < 0.005)
    let (ghent, liege) = (place(51.05, 3.72), place(50.63, 5.57, 900))
    #expect(ghent.distance(from: liege) == liege.distance(from: ghent))
    #expect(ghent.distance(from: place(51.05, 3.72, 900)) == 0)
    #expect((130_000...140_000).contains(ghent.distance(from: liege)))
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

  // MARK: Permission

  @Test("K11, 2.1: A type that was asked to be read only is denied to be shared")
  func readingOnly() async throws {
    let file = try HealthFile()
    for isAllowed in [true, false] {
      let store = file.store("com.example.\(isAllowed)") { isAllowed ? $0.allowed : $0.denied }
      #expect(store.authorizationStatus(for: steps) == .notDetermined)
      try await store.requestAuthorization(toShare: [], read: [steps])
      #expect(store.authorizationStatus(for: steps) == .sharingDenied)
      #expect(store.authorizationStatus(for: mass) == .notDetermined)
      // The app can still ask to share it.
      #expect(
        try await store.statusForAuthorizationRequest(toShare: [steps], read: []) == .shouldRequest)
    }
    let store = file.store("com.example.objects")
    let prescriptions = HKObjectType.visionPrescriptionType()
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    try owner.authorise(
      "com.example.objects", type: prescriptions.identifier, read: .authorised)
    #expect(store.authorizationStatus(for: prescriptions) == .notDetermined)
  }

  // MARK: Saving and deleting

  @Test("K14, 2.5: To save or delete nothing fails, and a query without types traps when executed")
  func nothing() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    #expect(await healthError { try await store.save([]) } == .errorInvalidArgument)
    #expect(await healthError { try await store.delete([]) } == .errorInvalidArgument)
    // To delete by a predicate that matches nothing is no failure.
    #expect(try await store.deleteObjects(of: steps, predicate: NSPredicate(value: true)) == 0)
    for (name, query) in [
      ("HKSampleQuery", HKSampleQuery(queryDescriptors: [], limit: 1) { _, _, _ in }),
      (
        "HKAnchoredObjectQuery",
        HKAnchoredObjectQuery(queryDescriptors: [], anchor: nil, limit: 1) { _, _, _, _, _ in }
      ),
      ("HKObserverQuery", HKObserverQuery(queryDescriptors: []) { _, _, _, _ in }),
    ] as [(String, HKQuery)] {
      let error = #expect(throws: ObjectError.self) { try store.executeOnce(query) }
      #expect(error?.reason == .missingDataType(query: name))
    }
    let trap = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      HKHealthStore().execute(
        HKAnchoredObjectQuery(queryDescriptors: [], anchor: nil, limit: 1) { _, _, _, _, _ in })
    }
    expectWords("HKAnchoredObjectQuery data type must be non-nil", trap)
  }

  @Test("2.7: Another app's object is not found for deletion")
  func othersObjects() async throws {
    let file = try HealthFile()
    let (first, mine, theirs) = try await file.twoApps()
    for objects in [[theirs], [mine, theirs], [mine, Trial.steps(3)]] {
      do {
        try await first.delete(objects)
        Issue.record("deleted")
      } catch let error as HKError {
        #expect(error.code == .errorInvalidArgument)
        #expect(error.localizedDescription == "Failed to find some objects for deletion.")
      }
    }
    // By predicate it succeeds without them.
    #expect(
      try await first.deleteObjects(
        of: steps, predicate: HKQuery.predicateForObject(with: theirs.uuid))
        == 0)
    #expect(try file.rows(.stepCount).count == 2)
  }

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

  @Test("New: Deleting a workout keeps its samples")
  func workoutSamples() async throws {
    // kingstinct/react-native-healthkit#146.
    let file = try HealthFile()
    let store = try await file.allowedStore(
      "com.example.diary", [steps, HKObjectType.workoutType()])
    let workout = HKWorkout(activityType: .walking, start: Trial.date(0), end: Trial.date(60))
    try await store.save(workout)
    let sample = Trial.steps(90, from: 0, to: 60)
    try await store.addSamples([sample], to: workout)
    try await store.delete(workout)
    #expect(try await store.samples([HKObjectType.workoutType()]).isEmpty)
    #expect(try await store.samples([steps]) == [sample])
  }

  // MARK: Queries

  @Test("2.6: A query may only be executed once")
  func once() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let answers = Received<Int>()
    let query = HKSampleQuery(
      sampleType: steps, predicate: nil, limit: 1, sortDescriptors: nil
    ) { _, samples, _ in answers.add(samples?.count ?? -1, isLast: true) }
    try store.executeOnce(query)
    #expect(await answers.all() == [0])
    for other in [store, file.store("com.example.other")] {
      let error = #expect(throws: ObjectError.self) { try other.executeOnce(query) }
      #expect(error?.reason == .executedBefore)
    }
    store.stop(query)
    #expect(throws: ObjectError.self) { try store.executeOnce(query) }
    let trap = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try HealthFile()
      let query = HKSampleQuery(
        sampleType: HKQuantityType(.stepCount), predicate: nil, limit: 1, sortDescriptors: nil
      ) { _, _, _ in }
      let store = file.store()
      store.execute(query)
      store.execute(query)
    }
    expectWords("A query may only be executed once", trap)
  }

  @Test("New: A document query gives one document a call, and is done with the last only")
  func documents() async throws {
    let type = HKDocumentType(.CDA)
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.clinic", [type])
    func calls(stoppingAfter last: Int = .max) async throws -> [(count: Int?, isDone: Bool)] {
      let calls = Received<(count: Int?, isDone: Bool)>()
      let query = HKDocumentQuery(
        documentType: type, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil,
        includeDocumentData: true
      ) { query, documents, isDone, error in
        #expect(error == nil)
        calls.add((documents?.count, isDone), isLast: isDone || last == 1)
        if last == 1 { store.stop(query) }
      }
      store.execute(query)
      return await calls.all()
    }
    #expect(try await calls().map(\.count) == [0])
    #expect(try await calls().map(\.isDone) == [true])
    for second in 0..<3 {
      try await store.save(
        HKCDADocumentSample(
          data: Data(
            """
            <ClinicalDocument xmlns="urn:hl7-org:v3"><title>\(second)</title></ClinicalDocument>
            """.utf8), start: Trial.date(Double(second)), end: Trial.date(Double(second)),
          metadata: nil))
    }
    #expect(try await calls().map(\.count) == [1, 1, 1])
    #expect(try await calls().map(\.isDone) == [false, false, true])
    #expect(try await calls(stoppingAfter: 1).map(\.isDone) == [false])
  }

  @Test("K8, 2.15: Background delivery of steps is hourly at most, that of others as asked")
  func deliveries() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    for (asked, kept) in [
      (HKUpdateFrequency.immediate, DeliveryFrequency.hourly), (.hourly, .hourly),
      (.daily, .daily), (.weekly, .weekly),
    ] {
      try await store.enableBackgroundDelivery(for: steps, frequency: asked)
      try await store.enableBackgroundDelivery(for: mass, frequency: asked)
      let found = Dictionary(
        uniqueKeysWithValues: try owner.deliveries().map { ($0.type, $0.frequency) })
      #expect(found[steps.identifier] == kept)
      #expect(found[mass.identifier]?.rawValue == asked.rawValue)
    }
  }

  // MARK: Workouts

  @Test("2.11: A sample that goes beyond an activity counts there with its share of the time")
  func activities() async throws {
    let rate = HKQuantityType(.heartRate)
    let file = try HealthFile()
    let store = try await file.allowedStore(
      "com.example.diary", [steps, rate, HKObjectType.workoutType()])
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .walking
    let builder = HKWorkoutBuilder(
      healthStore: store, configuration: configuration, device: nil)
    try await builder.beginCollection(at: Trial.date(0))
    let perMinute = HKUnit.count().unitDivided(by: .minute())
    try await builder.addSamples([
      Trial.steps(100, from: 0, to: 50),  // 20 + 60 + 20
      Trial.steps(12, from: 10, to: 40),  // 0 + 12 + 0
      Trial.steps(7, from: 40, to: 40),  // 0 + 0 + 7
      HKQuantitySample(
        type: rate, quantity: HKQuantity(unit: perMinute, doubleValue: 120), start: Trial.date(5),
        end: Trial.date(15)),
    ])
    let bounds = [0.0, 10, 40, 60]
    for (start, end) in zip(bounds, bounds.dropFirst()) {
      try await builder.addWorkoutActivity(
        HKWorkoutActivity(
          workoutConfiguration: configuration, start: Trial.date(start), end: Trial.date(end),
          metadata: nil))
    }
    try await builder.endCollection(at: Trial.date(60))
    let workout = try #require(try await builder.finishWorkout())
    let sums = workout.workoutActivities.map {
      $0.statistics(for: steps)?.sumQuantity()?.doubleValue(for: .count())
    }
    #expect(sums == [20, 72, 27])
    #expect(workout.statistics(for: steps)?.sumQuantity() == count(119))
    // A rate is the same in each part of its time.
    let rates = workout.workoutActivities.map {
      $0.statistics(for: rate)?.averageQuantity()?.doubleValue(for: perMinute)
    }
    #expect(rates == [120, 120, nil])
    let span = workout.workoutActivities[0].statistics(for: steps)
    #expect(span?.startDate == Trial.date(0) && span?.endDate == Trial.date(10))
  }
}
