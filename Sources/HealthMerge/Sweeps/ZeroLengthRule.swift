/// The rule for zero-length samples: a span contains the instants at both of its ends, and an
/// instant contains itself.
///
/// Every policy that masks calls this. Two longer samples that only touch do not overlap.
enum ZeroLengthRule {
  /// Whether the span from `start` to `end` contains a zero-length sample at `instant`.
  @inline(__always)
  static func span(from start: Double, to end: Double, holds instant: Double) -> Bool {
    start <= instant && instant <= end
  }
}
