import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite("What a decomposition takes and refuses")
struct DecompositionInputTests {
  // MARK: Gaps

  @Test("Gaps in a line with a season are filled exactly", arguments: [2, 4, 7])
  func fillsExactly(period: Int) throws {
    var random = SplitMix64(seed: 51)
    let season = (0..<period).map { Double($0 * $0 % 5) }
    let values = (0..<40 * period).map { 50 + 0.25 * Double($0) + season[$0 % period] }
    for _ in 0..<20 {
      var isPresent = values.map { _ in true }
      for _ in 0..<4 {
        // Not at the ends, where the height is held.
        let first = Int.random(in: 1..<values.count - 10, using: &random)
        for row in first..<first + Int.random(in: 1...8, using: &random) { isPresent[row] = false }
      }
      let gappy = zip(values, isPresent).map { $1 ? $0 : 0 }
      let filled = GapFilling.filled(gappy, isPresent, period: period)
      for row in values.indices { #expect((filled[row] - values[row]).magnitude <= 1e-11) }
    }
  }

  @Test("Before the first value and after the last its height is held, with the season")
  func fillsEnds() {
    let season = [0.0, 3, -3]
    let values = (0..<30).map { 5 + season[$0 % 3] }
    let isPresent = (0..<30).map { $0 > 3 && $0 < 27 }
    let filled = GapFilling.filled(
      zip(values, isPresent).map { $1 ? $0 : 0 }, isPresent, period: 3)
    for row in values.indices { #expect((filled[row] - values[row]).magnitude <= 1e-14) }
    // Too little to know a season from: a line.
    #expect(
      GapFilling.filled([1, 0, 3, 0], [true, false, true, false], period: 2) == [1, 2, 3, 3])
  }

  @Test("Filled rows are marked and have no remainder; the others add up")
  func marksFilledRows() throws {
    let missing: Set<Int> = [0, 13, 14, 50, 99]
    let values = (0..<100).map { row -> Double? in
      missing.contains(row) ? nil : 60 + Double(row % 7) + Double(row * row % 13) / 13
    }
    let series = try RegularSeries(values)
    let parts = try series.decomposed(period: 7)
    for row in values.indices {
      #expect(parts.isFilled[row] == missing.contains(row))
      #expect((parts.remainder[row] == nil) == missing.contains(row))
      #expect((parts.adjusted[row] == nil) == missing.contains(row))
      guard let value = values[row], let rest = parts.remainder[row] else { continue }
      let sum = parts.trend[row] + parts.seasons[0].values[row] + rest
      #expect((sum - value).magnitude <= 2 * value.ulp)
    }
    // The values under the gaps have no meaning.
    #expect(parts.count == 100)
  }

  @Test("A gap may be as long as the parameters say, at the ends too")
  func gapLimit() throws {
    func series(_ gap: Range<Int>) throws -> RegularSeries {
      try RegularSeries((0..<60).map { gap.contains($0) ? nil : Double($0 % 7) })
    }
    var parameters = DecompositionParameters()
    for start in [0, 20, 46] {
      #expect(throws: Never.self) { try series(start..<start + 14).decomposed(period: 7) }
      let longer = max(0, start - 1)..<max(0, start - 1) + 15
      #expect(throws: AnalysisError(.gapTooLong(rows: 15, limit: 14), row: longer.lowerBound)) {
        try series(longer).decomposed(period: 7)
      }
      parameters.longestGap = 15
      #expect(throws: Never.self) {
        try series(longer).decomposed(period: 7, parameters: parameters)
      }
    }
    parameters.longestGap = 0
    #expect(throws: AnalysisError(.gapTooLong(rows: 1, limit: 0), row: 9)) {
      try series(9..<10).decomposed(period: 7, parameters: parameters)
    }
  }

  @Test("Half of the rows may be missing, not more")
  func half() throws {
    let every = try RegularSeries(
      (0..<41).map { (row: Int) -> Double? in row % 2 == 0 ? Double(row) : nil })
    #expect(throws: Never.self) { try every.decomposed(period: 7) }
    let odd = try RegularSeries(
      (0..<41).map { (row: Int) -> Double? in row % 2 == 1 ? Double(row) : nil })
    #expect(throws: AnalysisError(.tooFewPoints(count: 20, needed: 21))) {
      try odd.decomposed(period: 7)
    }
    let none = try RegularSeries([Double?](repeating: nil, count: 30))
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 15))) {
      try none.decomposed(period: 7)
    }
  }

  // MARK: Length and values

  @Test("Less than two periods are refused, and two are enough")
  func spans() throws {
    for count in [0, 1, 13] {
      let series = try RegularSeries((0..<count).map { Double($0 % 5) })
      #expect(throws: AnalysisError(.spanTooShort(rows: count, needed: 14))) {
        try series.decomposed(period: 7)
      }
    }
    #expect(throws: Never.self) {
      try RegularSeries((0..<14).map { Double($0 % 5) }).decomposed(period: 7)
    }
    let year = try RegularSeries((0..<729).map { Double($0 % 7) })
    #expect(throws: AnalysisError(.spanTooShort(rows: 729, needed: 730))) {
      try year.decomposed(periods: [7, 365])
    }
    for period in [Int.max, 1 << 40] {
      #expect(throws: AnalysisError.self) { try year.decomposed(period: period) }
    }
  }

  @Test(
    "A constant series has its value as the trend and no strength", arguments: [60.3, 0, -1e300])
  func constant(value: Double) throws {
    for parameters in [DecompositionParameters(), .robust] {
      let parts = try RegularSeries([Double](repeating: value, count: 50))
        .decomposed(period: 7, parameters: parameters)
      #expect(parts.trend.allSatisfy { $0 == value })
      #expect(parts.seasons[0].values.allSatisfy { $0 == 0 })
      #expect(parts.remainder.values.allSatisfy { $0 == 0 })
      #expect(parts.trendStrength == nil && parts.seasonalStrength == [nil])
      #expect(parts.weights.allSatisfy { $0 == 1 })
    }
  }

  @Test("Huge and tiny values give finite parts or a typed refusal, never an infinity")
  func extremes() throws {
    var random = SplitMix64(seed: 52)
    let least = Double.leastNonzeroMagnitude
    let sizes = [1e300, .greatestFiniteMagnitude, least, 1_000 * least, 1e-300, 1]
    for first in sizes {
      for second in sizes {
        let values = (0..<60).map { row in
          (Bool.random(using: &random) ? 1 : -1) * (row % 3 == 0 ? first : second)
        }
        for parameters in [DecompositionParameters(), .robust] {
          let series = try RegularSeries(values)
          #expect(isFiniteOrOverflows(series, parameters))
        }
      }
    }
    let large = try RegularSeries((0..<60).map { Double($0 % 7) * 1e307 })
    #expect(try #require(large.decomposed(period: 7).seasonalStrength[0]) > 0.99)
  }

  private func isFiniteOrOverflows(
    _ series: RegularSeries, _ parameters: DecompositionParameters
  ) -> Bool {
    do throws(AnalysisError) {
      let parts = try series.decomposed(period: 7, parameters: parameters)
      let columns = [
        parts.trend, parts.seasons[0].values, parts.remainder.values, parts.adjusted.values,
        parts.weights,
      ]
      return columns.allSatisfy { column in column.allSatisfy(\.isFinite) }
    } catch {
      return error.reason == .overflow
    }
  }

  // MARK: Parameters

  @Test("Parameters outside of their range are refused by name")
  func parameters() throws {
    func refused(
      _ name: String, period: Int = 7, _ change: (inout DecompositionParameters) -> Void
    ) throws {
      let series = try RegularSeries((0..<60).map { Double($0 % 5) })
      var parameters = DecompositionParameters()
      change(&parameters)
      let error = #expect(throws: AnalysisError.self) {
        try series.decomposed(period: period, parameters: parameters)
      }
      guard case .parameter(let found, _)? = error?.reason else {
        Issue.record("no parameter named")
        return
      }
      #expect(found == name)
    }
    for period in [1, 0, -7, Int.min] { try refused("period", period: period) { _ in } }
    for window in [2, 1, 8, 0, -7, Int.max, Int.min] {
      try refused("seasonal window") { $0.seasonalWindow = .cycles(window) }
    }
    for window in [7, 14, 5, -9, 0, Int.max, Int.min] {
      try refused("trend window") { $0.trendWindow = window }
    }
    for window in [5, 14, -9, 0, Int.max, Int.min] {
      try refused("low-pass window") { $0.lowPassWindow = window }
    }
    for degree in [-1, 2, Int.max] {
      try refused("seasonal degree") { $0.seasonalDegree = degree }
      try refused("trend degree") { $0.trendDegree = degree }
      try refused("low-pass degree") { $0.lowPassDegree = degree }
    }
    for jump in [0, -1, Int.min] {
      try refused("seasonal jump") { $0.seasonalJump = .rows(jump) }
      try refused("trend jump") { $0.trendJump = .rows(jump) }
      try refused("low-pass jump") { $0.lowPassJump = .rows(jump) }
    }
    for count in [0, -1, 1_001, Int.max] {
      try refused("inner iterations") { $0.innerIterations = count }
    }
    for count in [-1, 1_001, Int.max] {
      try refused("outer iterations") { $0.outerIterations = count }
    }
    try refused("longest gap") { $0.longestGap = -1 }
  }

  @Test("Periods are at least one and differ, and have one window each")
  func periods() throws {
    let series = try RegularSeries((0..<60).map { Double($0 % 5) })
    for periods in [[], [7, 7]] {
      #expect(throws: AnalysisError.self) { try series.decomposed(periods: periods) }
    }
    #expect(throws: AnalysisError.self) { try series.decomposed(periods: [7], windows: [7, 9]) }
    for passes in [0, 101, -1] {
      #expect(throws: AnalysisError.self) { try series.decomposed(periods: [7], passes: passes) }
    }
    for rows in [Int.max, 1 << 25] {
      #expect(throws: AnalysisError(.tooManyPoints(count: rows, limit: 1 << 24))) {
        try DecompositionPlan(rows: rows, period: 7)
      }
    }
    #expect(throws: AnalysisError(.spanTooShort(rows: -5, needed: 14))) {
      try DecompositionPlan(rows: -5, period: 7)
    }
  }

  @Test("Windows and jumps far beyond the series are taken")
  func farBeyond() throws {
    let series = try RegularSeries(
      (0..<60).map { (row: Int) -> Double in Double(row % 7) + Double(row * row % 11) })
    var parameters = DecompositionParameters.robust
    parameters.seasonalWindow = .cycles(1 << 40 - 1)
    parameters.trendWindow = 1 << 40 - 1
    parameters.lowPassWindow = 1 << 40 - 1
    parameters.seasonalJump = .rows(Int.max)
    parameters.trendJump = .rows(Int.max)
    parameters.lowPassJump = .rows(Int.max)
    let parts = try series.decomposed(period: 7, parameters: parameters)
    #expect(parts.trend.allSatisfy { $0.isFinite })
    #expect(parts.weights.allSatisfy { 0...1 ~= $0 })
  }
}
