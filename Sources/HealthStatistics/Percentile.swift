import _HealthNumerics

/// A percentage of the samples of an interval, and the rule for its value.
///
/// Over samples the value is the linear interpolation between order statistics, type 7 of R. J. Hyndman and Y.
/// Fan, *Sample Quantiles in Statistical Packages*, The American Statistician 50 (1996): of *n*
/// sorted values it is at index (*n* − 1)·percent / 100. This is the default of R, NumPy and
/// spreadsheets.
///
/// ```swift
/// Percentile("99.9")?.percent  // 99.9
/// Percentile.median.percent    // 50
/// ```
public struct Percentile: Sendable, Hashable {
  /// From 0, the smallest value, to 100, the largest.
  public let percent: Double

  /// The value with as many samples below as above.
  public static let median = Percentile(unchecked: 50)

  /// Makes a percentile, or nothing when `percent` is not within 0 and 100.
  public init?(_ percent: Double) {
    guard percent >= 0, percent <= 100 else { return nil }
    // Removes a negative zero, which has a different text.
    self.init(unchecked: percent + 0)
  }

  /// Parses digits with at most one decimal point between them, such as `90` and `99.9`.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.digits.contains) }),
      let percent = Double(String(text))
    else { return nil }
    self.init(percent)
  }

  private init(unchecked percent: Double) { self.percent = percent }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  /// The value of a percentile among sorted ones.
  ///
  /// - Precondition: `values` are ascending and not empty.
  /// - Complexity: O(1)
  package func value(in values: [Double]) -> Double {
    let place = Double(values.count - 1) * percent / 100
    let lower = min(Int(place), values.count - 1)
    let share = place - Double(lower)
    guard share > 0, lower + 1 < values.count else { return values[lower] }
    let (low, high) = (values[lower], values[lower + 1])
    let difference = high - low
    // The difference of values of opposite signs may overflow; that of their halves does not.
    let value =
      difference.isFinite
      ? low + difference * share : 2 * (low / 2 + (high / 2 - low / 2) * share)
    return min(max(value, low), high)
  }
}

extension Percentile: CustomStringConvertible {
  /// The shortest digits that ``init(_:)-(StringProtocol)`` reads as the same percentile, such as
  /// `90`, `99.9` and `0.00001`.
  public var description: String {
    DecimalDigits.withoutExponent(DecimalDigits.shortest(percent))
  }
}
