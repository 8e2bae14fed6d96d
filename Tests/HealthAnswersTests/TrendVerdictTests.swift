import Foundation
import HealthAnalysis
import HealthQuery
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

@testable import HealthAnswers

/// How often a trend is said to be there that is not, and how often one is found that is: the short form
/// here, with `HKSTATS_SOAK` (`.ci/soak verdicts`) as many as the documentation's table is of.
@Suite("Verdicts of trends")
struct TrendVerdictTests {
  #if DEBUG
  private static let count = Soak.isLong ? 400 : 10
  #else
  private static let count = Soak.isLong ? 4_000 : 200
  #endif

  private static let rows = Soak.isLong ? [12, 16, 26, 52, 90, 180, 365] : [12, 16, 26, 52, 90]

  /// The models whose slope has an interval.
  private static let models = TrendParameters.Model.allCases.filter { $0 != .seasonal }

  private func answer(
    _ values: [Double?], _ model: TrendParameters.Model = .line, areDays: Bool = true
  ) throws -> TrendAnswer {
    var parameters = TrendParameters()
    parameters.model = model
    return try AnalysedSeries(ofDays: values, isOfDays: areDays).trend(parameters)
  }

  /// The verdict; none where an estimate does not settle, which the command says instead.
  private func judged(
    _ values: [Double?], _ model: TrendParameters.Model, areDays: Bool
  ) throws -> TrendAnswer.Verdict? {
    do {
      return try answer(values, model, areDays: areDays).verdict
    } catch let error as AnalysisError {
      guard case .notConverged = error.reason else { throw error }
      return nil
    }
  }

  /// How much a trend grows from the first row to the last, in standard deviations.
  private static func effect(rows: Int) -> Double { rows < 52 ? 4 : rows < 180 ? 2 : 1 }

  /// Whether the methods before called a series rising or falling.
  private func wasClear(
    _ values: [Double], _ model: TrendParameters.Model, areDays: Bool
  ) throws -> Bool {
    let x = values.indices.map(Double.init)
    switch model {
    case .line:
      let error = try LinearTrend.neweyWestErrors(x: x, y: values).slope
      let line = try LinearTrend(x: x, y: values)
      return StudentDistribution(degreesOfFreedom: Double(x.count - 2))
        .pValue(of: line.slope, error: error) < 0.05
    case .theilSen: return try !TheilSenTrend(x: x, y: values).slopeInterval.contains(0)
    case .huber:
      guard let trend = try? HuberTrend(x: x, y: values) else { return false }
      return try !trend.slopeInterval().contains(0)
    case .seasonal:
      // A week as cycle, and months that are independent.
      let test = try RegularSeries(values).seasonalMannKendall(period: areDays ? 7 : 12)
      return (areDays ? test.dependent : test.independent).pValue < 0.05
    }
  }

  /// Counts verdicts on series of some kind, with a trend and without.
  private func rate(
    _ kind: TrendlessSeries, rows: Int, _ model: TrendParameters.Model, gaps: Double = 0,
    areDays: Bool = true
  ) throws -> VerdictRate {
    var rate = VerdictRate(
      "trend, \(model.rawValue)\(areDays ? "" : " of months")\(gaps > 0 ? ", 30 % missing" : "")",
      kind.rawValue, rows: rows)
    let effect = kind.deviation * Self.effect(rows: rows)
    // All pairs of a year of days take their time.
    let count = model == .theilSen && rows > 90 ? Self.count / 4 : Self.count
    for seed in 0..<count {
      var random = SplitMix64(seed: UInt64(seed) &* 1_000 &+ UInt64(rows))
      let values = kind.values(count: rows, using: &random)
      let isPresent = values.map { _ in Double.random(in: 0..<1, using: &random) >= gaps }
      func seen(_ values: [Double]) -> [Double?] { zip(values, isPresent).map { $1 ? $0 : nil } }
      guard isPresent.count(where: \.self) >= model.leastCount(ofDays: areDays) else { continue }
      let verdict = try judged(seen(values), model, areDays: areDays)
      rate.addNull(
        verdict == .rising || verdict == .falling,
        before: Soak.isLong && gaps == 0 ? try wasClear(values, model, areDays: areDays) : false)
      let risen = values.enumerated().map { $1 + effect * Double($0) / Double(rows - 1) }
      rate.addEffect(isFound: try judged(seen(risen), model, areDays: areDays) == .rising)
    }
    rate.report()
    return rate
  }

  @Test(
    "of series without a trend as few are called rising or falling as help says",
    arguments: TrendlessSeries.promised)
  func falseAlarms(kind: TrendlessSeries) throws {
    for rows in Self.rows {
      let found = try rate(kind, rows: rows, .line)
      #expect(
        found.keeps(percent: TrendParameters.FalseAlarms.percent), "\(rows): \(found.line)")
    }
    let holey = try rate(kind, rows: 120, .line, gaps: 0.3)
    #expect(holey.keeps(percent: TrendParameters.FalseAlarms.percent), "\(holey.line)")
  }

  @Test(
    "the robust models call as few series rising or falling", arguments: TrendlessSeries.promised,
    [TrendParameters.Model.theilSen, .huber])
  func robustFalseAlarms(kind: TrendlessSeries, model: TrendParameters.Model) throws {
    for rows in Soak.isLong ? Self.rows.filter({ $0 >= model.leastCount }) : [16, 52] {
      let found = try rate(kind, rows: rows, model)
      #expect(
        found.keeps(percent: TrendParameters.FalseAlarms.percent), "\(rows): \(found.line)")
    }
  }

  @Test(
    "the seasonal model calls as few series of months and days rising or falling as help says",
    arguments: TrendlessSeries.promised)
  func seasonalFalseAlarms(kind: TrendlessSeries) throws {
    let percent = TrendParameters.FalseAlarms.seasonalPercent
    for rows in Soak.isLong ? [60, 120, 180, 240] : [60, 120] {
      let found = try rate(kind, rows: rows, .seasonal, areDays: false)
      #expect(found.keeps(percent: percent), "\(found.line)")
    }
    for rows in Soak.isLong ? [140, 364, 730] : [140, 364] {
      let found = try rate(kind, rows: rows, .seasonal)
      #expect(found.keeps(percent: percent), "\(found.line)")
    }
    let holey = try rate(kind, rows: 120, .seasonal, gaps: 0.3, areDays: false)
    #expect(holey.keeps(percent: percent), "\(holey.line)")
  }

  @Test("a trend among independent rows is found as often as the documentation says")
  func power() throws {
    let least = [12: 0.3, 16: 0.55, 26: 0.9, 52: 0.9, 90: 0.95, 180: 0.9, 365: 0.95]
    for rows in Self.rows {
      let found = try rate(.independent, rows: rows, .line)
      let expected = try #require(least[rows])
      #expect(found.foundShare >= expected, "\(rows): \(found.line)")
    }
  }

  @Test("harder series are counted for the documentation", .enabled(if: Soak.isLong))
  func harder() throws {
    for kind in [TrendlessSeries.persistentHeavyTailed, .wandering, .wave] {
      for rows in Self.rows { _ = try rate(kind, rows: rows, .line) }
    }
  }

  @Test("too few rows have a slope, and neither an interval nor a verdict")
  func tooFew() throws {
    for model in Self.models {
      for count in [5, model.leastCount - 1, model.leastCount] {
        let rising = (0..<count).map { (row: Int) -> Double in
          70 + Double(row) + Double(row * 7 % 5) / 10
        }
        let trend = try answer(rising, model)
        let isEnough = count == model.leastCount
        #expect((trend.slope - 1).magnitude < 0.1)
        #expect((trend.slopeInterval != nil) == isEnough && (trend.pValue != nil) == isEnough)
        #expect(trend.verdict == (isEnough ? TrendAnswer.Verdict.rising : .tooFew))
        #expect((trend.fan(at: 0) != nil) == isEnough)
      }
    }
    // Three rising points have no interval of 95 %.
    #expect(try answer([70, 71, 73], .theilSen).verdict == .tooFew)
  }

  @Test("the verdict is that of the interval, whatever the confidence")
  func oneComputation() throws {
    var random = SplitMix64(seed: 5)
    var verdicts: Set<TrendAnswer.Verdict> = []
    for round in 0..<200 {
      let kind = TrendlessSeries.promised[round % 4]
      let slope = Double(round % 5 - 2) * 0.06
      let values = kind.values(count: 30, using: &random).enumerated().map {
        $1 + slope * Double($0)
      }
      for model in Self.models {
        var parameters = TrendParameters()
        (parameters.model, parameters.confidence) = (model, round.isMultiple(of: 2) ? 0.95 : 0.8)
        let trend = try AnalysedSeries(ofDays: values).trend(parameters)
        let interval = try #require(trend.slopeInterval)
        let share = try #require(trend.pValue)
        #expect((trend.verdict == .rising) == (interval.lowerBound > 0))
        #expect((trend.verdict == .falling) == (interval.upperBound < 0))
        #expect((trend.verdict == .unclear) == (share >= 1 - parameters.confidence))
        verdicts.insert(trend.verdict)
      }
    }
    #expect(verdicts == [.rising, .falling, .unclear])
  }
}

extension AnalysedSeries {
  /// The values of days.
  init(
    ofDays values: [Double?], type: HKQuantityTypeIdentifier = .bodyMass, isOfDays: Bool = true
  ) {
    let starts = values.indices.map { Double($0) * 86_400 }
    self.init(
      series: IntervalSeries(
        name: type.rawValue, type: SampleType(type), statistic: "mean", unit: .count,
        timeZone: ZoneTimeline(.gmt), starts: starts, ends: starts.map { $0 + 86_400 },
        values: values), partialCount: 0, isOfDays: isOfDays, isOfAmounts: false)
  }
}
