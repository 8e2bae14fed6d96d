import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthKit

extension WorkoutBuilderTests {
  // MARK: States

  enum State: CaseIterable {
    case notBegun
    case collecting
    case ended
    case finished
    case discarded
  }

  enum Call: CaseIterable {
    case begin
    case end
    case addSamples
    case addEvents
    case addMetadata
    case addActivity
    case endActivity
    case addToActivity
    case finish
  }

  /// What works in each state; everything else fails.
  static let allowed: [State: Set<Call>] = [
    .notBegun: [.begin],
    .collecting: [
      .end, .addSamples, .addEvents, .addMetadata, .addActivity, .endActivity, .addToActivity,
    ],
    .ended: [
      .addSamples, .addEvents, .addMetadata, .addActivity, .endActivity, .addToActivity, .finish,
    ],
    .finished: [], .discarded: [],
  ]

  @Test("Each call works in the states of the table, and fails in others: invalid argument")
  func states() async throws {
    let file = try HealthFile()
    let store = try await store(file)
    for state in State.allCases {
      for call in Call.allCases {
        let builder = builder(store)
        let first = part(.cycling, 1, 2)
        if state != .notBegun {
          try await builder.beginCollection(at: Trial.date(0))
          try await builder.addWorkoutActivity(first)
        }
        if state == .ended || state == .finished {
          try await builder.endCollection(at: Trial.date(100))
        }
        if state == .finished { _ = try await builder.finishWorkout() }
        if state == .discarded { builder.discardWorkout() }
        let error = await healthError {
          switch call {
          case .begin: try await builder.beginCollection(at: Trial.date(1))
          case .end: try await builder.endCollection(at: Trial.date(50))
          case .addSamples: try await builder.addSamples([Trial.steps(1, from: 5)])
          case .addEvents: try await builder.addWorkoutEvents([event(.lap, 5)])
          case .addMetadata: try await builder.addMetadata(["a": 1])
          case .addActivity: try await builder.addWorkoutActivity(part(.cycling, 5, 6))
          case .endActivity:
            try await builder.updateActivity(uuid: first.uuid, end: Trial.date(3))
          case .addToActivity:
            try await builder.updateActivity(uuid: first.uuid, adding: ["a": 1])
          case .finish: _ = try await builder.finishWorkout()
          }
        }
        let works = Self.allowed[state]?.contains(call) == true
        #expect(error == (works ? nil : .errorInvalidArgument), "\(state) \(call)")
      }
    }
  }

  // MARK: Laws

  @Test(
    "A finished workout has what was added, and its statistics are those of a plain sum",
    arguments: [1, 2, 3] as [UInt64])
  func law(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let file = try HealthFile()
    let store = try await store(file)
    let builder = builder(store)
    #expect(builder.startDate == nil && builder.endDate == nil && builder.device == Trial.watch)
    try await builder.beginCollection(at: Trial.date(0))
    #expect(builder.startDate == Trial.date(0))
    var samples: [HKQuantitySample] = []
    for _ in 0..<4 {
      let more = (0..<Int.random(in: 1..<12, using: &random)).map { _ in
        let second = Double(Int.random(in: 0..<100, using: &random))
        let number = Double(Int.random(in: 1..<200, using: &random))
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: quantity(Self.steps, number, .count(), at: second)
        case 1: quantity(Self.energy, number, .kilocalorie(), at: second)
        case 2: quantity(HKQuantityType(.distanceCycling), number, .meter(), at: second)
        default: quantity(Self.rate, number, Self.perMinute, at: second)
        }
      }
      try await builder.addSamples(more)
      samples += more
    }
    var events: [HKWorkoutEvent] = []
    for second in stride(from: 10.0, to: 90, by: 20) {
      events += [event(.pause, second), event(.resume, second + 7)]
    }
    try await builder.addWorkoutEvents(events)
    let parts = [part(.cycling, 0, 30), part(.cycling, 30, 60), part(.cycling, 70, nil)]
    for part in parts { try await builder.addWorkoutActivity(part) }
    try await builder.addMetadata(["a": "b", "c": 1])
    try await builder.addMetadata(["c": 2])
    try await builder.endCollection(at: Trial.date(100))

    func check(_ statistics: [HKQuantityType: HKStatistics], _ samples: [HKQuantitySample]) {
      let byType = Dictionary(grouping: samples, by: \.quantityType)
      #expect(Set(statistics.keys) == Set(byType.keys))
      for (type, samples) in byType {
        let values = samples.map(\.value)
        let sum = values.reduce(0, +)
        let found = statistics[type]
        let unit = samples[0].unit
        func close(_ quantity: HKQuantity?, _ expected: Double) -> Bool {
          quantity.map { abs($0.doubleValue(for: unit) - expected) < 1e-9 * expected } ?? false
        }
        if type == Self.rate {
          // The mean is weighted by time: that of the store is compared below.
          #expect(close(found?.minimumQuantity(), values.min() ?? 0))
          #expect(close(found?.maximumQuantity(), values.max() ?? 0))
          #expect(found?.sumQuantity() == nil)
        } else {
          #expect(close(found?.sumQuantity(), sum))
          #expect(found?.averageQuantity() == nil)
        }
        #expect(builder.statistics(for: type) == builder.allStatistics[type])
      }
    }
    check(builder.allStatistics, samples)

    let workout = try #require(try await builder.finishWorkout())
    #expect(workout.workoutActivityType == .cycling && workout.device == Trial.watch)
    #expect(workout.startDate == Trial.date(0) && workout.endDate == Trial.date(100))
    #expect(workout.workoutEvents == events)
    #expect(workout.duration == 100 - 4 * 7)
    #expect(workout.metadata?["a"] as? String == "b" && workout.metadata?["c"] as? Int == 2)
    #expect(workout.sourceRevision.source.bundleIdentifier == "com.example.diary")
    check(workout.allStatistics, samples)
    let energy = samples.filter { $0.quantityType == Self.energy }.map(\.value).reduce(0, +)
    #expect((workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()) ?? 0) == energy)
    #expect(workout.workoutActivities.map(\.uuid) == parts.map(\.uuid))
    for (found, end) in zip(workout.workoutActivities, [30.0, 60, 100]) {
      #expect(found.endDate == Trial.date(end))
      func isIn(_ date: Date) -> Bool { found.startDate <= date && date < Trial.date(end) }
      check(found.allStatistics, samples.filter { isIn($0.startDate) })
      #expect(found.workoutEvents == events.filter { isIn($0.dateInterval.start) })
    }

    let stores = try await HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: Self.rate), options: .discreteAverage
    ).result(for: store)
    let means = [workout.statistics(for: Self.rate), stores].map {
      $0?.averageQuantity()?.doubleValue(for: Self.perMinute) ?? 0
    }
    #expect(abs(means[0] - means[1]) <= 1e-12 * means[1])

    // The store has the workout, and finds its samples.
    let stored = try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: [])
      .result(for: store)
    #expect(stored == [workout])
    var found: Set<UUID> = []
    for type in [Self.steps, Self.energy, Self.rate, HKQuantityType(.distanceCycling)] {
      let predicate = HKQuery.predicateForObjects(from: workout)
      found.formUnion(
        try await HKSampleQueryDescriptor(
          predicates: [.quantitySample(type: type, predicate: predicate)], sortDescriptors: []
        ).result(for: store).map(\.uuid))
    }
    #expect(found == Set(samples.map(\.uuid)))
  }

  @Test("The place of the configuration becomes metadata, unless the app sets it")
  func place() async throws {
    let file = try HealthFile()
    let store = try await store(file)
    let swim = configuration(.swimming)
    swim.locationType = .indoor
    swim.swimmingLocationType = .pool
    swim.lapLength = HKQuantity(unit: .meter(), doubleValue: 25)
    let builder = HKWorkoutBuilder(healthStore: store, configuration: swim, device: nil)
    try await builder.beginCollection(at: Trial.date(0))
    try await builder.addMetadata([HKMetadataKeyIndoorWorkout: false])
    try await builder.endCollection(at: Trial.date(1))
    let metadata = try await builder.finishWorkout()?.metadata
    #expect(metadata?[HKMetadataKeyIndoorWorkout] as? Bool == false)
    #expect(
      metadata?[HKMetadataKeySwimmingLocationType] as? Int
        == HKWorkoutSwimmingLocationType.pool.rawValue)
    #expect(metadata?[HKMetadataKeyLapLength] as? HKQuantity == swim.lapLength)
  }

  @Test("A workout that the app may not share is not saved, and can be finished after permission")
  func permission() async throws {
    let file = try HealthFile()
    let store = file.store()
    let builder = builder(store)
    try await builder.beginCollection(at: Trial.date(0))
    #expect(
      await healthError { try await builder.addSamples([Trial.steps(1, from: 1)]) }
        == .errorAuthorizationNotDetermined)
    try await builder.endCollection(at: Trial.date(10))
    #expect(
      await healthError { _ = try await builder.finishWorkout() }
        == .errorAuthorizationNotDetermined)
    try await store.requestAuthorization(
      toShare: [HKObjectType.workoutType()], read: [HKObjectType.workoutType()])
    #expect(try await builder.finishWorkout() != nil)
  }

  @Test("A sample that was deleted since it was added is left out of the workout")
  func deleted() async throws {
    let file = try HealthFile()
    let store = try await store(file)
    let builder = builder(store)
    try await builder.beginCollection(at: Trial.date(0))
    let (first, second) = (Trial.steps(1, from: 1), Trial.steps(2, from: 2))
    try await builder.addSamples([first, second])
    try await store.delete(first)
    try await builder.endCollection(at: Trial.date(9))
    let workout = try #require(try await builder.finishWorkout())
    #expect(
      workout.statistics(for: Self.steps)?.sumQuantity()?.doubleValue(for: .count()) == 2)
    let found = try await HKSampleQueryDescriptor(
      predicates: [
        .quantitySample(type: Self.steps, predicate: HKQuery.predicateForObjects(from: workout))
      ], sortDescriptors: []
    ).result(for: store)
    #expect(found == [second])
  }

  // MARK: Series

  func location(_ second: Double, _ latitude: Double = 50) -> RouteLocation {
    RouteLocation(
      coordinate: .init(latitude: latitude, longitude: second / 1000), altitude: second,
      horizontalAccuracy: 5, verticalAccuracy: 4, course: 90, speed: 3,
      timestamp: Trial.date(second))
  }

  func places(
    _ route: HKWorkoutRoute, _ interval: DateInterval? = nil, in store: HKHealthStore
  ) async -> [(places: [RouteLocation]?, isDone: Bool, code: HKError.Code?)] {
    let received = Received<([RouteLocation]?, Bool, HKError.Code?)>()
    let handler: @Sendable (HKWorkoutRouteQuery, [RouteLocation]?, Bool, (any Error)?) -> Void = {
      _, places, isDone, error in
      received.add((places, isDone, (error as? HKError)?.code), isLast: isDone)
    }
    store.execute(
      interval.map { HKWorkoutRouteQuery(route: route, dateInterval: $0, dataHandler: handler) }
        ?? HKWorkoutRouteQuery(route: route, dataHandler: handler))
    return await received.all()
  }

  @Test("A route has the places that were inserted, by time, in batches, with its workout")
  func route() async throws {
    let file = try HealthFile()
    let store = try await store(file)
    let builder = builder(store)
    try await builder.beginCollection(at: Trial.date(0))
    let route = try #require(
      builder.seriesBuilder(for: .workoutRoute()) as? HKWorkoutRouteBuilder)
    let all = (0..<250).map { location(Double($0)) }
    try await route.insertRouteData(Array(all[100...]))
    try await route.insertRouteData(Array(all[..<100]))
    for invalid in [location(1, 91), location(.nan)] {
      #expect(
        await healthError { try await route.insertRouteData([location(1), invalid]) }
          == .errorInvalidArgument)
    }
    try await route.addMetadata(["a": 1])
    try await builder.endCollection(at: Trial.date(300))
    let workout = try #require(try await builder.finishWorkout())
    let saved = try await route.finishRoute(with: workout, metadata: ["b": 2])
    #expect(saved.count == 250)
    #expect(saved.startDate == Trial.date(0) && saved.endDate == Trial.date(249))
    #expect(saved.metadata?["a"] as? Int == 1 && saved.metadata?["b"] as? Int == 2)
    let calls = await places(saved, in: store)
    #expect(calls.compactMap(\.places).flatMap(\.self) == all)
    #expect(calls.count > 1 && calls.map(\.isDone).firstIndex(of: true) == calls.count - 1)
    var each: [RouteLocation] = []
    for try await place in HKWorkoutRouteQueryDescriptor(saved).results(for: store) {
      each.append(place)
    }
    #expect(each == all)
    let part = await places(
      saved, DateInterval(start: Trial.date(10), end: Trial.date(20)), in: store)
    let inPart = part.compactMap(\.places).flatMap(\.self)
    #expect(inPart == Array(all[10..<20]))
    let found = try await HKSampleQueryDescriptor(
      predicates: [.workoutRoute(HKQuery.predicateForObjects(from: workout))],
      sortDescriptors: []
    ).result(for: store)
    #expect(found == [saved])
    #expect(
      await healthError { _ = try await route.finishRoute(with: workout, metadata: nil) }
        == .errorInvalidArgument)
    try await store.delete(saved)
    #expect(await places(saved, in: store).map(\.code) == [.errorNoData])
    #expect(
      await healthError {
        for try await _ in HKWorkoutRouteQueryDescriptor(saved).results(for: store) {}
      } == .errorNoData)
  }

  @Test("An altitude with a negative accuracy is not valid: the store has none")
  func invalidAltitudes() {
    var locations = LocationColumns()
    locations.append(RouteLocation(latitude: 50, longitude: 4))
    locations.append(
      RouteLocation(
        coordinate: .init(latitude: 50, longitude: 4), altitude: 12, horizontalAccuracy: -2,
        verticalAccuracy: -3, course: -4, speed: -5, timestamp: Trial.date(1)))
    locations.append(location(7))
    #expect((0..<3).map { locations.altitude(row: $0) } == [nil, nil, 7])
    #expect(locations.course(row: 1) == nil && locations.speed(row: 1) == nil)
    #expect(locations.horizontalAccuracy(row: 1) == nil)
    #expect((0..<3).map { locations.location(at: $0).altitude } == [0, 0, 7])
    #expect((0..<3).map { locations.location(at: $0).verticalAccuracy } == [-1, -1, 4])
    locations.append(time: 2, latitude: 50, longitude: 4, altitude: nil, verticalAccuracy: 3)
    #expect(locations.location(at: 3).verticalAccuracy == -1)
  }

  @Test("A route needs places, and a workout that is saved")
  func invalidRoutes() async throws {
    let file = try HealthFile()
    let store = try await store(file)
    let unsaved = HKWorkout(activityType: .running, start: Trial.date(0), end: Trial.date(9))
    let empty = HKWorkoutRouteBuilder(healthStore: store, device: nil)
    let early = HKWorkoutRouteBuilder(healthStore: store, device: nil)
    try await early.insertRouteData([location(1)])
    for builder in [empty, early] {
      #expect(
        await healthError { _ = try await builder.finishRoute(with: unsaved, metadata: nil) }
          == .errorInvalidArgument)
    }
    #expect(
      try await HKSampleQueryDescriptor(predicates: [.workoutRoute()], sortDescriptors: [])
        .result(for: store).isEmpty)
  }

  @Test("Heartbeats of a workout belong to it, whether they are finished before it or after")
  func heartbeats() async throws {
    let file = try HealthFile()
    let store = try await store(file)
    for isFirst in [true, false] {
      let builder = builder(store)
      try await builder.beginCollection(at: Trial.date(0))
      let beats = try #require(
        builder.seriesBuilder(for: .heartbeat()) as? HKHeartbeatSeriesBuilder)
      try await beats.addHeartbeat(at: 1, precededByGap: false)
      try await builder.endCollection(at: Trial.date(10))
      var series: HKHeartbeatSeriesSample?
      if isFirst { series = try await beats.finishSeries() }
      let workout = try #require(try await builder.finishWorkout())
      if !isFirst { series = try await beats.finishSeries() }
      let found = try await HKSampleQueryDescriptor(
        predicates: [.heartbeatSeries(HKQuery.predicateForObjects(from: workout))],
        sortDescriptors: []
      ).result(for: store)
      #expect(found == [series])
    }
  }
}
