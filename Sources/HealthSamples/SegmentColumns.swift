/// The parts of samples that count, as columns: what merging gives and statistics take.
///
/// A sample that no other source covers is one segment; one that is partly covered is one segment
/// for each uncovered part, with the value shared out by time. Rows stand by source in rank
/// order, and within a source by sample; the segments of one sample are neighbours.
public struct SegmentColumns: Sendable, Hashable {
  /// The type of every segment.
  public let type: SampleType
  /// The sources from the highest rank down.
  public let sources: [Source]
  /// The rows of `sources[i]` are `offsets[i]..<offsets[i + 1]`.
  public let offsets: [Int]
  /// Start instants; ascending by sample within a source.
  public let starts: [Double]
  /// End instants; never before the start.
  public let ends: [Double]
  /// The part of the sample's value that the segment carries, in the canonical unit.
  public let values: [Double]
  /// The sample that each segment is part of, as a number that is unique within the source, or
  /// ``masked``.
  public let samples: [UInt32]

  /// The mark of a masked instant: it counts nothing (value 0), yet its interval is not empty.
  public static let masked = UInt32.max

  /// The number of segments. - Complexity: O(1)
  public var count: Int { starts.count }

  /// The rows of the source at `index` of ``sources``.
  public func rows(ofSource index: Int) -> Range<Int> { offsets[index]..<offsets[index + 1] }

  /// Makes columns from rows that already stand in order.
  package init(
    type: SampleType, sources: [Source], offsets: [Int],
    starts: [Double], ends: [Double], values: [Double], samples: [UInt32]
  ) {
    self.type = type
    self.sources = sources
    self.offsets = offsets
    self.starts = starts
    self.ends = ends
    self.values = values
    self.samples = samples
    assert(offsets.count == sources.count + 1 && offsets.last == starts.count)
    assert(starts.count == ends.count && starts.count == values.count)
    assert(starts.count == samples.count)
  }
}
