import Foundation
import _HealthTestSupport

/// What NumPy and SciPy say of dependent errors (`References/analysis/dependence.py`).
struct DependenceReferences: Decodable {
  struct Line: Decodable {
    let slope, error, p, autocorrelation: Double
    /// For the confidences 0.5, 0.9, 0.95 and 0.99.
    let margins: [Double]
  }
  struct TheilSen: Decodable { let slope, low, high, p: Double }
  struct Cosinor: Decodable { let amplitude, margin, angle, p, statistic: Double }
  struct Case: Decodable {
    let name: String
    let rows: [Int]
    let x, y: [Double]
    let line: Line
    let theilSen: TheilSen?
    let cosinor: Cosinor?
  }

  let cases: [Case]

  static func all() throws -> [Case] {
    try JSONDecoder().decode(Self.self, from: References.contents("analysis/dependence.json")).cases
  }
}
