/// How sums and means are rounded.
public enum Rounding: Sendable, Hashable, CaseIterable {
  /// Within 2^-50 of Σ|terms|, at the speed of plain sums (compensated).
  case compensated
  /// Correctly rounded, from the samples of the segments: the result does not depend on any order.
  ///
  /// Supported for statistics with ``Statistic/isExactlyAvailable(for:)``, of segments that are
  /// shares of their samples by time.
  case exact
}
