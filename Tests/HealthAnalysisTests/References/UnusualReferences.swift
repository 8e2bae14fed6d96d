import Foundation
import HealthAnalysis
import _HealthTestSupport

/// The values of `unusual.py` and `unusual.R`.
struct UnusualReferences: Decodable {
  struct Row: Decodable {
    let count: Int
    let median: Double?
    let mad: Double?
    let z: Double?
  }

  struct Case: Decodable {
    let series: String
    let baseline: Int
    let least: Int
    let bySource: Bool
    let rows: [Row]
  }

  struct Range: Decodable {
    let series: String
    let rows: Int
    let low: Double
    let high: Double
    let count: Int
    let values: [Double]
  }

  struct OfR: Decodable {
    let cases: [Case]
    let ranges: [Range]
  }

  let series: [String: [Double?]]
  let sources: [Int]
  let cases: [Case]
  let ranges: [Range]

  static func load() throws -> Self {
    try JSONDecoder().decode(Self.self, from: References.contents("analysis/unusual.json"))
  }

  static func loadR() throws -> OfR {
    try JSONDecoder().decode(OfR.self, from: References.contents("analysis/unusual-r.json"))
  }

  func series(_ name: String) throws -> RegularSeries { try RegularSeries(series[name] ?? []) }
}
