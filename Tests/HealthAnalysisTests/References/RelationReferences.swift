import Foundation
import _HealthTestSupport

/// The values of other packages for correlations, adjusted *p*-values and components.
struct RelationReferences: Decodable {
  struct Correlation: Decodable {
    let x, y: String
    let lag: Int
    /// The coefficient and its *p*-value, and the ends of the interval where the package has one.
    let spearman, pearson: [Double]
  }
  struct Partial: Decodable {
    let given: [String]
    let method: String
    let coefficient, pValue: Double
  }
  struct Components: Decodable {
    let variances: [Double]
    let loadings: [[Double]]
    let shares, firstScores, lastScores: [Double]?
  }

  let correlations: [Correlation]
  let partial: [Partial]
  let components: Components

  /// The order of the columns of the components.
  static let names = ["y", "z", "tied", "far", "slow"]

  /// By SciPy, pingouin and scikit-learn; and by R.
  static let python = Result { try load("relations") as Self }
  static let r = Result { try load("relations-r") as Self }

  static func load<Contents: Decodable>(_ name: String) throws -> Contents {
    try JSONDecoder().decode(Contents.self, from: References.contents("analysis/\(name).json"))
  }

  /// A column of the references.
  static func column(_ name: String) throws -> [Double] {
    try References.table("analysis/relations.tsv").map { Double($0[name] ?? "") ?? .nan }
  }

  /// Whether a value is within a share of what is expected.
  static func isNear(_ value: Double, _ expected: Double, _ tolerance: Double) -> Bool {
    (value - expected).magnitude <= tolerance * expected.magnitude
  }
}
