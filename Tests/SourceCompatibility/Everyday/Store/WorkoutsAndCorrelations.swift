import HealthKit
import Testing

/// Correlations and workouts with their samples, as apps save and find them.
@Suite
struct WorkoutsAndCorrelations {
  private let unit = HKUnit.millimeterOfMercury()
  private let systolic = HKQuantityType(.bloodPressureSystolic)
  private let diastolic = HKQuantityType(.bloodPressureDiastolic)

  private func pressure(_ high: Double, _ low: Double, at offset: TimeInterval) -> HKCorrelation {
    let date = Sample.start.addingTimeInterval(offset)
    let samples: Set<HKSample> = [
      HKQuantitySample(
        type: systolic, quantity: HKQuantity(unit: unit, doubleValue: high), start: date, end: date),
      HKQuantitySample(
        type: diastolic, quantity: HKQuantity(unit: unit, doubleValue: low), start: date, end: date),
    ]
    return HKCorrelation(
      type: HKCorrelationType(.bloodPressure), start: date, end: date, objects: samples)
  }

  @Test("A blood pressure is saved as one, and found as one and by its parts")
  func pressures() async throws {
    let store = try Phone().store()
    // Apps ask for the parts: a request for the correlation itself ends the program.
    try await store.requestAuthorization(
      toShare: [systolic, diastolic], read: [systolic, diastolic])
    try await store.save([pressure(121, 79, at: 0), pressure(135, 88, at: 3600)])
    let sort = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
    let found = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<[HKCorrelation], any Error>) in
      let type = HKCorrelationType.correlationType(forIdentifier: .bloodPressure)
      guard let type else { return continuation.resume(throwing: HKError(.errorNoData)) }
      let query = HKSampleQuery(
        sampleType: type, predicate: nil, limit: 10, sortDescriptors: [sort]
      ) { _, samples, error in
        if let error { return continuation.resume(throwing: error) }
        continuation.resume(returning: (samples ?? []).compactMap { $0 as? HKCorrelation })
      }
      store.execute(query)
    }
    let values = found.map { correlation in
      [systolic, diastolic].map { type in
        (correlation.objects(for: type).first as? HKQuantitySample)?.quantity
          .doubleValue(for: unit)
      }
    }
    #expect(values == [[135, 88], [121, 79]])
    let average = HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: systolic), options: .discreteAverage)
    let mean = try await average.result(for: store)?.averageQuantity()
    #expect(mean?.doubleValue(for: unit) == 128)
  }

  @Test("A workout is saved with its samples, and both are found")
  func workouts() async throws {
    let store = try Phone().store()
    let (workout, energy) = (HKObjectType.workoutType(), HKQuantityType(.activeEnergyBurned))
    try await store.requestAuthorization(
      toShare: [workout, energy], read: [workout, energy])
    let end = Sample.start.addingTimeInterval(1800)
    let run = HKWorkout(
      activityType: .running, start: Sample.start, end: end, workoutEvents: nil,
      totalEnergyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: 320),
      totalDistance: HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 5),
      metadata: [HKMetadataKeyIndoorWorkout: true])
    try await store.save(run)
    let burned = HKQuantitySample(
      type: energy, quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 320),
      start: Sample.start, end: end)
    let isAdded = await withCheckedContinuation { continuation in
      store.add([burned], to: run) { success, _ in continuation.resume(returning: success) }
    }
    #expect(isAdded)
    let runs = HKSampleQueryDescriptor(
      predicates: [.workout(HKQuery.predicateForWorkouts(with: .running))],
      sortDescriptors: [SortDescriptor(\.startDate)])
    let found = try await runs.result(for: store)
    #expect(found.map(\.uuid) == [run.uuid])
    #expect(found.first?.workoutActivityType == .running && found.first?.duration == 1800)
    #expect(found.first?.metadata?[HKMetadataKeyIndoorWorkout] as? Bool == true)
    let rides = HKSampleQueryDescriptor(
      predicates: [.workout(HKQuery.predicateForWorkouts(with: .cycling))], sortDescriptors: [])
    #expect(try await rides.result(for: store).isEmpty)
    let samples = HKSampleQueryDescriptor(
      predicates: [
        .quantitySample(type: energy, predicate: HKQuery.predicateForObjects(from: run))
      ], sortDescriptors: [])
    #expect(try await samples.result(for: store).map(\.uuid) == [burned.uuid])
  }
}
