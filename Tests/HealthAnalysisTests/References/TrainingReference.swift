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
