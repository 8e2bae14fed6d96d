import Foundation
import _HealthTestSupport

/// The stored values of training, by source and name.
struct TrainingReference: Decodable {
  let spec: [String: Double]
  let pandas: [String: Double]
  let r: [String: Double]

  static func read() throws -> Self {
    try JSONDecoder().decode(Self.self, from: try References.contents("analysis/training.json"))
  }
}

/// Whether a value is within a share of what is expected, or within as much of a millionth.
func agrees(_ value: Double, _ expected: Double?, _ share: Double = 1e-13) -> Bool {
  guard let expected else { return false }
  return (value - expected).magnitude <= share * max(expected.magnitude, 1e-6)
}
