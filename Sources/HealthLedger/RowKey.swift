import HealthSamples
internal import _HealthNumerics

/// The sort key of a row: start, then end, then value in the canonical unit, then the place among
/// the rows of one time and value of a file.
///
/// Law 2.1: rows of a type and a source are compared by these alone.
package struct RowKey: Comparable, Sendable {
  package var start: Double
  package var end: Double
  package var canonical: Double
  package var ordinal: UInt32

  @inlinable
  package init(start: Double, end: Double, canonical: Double, ordinal: UInt32 = 0) {
    (self.start, self.end, self.canonical, self.ordinal) = (start, end, canonical, ordinal)
  }

  /// Its time, for overlaps.
  @inlinable package var span: Range<Double> { SampleTime.halfOpen(from: start, to: end) }

  /// Its time, with both ends.
  @inlinable package var time: ClosedRange<Double> { SampleTime.closed(from: start, to: end) }

  /// Whether both rows have the same times.
  @inlinable
  package func isSimultaneous(with other: Self) -> Bool {
    start == other.start && end == other.end
  }

  /// Whether both rows have the same times, value and place.
  @inlinable
  package func isCopy(of other: Self) -> Bool {
    isSimultaneous(with: other) && canonical.bitPattern == other.canonical.bitPattern
      && ordinal == other.ordinal
  }

  @inlinable
  package static func == (left: Self, right: Self) -> Bool {
    left.isSimultaneous(with: right) && left.canonical == right.canonical
      && left.canonical.sign == right.canonical.sign && left.ordinal == right.ordinal
  }

  @inlinable
  package static func < (left: Self, right: Self) -> Bool {
    if left.start != right.start { return left.start < right.start }
    if left.end != right.end { return left.end < right.end }
    if left.canonical != right.canonical { return left.canonical < right.canonical }
    if left.canonical.sign != right.canonical.sign { return left.canonical.sign == .minus }
    return left.ordinal < right.ordinal
  }
}

/// Finds a span that overlaps another one.
package struct SpanIndex {
  private let starts: [Double]
  /// The greatest upper bound of a span and all before it, and the place of the span that has it.
  private var bounds: [(bound: Double, place: Int)] = []

  /// Takes spans in ascending order of their starts.
  package init(_ spans: [Range<Double>]) {
    starts = spans.map(\.lowerBound)
    for (place, span) in spans.enumerated() {
      let last = bounds.last ?? (-.infinity, 0)
      bounds.append(span.upperBound > last.bound ? (span.upperBound, place) : last)
    }
  }

  /// - Complexity: O(log *n*) for *n* spans
  package func overlaps(_ span: Range<Double>) -> Bool { overlapping(span) != nil }

  /// The place of a span that overlaps another one: of several that which goes on longest.
  ///
  /// - Complexity: O(log *n*) for *n* spans
  package func overlapping(_ span: Range<Double>) -> Int? {
    let next = starts.partitioningIndex { $0 >= span.upperBound }
    guard next > 0, bounds[next - 1].bound > span.lowerBound else { return nil }
    return bounds[next - 1].place
  }
}
