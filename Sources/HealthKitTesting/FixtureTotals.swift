#if os(Linux) && !HKSTATS_STUB
public import HealthKit

/// What a fixture holds, counted and added up from what was given, not from what the store answers.
public struct FixtureTotals: Sendable {
  /// How many objects there are of each type, by its identifier.
  public private(set) var counts: [String: Int] = [:]
  /// What adds up, by the identifier of its type.
  private var amounts: [String: [Amount]] = [:]
  /// What is known day by day from elsewhere, by the identifier of its type.
  private var days: [String: Days] = [:]

  private struct Amount: Sendable {
    let start: Date
    let end: Date
    let quantity: HKQuantity
    let unit: HKUnit
  }

  private struct Days: Sendable {
    var unit: HKUnit
    var sums: [Date: Double]
  }

  /// Nothing.
  public init() {}

  /// Objects that are loaded, each of them once; the samples of a correlation count, too.
  public init(_ objects: [HKObject]) {
    var known: Set<UUID> = []
    for object in objects {
      let members = (object as? HKCorrelation).map { Array($0.objects) } ?? []
      for case let sample as HKSample in [object] + members
      where known.insert(sample.uuid).inserted {
        counts[sample.sampleType.identifier, default: 0] += 1
        guard let sample = sample as? HKQuantitySample,
          sample.quantityType.aggregationStyle == .cumulative
        else { continue }
        let unit = sample.recordedUnit
        amounts[sample.quantityType.identifier, default: []].append(
          Amount(
            start: sample.startDate, end: sample.endDate, quantity: sample.quantity, unit: unit))
      }
    }
  }

  /// Counts, and sums of days that are known from elsewhere.
  ///
  /// - Parameters:
  ///   - counts: by the identifier of the type
  ///   - days: sums by the starts of days, with their unit, by the identifier of the type
  package init(
    counts: [String: Int], days: [String: (unit: HKUnit, sums: [Date: Double])] = [:]
  ) {
    self.counts = counts
    self.days = days.mapValues { Days(unit: $0.unit, sums: $0.sums) }
  }

  /// How many objects of a type there are.
  public func count(of type: HKObjectType) -> Int { counts[type.identifier] ?? 0 }

  /// The sums of days.
  ///
  /// They are plain sums, where a sample that lasts over midnight gives each day its share of time:
  /// of several sources with samples at one time a store counts only one, and these totals all. The
  /// synthetic person of `HealthKitFixtures` knows better: there each second counts once, in the
  /// days of that person's time zone, whatever the calendar.
  ///
  /// - Parameters:
  ///   - identifier: a type whose samples add up; of others there are no sums
  ///   - unit: the unit; that of the first sample otherwise
  ///   - calendar: cuts the days
  /// - Returns: the sums by the starts of days; a day without samples has none
  public func daily(
    _ identifier: HKQuantityTypeIdentifier, unit: HKUnit? = nil, calendar: Calendar = .current
  ) -> [Date: Double] {
    var sums: [Date: Double] = [:]
    if let known = days[identifier.rawValue] {
      let unit = unit ?? known.unit
      let one = HKQuantity(unit: known.unit, doubleValue: 1).doubleValue(for: unit)
      for (day, sum) in known.sums { sums[day] = known.unit == unit ? sum : sum * one }
    }
    let amounts = amounts[identifier.rawValue] ?? []
    guard let unit = unit ?? days[identifier.rawValue]?.unit ?? amounts.first?.unit else {
      return sums
    }
    for amount in amounts {
      let value = amount.quantity.doubleValue(for: unit)
      var start = amount.start
      repeat {
        let day = calendar.startOfDay(for: start)
        let next = calendar.date(byAdding: .day, value: 1, to: day).map(calendar.startOfDay)
        let end = min(amount.end, max(next ?? amount.end, start))
        let whole = amount.end.timeIntervalSince(amount.start)
        let share = whole > 0 ? end.timeIntervalSince(start) / whole : 1
        sums[day, default: 0] += value * share
        guard end > start else { break }
        start = end
      } while start < amount.end
    }
    return sums
  }

  /// The days whose sums differ from others, such as those that the code under test finds, by more
  /// than a hundred-thousandth: exports write six digits.
  ///
  /// ```swift
  /// #expect(totals.daysThatDiffer(from: try await reports.daily(), of: .stepCount).isEmpty)
  /// ```
  ///
  /// - Parameters:
  ///   - sums: by the starts of days; a day that only one of both has differs
  ///   - identifier: a type whose samples add up
  ///   - unit: the unit of both; that of the first sample otherwise
  ///   - calendar: cuts the days
  /// - Returns: the starts of the days, ascending
  public func daysThatDiffer(
    from sums: [Date: Double], of identifier: HKQuantityTypeIdentifier, unit: HKUnit? = nil,
    calendar: Calendar = .current
  ) -> [Date] {
    let own = daily(identifier, unit: unit, calendar: calendar)
    return Set(own.keys).union(sums.keys).filter { day in
      guard let sum = sums[day], let expected = own[day] else { return true }
      return !(abs(sum - expected) <= 1e-5 * abs(expected))
    }.sorted()
  }

  /// What two fixtures hold.
  public static func + (one: Self, other: Self) -> Self {
    var both = one
    both.counts.merge(other.counts, uniquingKeysWith: +)
    both.amounts.merge(other.amounts, uniquingKeysWith: +)
    both.days.merge(other.days) { days, more in
      let factor = HKQuantity(unit: more.unit, doubleValue: 1).doubleValue(for: days.unit)
      var days = days
      days.sums.merge(more.sums.mapValues { $0 * factor }, uniquingKeysWith: +)
      return days
    }
    return both
  }
}
#endif
