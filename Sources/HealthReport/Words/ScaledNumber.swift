/// Numbers as they are shown: integers scaled by the decimals of their measure.
///
/// A value is rounded once. The text of the HTML, the payload and every difference come from the
/// integer, so the reader's subtraction comes out.
///
/// ```swift
/// ScaledNumber.scaled(66.85, digits: 1)                   // 669
/// ScaledNumber.scaled(0.972, digits: 1, percent: true)    // 972, that is 97.2 %
/// ```
enum ScaledNumber {
  /// The value times 10^digits, rounded half away from zero on its shortest decimal text.
  ///
  /// The double 1.005 is a little less than its text says, and a reader knows only the text.
  ///
  /// - Parameters:
  ///   - value: a number
  ///   - digits: the decimals shown, from 0 to 9
  ///   - percent: whether the value is a share of 1 that is shown in percent
  /// - Returns: `nil` for a value that is not finite, or beyond `Int`.
  static func scaled(_ value: Double, digits: Int, percent: Bool = false) -> Int? {
    guard value.isFinite else { return nil }
    var decimals: [UInt8] = []
    var point: Int?
    var exponent = 0
    var text = value.magnitude.description.utf8[...]
    while let byte = text.popFirst() {
      switch byte {
      case UInt8(ascii: "."): point = decimals.count
      case UInt8(ascii: "e"):
        exponent = Int(String(decoding: text, as: UTF8.self)) ?? 0
        text = text[text.endIndex...]
      default: decimals.append(byte - UInt8(ascii: "0"))
      }
    }
    let kept = (point ?? decimals.count) + exponent + digits + (percent ? 2 : 0)
    guard kept >= 0 else { return 0 }
    // Zeros in front of a number take no room.
    guard kept <= 400 else { return nil }
    var whole = 0
    for index in 0..<kept {
      let digit = index < decimals.count ? Int(decimals[index]) : 0
      let (product, isTooLarge) = whole.multipliedReportingOverflow(by: 10)
      let (sum, isTooLargeNow) = product.addingReportingOverflow(digit)
      guard !isTooLarge, !isTooLargeNow else { return nil }
      whole = sum
    }
    if kept < decimals.count, decimals[kept] >= 5 {
      guard whole < Int.max else { return nil }
      whole += 1
    }
    return value < 0 ? -whole : whole
  }

  /// 10 to the number of digits, exactly up to 22 of them.
  static func power(_ digits: Int) -> Double {
    (0..<max(0, digits)).reduce(1) { power, _ in power * 10 }
  }

  /// Whole minutes of seconds, rounded half away from zero.
  static func minutes(seconds: Double) -> Int? { scaled(seconds / 60, digits: 0) }

  /// What the later shown number has more than the earlier one.
  static func difference(_ later: Int, from earlier: Int) -> Int {
    let (difference, isTooLarge) = later.subtractingReportingOverflow(earlier)
    guard isTooLarge else { return difference }
    return later < earlier ? Int.min : Int.max
  }
}
