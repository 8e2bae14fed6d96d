import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthQuery

@Suite("Exact answers in the units in which samples were recorded")
struct ExactUnitTests {
  private let source = Source(name: "Anna’s Apple Watch")

  /// A sample, and the unit in which it was recorded.
  private typealias Recorded = (label: String, row: SampleColumns.Row)

  private func plan(_ type: SampleType) throws -> StatisticsPlan {
    var plan = StatisticsPlan(type: type, timeZone: try TimeZone.named("UTC"))
    plan.interval = CalendarInterval(.day)
    plan.isExact = true
    return plan
  }

  @Test("a number in the unit of the answer is the number that was recorded")
  func recorded() throws {
    let type = SampleType(.heartRate)
    for number in 30...220 {
      let rows = [
        Recorded(
          "count/min", .init(source: source, start: 7e8, end: 7e8, value: Double(number)))
      ]
      var plan = try plan(type)
      plan.statistics = [.mean, .min, .max, .recent, .first]
      let store = try SampleStore.holding(rows, of: type)
      for interval in [CalendarInterval(.day), nil] {
        plan.interval = interval
        let answer = try store.statistics(plan)
        #expect(answer.unit == (try UnitExpression("count/min")))
        #expect(answer.type == type)
        let table = answer.intervals
        let columns = [
          table[raw: .mean], table[raw: .min], table[raw: .max], table[raw: .recent],
          table[raw: .first],
        ]
        #expect(columns.allSatisfy { $0 == [Double(number)] })
      }
    }
  }

  @Test("sums and means over random units are those of fractions, in any unit", arguments: 0..<30)
  func fractions(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let isSum = seed.isMultiple(of: 2)
    // Metres, and kilograms, of one unit: the international yard and pound of 1959.
    let units: [(label: String, base: ReferenceFraction)] =
      isSum
      ? [
        ("m", ReferenceFraction(1)), ("km", ReferenceFraction(1000)),
        ("mi", ReferenceFraction(1_609_344, over: 1000)),
        ("ft", ReferenceFraction(3048, over: 10_000)),
      ]
      : [
        ("kg", ReferenceFraction(1)), ("g", ReferenceFraction(1, over: 1000)),
        ("lb", ReferenceFraction(45_359_237, over: 100_000_000)),
      ]
    let type = SampleType(isSum ? .distanceWalkingRunning : .bodyMass)
    let midnight = 700_012_800.0
    let rows = try (0..<Int.random(in: 1...40, using: &generator)).map { index in
      let row = SampleColumns.Row(
        source: source, start: midnight + Double(index * 5000),
        end: midnight + Double(index * 5000 + 900),
        value: Double(Int.random(in: 1...4000, using: &generator)) / 8)
      return Recorded(try #require(units.randomElement(using: &generator)).label, row)
    }
    let store = try SampleStore.holding(rows, of: type)
    for unit in units {
      var plan = try plan(type)
      plan.unit = try UnitExpression(unit.label)
      let table = try store.statistics(plan).intervals
      let results = try #require(isSum ? table[raw: .sum] : table[raw: .mean])
      for (row, result) in results.enumerated() where table.hasData[row] {
        // A sample over midnight counts on both days in a mean; these sums have none.
        let inside = rows.filter {
          $0.row.end > table.starts[row] && $0.row.start < table.ends[row]
        }
        if isSum,
          inside.contains(where: {
            $0.row.start < table.starts[row] || $0.row.end > table.ends[row]
          })
        {
          continue
        }
        let total = try inside.reduce(ReferenceFraction(0)) { total, recorded in
          let base = try #require(units.first { $0.label == recorded.label }).base
          return total + ReferenceFraction(exactly: recorded.row.value) * base / unit.base
        }
        let expected = isSum ? total : total / ReferenceFraction(Int128(inside.count))
        #expect(result == expected.nearestDouble)
      }
    }
  }

  @Test("canonical samples without a store are summed first and converted in the same step")
  func inMemory() throws {
    let type = SampleType(.distanceWalkingRunning)
    let values = [0.1, 0.7, 3, 1e-3, 12.5]
    let samples = SampleColumns(
      type: type,
      rows: values.enumerated().map { index, value in
        SampleColumns.Row(
          source: source, start: 7e8 + Double(index), end: 7e8 + Double(index), value: value)
      })
    var plan = try plan(type)
    plan.unit = try UnitExpression("km")
    let facts = [SourceFacts(source: source, deviceKind: .watch, firstStart: 7e8)]
    let canonical = try #require(type.canonicalUnit)
    let toAnswer =
      try UnitConversion(from: canonical, to: UnitExpression("km"))(1) == 0.001
      ? ReferenceFraction(1, over: 1000) : ReferenceFraction(1)
    let expected =
      values.reduce(ReferenceFraction(0)) { $0 + ReferenceFraction(exactly: $1) } * toAnswer
    let sums = try plan.answer(samples: samples, facts: facts).intervals[raw: .sum]
    #expect(sums == [expected.nearestDouble])
  }
}
