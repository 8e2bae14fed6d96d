extension String {
  /// The number of terminal columns of the text.
  ///
  /// A character is two columns wide when it is East Asian wide (UAX #11) or an emoji, and zero
  /// when it only combines or formats.
  package var displayWidth: Int {
    guard hasByte({ $0 < 0x20 || $0 > 0x7E }) else { return utf8.count }
    // No two of these scalars combine, and each is one column wide.
    var count = 0
    for scalar in unicodeScalars {
      guard (0x20...0x7E).contains(scalar.value) || scalar.isPlainPunctuation else {
        return reduce(0) { $0 + $1.displayWidth }
      }
      count += 1
    }
    return count
  }

  /// The text padded with blanks to a width, after it or before it.
  package func padded(to width: Int, isTrailing: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - displayWidth))
    return isTrailing ? blanks + self : self + blanks
  }

  /// The text, truncated with an ellipsis when it is wider than `width`.
  package func truncated(to width: Int) -> String {
    guard displayWidth > width else { return self }
    let end = Marks.ellipsis.prefix(max(1, width))
    var text = ""
    var used = end.count
    for character in self {
      guard used + character.displayWidth <= width else { break }
      text.append(character)
      used += character.displayWidth
    }
    return text + end
  }

  /// The text in lines no wider than `width`, broken between words.
  ///
  /// - Complexity: O(*n*)
  package func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in split(separator: " ") {
      let wordWidth = String(word).displayWidth
      if !line.isEmpty, used + 1 + wordWidth > width {
        lines.append(line)
        (line, used) = ("", 0)
      }
      used += (line.isEmpty ? 0 : 1) + wordWidth
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? lines : lines + [line]
  }
}

extension Character {
  fileprivate var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if unicodeScalars.contains("\u{FE0F}") || first.properties.isEmojiPresentation { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return first.isWide ? 2 : 1
    }
  }
}

extension Unicode.Scalar {
  /// The blocks that are wide or full-width in UAX #11, without emoji.
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
