import Foundation
import HealthKit
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import Samples

/// Statistics, samples and saves through ``HKHealthStore``, each beside the same question to the store
/// below it.
struct Costs {
  let folder: String
  let rounds: Int

  private static let heartRate = HKQuantityType(.heartRate)
  private static let zone = TimeZone(identifier: "Europe/Paris") ?? .gmt
  /// 2024-12-31 and 2025-12-31 at midnight in Paris.
  private static let middle = Date(timeIntervalSinceReferenceDate: 757_292_400)
  private static let end = Date(timeIntervalSinceReferenceDate: 788_828_400)

  private var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = Self.zone
    return calendar
  }

  /// The host of an app that may save and read heart rates.
  static func host(_ path: String, app: String = "com.example.costs") -> HealthHost {
    var host = HealthHost(environment: [:])
    host.path = path
    host.bundleIdentifier = app
    host.name = "Costs"
    host.answer = { $0.allowed }
    return host
  }

  /// A store of an app that may save and read heart rates.
  static func allowedStore(_ path: String) async throws -> HKHealthStore {
    let store = HKHealthStore(host: host(path))
    try await store.requestAuthorization(toShare: [heartRate], read: [heartRate])
    return store
  }

  func measure(into table: inout CostTable) async throws {
    try await measureStatistics(into: &table)
    try await measureSamples(into: &table)
    try await measureSaves(into: &table)
  }

  // MARK: Statistics

  /// Two years of a watch, as an import brings them: 24 rates an hour, and dense hours.
  private func importedYears(_ path: String, most: Int = .max) throws -> SampleStore {
    let type = SampleType(.heartRate)
    var random = SeededSamples.Random(state: 11)
    var rows = RecordColumns(type: type, source: Source(name: "Watch"))
    let origin = Origin(sourceVersion: "11.0", device: "name:Watch, hardware:Watch6,1")
    var time = Self.middle.timeIntervalSinceReferenceDate - 365 * 86_400
    let end = Self.end.timeIntervalSinceReferenceDate
    var dense = 0
    while time < end, rows.count < most {
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

  private func measureStatistics(into table: inout CostTable) async throws {
    let path = folder + "/years.sqlite"
    let store = try importedYears(path).reading(as: "com.example.costs")
    let health = try await Self.allowedStore(path)
    let day = DateComponents(calendar: calendar, timeZone: Self.zone, day: 1)
    let questions: [(name: String, options: HKStatisticsOptions, statistics: [Statistic])] = [
      ("mean, min, max", [.discreteAverage, .discreteMin, .discreteMax], [.mean, .min, .max]),
      ("min, max", [.discreteMin, .discreteMax], [.min, .max]),
    ]
    let predicates: [(name: String, options: HKQueryOptions?)] = [
      ("two years", nil), ("a year, not strict", []), ("a year, strict start", .strictStartDate),
    ]
    for question in questions {
      for predicate in predicates {
        var plan = StatisticsPlan(type: SampleType(.heartRate), timeZone: Self.zone)
        plan.statistics = question.statistics
        plan.interval = CalendarInterval(.day)
        plan.anchor = QueryDate(instant: Self.middle.timeIntervalSinceReferenceDate)
        if predicate.options != nil {
          plan.from = plan.anchor
          plan.to = QueryDate(instant: Self.end.timeIntervalSinceReferenceDate)
        }
        let condition = predicate.options.map {
          HKQuery.predicateForSamples(withStart: Self.middle, end: Self.end, options: $0)
        }
        var (ours, floor): ([Cost], [Cost]) = ([], [])
        for round in 0...rounds {
          var days = 0
          let floorCost = try await Cost.of {
            let answer = try store.statistics(plan)
            days = answer.intervals.hasData.count { $0 }
          }
          var found = 0
          let cost = try await Cost.of {
            found = try await collection(
              of: health, condition, question.options, day
            ).statistics().count { $0.minimumQuantity() != nil }
          }
          guard found == days, days > 300 else {
            throw ProblemError("The facade has \(found) days, the plan \(days).")
          }
          // The first round fills caches.
          if round > 0 {
            ours.append(cost)
            floor.append(floorCost)
          }
        }
        table.add(
          "heart rate by day, \(question.name), \(predicate.name)", ours: ours, floor: floor)
      }
    }
  }

  private func collection(
    of health: HKHealthStore, _ predicate: NSPredicate?, _ options: HKStatisticsOptions,
    _ interval: DateComponents
  ) async throws -> HKStatisticsCollection {
    try await withCheckedThrowingContinuation { continuation in
      let query = HKStatisticsCollectionQuery(
        quantityType: Self.heartRate, quantitySamplePredicate: predicate, options: options,
        anchorDate: Self.middle, intervalComponents: interval)
      query.initialResultsHandler = { _, collection, error in
        if let collection {
          continuation.resume(returning: collection)
        } else {
          continuation.resume(throwing: error ?? HKError(.unknownError))
        }
      }
      health.execute(query)
    }
  }

  // MARK: Samples

  private static let count = 100_000

  /// Heart rates as an app makes them.
  private func samples(_ round: Int) -> [HKQuantitySample] {
    let unit = HKUnit.count().unitDivided(by: .minute())
    let start = Self.middle.addingTimeInterval(Double(round) * 1e7)
    return (0..<Self.count).map { row in
      let date = start.addingTimeInterval(Double(row) * 5)
      return HKQuantitySample(
        type: Self.heartRate,
        quantity: HKQuantity(unit: unit, doubleValue: Double(60 + row % 97)), start: date,
        end: date, metadata: [HKMetadataKeyHeartRateMotionContext: row / 100 % 3])
    }
  }

  private func measureSamples(into table: inout CostTable) async throws {
    let imported = folder + "/imported.sqlite"
    _ = try importedYears(imported, most: Self.count)
    let saved = folder + "/saved.sqlite"
    try await Self.allowedStore(saved).save(samples(0))
    for (name, path) in [("imported", imported), ("saved", saved)] {
      let health = try await Self.allowedStore(path)
      let store = try SampleStore(path: path, mode: .readOnly).reading(as: "com.example.costs")
      var (ours, floor): ([Cost], [Cost]) = ([], [])
      for round in 0...rounds {
        let floorCost = try await Cost.of {
          let rows = try store.records(SampleQuery(types: [SampleType(.heartRate)]))
          guard rows.reduce(0, { $0 + $1.count }) == Self.count else {
            throw ProblemError("The store has other rows.")
          }
        }
        let cost = try await Cost.of {
          let count = try await fetch(health).count
          guard count == Self.count else { throw ProblemError("\(count) samples were fetched.") }
        }
        if round > 0 {
          ours.append(cost)
          floor.append(floorCost)
        }
      }
      table.add("100k \(name) samples fetched", ours: ours, floor: floor)
    }
  }

  private func fetch(_ health: HKHealthStore) async throws -> [HKSample] {
    try await withCheckedThrowingContinuation { continuation in
      health.execute(
        HKSampleQuery(
          sampleType: Self.heartRate, predicate: nil, limit: HKObjectQueryNoLimit,
          sortDescriptors: nil
        ) { _, samples, error in
          if let samples {
            continuation.resume(returning: samples)
          } else {
            continuation.resume(throwing: error ?? HKError(.unknownError))
          }
        })
    }
  }

  // MARK: Saves

  /// Saves samples, beside the store's own save of the same samples and an import of the same rows,
  /// which need no UUIDs.
  private func measureSaves(into table: inout CostTable) async throws {
    var (ours, save, merge): ([Cost], [Cost], [Cost]) = ([], [], [])
    for round in 0..<rounds {
      let objects = samples(round)
      let rows = try SampleRows.rows(of: objects)[0].columns
      func newStore(_ name: String) throws -> SampleStore {
        try SampleStore(path: "\(folder)/\(name)\(round).sqlite", mode: .readWrite)
      }
      let imported = try newStore("rows")
      merge.append(
        try await Cost.of {
          let session = try imported.beginImport()
          try session.add(rows)
          _ = try session.finish()
        })
      let news = zip(objects, rows.starts.indices).map { object, row in
        NewSample(
          type: rows.type, source: rows.source, start: rows.starts[row], end: rows.ends[row],
          value: rows.values[row], label: rows.labelTable[Int(rows.labels[row])],
          metadata: rows.metadataTable[Int(rows.metadata[row])], uuid: object.uuid)
      }
      let below = try newStore("samples")
      save.append(try await Cost.of { try below.save(news, refusesKnown: true) })
      let health = try await Self.allowedStore("\(folder)/objects\(round).sqlite")
      ours.append(try await Cost.of { try await health.save(objects) })
      let store = try SampleStore(path: "\(folder)/objects\(round).sqlite", mode: .readOnly)
      for store in [imported, below, store] {
        guard try store.types().map(\.count) == [Self.count] else {
          throw ProblemError("The store has other samples than were saved.")
        }
      }
    }
    table.add("100k samples saved in one call, beside a save", ours: ours, floor: save)
    table.add("100k samples saved in one call, beside an import", ours: ours, floor: merge)
  }
}
