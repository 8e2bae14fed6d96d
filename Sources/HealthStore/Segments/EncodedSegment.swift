import HealthSamples

/// Rows of one type and one source in the form in which they are kept, in order of start, end and
/// value in the canonical unit.
///
/// What every question reads (times, values, labels) stands in ``core``, the rest (creation dates,
/// origins, metadata, copies) in ``detail``, so that a question leaves the latter on the disk.
struct EncodedSegment {
  /// The form of the bytes; another one is refused.
  static let version: UInt8 = 1
  /// The rows of a full segment.
  static let rowCount = 1 << 16
  /// No segment holds more rows.
  static let mostRows = 1 << 22

  var core: [UInt8]
  var detail: [UInt8]
  var facts: SegmentFacts
  var summary: SegmentSummary
}

/// What is known of a segment without decoding it.
struct SegmentFacts: Equatable {
  var count = 0
  var firstStart = Double.infinity
  var lastStart = -Double.infinity
  /// The latest end; one before its start counts as the start.
  var lastEnd = -Double.infinity
  /// Rows by label.
  var labels: [String: Int] = [:]
  /// Rows by device description.
  var devices: [String: Int] = [:]
}
