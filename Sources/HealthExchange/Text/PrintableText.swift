import Foundation

extension String {
  /// The text without control characters, which could move a terminal's cursor or colour.
  ///
  /// Names of sources come from files that anyone may have written.
  package var printable: String {
    guard hasControls else { return self }
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars { scalars.append(scalar.isControl ? "\u{FFFD}" : scalar) }
    return String(scalars)
  }

  /// Whether the text contains control characters; the bytes are checked first.
  package var hasControls: Bool {
    hasByte { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xD8 || $0 == 0xE2 }
      && unicodeScalars.contains(where: \.isControl)
  }

  /// Whether any byte of the text satisfies a condition.
  package func hasByte(_ condition: (UInt8) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.contains(where: condition) }
      ?? utf8.contains(where: condition)
  }
}

extension Unicode.Scalar {
  /// Whether a terminal could be steered by it: controls, separators of lines, marks of direction.
  package var isControl: Bool {
    // Looking up properties takes longer than anything else; dashes and quotes are no controls.
    if (0x20...0x7E).contains(value) || isPlainPunctuation { return false }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }

  /// Whether it is one of the dashes, quotes and bullets of U+2010 to U+2027.
  package var isPlainPunctuation: Bool { (0x2010...0x2027).contains(value) }
}

extension String {
  /// The lines without blanks at their ends; empty ones are left out.
  package var filledLines: [String] {
    split(whereSeparator: \.isNewline).compactMap { line in
      let line = line.trimmingCharacters(in: .whitespaces)
      return line.isEmpty ? nil : line
    }
  }
}
