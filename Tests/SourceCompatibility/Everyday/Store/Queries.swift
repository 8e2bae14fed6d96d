import HealthKit
import Testing

/// Queries as apps write them, around a store.
struct StepReader {
  let store: HKHealthStore
  private let type = HKQuantityType(.stepCount)

  /// The samples of a period, newest first, without those typed in by hand.
  func samples(from start: Date, to end: Date) async throws -> [HKQuantitySample] {
    let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
      HKQuery.predicateForSamples(withStart: start, end: end, options: [.strictStartDate]),
      NSPredicate(format: "metadata.%K != YES", HKMetadataKeyWasUserEntered),
    ])
    return try await withCheckedThrowingContinuation { continuation in
      let query = HKSampleQuery(
        sampleType: type, predicate: predicate, limit: HKObjectQueryNoLimit,
        sortDescriptors: [.init(key: HKSampleSortIdentifierEndDate, ascending: false)]
      ) { _, samples, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: samples as? [HKQuantitySample] ?? [])
        }
      }
      store.execute(query)
    }
  }

  /// The sum of a period.
  func sum(from start: Date, to end: Date) async throws -> Double {
    try await withCheckedThrowingContinuation { continuation in
      let query = HKStatisticsQuery(
        quantityType: type,
        quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: end),
        options: .cumulativeSum
      ) { _, statistics, error in
        if let error = error as? HKError, error.code != .errorNoData {
          continuation.resume(throwing: error)
          return
        }
        continuation.resume(returning: statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0)
      }
      store.execute(query)
    }
  }

  /// Sums by day, through the query that apps draw charts with.
  func days(
    from start: Date, to end: Date,
    completion: @escaping @Sendable (Result<[Date: Double], any Error>) -> Void
  ) {
    var interval = DateComponents()
    interval.day = 1
    let query = HKStatisticsCollectionQuery(
      quantityType: type, quantitySamplePredicate: nil, options: [.cumulativeSum],
      anchorDate: Calendar.current.startOfDay(for: start), intervalComponents: interval)
    query.initialResultsHandler = { _, results, error in
      guard let results else {
        return completion(.failure(error ?? HKError(.unknownError)))
      }
      var sums: [Date: Double] = [:]
      results.enumerateStatistics(from: start, to: end) { statistics, _ in
        guard let quantity = statistics.sumQuantity() else { return }
        sums[statistics.startDate] = quantity.doubleValue(for: HKUnit.count())
      }
      completion(.success(sums))
    }
    store.execute(query)
  }

  /// The names of the sources.
  func sources() async throws -> [String] {
    try await withCheckedThrowingContinuation { continuation in
      store.execute(
        HKSourceQuery(sampleType: type, samplePredicate: nil) { _, sources, error in
          if let error { return continuation.resume(throwing: error) }
          continuation.resume(returning: (sources ?? []).map(\.name).sorted())
        })
    }
  }
}

@Suite
struct Queries {
  private let end = Sample.start.addingTimeInterval(86_400)

  private func filled() async throws -> HKHealthStore {
    let store = try await Phone().allowedStore()
    try await store.save([
      Sample.steps(10), Sample.steps(20, at: 300),
      Sample.steps(40, at: 600, metadata: [HKMetadataKeyWasUserEntered: true]),
      Sample.steps(80, at: 3 * 86_400),
    ])
    return store
  }

  @Test("A sample query takes a compound with a format predicate, and an order")
  func samples() async throws {
    let reader = StepReader(store: try await filled())
    let found = try await reader.samples(from: Sample.start, to: end)
    #expect(found.map { $0.quantity.doubleValue(for: .count()) } == [20, 10])
    #expect(found.allSatisfy { $0.sourceRevision.source.bundleIdentifier == "com.example.app" })
    #expect(try await reader.samples(from: end, to: end.addingTimeInterval(3600)).isEmpty)
  }

  @Test("Statistics of a period, of days, and of no sample at all")
  func statistics() async throws {
    let reader = StepReader(store: try await filled())
    #expect(try await reader.sum(from: Sample.start, to: end) == 70)
    #expect(try await reader.sum(from: .distantPast, to: Sample.start) == 0)
    let days = await withCheckedContinuation { continuation in
      reader.days(from: Sample.start, to: Sample.start.addingTimeInterval(5 * 86_400)) {
        continuation.resume(returning: $0)
      }
    }
    #expect(try days.get().values.sorted() == [70, 80])
    #expect(try await reader.sources() == ["com.example.app"])
  }

  @Test("Descriptors are awaited, with sort descriptors by key path")
  func descriptors() async throws {
    let store = try await filled()
    let type = HKQuantityType(.stepCount)
    let newest = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: type)],
      sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)], limit: 2)
    #expect(
      try await newest.result(for: store).map { $0.quantity.doubleValue(for: .count()) }
        == [80, 40])
    let sum = HKStatisticsQueryDescriptor(
      predicate: .quantitySample(
        type: type, predicate: HKQuery.predicateForSamples(withStart: Sample.start, end: end)),
      options: .cumulativeSum)
    #expect(try await sum.result(for: store)?.sumQuantity()?.doubleValue(for: .count()) == 70)
    let days = HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: type), options: .cumulativeSum, anchorDate: Sample.start,
      intervalComponents: DateComponents(day: 1))
    #expect(try await days.result(for: store).statistics().count == 2)
    let sources = HKSourceQueryDescriptor(predicate: .quantitySample(type: type))
    #expect(try await sources.result(for: store).map(\.bundleIdentifier) == ["com.example.app"])
  }

  @Test("Several types in one query, and categories by value")
  func types() async throws {
    let store = try await filled()
    let night = HKCategorySample(
      type: HKCategoryType(.sleepAnalysis),
      value: HKCategoryValueSleepAnalysis.asleepCore.rawValue, start: Sample.start, end: end)
    try await store.save([night, Sample.mass(80)])
    let all = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<[HKSample], any Error>) in
      let descriptors = [
        HKQueryDescriptor(sampleType: HKQuantityType(.bodyMass), predicate: nil),
        HKQueryDescriptor(sampleType: HKCategoryType(.sleepAnalysis), predicate: nil),
      ]
      store.execute(
        HKSampleQuery(queryDescriptors: descriptors, limit: HKObjectQueryNoLimit) {
          _, samples, error in
          continuation.resume(with: error.map { .failure($0) } ?? .success(samples ?? []))
        })
    }
    #expect(all.count == 2 && all.contains(night))
    let asleep = HKSampleQueryDescriptor(
      predicates: [
        .categorySample(
          type: HKCategoryType(.sleepAnalysis),
          predicate: HKCategoryValueSleepAnalysis.predicateForSamples(
            equalTo: HKCategoryValueSleepAnalysis.allAsleepValues))
      ], sortDescriptors: [])
    #expect(try await asleep.result(for: store) == [night])
  }
}
