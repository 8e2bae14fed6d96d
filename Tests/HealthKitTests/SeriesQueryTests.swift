import Foundation
import HealthSamples
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthKit

extension HealthFile {
  /// Imports batches into the file.
  func add(_ batches: ImportBatch...) throws {
    let store = try SampleStore(path: path, mode: .readWrite)
    let session = try store.beginImport()
    for batch in batches { try session.add(batch) }
    _ = try session.finish()
  }
}

/// The values that the handler of a query gets, in order, for a test that waits for the last one.
final class Received<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream<Void>.makeStream() }

  /// Adds a value; the last one ends the wait.
  func add(_ value: Value, isLast: Bool) {
    values.withLock { $0.append(value) }
    if isLast { continuation.finish() }
  }

  /// All values, after the last one.
  func all() async -> [Value] {
    for await _ in stream {}
    return values.withLock { $0 }
  }
}

@Suite struct ActivitySummaryQueryTests {
  private let type = HKObjectType.activitySummaryType()

  private func row(_ day: Int, energy: Double) -> ActivitySummaries.Row {
    var row = ActivitySummaries.Row()
    row.day = day
    row.activeEnergy = energy
    row.activeEnergyGoal = 500
    return row
  }

  private func batch(_ rows: ActivitySummaries.Row...) -> ImportBatch {
    var summaries = ActivitySummaries()
    summaries.rows = rows
    return .activitySummaries(summaries)
  }

  private func energies(_ summaries: [HKActivitySummary]?) -> [Double]? {
    summaries?.map { $0.activeEnergyBurned.doubleValue(for: .kilocalorie()) }
  }

  private var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }

  private func day(_ year: Int, _ month: Int, _ day: Int) -> DateComponents {
    DateComponents(calendar: calendar, year: year, month: month, day: day)
  }

  private func reader(_ file: HealthFile) async throws -> HKHealthStore {
    let store = file.store()
    try await store.requestAuthorization(toShare: [], read: [type])
    return store
  }

  @Test("Summaries are sorted by day, and a predicate selects a range of days or one day")
  func days() async throws {
    let file = try HealthFile()
    // 2001-01-03, 2001-01-01, 2001-01-02.
    try file.add(batch(row(2, energy: 30), row(0, energy: 10), row(1, energy: 20)))
    let store = try await reader(file)
    func ask(_ predicate: NSPredicate?) async throws -> [Double]? {
      energies(try await HKActivitySummaryQueryDescriptor(predicate: predicate).result(for: store))
    }
    #expect(try await ask(nil) == [10, 20, 30])
    let range = HKQuery.predicate(
      forActivitySummariesBetweenStart: day(2001, 1, 2), end: day(2001, 1, 3))
    #expect(try await ask(range) == [20, 30])
    #expect(try await ask(HKQuery.predicateForActivitySummary(with: day(2001, 1, 1))) == [10])
    #expect(try await ask(HKQuery.predicateForActivitySummary(with: day(2001, 1, 4))) == [])
  }

  @Test("A summary gives the goals of its row and its day")
  func contents() async throws {
    let file = try HealthFile()
    try file.add(batch(row(31, energy: 12.5)))
    let store = try await reader(file)
    let summaries = try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: store)
    let summary = try #require(summaries.first)
    #expect(summary.activeEnergyBurnedGoal.doubleValue(for: .kilocalorie()) == 500)
    let components = summary.dateComponents(for: calendar)
    #expect(components.month == 2 && components.day == 1)
  }

  @Test("A query fails without a request for permission, and finds nothing after a denial")
  func permission() async throws {
    let file = try HealthFile()
    try file.add(batch(row(0, energy: 1)))
    let descriptor = HKActivitySummaryQueryDescriptor(predicate: nil)
    let unasked = file.store("com.example.unasked")
    #expect(
      await healthError { _ = try await descriptor.result(for: unasked) }
        == .errorAuthorizationNotDetermined)
    let denied = file.store("com.example.denied") { $0.denied }
    try await denied.requestAuthorization(toShare: [], read: [type])
    #expect(try await descriptor.result(for: denied).isEmpty)
  }

  @Test("The update handler gets the days that an import adds or changes, until it is stopped")
  func updates() async throws {
    let file = try HealthFile()
    try file.add(batch(row(0, energy: 1), row(1, energy: 2)))
    let store = try await reader(file)
    let (calls, continuation) = AsyncStream<[Double]?>.makeStream()
    let query = HKActivitySummaryQuery(predicate: nil) { [self] _, summaries, _ in
      continuation.yield(energies(summaries))
    }
    query.updateHandler = { [self] _, summaries, _ in continuation.yield(energies(summaries)) }
    #expect(query.objectType == type)
    store.execute(query)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == [1, 2])
    try file.add(batch(row(0, energy: 1), row(1, energy: 3), row(2, energy: 4)))
    #expect(await iterator.next() == [3, 4])
    store.stop(query)
    try file.add(batch(row(3, energy: 5)))
    try await Task.sleep(for: .milliseconds(150))
    continuation.finish()
    #expect(await iterator.next() == nil)
  }

  @Test("The sequence of a descriptor begins with all days and continues with imported changes")
  func sequence() async throws {
    let file = try HealthFile()
    try file.add(batch(row(0, energy: 1)))
    let store = try await reader(file)
    let january = HKQuery.predicate(
      forActivitySummariesBetweenStart: day(2001, 1, 1), end: day(2001, 1, 31))
    var states = HKActivitySummaryQueryDescriptor(predicate: january).results(for: store)
      .makeAsyncIterator()
    #expect(energies(try await states.next()) == [1])
    try file.add(batch(row(40, energy: 9)))
    try file.add(batch(row(1, energy: 2)))
    #expect(energies(try await states.next()) == [2])
  }
}

@Suite struct QuantitySeriesQueryTests {
  private let steps = HKQuantityType(.stepCount)

  /// One measurement: its count, start and end, and the UUID of its sample if the result has it.
  private struct Row: Hashable {
    var count: Double
    var start: Double
    var end: Double
    var sample: UUID?
  }

  private func rows(
    _ store: HKHealthStore, _ predicate: NSPredicate? = nil,
    _ options: HKQuantitySeriesSampleQueryDescriptor.Options = []
  ) async throws -> [Row] {
    var rows: [Row] = []
    let descriptor = HKQuantitySeriesSampleQueryDescriptor(
      predicate: .quantitySample(type: steps, predicate: predicate), options: options)
    for try await result in descriptor.results(for: store) {
      rows.append(
        Row(
          count: result.quantity.doubleValue(for: .count()),
          start: result.dateInterval.start.timeIntervalSinceReferenceDate,
          end: result.dateInterval.end.timeIntervalSinceReferenceDate,
          sample: result.sample?.uuid))
    }
    return rows
  }

  @Test("Samples of one measurement give one result each, sorted by start, and the sequence ends")
  func order() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    var random = SplitMix64(seed: 7)
    let samples = (0..<50).map { number in
      let start = Double(Int.random(in: 0..<1000, using: &random))
      return Trial.steps(Double(number), from: start, to: start + 5)
    }
    try await store.save(samples)
    let expected = samples.map { sample in
      let start = sample.startDate.timeIntervalSinceReferenceDate
      return Row(count: sample.value, start: start, end: start + 5, sample: nil)
    }
    let found = try await rows(store)
    #expect(found.map(\.start) == expected.map(\.start).sorted())
    #expect(Set(found) == Set(expected))
    let grouped = try await rows(store, nil, .orderByQuantitySampleStartDate)
    #expect(grouped.map(\.start) == found.map(\.start) && Set(grouped) == Set(expected))
    let predicate = HKQuery.predicateForSamples(
      withStart: Trial.date(500), end: nil, options: .strictStartDate)
    #expect(
      try await rows(store, predicate).map(\.start) == found.map(\.start).filter { $0 >= 500 })
  }

  @Test("Each measurement has its sample when it is asked for")
  func samples() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let (first, second) = (Trial.steps(1, from: 1), Trial.steps(2, from: 2))
    try await store.save([second, first])
    #expect(try await rows(store, nil, .includeSample).map(\.sample) == [first.uuid, second.uuid])
    #expect(try await rows(store).map(\.sample) == [nil, nil])
  }

  @Test("The last call of the handler is done, also the only one without a measurement")
  func done() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    func ask(_ predicate: NSPredicate?) async -> [String] {
      let received = Received<String>()
      store.execute(
        HKQuantitySeriesSampleQuery(quantityType: steps, predicate: predicate) {
          _, quantity, interval, sample, isDone, error in
          #expect(sample == nil && error == nil && (quantity == nil) == (interval == nil))
          received.add("\(quantity?.doubleValue(for: .count()) ?? -1) \(isDone)", isLast: isDone)
        })
      return await received.all()
    }
    #expect(await ask(nil) == ["-1.0 true"])
    try await store.save([Trial.steps(1, from: 1), Trial.steps(2, from: 2)])
    #expect(await ask(nil) == ["1.0 false", "2.0 true"])
  }

  @Test(
    "A query for a sample gives its measurements with their dates, and fails when it is deleted")
  func ofSample() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let (sample, other) = (Trial.steps(3, from: 7), Trial.steps(4, from: 8))
    try await store.save([sample, other])
    func ask() async -> [(Double?, Date?, HKError.Code?)] {
      let received = Received<(Double?, Date?, HKError.Code?)>()
      store.execute(
        HKQuantitySeriesSampleQuery(sample: sample) { _, quantity, date, isDone, error in
          received.add(
            (quantity?.doubleValue(for: .count()), date, (error as? HKError)?.code), isLast: isDone)
        })
      return await received.all()
    }
    let found = await ask()
    #expect(found.count == 1 && found.first?.0 == 3 && found.first?.1 == Trial.date(7))
    try await store.delete(sample)
    let gone = await ask()
    #expect(gone.count == 1 && gone.first?.0 == nil && gone.first?.2 == .errorNoData)
  }

  @Test("A query that is stopped in its handler calls it no more")
  func stopped() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    try await store.save((0..<20).map { Trial.steps(1, from: Double($0)) })
    let count = Mutex(0)
    let query = HKQuantitySeriesSampleQuery(quantityType: steps, predicate: nil) {
      query, _, _, _, _, _ in
      count.withLock { $0 += 1 }
      store.stop(query)
    }
    store.execute(query)
    try await Task.sleep(for: .milliseconds(200))
    #expect(count.withLock { $0 } == 1)
  }

  @Test("A query without a request for permission fails, once")
  func permission() async throws {
    let file = try HealthFile()
    let received = Received<HKError.Code?>()
    file.store().execute(
      HKQuantitySeriesSampleQuery(quantityType: steps, predicate: nil) {
        _, quantity, _, _, isDone, error in
        #expect(quantity == nil)
        received.add((error as? HKError)?.code, isLast: isDone)
      })
    #expect(await received.all() == [.errorAuthorizationNotDetermined])
  }
}
