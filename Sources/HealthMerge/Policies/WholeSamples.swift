import HealthSamples

extension SampleColumns {
  /// The policies `highest` and `none`, and all types that are not cumulative: every sample, as it
  /// is.
  ///
  /// Under `highest` the source of an interval depends on sums, so it is chosen with them: see
  /// `highestStatistics(over:rounding:adding:)` of `SegmentColumns`.
  ///
  /// - Complexity: O(sources)
  func whole(_ order: [Int]) -> SegmentColumns {
    var segments = SegmentBuilder(samples: self)
    for source in order {
      segments.append(whole: rows(ofSource: source), of: source)
      segments.endSource(source)
    }
    return segments.columns
  }
}
