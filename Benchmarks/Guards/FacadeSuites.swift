import Foundation
import Harness
import HealthKit
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import Samples

// What Apple's vocabulary costs over the engine.

extension Suite {
  /// Statistics of days, beside the same plan asked of the store.
  static let statisticsOfFacade = Suite(name: "facade-statistics") { workplace in
    let path = "\(workplace.folder)/years.sqlite"
    let store = try Facade.importedYears(path).reading(as: Facade.app)
    let health = try await Facade.allowedStore(path)
    let questions: [(name: String, options: HKStatisticsOptions, statistics: [Statistic])] = [
      ("mean, min, max", [.discreteAverage, .discreteMin, .discreteMax], [.mean, .min, .max]),
      ("min, max", [.discreteMin, .discreteMax], [.min, .max]),
    ]
    let predicates: [(name: String, options: HKQueryOptions?)] = [
      ("two years", nil), ("a year, not strict", []), ("a year, strict start", .strictStartDate),
    ]
    var problems: [Problem] = []
    for question in questions {
      for predicate in predicates {
        let plan = Facade.plan(of: question.statistics, isWhole: predicate.options == nil)
        let condition = predicate.options.map {
          HKQuery.predicateForSamples(withStart: Facade.middle, end: Facade.end, options: $0)
        }
        let days = try store.statistics(plan).intervals.hasData.count { $0 }
        let found = try await Facade.days(of: health, condition, question.options)
        guard found == days, days > 300 else {
          throw ProblemError("The facade has \(found) days, the plan \(days).")
        }
        problems.append(
          Problem(
            floor: Way("the plan") { keep(try store.statistics(plan)) },
            ways: [
              Way("\(question.name) by day, \(predicate.name), beside the plan") {
                keep(try await Facade.days(of: health, condition, question.options))
              }
            ]))
      }
    }
    return problems
  }

  /// Samples that are fetched, beside the rows of the store.
  static let samplesOfFacade = Suite(name: "facade-samples") { workplace in
    let (imported, saved) = ("\(workplace.folder)/rows.sqlite", "\(workplace.folder)/saved.sqlite")
    _ = try Facade.importedYears(imported, most: Facade.count)
    try await Facade.allowedStore(saved).save(Facade.samples())
    var problems: [Problem] = []
    for (name, path) in [("imported", imported), ("saved", saved)] {
      let health = try await Facade.allowedStore(path)
      let store = try SampleStore(path: path, mode: .readOnly).reading(as: Facade.app)
      let query = SampleQuery(types: [SampleType(.heartRate)])
      let rows = try store.records(query).reduce(0) { $0 + $1.count }
      let samples = try await Facade.fetch(health).count
      guard rows == Facade.count, samples == Facade.count else {
        throw ProblemError("The store has \(rows) rows, the facade \(samples) samples.")
      }
      problems.append(
        Problem(
          floor: Way("rows") { keep(try store.records(query)) },
          ways: [
            Way("\(name) samples fetched, beside rows") { keep(try await Facade.fetch(health)) }
          ]))
    }
    return problems
  }

  /// A save of many samples, beside the store's own and beside an import of the same rows, which
  /// need no UUIDs.
  static let savesOfFacade = Suite(name: "facade-saves") { workplace in
    let objects = Facade.samples()
    let rows = try SampleRows.rows(of: objects)[0].columns
    let news = zip(objects, rows.starts.indices).map { object, row in
      NewSample(
        type: rows.type, source: rows.source, start: rows.starts[row], end: rows.ends[row],
        value: rows.values[row], label: rows.labelTable[Int(rows.labels[row])],
        metadata: rows.metadataTable[Int(rows.metadata[row])], uuid: object.uuid)
    }
    func empty() throws -> SampleStore {
      try SampleStore(path: workplace.vacant(), mode: .readWrite)
    }
    func check(_ store: SampleStore) throws {
      guard try store.types().map(\.count) == [Facade.count] else {
        throw ProblemError("The store has other samples than were saved.")
      }
    }
    let path = workplace.vacant()
    var health = try await Facade.allowedStore(path)
    try await health.save(objects)
    try check(SampleStore(path: path, mode: .readOnly))
    var below = try empty()
    try below.save(news, refusesKnown: true)
    try check(below)
    let ours = { (floor: String) in
      Way(
        "samples saved in one call, beside \(floor)",
        prepare: { health = try await Facade.allowedStore(workplace.vacant()) },
        work: { try await health.save(objects) })
    }
    return [
      Problem(
        floor: Way("a save", prepare: { below = try empty() }) {
          try below.save(news, refusesKnown: true)
        },
        ways: [ours("a save of the store")]),
      Problem(
        floor: Way("an import", prepare: { below = try empty() }) {
          let session = try below.beginImport()
          try session.add(rows)
          _ = try session.finish()
        },
        ways: [ours("an import")]),
    ]
  }
}

/// Heart rates of a watch, and an app that may save and read them.
enum Facade {
  static let app = "com.example.costs"
  static let count = 20_000
  /// 2024-12-31 and 2025-12-31 at midnight in Paris.
  static let middle = Date(timeIntervalSinceReferenceDate: 757_292_400)
  static let end = Date(timeIntervalSinceReferenceDate: 788_828_400)
  private static let heartRate = HKQuantityType(.heartRate)
  private static let zone = TimeZone(identifier: "Europe/Paris") ?? .gmt

  static func host(_ path: String, app: String = app) -> HealthHost {
    var host = HealthHost(environment: [:])
    host.path = path
    host.bundleIdentifier = app
    host.name = "Costs"
    host.answer = { $0.allowed }
    return host
  }

  static func allowedStore(_ path: String) async throws -> HKHealthStore {
    let store = HKHealthStore(host: host(path))
    try await store.requestAuthorization(toShare: [heartRate], read: [heartRate])
    return store
  }

  /// Two years as an import brings them: some ten rates an hour, and dense hours.
  static func importedYears(_ path: String, most: Int = .max) throws -> SampleStore {
    var random = SeededSamples.Random(state: 11)
    var rows = RecordColumns(type: SampleType(.heartRate), source: Source(name: "Watch"))
    let origin = Origin(sourceVersion: "11.0", device: "name:Watch, hardware:Watch6,1")
    var time = middle.timeIntervalSinceReferenceDate - 365 * 86_400
    var dense = 0
    while time < end.timeIntervalSinceReferenceDate, rows.count < most {
      try rows.append(
        start: time, end: time, value: Double(50 + random.next() % 90), label: "count/min",
        creation: time + 3, origin: origin)
      if random.next() % 400 == 0 { dense = 300 }
      time += dense > 0 ? 5 : Double(200 + random.next() % 300)
      dense = max(0, dense - 1)
    }
    let store = try SampleStore(path: path, mode: .readWrite)
    let session = try store.beginImport()
    try session.add(rows)
    _ = try session.finish()
    return store
  }

  /// Heart rates as an app makes them.
  static func samples() -> [HKQuantitySample] {
    let unit = HKUnit.count().unitDivided(by: .minute())
    return (0..<count).map { row in
      let date = middle.addingTimeInterval(Double(row) * 5)
      return HKQuantitySample(
        type: heartRate, quantity: HKQuantity(unit: unit, doubleValue: Double(60 + row % 97)),
        start: date, end: date, metadata: [HKMetadataKeyHeartRateMotionContext: row / 100 % 3])
    }
  }

  /// Days of all time, or of the last year.
  static func plan(of statistics: [Statistic], isWhole: Bool) -> StatisticsPlan {
    var plan = StatisticsPlan(type: SampleType(.heartRate), timeZone: zone)
    plan.statistics = statistics
    plan.interval = CalendarInterval(.day)
    plan.anchor = QueryDate(instant: middle.timeIntervalSinceReferenceDate)
    if !isWhole {
      plan.from = plan.anchor
      plan.to = QueryDate(instant: end.timeIntervalSinceReferenceDate)
    }
    return plan
  }

  /// How many days have data, by a collection of statistics.
  static func days(
    of health: HKHealthStore, _ predicate: NSPredicate?, _ options: HKStatisticsOptions
  ) async throws -> Int {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let day = DateComponents(calendar: calendar, timeZone: zone, day: 1)
    let collection = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<HKStatisticsCollection, any Error>) in
      let query = HKStatisticsCollectionQuery(
        quantityType: heartRate, quantitySamplePredicate: predicate, options: options,
        anchorDate: middle, intervalComponents: day)
      query.initialResultsHandler = { _, collection, error in
        if let collection {
          continuation.resume(returning: collection)
        } else {
          continuation.resume(throwing: error ?? HKError(.unknownError))
        }
      }
      health.execute(query)
    }
    return collection.statistics().count { $0.minimumQuantity() != nil }
  }

  /// All samples.
  static func fetch(_ health: HKHealthStore) async throws -> [HKSample] {
    try await withCheckedThrowingContinuation { continuation in
      health.execute(
        HKSampleQuery(
          sampleType: heartRate, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, error in
          if let samples {
            continuation.resume(returning: samples)
          } else {
            continuation.resume(throwing: error ?? HKError(.unknownError))
          }
        })
    }
  }
}
