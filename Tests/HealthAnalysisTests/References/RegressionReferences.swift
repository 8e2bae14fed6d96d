import Foundation
import _HealthTestSupport

/// What SciPy, statsmodels, NumPy, pymannkendall and R say (`References/analysis/regression.py`).
struct RegressionReferences: Decodable {
  struct Interval: Decodable {
    let confidence, slope, intercept, joint, low, high: Double
  }
  struct Huber: Decodable {
    let coefficients, errors, weights: [Double]
    let scale: Double
  }
  struct Kendall: Decodable { let tau, p: Double }
  struct HamedRao: Decodable { let lag: Int, p, z, s, `var`, slope: Double }
  struct Trend: Decodable {
    let name: String
    let x, y: [Double]
    let theilSen: [Interval]
    let huber: Huber?
    let kendall: Kendall
    let hamedRao: [HamedRao]?
    let r: [String: [Double]]
  }
  struct Fit: Decodable {
    let coefficients, errors, p, low95, high95, low90, high90: [Double]
    let statistic, probability, rSquared, deviation: Double
    let covariance: [[Double]]
  }
  struct NeweyWest: Decodable {
    let lag: Int
    let isDefault, smallSample: Bool
    let errors: [Double]
  }
  struct Model: Decodable {
    let name: String
    let names: [String]
    let columns: [[Double]]
    let response: [Double]
    let weights: [Double]?
    let hasIntercept: Bool
    let statsmodels: Fit
    let neweyWest: [NeweyWest]?
    let huber: Huber?
    let r: [String: [Double]]
  }
  struct MinimumNorm: Decodable {
    let name: String
    let columns: [[Double]]
    let response, coefficients, singularValues: [Double]
    let rank: Int
    let r: [String: [Double]]
  }
  struct Specification: Decodable {
    let ols, olsErrors, olsInterval, neweyWest4, neweyWest4Small, neweyWest7, neweyWest7Small,
      theilSen, huber: [Double]
    let olsP, huberScale, tau, tauP: Double
  }
  let trends: [Trend]
  let models: [Model]
  let minimumNorm: [MinimumNorm]
  let distributions: [String: [[Double]]]
  let specification: Specification

  static let all = Result {
    try JSONDecoder().decode(Self.self, from: References.contents("analysis/regression.json"))
  }

  static func trend(_ name: String) throws -> Trend? {
    try all.get().trends.first { $0.name == name }
  }

  static func model(_ name: String) throws -> Model? {
    try all.get().models.first { $0.name == name }
  }
}

/// Whether two numbers agree within a share of the second.
func agrees(_ value: Double, _ expected: Double, _ tolerance: Double) -> Bool {
  value == expected || (value - expected).magnitude <= tolerance * expected.magnitude
}

/// Whether two columns agree within a share of each number of the second.
func agrees(_ values: [Double], _ expected: [Double], _ tolerance: Double) -> Bool {
  values.count == expected.count
    && zip(values, expected).allSatisfy { agrees($0, $1, tolerance) }
}
