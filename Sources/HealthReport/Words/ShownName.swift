/// The name of a source, a device or a workout as the page shows it: names are anyone's text.
///
/// Controls become U+FFFD, and the marks that turn the direction of what follows are dropped. A
/// name is cut by characters and by bytes, as one character may be made of any number of marks.
/// Escaping is the writer's.
struct ShownName: Sendable, Hashable {
  /// At most ``longest`` characters, the last one `…` if it was cut.
  let short: String
  /// At most ``longestWhole`` characters, the last one `…` if it was cut.
  let whole: String

  static let longest = 60
  static let longestWhole = 500
  /// The most bytes a character has on average: a family of four has 25, a letter with marks five.
  private static let bytesPerCharacter = 16

  init(_ name: String) {
    let cleaned = Self.cleaned(name, bytes: Self.longestWhole * Self.bytesPerCharacter)
    whole = Self.cut(cleaned, to: Self.longestWhole)
    short = Self.cut(cleaned, to: Self.longest)
  }

  /// The beginning of a name without what a page must not hold, a little longer than the limit.
  private static func cleaned(_ name: String, bytes limit: Int) -> String {
    var cleaned = ""
    var bytes = 0
    for scalar in name.unicodeScalars where !turnsDirection(scalar) {
      let shown = isControl(scalar) ? "\u{FFFD}" : scalar
      cleaned.unicodeScalars.append(shown)
      bytes += UTF8.width(shown)
      if bytes > limit { break }
    }
    return cleaned
  }

  private static func cut(_ name: String, to limit: Int) -> String {
    let most = limit * bytesPerCharacter
    if name.utf8.count <= most, name.count <= limit { return name }
    var kept = ""
    var bytes = 0
    for character in name.prefix(limit - 1) {
      bytes += character.utf8.count
      guard bytes <= most else { return kept + part(of: character, bytes: bytes - most) + "…" }
      kept.append(character)
    }
    return kept + "…"
  }

  /// The beginning of a character that is too long by some bytes.
  private static func part(of character: Character, bytes excess: Int) -> String {
    var part = ""
    var rest = character.utf8.count - excess
    for scalar in character.unicodeScalars {
      rest -= UTF8.width(scalar)
      guard rest >= 0 else { break }
      part.unicodeScalars.append(scalar)
    }
    return part
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }

  private static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }
}
