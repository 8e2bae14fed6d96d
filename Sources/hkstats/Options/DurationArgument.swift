import ArgumentParser

/// A length of time as an argument.
enum DurationArgument {
  /// Seconds of a text such as `90s`, `5min` or `2h`.
  static func seconds(_ text: String) throws -> Double {
    let units = [("min", 60.0), ("h", 3600), ("s", 1)]
    for (unit, seconds) in units where text.hasSuffix(unit) {
      let digits = text.dropLast(unit.count)
      guard digits.count <= 6, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
        let count = Double(digits)
      else { break }
      return count * seconds
    }
    throw ValidationError("a duration is a number of s, min or h, such as 5min")
  }
}
