import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthKit

/// The reference implementation of collection statistics: each interval scans all samples, and
/// Foundation's calendar computes the edges.
private struct ScannedCollection {
  /// The expected statistics of an interval; `nil` stands for no quantity.
  struct Row: Equatable {
    var sum: Double?
    var average: Double?
    var minimum: Double?
    var maximum: Double?
    var sums: [String: Double] = [:]
  }

  let samples: [HKQuantitySample]
  let anchor: Date
  let length: DateComponents
  let calendar: Calendar
  let unit: HKUnit
  let isCumulative: Bool

  /// The edge `index` intervals after the anchor.
  func edge(_ index: Int) -> Date {
    var step = DateComponents()
    step.month = length.month.map { $0 * index }
    step.day = length.day.map { $0 * index }
    step.second = ((length.hour ?? 0) * 3600 + (length.minute ?? 0) * 60) * index
    return calendar.date(byAdding: step, to: anchor) ?? anchor
  }

  /// The share of a sample's value in an interval; `nil` of a sample outside of it.
  private func part(of sample: HKQuantitySample, from start: Date, to end: Date) -> Double? {
    let value = sample.quantity.doubleValue(for: unit)
    let length = sample.endDate.timeIntervalSince(sample.startDate)
    guard isCumulative, length > 0 else {
      return sample.startDate >= start && sample.startDate < end ? value : nil
    }
    let overlap = min(end, sample.endDate).timeIntervalSince(max(start, sample.startDate))
    return overlap > 0 ? value * overlap / length : nil
  }

  func row(from start: Date, to end: Date) -> Row? {
    var row = Row()
    var values: [Double] = []
    for sample in samples {
      guard let part = part(of: sample, from: start, to: end) else { continue }
      values.append(part)
      row.sums[sample.sourceRevision.source.bundleIdentifier, default: 0] += part
    }
    guard !values.isEmpty else { return nil }
    let sum = values.reduce(0, +)
    row.sum = sum
    row.average = sum / Double(values.count)
    row.minimum = values.min()
    row.maximum = values.max()
    return row
  }
}

@Suite struct CollectionQueryTests {
  private static let steps = HKQuantityType(.stepCount)
  private static let mass = HKQuantityType(.bodyMass)
  private static let apps = ["com.example.a", "com.example.b"]
  /// The day on which summer time begins in Berlin.
  private static let origin = Date(timeIntervalSinceReferenceDate: 764_200_800)

  /// Samples that neither overlap nor touch, so that no source masks another.
  private static func samples(
    of type: HKQuantityType, _ count: Int, using random: inout SplitMix64
  ) -> [HKQuantitySample] {
    let slots = (0..<4_000).shuffled(using: &random).prefix(count)
    return slots.map { slot in
      let start = origin.addingTimeInterval(Double(slot) * 600)
      let length = type == mass ? 0 : Double([0, 60, 300, 540].randomElement(using: &random) ?? 0)
      let value = Double(Int.random(in: 1..<80, using: &random)) / 2
      return HKQuantitySample(
        type: type,
        quantity: HKQuantity(
          unit: type == mass ? .gramUnit(with: .kilo) : .count(), doubleValue: value),
        start: start, end: start.addingTimeInterval(length),
        device: [nil, Trial.watch, Trial.scale][Int.random(in: 0..<3, using: &random)],
        metadata: Bool.random(using: &random) ? ["a": Int.random(in: 0..<3, using: &random)] : nil)
    }
  }

  private static func saved(
    in file: HealthFile, using random: inout SplitMix64
  ) async throws -> [HKQuantityType: [HKQuantitySample]] {
    for type in [steps, mass] {
      let all = samples(of: type, 220, using: &random)
      for (app, part) in zip(apps, [all.prefix(120), all.suffix(100)]) {
        try await file.allowedStore(app).save(Array(part))
      }
    }
    return [
      steps: try file.rows(.stepCount).compactMap { $0 as? HKQuantitySample },
      mass: try file.rows(.bodyMass).compactMap { $0 as? HKQuantitySample },
    ]
  }

  private static func predicate(
    _ number: Int, _ all: [HKQuantitySample], using random: inout SplitMix64
  ) -> NSPredicate? {
    func date() -> Date? {
      guard Int.random(in: 0..<5, using: &random) > 0 else { return nil }
      let sample = all.randomElement(using: &random)
      // Often exactly where a sample starts or ends.
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return sample?.startDate
      case 1: return sample?.endDate
      default:
        return origin.addingTimeInterval(Double(Int.random(in: -100..<2_500_000, using: &random)))
      }
    }
    func period() -> NSPredicate {
      HKQuery.predicateForSamples(
        withStart: date(), end: date(),
        options: HKQueryOptions(rawValue: UInt.random(in: 0..<4, using: &random)))
    }
    func source() -> NSPredicate {
      let name = apps[Int.random(in: 0..<2, using: &random)]
      return HKQuery.predicateForObjects(
        from: HKSource(Source(name: String(name.suffix(1)), bundleIdentifier: name)))
    }
    func device() -> NSPredicate {
      HKQuery.predicateForObjects(
        withDeviceProperty: HKDevicePropertyKeyName,
        allowedValues: [["Watch"], ["Scale"], ["Watch", "x"]][number % 3])
    }
    func text(_ name: String, _ word: String) -> NSPredicate {
      NSPredicate(format: "%K \(word) %@", name, date() ?? origin)
    }
    switch number % 10 {
    case 0: return nil
    case 1, 2: return period()
    case 3: return source()
    case 4: return NSCompoundPredicate(andPredicateWithSubpredicates: [period(), source()])
    case 5: return NSCompoundPredicate(andPredicateWithSubpredicates: [period(), device()])
    case 6: return NSCompoundPredicate(orPredicateWithSubpredicates: [period(), period()])
    case 7: return NSCompoundPredicate(notPredicateWithSubpredicate: period())
    case 8:
      let words = ["<", "<=", ">", ">=", "=="]
      return NSCompoundPredicate(andPredicateWithSubpredicates: [
        text(HKPredicateKeyPathStartDate, words[number / 10 % 5]),
        text(HKPredicateKeyPathEndDate, words[number / 50 % 5]),
      ])
    default:
      return NSCompoundPredicate(andPredicateWithSubpredicates: [
        period(), HKQuery.predicateForObjects(withMetadataKey: "a"),
      ])
    }
  }

  private static func lengths(_ number: Int) -> DateComponents {
    [
      DateComponents(minute: 17), DateComponents(hour: 5), DateComponents(day: 1),
      DateComponents(day: 3), DateComponents(month: 1), DateComponents(hour: 24),
    ][number % 6]
  }

  @Test(
    "Statistics of intervals are those of a scan of all objects, for any predicate and interval",
    arguments: 0..<(Soak.isLong ? 8 : 2) as Range<UInt64>)
  func scan(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed &+ 300)
    let file = try HealthFile()
    let all = try await Self.saved(in: file, using: &random)
    let store = file.store(Self.apps[0])
    var (hits, misses) = (0, 0)
    for number in 0..<100 {
      let type = Bool.random(using: &random) ? Self.steps : Self.mass
      let isCumulative = type == Self.steps
      let samples = try #require(all[type])
      let predicate = Self.predicate(number, samples, using: &random)
      let zone = try #require(
        TimeZone(identifier: ["GMT", "Europe/Berlin", "America/St_Johns"][number % 3]))
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = zone
      var length = Self.lengths(Int.random(in: 0..<6, using: &random))
      let anchor = Self.origin.addingTimeInterval(
        Double(Int.random(in: -2_000_000..<4_000_000, using: &random)))
      let scanned = ScannedCollection(
        samples: try samples.filter { try predicate?.matches($0) ?? true }, anchor: anchor,
        length: length, calendar: calendar, unit: isCumulative ? .count() : .gramUnit(with: .kilo),
        isCumulative: isCumulative)
      length.timeZone = zone
      var options: HKStatisticsOptions =
        isCumulative
        ? .cumulativeSum
        : [
          [.discreteAverage, .discreteMin, .discreteMax], [.discreteMin, .discreteMax],
          .discreteAverage,
        ][number % 3]
      let isSeparate = number % 4 == 0
      if isSeparate { options.insert(.separateBySource) }
      let collection = try await HKStatisticsCollectionQueryDescriptor(
        predicate: .quantitySample(type: type, predicate: predicate), options: options,
        anchorDate: anchor, intervalComponents: length
      ).result(for: store)
      let mismatch = try Self.mismatch(
        collection, scanned, options, over: samples, hits: &hits, misses: &misses)
      #expect(
        mismatch == nil, "query \(number), \(predicate?.tree.format ?? ""): \(mismatch ?? "")")
    }
    #expect(hits > 500 && misses > 500, "\(hits) and \(misses)")
  }

  /// The first difference between a collection and the scan; `nil` if there is none.
  private static func mismatch(
    _ collection: HKStatisticsCollection, _ scanned: ScannedCollection,
    _ options: HKStatisticsOptions, over samples: [HKQuantitySample], hits: inout Int,
    misses: inout Int
  ) throws -> String? {
    let first = try #require(samples.map(\.startDate).min())
    let last = try #require(samples.map(\.endDate).max())
    // Every interval with a sample, and some around.
    var index = 0
    while scanned.edge(index) > first { index -= 1 }
    while scanned.edge(index + 1) <= first { index += 1 }
    let begin = index
    while scanned.edge(index) <= last { index += 1 }
    var populated: [Date] = []
    for index in begin..<index {
      let (start, end) = (scanned.edge(index), scanned.edge(index + 1))
      let expected = scanned.row(from: start, to: end)
      guard let found = collection.statistics(for: start) else { return "no interval at \(index)" }
      guard found.startDate == start, found.endDate == end else {
        return "interval \(index) has other edges"
      }
      func isSame(_ quantity: HKQuantity?, _ number: Double?, _ option: HKStatisticsOptions) -> Bool
      {
        guard options.contains(option), let number else { return quantity == nil }
        guard let value = quantity?.doubleValue(for: scanned.unit) else { return false }
        return abs(value - number) <= 1e-9 * max(1, abs(number))
      }
      let pairs: [(String, HKQuantity?, Double?, HKStatisticsOptions)] = [
        ("sum", found.sumQuantity(), expected?.sum, .cumulativeSum),
        ("average", found.averageQuantity(), expected?.average, .discreteAverage),
        ("minimum", found.minimumQuantity(), expected?.minimum, .discreteMin),
        ("maximum", found.maximumQuantity(), expected?.maximum, .discreteMax),
      ]
      for (name, quantity, number, option) in pairs where !isSame(quantity, number, option) {
        return "interval \(index), \(start): \(name) \(quantity?.description ?? "none"), "
          + "not \(number?.description ?? "none")"
      }
      if options.contains(.separateBySource) {
        let sources = Set((found.sources ?? []).map(\.bundleIdentifier))
        guard sources == Set((expected?.sums ?? [:]).keys) else {
          return "interval \(index) has other sources"
        }
        for source in found.sources ?? [] {
          let sum = expected?.sums[source.bundleIdentifier]
          guard isSame(found.sumQuantity(for: source), sum, .cumulativeSum) else {
            return "interval \(index) has another sum of a source"
          }
        }
      } else if found.sources != nil {
        return "interval \(index) has sources"
      }
      if expected != nil { populated.append(start) }
    }
    hits += populated.count
    misses += index - begin - populated.count
    return collection.statistics().map(\.startDate) == populated
      ? nil : "other intervals have samples"
  }

  @Test(
    "Live statistics equal a scan after every save and deletion, and list the changed intervals",
    arguments: 0..<3 as Range<UInt64>)
  func live(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed &+ 900)
    let file = try HealthFile()
    let types: Set<HKSampleType> = [Self.steps, Self.mass]
    var stores: [HKHealthStore] = []
    for app in Self.apps { stores.append(try await file.allowedStore(app, types)) }
    let predicate = [
      nil,
      HKQuery.predicateForSamples(
        withStart: Self.origin.addingTimeInterval(300_000), end: nil, options: .strictStartDate),
      HKQuery.predicateForQuantitySamples(
        with: .lessThan, quantity: HKQuantity(unit: .count(), doubleValue: 25)),
    ][Int(seed) % 3]
    var states = HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: Self.steps, predicate: predicate), options: .cumulativeSum,
      anchorDate: Self.origin, intervalComponents: DateComponents(timeZone: .gmt, hour: 7)
    ).results(for: stores[0]).makeAsyncIterator()
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    func sums(_ samples: [HKQuantitySample]) throws -> [Date: Double] {
      let scanned = ScannedCollection(
        samples: try samples.filter { try predicate?.matches($0) ?? true }, anchor: Self.origin,
        length: DateComponents(hour: 7), calendar: calendar, unit: .count(), isCumulative: true)
      let rows = (0..<100).compactMap { index in
        scanned.row(from: scanned.edge(index), to: scanned.edge(index + 1)).map {
          (scanned.edge(index), $0.sum ?? 0)
        }
      }
      return Dictionary(rows) { first, _ in first }
    }
    let first = try #require(try await states.next())
    #expect(first.updatedStatistics == nil && first.statisticsCollection.statistics().isEmpty)
    var free = Self.samples(of: Self.steps, 120, using: &random)
    var kept: [[HKQuantitySample]] = [[], []]
    var before: [Date: Double] = [:]
    var updates = 0
    while !free.isEmpty {
      let app = Int.random(in: 0..<2, using: &random)
      if Int.random(in: 0..<3, using: &random) > 0 || kept[app].isEmpty {
        let count = min(free.count, Int.random(in: 1..<5, using: &random))
        let new = Array(free.suffix(count))
        free.removeLast(count)
        try await stores[app].save(new + [Trial.mass(70)])
        kept[app] += new
      } else {
        let place = Int.random(in: 0..<kept[app].count, using: &random)
        try await stores[app].delete(kept[app].remove(at: place))
      }
      let after = try sums(kept[0] + kept[1])
      let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
      before = after
      guard !changed.isEmpty else { continue }
      let state = try #require(try await states.next())
      updates += 1
      #expect(state.updatedStatistics?.map(\.startDate) == changed.sorted())
      let found = Dictionary(
        state.statisticsCollection.statistics().map {
          ($0.startDate, $0.sumQuantity()?.doubleValue(for: .count()) ?? 0)
        }
      ) { first, _ in first }
      #expect(Set(found.keys) == Set(after.keys))
      #expect(found.allSatisfy { abs($1 - (after[$0] ?? 0)) < 1e-9 * max(1, $1) })
    }
    #expect(updates > 15)
  }
}
