/// The unit in which a reading was recorded, which decides by which edges it is judged.
///
/// The consensus prints its edges in both units, each rounded: 180 mg/dL is 9.99 mmol/L. So a reading
/// of 10.0 mmol/L is in range as it was recorded, and would be high after a conversion.
public enum GlucoseUnit: String, Sendable, Hashable, CaseIterable {
  /// Mass: mg/dL, and all that is recorded in mass.
  case milligramsPerDecilitre = "mg/dL"
  /// Moles: mmol/L, and all that is recorded in moles.
  case millimolesPerLitre = "mmol/L"

  /// The edges between the five ranges, in this unit.
  ///
  /// Sources: T. Battelino and others, Diabetes Care 42: 1593 (2019), table 3; American Diabetes
  /// Association, *Standards of Care in Diabetes*, section 6, recommendation 6.2.
  public var edges: [Double] {
    switch self {
    case .milligramsPerDecilitre: Self.edgesOfMass
    case .millimolesPerLitre: Self.edgesOfMoles
    }
  }

  /// Up to where the tight range reaches, from 70 mg/dL or 3.9 mmol/L on, in this unit.
  ///
  /// Source: T. Battelino and others, Lancet Diabetes and Endocrinology 11: 42 (2023).
  public var tightEdge: Double { self == .millimolesPerLitre ? 7.8 : 140 }

  /// How many decimals the consensus prints.
  public var decimals: Int { self == .millimolesPerLitre ? 1 : 0 }

  private static let edgesOfMass = [54.0, 70, 180, 250]
  private static let edgesOfMoles = [3.0, 3.9, 10, 13.9]

  /// The range of a reading in this unit: 0 is very low, 4 very high.
  ///
  /// The two edges in the middle are in range.
  func range(of value: Double) -> Int {
    let edges = edges
    return value <= edges[2]
      ? edges[..<2].count { value >= $0 } : 2 + edges[2...].count { value > $0 }
  }

  /// Whether a reading in this unit is in the tight range, both of whose ends count.
  func isTight(_ value: Double) -> Bool { value >= edges[1] && value <= tightEdge }
}
