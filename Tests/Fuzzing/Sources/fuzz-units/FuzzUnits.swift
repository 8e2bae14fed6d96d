import HealthUnits

/// The entry that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  FuzzUnits.check(String(decoding: UnsafeBufferPointer(start: data, count: size), as: UTF8.self))
  return 0
}

/// Reads any bytes as a unit in both dialects, and holds the result to what is promised of it.
enum FuzzUnits {
  static func check(_ text: String) {
    for dialect in UnitDialect.allCases {
      do throws(UnitError) {
        let unit = try UnitExpression(text, dialect: dialect)
        check(unit, in: dialect)
      } catch {
        check(error, of: text, in: dialect)
      }
    }
  }

  private static func check(_ unit: UnitExpression, in dialect: UnitDialect) {
    let again = try? UnitExpression(unit.text(in: dialect), dialect: dialect)
    // A molar mass or a note may make the printed text longer than a text may be.
    if unit.text(in: dialect).utf8.count <= UnitExpression.maximumByteCount {
      precondition(again == unit, "the printed unit reads as another")
    }
    for other in UnitDialect.allCases {
      if let mapping = try? UnitMapping(of: unit, to: other) { _ = mapping.conversion(1.5) }
    }
    guard let conversion = try? UnitConversion(from: unit, to: unit) else {
      preconditionFailure("a unit does not convert into itself")
    }
    precondition(conversion(1.5) == 1.5, "a unit converts into itself with a change")
  }

  private static func check(_ error: UnitError, of text: String, in dialect: UnitDialect) {
    let bytes = Array(text.utf8)
    precondition((0...bytes.count).contains(error.offset), "the offset is outside the text")
    precondition(
      error.offset == bytes.count || bytes[error.offset] & 0xC0 != 0x80,
      "the offset is inside a character")
    if let suggestion = error.suggestion {
      precondition(
        (try? UnitExpression(suggestion, dialect: dialect)) != nil,
        "the suggestion does not parse")
    }
  }
}
