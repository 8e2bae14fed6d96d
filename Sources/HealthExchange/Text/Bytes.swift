/// Appends text as bytes, so that numbers are formatted without a string for each.
extension [UInt8] {
  /// Appends a text.
  package mutating func append(text: String) { append(contentsOf: text.utf8) }

  /// Appends one character of ASCII.
  package mutating func append(mark: Unicode.Scalar) { append(UInt8(ascii: mark)) }

  /// Appends a whole number.
  package mutating func append(integer value: Int) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var first = digits.count
      var rest = value.magnitude
      repeat {
        first -= 1
        digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      if value < 0 {
        first -= 1
        digits[first] = UInt8(ascii: "-")
      }
      append(contentsOf: digits[first...])
    }
  }

  /// Appends the shortest digits that read back to the same double; `1e999` for infinity.
  package mutating func append(exact value: Double) {
    // Doubles below 1e15 are printed without an exponent; zero may have a sign.
    if value.magnitude < 1e15, value != 0, let whole = Int(exactly: value) {
      return append(integer: whole)
    }
    guard value.isFinite else { return append(text: value < 0 ? "-1e999" : "1e999") }
    var text = value.description
    text.withUTF8 { digits in
      let end = digits.firstIndex(of: UInt8(ascii: "e")) ?? digits.count
      // Swift writes 57.0 and 1e-07.
      let isWhole = end > 2 && digits[end - 1] == UInt8(ascii: "0") && digits[end - 2] == Self.point
      append(contentsOf: digits[..<(isWhole ? end - 2 : end)])
      guard end < digits.count else { return }
      append(mark: "e")
      let power = digits[(end + 1)...]
      if power.first == UInt8(ascii: "-") { append(mark: "-") }
      append(contentsOf: power.drop { !(UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) })
    }
  }

  private static var point: UInt8 { UInt8(ascii: ".") }
}
