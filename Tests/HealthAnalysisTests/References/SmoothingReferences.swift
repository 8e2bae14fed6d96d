import Foundation
import HealthAnalysis
import _HealthTestSupport

/// The values of `smoothing.py` and `smoothing.R`.
struct SmoothingReferences: Decodable {
  struct Curve: Decodable {
    let series: String
    let order: Int
    let lambda: Double
    let start: Int
    let curve: [Double]
    let exact: [Double]?
    let trace: Double
    let gcv: Double?
  }

  struct Choice: Decodable {
    let series: String
    let order: Int
    let logLambda: Double
    let gcv: Double
  }

  struct Means: Decodable {
    let series: String
    let rows: Int
    let least: Int
    let centred: Bool
    let means: [Double?]
  }

  struct OfR: Decodable {
    let curves: [Curve]
  }

  let series: [String: [Double?]]
  let curves: [Curve]
  let extremes: [Curve]
  let chosen: [Choice]
  let means: [Means]

  static func load() throws -> Self {
    try JSONDecoder().decode(Self.self, from: References.contents("analysis/smoothing.json"))
  }

  static func loadR() throws -> OfR {
    try JSONDecoder().decode(OfR.self, from: References.contents("analysis/smoothing-r.json"))
  }

  func series(_ name: String) throws -> RegularSeries { try RegularSeries(series[name] ?? []) }
}
