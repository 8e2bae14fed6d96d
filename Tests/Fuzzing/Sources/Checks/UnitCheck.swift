import HealthUnits

/// Reads a text as a unit in both dialects, and holds the result to what is promised of it.
enum UnitCheck {
  static func check(_ text: String) throws {
    for dialect in UnitDialect.allCases {
      let unit: UnitExpression
      do throws(UnitError) {
        unit = try UnitExpression(text, dialect: dialect)
      } catch {
        try check(error, of: text, in: dialect)
        continue
      }
      try check(unit, in: dialect)
    }
  }

  private static func check(_ unit: UnitExpression, in dialect: UnitDialect) throws {
    let text = unit.text(in: dialect)
    // A molar mass or a note may make the printed text longer than a text may be.
    if text.utf8.count <= UnitExpression.maximumByteCount {
      try BrokenPromise.unless(
        try UnitExpression(text, dialect: dialect) == unit, "the printed unit reads as another")
    }
    for other in UnitDialect.allCases {
      if let mapping = try? UnitMapping(of: unit, to: other) { _ = mapping.conversion(1.5) }
    }
    try BrokenPromise.unless(
      try UnitConversion(from: unit, to: unit)(1.5) == 1.5,
      "a unit converts into itself with a change")
  }

  private static func check(_ error: UnitError, of text: String, in dialect: UnitDialect) throws {
    let bytes = Array(text.utf8)
    try BrokenPromise.unless(
      (0...bytes.count).contains(error.offset), "the offset is outside the text")
    try BrokenPromise.unless(
      error.offset == bytes.count || bytes[error.offset] & 0xC0 != 0x80,
      "the offset is inside a character")
    if let suggestion = error.suggestion {
      try BrokenPromise.unless(
        (try? UnitExpression(suggestion, dialect: dialect)) != nil,
        "the suggestion does not parse")
    }
  }
}
