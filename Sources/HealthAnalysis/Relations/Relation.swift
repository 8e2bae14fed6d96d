/// How two series of ``Relations`` go together at one lag.
///
/// Going together is not cause.
public struct Relation: Sendable, Hashable {
  /// The numbers of the two series, counted from 0; the first is the smaller.
  public let first, second: Int
  /// How many rows later the second series is read; where it is negative the second comes first.
  public let lag: Int
  /// The correlation of the tested columns, with its interval and its count.
  public let correlation: Correlation
  /// The probability of a coefficient at least as far from 0 without a relation, for this test alone.
  public let pValue: Double
  /// The same among all tests, by ``MultipleTests/benjaminiHochberg`` unless another adjustment was asked.
  public internal(set) var adjustedPValue: Double
  /// The coefficient of the raw columns at the same lag.
  ///
  /// It is computed where ``adjustedPValue`` is at most the rate and no other lag of the pair has a
  /// smaller ``pValue``; `nil` elsewhere, and where the raw columns have too few pairs or do not vary.
  public internal(set) var rawCoefficient: Double?

  /// Whether the raw columns go the same way.
  var hasSignOfRaw: Bool {
    guard let rawCoefficient else { return false }
    return rawCoefficient * correlation.coefficient > 0
  }
}
