import Foundation
import _HealthTestSupport

/// What iglu_python, nolds, NeuroKit, pandas, pymannkendall and SciPy say (`measures.py`).
struct MeasureReferences: Decodable {
  struct Lag: Decodable {
    let count, mean, sd: Double
  }
  struct Event: Decodable {
    let count, minutes: Double
  }
  struct Glucose: Decodable {
    let times, values: [Double]
    let iglu, mage: [String: Double]
    let events: [String: Event]
    let numpy: [String: Lag]
    let sd, tight: Double
  }
  struct Fluctuation: Decodable {
    let sizes: [Int]
    let fluctuations, neurokitFluctuations: [Double]
    let nolds, neurokit: Double
  }
  struct Beats: Decodable {
    let lnRMSSD, ratio: Double
    let dfa: [Fluctuation]
  }
  struct Training: Decodable {
    let loads: [Double]
    let mean, sd, monotony, strain: Double
  }
  struct Pressure: Decodable {
    struct Measure: Decodable {
      let mean, sd, cv, arv, weighted: Double
    }
    let days: [Int]
    let hours, systolic, diastolic: [Double]
    let measures: [String: Measure]
  }
  struct Chronotype: Decodable {
    let nights: [[Double]]
    let sdf, sdw, sdweek, msfsc: Double
  }
  struct Seasonal: Decodable {
    let name: String
    let period: Int
    let values: [Double?]
    let score, variance, statistic, p, tau, slope, jointVariance: Double
    let pymannkendallJoint: Double?
  }
  struct Weekdays: Decodable {
    let name: String
    let first: Int
    let missing: [Int]
    let statistic, p: Double
    let exact: Double?
  }

  let glucose: [Glucose]
  let beats: [String: Beats]
  let training: [Training]
  let pressure: Pressure
  let chronotype: Chronotype
  let seasonal: [Seasonal]
  let weekdays: [Weekdays]

  /// The intervals of the test file of hrv-analysis, and those that the scripts make, in milliseconds.
  static func intervals() throws -> (file: [Int], made: [Int]) {
    let text = String(
      decoding: try References.contents("analysis/beats-intervals.txt"), as: UTF8.self)
    return (
      text.split(separator: "\n").compactMap { Int($0) },
      (0..<2500).map { 780 + ($0 * $0 * 31 + $0 * 17) % 97 + $0 / 400 * 23 }
    )
  }

  static func read() throws -> Self {
    try JSONDecoder().decode(Self.self, from: References.contents("analysis/measures.json"))
  }
}
