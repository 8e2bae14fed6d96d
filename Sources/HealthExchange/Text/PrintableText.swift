extension String {
  /// The text without control characters, which could move a terminal's cursor or colour.
  ///
  /// Names of sources come from files that anyone may have written.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars { scalars.append(scalar.isControl ? "\u{FFFD}" : scalar) }
    return String(scalars)
  }
}

extension Unicode.Scalar {
  /// Whether a terminal could be steered by it: controls, separators of lines, marks of direction.
  package var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}
