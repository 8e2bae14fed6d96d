import HealthAnalysis
import Testing
import _HealthTestSupport

@Suite("Unusual rows")
struct UnusualRowsTests {
  @Test("Medians, MADs and scores are those of SciPy and of R to twelve digits")
  func references() throws {
    let file = try UnusualReferences.load()
    let cases = try file.cases + UnusualReferences.loadR().cases
    #expect(cases.count == 24)
    for row in cases {
      let unusual = try file.series(row.series).unusualRows(
        baseline: row.baseline, atLeast: row.least, sources: row.bySource ? file.sources : nil)
      #expect(unusual.baselineCounts == row.rows.map(\.count))
      #expect(areNear(unusual.medians, row.rows.map(\.median)))
      #expect(areNear(unusual.medianDeviations, row.rows.map(\.mad)))
      #expect(areNear(unusual.scores, row.rows.map(\.z)))
    }
  }

  @Test("The row of the specification has its published score")
  func specification() throws {
    let unusual = try UnusualReferences.load().series("plain").unusualRows()
    #expect(abs(try #require(unusual.medians[100]) - 62.683789553778475) < 1e-12)
    #expect(abs(try #require(unusual.medianDeviations[100]) - 1.8122373924536106) < 1e-12)
    #expect(abs(try #require(unusual.scores[100]) - 6.23718687697685) < 1e-11)
    #expect(unusual.verdicts[100] == .unusual && unusual.rows.contains(100))
  }

  @Test("Random series with gaps and sources give the scores of the definition")
  func slowTwin() throws {
    var random = SplitMix64(seed: 51)
    for _ in 0..<40 {
      let values: [Double?] = (0..<60).map { _ in
        Int.random(in: 0..<6, using: &random) == 0
          ? nil : Double(Int.random(in: 0...6, using: &random))
      }
      let sources = (0..<60).map { _ in Int.random(in: 0...1, using: &random) }
      let window = Int.random(in: 1...30, using: &random)
      let least = Int.random(in: 1...window, using: &random)
      let ids = Bool.random(using: &random) ? sources : nil
      let unusual = try RegularSeries(values).unusualRows(
        baseline: window, atLeast: least, sources: ids)
      for row in values.indices {
        let before = values.indices.filter {
          $0 < row && $0 >= row - window && (ids == nil || sources[$0] == sources[row])
        }.compactMap { values[$0] }
        let expected = verdict(of: values[row], before: before, least: least)
        #expect(unusual.verdicts[row] == expected.verdict)
        #expect(areNear([unusual.scores[row]], [expected.score]))
        #expect(unusual.baselineCounts[row] == before.count)
      }
    }
  }

  @Test("Scaling and mirroring do the same to a score; what comes later does not matter")
  func laws() throws {
    var random = SplitMix64(seed: 52)
    let values = UnchangedSeries.heavyTailed.values(count: 200, using: &random)
      .map { ($0 * 1024).rounded() / 1024 }
    let plain = try RegularSeries(values).unusualRows()
    for exponent in [-900, 3, 900] {
      let factor = Double(sign: .plus, exponent: exponent, significand: 1)
      let scaled = try RegularSeries(values.map { $0 * factor }).unusualRows()
      #expect(scaled.scores == plain.scores && scaled.verdicts == plain.verdicts)
      #expect(scaled.medians == plain.medians.map { $0.map { $0 * factor } })
    }
    let shifted = try RegularSeries(values.map { $0 + 2048 }).unusualRows()
    #expect(shifted.scores == plain.scores)
    let mirrored = try RegularSeries(values.map { -$0 }).unusualRows()
    #expect(mirrored.scores == plain.scores.map { $0.map { -$0 } })
    let start = try RegularSeries(Array(values.prefix(120))).unusualRows()
    #expect(start.scores == Array(plain.scores.prefix(120)))
    // Rows beyond the window do not matter.
    let end = try RegularSeries(Array(values.suffix(100))).unusualRows()
    #expect(Array(end.scores.suffix(72)) == Array(plain.scores.suffix(72)))
    // A single source is no source, whatever its id.
    let single = try RegularSeries(values)
      .unusualRows(sources: Array(repeating: Int.min, count: 200))
    #expect(single == plain)
  }

  @Test("A new source starts a new baseline and does not enter the old one")
  func sources() throws {
    // A device that reads 10 more from row 40 on.
    let values = (0..<80).map { (row: Int) -> Double in Double(row * 7 % 5) + (row < 40 ? 0 : 10) }
    let sources = (0..<80).map { $0 < 40 ? 1 : 2 }
    let unaware = try RegularSeries(values).unusualRows()
    #expect(unaware.verdicts[40] == .unusual)
    let aware = try RegularSeries(values).unusualRows(sources: sources)
    #expect(aware.rows.isEmpty)
    #expect(aware.verdicts[40..<54].allSatisfy { $0 == .warmingUp })
    #expect(aware.verdicts[54..<80].allSatisfy { $0 == .usual })
    #expect(aware.baselineCounts[40] == 0 && aware.baselineCounts[54] == 14)
  }

  @Test("There is no verdict in a gap, before enough values, or against equal ones")
  func noVerdict() throws {
    var values: [Double?] = (0..<50).map { Double($0 % 3) }
    values[30] = nil
    let unusual = try RegularSeries(values).unusualRows()
    #expect(unusual.verdicts[0..<14].allSatisfy { $0 == .warmingUp })
    #expect(unusual.scores[0..<14].allSatisfy { $0 == nil })
    #expect(unusual.medians[13] == nil && unusual.medians[14] != nil)
    #expect(unusual.verdicts[14] == .usual && unusual.baselineCounts[14] == 14)
    #expect(unusual.verdicts[30] == .missing && unusual.scores[30] == nil)
    #expect(unusual.medians[30] != nil && unusual.baselineCounts[31] == 27)
    let equal = try RegularSeries((0..<40).map { $0 == 35 ? 9.0 : 4 }).unusualRows()
    #expect(equal.verdicts[14..<36].allSatisfy { $0 == .withoutSpread })
    #expect(equal.scores[35] == nil && equal.medianDeviations[35] == 0)
    // One value that differs: MAD is still 0, and the mean distance takes its place.
    #expect(equal.verdicts[36] == .usual && equal.scores[36] == 0)
  }

  @Test(
    "As many rows are unusual in a thousand as is stated",
    arguments: zip(UnchangedSeries.allCases, [6.143, 38.37, 7.7]))
  func rates(process: UnchangedSeries, stated: Double) throws {
    var random = SplitMix64(seed: 53)
    let runs = Soak.isLong ? 200 : 30
    var rates: [Double] = []
    for _ in 0..<runs {
      let unusual = try RegularSeries(process.values(count: 514, using: &random)).unusualRows()
      #expect(unusual.verdicts[14...].allSatisfy { $0 == .usual || $0 == .unusual })
      rates.append(Double(unusual.rows.count) / 500 * 1000)
    }
    let mean = rates.reduce(0, +) / Double(runs)
    let variance = rates.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(runs - 1)
    let error = (variance / Double(runs)).squareRoot()
    // Rows 14 to 27, whose shorter baselines find more, are 3 % of these rows.
    #expect(abs(mean - stated) < 3 * error + 0.05 * stated)
  }

  @Test("A day that is five standard deviations off is found as often as is stated")
  func power() throws {
    let runs = Soak.isLong ? 3000 : 400
    for (process, stated) in zip(UnchangedSeries.allCases, [0.895, 0.988, 0.901]) {
      var random = SplitMix64(seed: 54)
      var found = 0
      for _ in 0..<runs {
        var values = process.values(count: 29, using: &random)
        values[28] += 5 * process.deviation
        if try RegularSeries(values).unusualRows().verdicts[28] == .unusual { found += 1 }
      }
      let error = (stated * (1 - stated) / Double(runs)).squareRoot()
      #expect(abs(Double(found) / Double(runs) - stated) < 3 * error)
    }
  }

  @Test("Huge, tiny and empty series have finite scores or a reason")
  func hostile() throws {
    let huge = Double.greatestFiniteMagnitude
    let tiny = Double.leastNonzeroMagnitude
    #expect(try RegularSeries([] as [Double]).unusualRows().verdicts.isEmpty)
    #expect(
      try RegularSeries([nil, nil] as [Double?]).unusualRows().verdicts == [.missing, .missing])
    var values = (0..<40).map { Double($0 % 5) * tiny }
    values[35] = huge
    values[36] = -huge
    let unusual = try RegularSeries(values).unusualRows()
    #expect(unusual.scores[35] == huge && unusual.scores[36] == -huge)
    #expect(unusual.scores.allSatisfy { $0?.isFinite ?? true })
    let far = try RegularSeries((0..<40).map { $0 % 3 == 0 ? huge : -huge })
    #expect(throws: AnalysisError(.overflow, row: 14)) { try far.unusualRows() }
    let wide = try RegularSeries((0..<40).map { Double($0 % 5 - 2) * 0x1p1021 }).unusualRows()
    let narrow = try RegularSeries((0..<40).map { Double($0 % 5 - 2) }).unusualRows()
    #expect(wide.scores == narrow.scores)
  }

  @Test("Parameters outside of their range are refused with a reason")
  func refusals() throws {
    let series = try RegularSeries((0..<40).map(Double.init))
    for baseline in [Int.min, 0] {
      #expect(throws: AnalysisError(.parameter(name: "number of rows", range: "1 or more"))) {
        try series.unusualRows(baseline: baseline)
      }
    }
    for least in [Int.min, 0, 29, Int.max] {
      #expect(
        throws: AnalysisError(
          .parameter(name: "least number of values", range: "from 1 to the number of rows"))
      ) { try series.unusualRows(atLeast: least) }
    }
    for threshold in [0, -1, Double.nan, .infinity] {
      #expect(throws: AnalysisError(.parameter(name: "threshold", range: "above 0"))) {
        try series.unusualRows(threshold: threshold)
      }
    }
    #expect(throws: AnalysisError(.lengthsDiffer(x: 40, y: 39))) {
      try series.unusualRows(sources: Array(repeating: 1, count: 39))
    }
    #expect(try series.unusualRows(baseline: Int.max).baselineCounts.last == 39)
  }

  /// The verdict and the score by the definition.
  private func verdict(
    of value: Double?, before: [Double], least: Int
  ) -> (verdict: UnusualRows.Verdict, score: Double?) {
    guard let value else { return (.missing, nil) }
    guard before.count >= least else { return (.warmingUp, nil) }
    guard let score = SlowBaseline.score(of: value, against: before) else {
      return (.withoutSpread, nil)
    }
    return (abs(score) > 3.5 ? .unusual : .usual, score)
  }

  private func areNear(_ ours: [Double?], _ theirs: [Double?]) -> Bool {
    ours.count == theirs.count
      && zip(ours, theirs).allSatisfy { ours, theirs in
        guard let ours, let theirs else { return ours == nil && theirs == nil }
        return abs(ours - theirs) <= 1e-12 * max(1, abs(theirs))
      }
  }
}
