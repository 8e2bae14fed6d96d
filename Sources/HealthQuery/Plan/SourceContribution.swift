public import HealthSamples

/// The contribution of one source to each interval, and its amounts masked by other sources.
///
/// The sums of all sources add up to the total exactly as it was computed: in rank order, before
/// unit conversion. Policies that truncate results to whole numbers truncate only the total.
public struct SourceContribution: Sendable, Hashable {
  /// An amount that a higher source masked.
  public struct MaskedAmount: Sendable, Hashable {
    /// The source that counted instead; the source itself if its own samples mask each other.
    public let source: Source
    /// One amount per interval.
    ///
    /// A negative amount, under `subtractive`, means that the remainder of a sample was moved into
    /// the interval.
    public let amounts: [Double]
  }

  /// The source.
  public let source: Source
  /// Whether the source has a sample in the interval, masked or not.
  public let hasData: [Bool]
  /// The counted amounts.
  public let sums: [Double]
  /// The masked amounts: the source alone minus ``sums``.
  public let masked: [Double]
  /// The masking sources, the highest rank first; sources that mask nothing are left out.
  public let maskedBy: [MaskedAmount]

  /// The same amounts in another unit.
  func converted(by convert: (inout [Double]) -> Void) -> Self {
    func column(_ values: [Double]) -> [Double] {
      var values = values
      convert(&values)
      return values
    }
    return Self(
      source: source, hasData: hasData, sums: column(sums), masked: column(masked),
      maskedBy: maskedBy.map { .init(source: $0.source, amounts: column($0.amounts)) })
  }
}
