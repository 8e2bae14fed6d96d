/// The time of a sample or an element, as comparisons and answers take it.
///
/// Some exports have an end before its start: it is stored as recorded, and the sample lies at its
/// start (law 2.1).
@usableFromInline
package enum SampleTime {
  /// The end that counts: not before the start.
  @inlinable
  package static func end(from start: Double, to end: Double) -> Double { max(start, end) }

  /// Whether an end is not before its start, as in what may be saved or made by a caller.
  @inlinable
  package static func isInOrder(from start: Double, to end: Double) -> Bool { start <= end }

  /// The time from the first to the last instant.
  @inlinable
  package static func closed(from start: Double, to end: Double) -> ClosedRange<Double> {
    ClosedRange(uncheckedBounds: (start, self.end(from: start, to: end)))
  }

  /// The time for overlaps, an instant as the shortest span that starts at it.
  ///
  /// Law 4.2: two samples overlap if they share more than an instant. An instant overlaps an equal
  /// one, and a span that it starts or lies inside of, not one that ends at it.
  @inlinable
  package static func halfOpen(from start: Double, to end: Double) -> Range<Double> {
    Range(uncheckedBounds: (start, end > start ? end : start.nextUp))
  }
}

extension Range<Double> {
  /// Whether a question about this range is about a sample: it ends at or after the lower bound and
  /// starts before the upper one.
  @inlinable
  package func hasSample(from start: Double, to end: Double) -> Bool {
    SampleTime.end(from: start, to: end) >= lowerBound && start < upperBound
  }
}
