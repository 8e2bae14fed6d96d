import Foundation
import HealthAnalysis
import Testing
import _HealthTestSupport

@testable import HealthAnswers

/// How often a rhythm is said to be there that is not, and how often one is found that is.
@Suite("Verdicts of rhythms")
struct RhythmVerdictTests {
  #if DEBUG
  private static let count = Soak.isLong ? 200 : 6
  #else
  private static let count = Soak.isLong ? 2_000 : 100
  #endif

  /// Rows, and the period that is looked for in them.
  private static let spans: [(rows: Int, period: Double)] =
    Soak.isLong
    ? [(48, 24), (168, 24), (672, 24), (28, 7), (90, 7), (365, 7)] : [(168, 24), (28, 7)]

  @Test(
    "of series without a rhythm as few have one as help says", arguments: TrendlessSeries.promised)
  func cosines(kind: TrendlessSeries) throws {
    for (rows, period) in Self.spans {
      var rate = VerdictRate(
        "rhythm of \(Int(period)) rows", kind.rawValue, rows: rows)
      for seed in 0..<Self.count {
        var random = SplitMix64(seed: UInt64(seed) &* 1_000 &+ UInt64(rows))
        let values = kind.values(count: rows, using: &random)
        let times = values.indices.map { Double($0) + 0.5 }
        func rhythm(_ values: [Double]) throws -> Cosinor.Rhythm {
          try Cosinor(
            times: times, values: values, periods: [period], rows: Array(values.indices)
          ).rhythms[0]
        }
        let nothing = try rhythm(values)
        let sure = try #require(nothing.dependent)
        rate.addNull(sure.pValue < 0.05, before: nothing.test.pValue < 0.05)
        let high = zip(values, times).map {
          $0 + kind.deviation / 2 * cos(2 * .pi * $1 / period)
        }
        rate.addEffect(isFound: try #require(try rhythm(high).dependent).pValue < 0.05)
      }
      rate.report()
      #expect(rate.keeps(percent: RhythmParameters.FalseAlarms.percent), "\(rate.line)")
    }
  }

  @Test("of series without a period as few have a peak", arguments: TrendlessSeries.promised)
  func searches(kind: TrendlessSeries) throws {
    for rows in Soak.isLong ? [60, 180, 365] : [90] {
      var rate = VerdictRate("search for a period", kind.rawValue, rows: rows)
      for seed in 0..<Self.count {
        var random = SplitMix64(seed: UInt64(seed) &* 1_000 &+ UInt64(rows) &+ 7)
        let values = kind.values(count: rows, using: &random)
        let places = Array(values.indices)
        let times = places.map { Double($0) + 0.5 }
        func peak(_ values: [Double]) throws -> Periodogram.Peak {
          try RhythmReader.search(times, values, places).peak
        }
        let plain = try Periodogram(times: times, values: values, highestFrequency: 0.5)
        rate.addNull(
          try peak(values).falseAlarmProbability < 0.05,
          before: plain.peak.falseAlarmProbability < 0.05)
        let high = zip(values, times).map { $0 + kind.deviation * 0.7 * cos(2 * .pi * $1 / 28) }
        let found = try peak(high)
        rate.addEffect(
          isFound: found.falseAlarmProbability < 0.05 && (found.period - 28).magnitude < 3)
      }
      rate.report()
      #expect(rate.keeps(percent: RhythmParameters.FalseAlarms.percent), "\(rate.line)")
    }
  }
}
