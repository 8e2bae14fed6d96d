/// How sums and means are rounded.
public enum Rounding: Sendable, Hashable, CaseIterable {
  /// Within 2^-50 of Σ|terms|, at the speed of plain sums (see ``CompensatedSum``).
  case compensated
  /// Correctly rounded, from the samples that segments are parts of: the result depends on no order.
  ///
  /// It can be had where ``Statistic/isExactlyAvailable(for:)`` says so, of segments that carry the
  /// shares of their samples by time.
  case exact
}
