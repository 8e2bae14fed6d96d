import Foundation
import _HealthTestSupport

/// What `rhythm.py` and `rhythm.R` compute: the same cases, in the same order.
struct RhythmReferences: Decodable {
  struct Rhythm: Decodable {
    var period, cosine, sine, cosineError, sineError, covariance, amplitude, amplitudeError: Double
    var acrophase, acrophaseError, f, p: Double
  }

  struct Cosinor: Decodable {
    var mesor, mesorError, low, high, f, p, rSquared, deviation: Double
    var rhythms: [Rhythm]
  }

  struct CosinorCase: Decodable {
    var name: String
    var times, values, periods: [Double]
    var result: Cosinor
  }

  struct Periodogram: Decodable {
    var name: String
    var times, values, frequencies, scipy, astropy, astropyChi2, asked, probability: [Double]
    var probabilities, level: [Double]
  }

  struct Regularity: Decodable {
    var days: [[Int?]]
    var index: Double
  }

  struct Circular: Decodable {
    var hours: [Double]
    var mean, deviation, length: Double
  }

  struct Activity: Decodable {
    var name: String
    var values: [Double]
    var stability, variability, stabilityPyActigraphy, variabilityPyActigraphy: Double
    var least, most, relative: Double
    var leastOnset, mostOnset: Double
  }

  var cosinor: [CosinorCase]
  var lombScargle: [Periodogram]
  var regularity: [Regularity]
  var circular: [Circular]
  var activity: [Activity]

  /// The second source: base R.
  struct FromR: Decodable {
    struct Periodogram: Decodable { var power, probability, level: [Double] }
    struct Circular: Decodable { var mean, deviation, length: Double }
    struct Activity: Decodable {
      var stability, variability, least, leastOnset, most, mostOnset, relative: Double
    }

    var cosinor: [Cosinor]
    var lombScargle: [Periodogram]
    var regularity: [Double]
    var circular: [Circular]
    var activity: [Activity]
  }

  static func python() throws -> Self {
    try JSONDecoder().decode(Self.self, from: References.contents("analysis/rhythm.json"))
  }

  static func r() throws -> FromR {
    try JSONDecoder().decode(FromR.self, from: References.contents("analysis/rhythm-r.json"))
  }
}

/// Whether a value is within a share of what is expected.
func isNear(_ value: Double?, _ expected: Double, _ share: Double = 1e-10) -> Bool {
  guard let value else { return false }
  return (value - expected).magnitude <= share * expected.magnitude
}
