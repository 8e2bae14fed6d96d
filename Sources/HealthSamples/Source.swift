/// Who wrote a sample: an app or one device by name, and whether a person typed it in.
///
/// Merging ranks sources, never device descriptions: those hold a memory address that changes
/// inside one export. Samples with `HKMetadataKeyWasUserEntered` form a source of their own,
/// because they rank apart from what a device measured.
///
/// Two sources are equal when their ``matchingName`` and ``isUserEntered`` are.
public struct Source: Sendable {
  /// The name as the export writes it.
  public let name: String
  /// Whether its samples were typed in by a person (`HKMetadataKeyWasUserEntered`).
  public let isUserEntered: Bool
  /// The name for comparison: no-break space → space, ’ → ', trimmed.
  ///
  /// Strings compare by canonical equivalence, so this is NFC in effect.
  public let matchingName: String

  /// Makes a source from the name as written.
  public init(name: String, isUserEntered: Bool = false) {
    self.name = name
    self.isUserEntered = isUserEntered
    self.matchingName = Self.matchingName(of: name)
  }

  /// What `name` is compared by.
  public static func matchingName(of name: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\u{A0}", "\u{202F}": scalars.append(" ")
      case "\u{2019}", "\u{2018}": scalars.append("'")
      default: scalars.append(scalar)
      }
    }
    var text = String(scalars)[...]
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}

extension Source {
  /// Whether a name means this source: its own, or the text that ``description`` gives, which names
  /// what was entered by hand alone.
  public func isNamed(_ name: String) -> Bool {
    let wanted = Self.matchingName(of: name)
    return wanted == matchingName
      || isUserEntered && wanted == Self.matchingName(of: description)
  }
}

extension Source: Hashable {
  /// Whether two are the same source (see ``Source``).
  public static func == (left: Self, right: Self) -> Bool {
    left.isUserEntered == right.isUserEntered && left.matchingName == right.matchingName
  }
  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(matchingName)
    hasher.combine(isUserEntered)
  }
}

extension Source: Comparable {
  /// The order of sources in columns: by ``matchingName``, what was entered by hand first.
  public static func < (left: Self, right: Self) -> Bool {
    (left.matchingName, left.isUserEntered ? 0 : 1)
      < (right.matchingName, right.isUserEntered ? 0 : 1)
  }
}

extension Source: CustomStringConvertible {
  /// The name, with a mark when its samples were typed in.
  public var description: String { isUserEntered ? "\(name) (entered by hand)" : name }
}
