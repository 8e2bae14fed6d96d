/// The rule of zero-length samples: what lasts from `start` to `end` is open at both ends, so it
/// holds an instant at either, and an instant holds itself.
///
/// Every policy that masks asks here. Two samples that are longer and only touch share no time.
enum ZeroLengthRule {
  /// Whether what lasts from `start` to `end` holds a zero-length sample at `instant`.
  @inline(__always)
  static func span(from start: Double, to end: Double, holds instant: Double) -> Bool {
    start <= instant && instant <= end
  }
}
