import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite("Typical ranges")
struct TypicalRangeTests {
  @Test("Percentiles are those of NumPy and of R's type 7")
  func references() throws {
    let file = try UnusualReferences.load()
    let rows = try file.ranges + UnusualReferences.loadR().ranges
    #expect(rows.count == 48)
    for row in rows {
      let range = try file.series(row.series)
        .typicalRange(rows: row.rows, shares: row.low...row.high)
      #expect(range.count == row.count)
      for (ours, theirs) in zip([range.low, range.median, range.high], row.values) {
        #expect(abs(ours - theirs) <= 1e-13 * abs(theirs))
      }
    }
  }

  @Test("Medians, quantiles, deviations and ranks of all small inputs are those of the definition")
  func order() throws {
    for count in 1...5 {
      let tuples = (0..<count).reduce([[]] as [[Double]]) { tuples, _ in
        tuples.flatMap { tuple in [0.0, 1, 4].map { tuple + [$0] } }
      }
      for values in tuples {
        #expect(values.median == SlowBaseline.quantile(0.5, of: values))
        for share in [0, 0.05, 0.25, 0.5, 0.95, 1] {
          let slow = try #require(SlowBaseline.quantile(share, of: values))
          #expect(abs(try #require(values.quantile(share)) - slow) < 1e-14)
        }
        let distances = values.map { abs($0 - 1) }
        #expect(
          medianAbsoluteDeviation(values, around: 1) == SlowBaseline.quantile(0.5, of: distances))
        // A rank is the count of smaller values, plus half of the count of equal ones and a half.
        let ranks = values.map { value in
          Double(values.count { $0 < value }) + (Double(values.count { $0 == value }) + 1) / 2
        }
        #expect(values.averageRanks == ranks)
      }
    }
    let none: [Double] = []
    #expect(none.median == nil && none.quantile(0.5) == nil && none.averageRanks.isEmpty)
    #expect(medianAbsoluteDeviation([], around: 0) == nil)
  }

  @Test("A range before each row is the range at the end of the rows before it")
  func before() throws {
    var random = SplitMix64(seed: 61)
    let values: [Double?] = (0..<90).map { _ in
      Int.random(in: 0..<5, using: &random) == 0 ? nil : random.normal()
    }
    let ranges = try RegularSeries(values).typicalRangesBefore()
    for row in values.indices {
      let start = try RegularSeries(Array(values.prefix(row)))
      let present = start.presentRows.filter { $0 >= row - 28 }.count
      if present < 14 {
        #expect(ranges[row] == nil)
      } else {
        #expect(try ranges[row] == start.typicalRange())
        #expect(ranges[row]?.count == present)
      }
    }
  }

  @Test("The range of a weekday is the range of a series of that weekday alone")
  func groups() throws {
    var random = SplitMix64(seed: 62)
    let values: [Double?] = (0..<420).map { row in
      Int.random(in: 0..<9, using: &random) == 0
        ? nil : Double(row % 7) + random.normal()
    }
    let series = try RegularSeries(values)
    let weekdays = values.indices.map { ($0 + 3) % 7 }
    let byDay = try series.typicalRanges(byGroup: weekdays)
    #expect(byDay.count == 7)
    for day in 0..<7 {
      let own = values.indices.filter { weekdays[$0] == day && $0 >= 55 }.map { values[$0] }
      #expect(try byDay[day] == RegularSeries(own).typicalRange(rows: 365))
    }
    let each = try series.typicalRangesBefore(rows: 365, groups: weekdays)
    let last = try RegularSeries(Array(values.prefix(419))).typicalRanges(
      byGroup: Array(weekdays.prefix(419)))
    #expect(each[419] == last[weekdays[419]])
    #expect(try series.typicalRanges(byGroup: weekdays, rows: 28).isEmpty)
    #expect(try series.typicalRanges(byGroup: weekdays, rows: 28, atLeast: 1).count == 7)
  }

  @Test("Ranges are ordered, scale with powers of two, mirror, and ignore the order of rows")
  func laws() throws {
    var random = SplitMix64(seed: 63)
    for _ in 0..<50 {
      let values = UnchangedSeries.heavyTailed.values(count: 28, using: &random)
      let range = try RegularSeries(values).typicalRange()
      #expect(range.low <= range.median && range.median <= range.high)
      #expect(range.contains(range.low) && range.contains(range.high))
      #expect(!range.contains(range.high.nextUp) && !range.contains(range.low.nextDown))
      let scaled = try RegularSeries(values.map { $0 * 0x1p-600 }).typicalRange()
      #expect(scaled.low == range.low * 0x1p-600 && scaled.median == range.median * 0x1p-600)
      let mirrored = try RegularSeries(values.map { -$0 }).typicalRange()
      #expect(abs(mirrored.low + range.high) <= 1e-14 * abs(range.high))
      #expect(mirrored.median == -range.median)
      #expect(try RegularSeries(values.shuffled(using: &random)).typicalRange() == range)
      let last = values.suffix(28)
      #expect(range.least == last.min() && range.greatest == last.max())
      let outside = values.count { !range.contains($0) }
      #expect(outside == 4)
    }
  }

  @Test("The range of seven-day means comes from composing the two")
  func composed() throws {
    let series = try RegularSeries((0..<60).map { Double($0 % 7) })
    let range = try series.trailingMean(rows: 7, atLeast: 7).typicalRange()
    #expect(range == TypicalRange(low: 3, median: 3, high: 3, count: 28, least: 3, greatest: 3))
  }

  @Test("Huge and equal values have finite ranges, few values and bad parameters a reason")
  func hostile() throws {
    let huge = Double.greatestFiniteMagnitude
    let far = try RegularSeries((0..<40).map { $0 % 2 == 0 ? huge : -huge }).typicalRange()
    #expect(
      far
        == TypicalRange(
          low: -huge, median: 0, high: huge, count: 28, least: -huge, greatest: huge))
    let ends = try RegularSeries([-huge, huge]).typicalRange(
      rows: 2, shares: 0.25...0.75, atLeast: 2)
    #expect(abs(ends.low / huge + 0.5) < 1e-15 && abs(ends.high / huge - 0.5) < 1e-15)
    let equal = try RegularSeries(Array(repeating: 0.1, count: 20)).typicalRange()
    #expect(
      equal
        == TypicalRange(low: 0.1, median: 0.1, high: 0.1, count: 20, least: 0.1, greatest: 0.1))
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 14))) {
      try RegularSeries([] as [Double]).typicalRange()
    }
    let gaps = try RegularSeries((0..<40).map { $0 % 3 == 0 ? 1.0 : nil })
    #expect(throws: AnalysisError(.tooFewPoints(count: 10, needed: 14))) { try gaps.typicalRange() }
    #expect(try gaps.typicalRange(rows: Int.max).count == 14)
    let series = try RegularSeries((0..<40).map(Double.init))
    for shares in [-0.1...0.9, 0.1...1.1, -Double.infinity...0.5, 0.5 ... .infinity] {
      let reason = AnalysisError.Reason.parameter(
        name: "shares of a range", range: "between 0 and 1")
      #expect(throws: AnalysisError(reason)) { try series.typicalRange(shares: shares) }
      #expect(throws: AnalysisError(reason)) { try series.typicalRangesBefore(shares: shares) }
    }
    #expect(throws: AnalysisError.self) { try series.typicalRange(rows: 0) }
    #expect(throws: AnalysisError.self) { try series.typicalRange(rows: 10) }
    let groups = Array(repeating: 1, count: 3)
    #expect(throws: AnalysisError(.lengthsDiffer(x: 40, y: 3))) {
      try series.typicalRanges(byGroup: groups)
    }
    #expect(throws: AnalysisError(.lengthsDiffer(x: 40, y: 3))) {
      try series.typicalRangesBefore(groups: groups)
    }
  }
}
