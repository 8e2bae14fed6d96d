import Foundation
import Testing
import _HealthTestSupport

@testable import HealthAnalysis

/// A decomposition by another program.
struct DecompositionCase: Decodable, Sendable, CustomTestStringConvertible {
  struct Options: Decodable, Sendable {
    var seasonal: Int?
    var trend: Int?
    var lowPass: Int?
    var seasonalDeg: Int?
    var trendDeg: Int?
    var lowPassDeg: Int?
    var seasonalJump: Int?
    var trendJump: Int?
    var lowPassJump: Int?
    var robust: Bool?
    var inner: Int?
    var outer: Int?
    var tenth: Bool?
    var periodic: Bool?
    var multiple: Bool?
    var windows: [Int]?
  }

  var name: String
  var periods: [Int]
  var options: Options
  /// Which rows of the parts are there: every row, or one of so many.
  var every: Int
  /// How much the parts of the other program change with the last bits of the values.
  var change: Double?
  var weightChange: Double?
  var series: [Double]
  var trend: [Double]
  var seasons: [[Double]]
  var weights: [Double]

  var testDescription: String { name }

  var parameters: DecompositionParameters {
    var result = DecompositionParameters()
    if options.tenth == true { result = result.withTenthJumps() }
    if let cycles = options.seasonal { result.seasonalWindow = .cycles(cycles) }
    if options.periodic == true { result.seasonalWindow = .periodic }
    result.trendWindow = options.trend
    result.lowPassWindow = options.lowPass
    result.seasonalDegree = options.seasonalDeg ?? 1
    result.trendDegree = options.trendDeg ?? 1
    result.lowPassDegree = options.lowPassDeg ?? 1
    if let rows = options.seasonalJump { result.seasonalJump = .rows(rows) }
    if let rows = options.trendJump { result.trendJump = .rows(rows) }
    if let rows = options.lowPassJump { result.lowPassJump = .rows(rows) }
    result.isRobust = options.robust ?? false
    result.innerIterations = options.inner
    result.outerIterations = options.outer
    return result
  }

  func decomposed() throws -> Decomposition {
    let rows = try RegularSeries(series)
    return options.multiple == true
      ? try rows.decomposed(periods: periods, windows: options.windows, parameters: parameters)
      : try rows.decomposed(period: periods[0], parameters: parameters)
  }

  private struct File: Decodable {
    var cases: [DecompositionCase]
  }

  static func all(_ file: String) throws -> [DecompositionCase] {
    let data = try References.contents("analysis/\(file)")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(File.self, from: data).cases
  }
}

@Suite("Decompositions by other programs")
struct DecompositionReferenceTests {
  @Test(
    "statsmodels, and the original Fortran, give the same parts to ten digits",
    arguments: try DecompositionCase.all("decomposition.json"))
  func python(_ expected: DecompositionCase) throws { try compare(expected) }

  @Test(
    "R gives the same parts to ten digits",
    arguments: try DecompositionCase.all("decomposition-R.json"))
  func r(_ expected: DecompositionCase) throws { try compare(expected) }

  private func compare(_ expected: DecompositionCase) throws {
    let parts = try expected.decomposed()
    // Parts are differences of values: their rounding is relative to the size of those. Weights of
    // robustness can make more of it, in the other program too.
    let size = expected.series.map(\.magnitude).max() ?? 0
    let bound = max(1e-12 * size, 8 * (expected.change ?? 0))
    func distance(_ ours: [Double], _ theirs: [Double]) -> Double {
      let rows = stride(from: 0, to: ours.count, by: expected.every)
      return zip(rows, theirs).map { (ours[$0] - $1).magnitude }.max() ?? .infinity
    }
    #expect(distance(parts.trend, expected.trend) <= bound)
    #expect(parts.seasons.count == expected.seasons.count)
    for (season, values) in zip(parts.seasons, expected.seasons) {
      #expect(distance(season.values, values) <= bound)
    }
    let weightBound = max(1e-11, 8 * (expected.weightChange ?? 0))
    #expect(distance(parts.weights, expected.weights) <= weightBound)
    #expect(parts.trend.count == expected.series.count)
    #expect(!parts.isFilled.contains(true))
  }
}
