/// The source of a sample: an app or a device by name, and whether a person entered it by hand.
///
/// Merging ranks sources, not device descriptions: those contain a memory address that changes
/// within one export. Samples with `HKMetadataKeyWasUserEntered` form a separate source, because
/// they rank differently from measured ones.
///
/// Two sources are equal when their ``matchingName``, ``bundleIdentifier`` and ``isUserEntered``
/// are.
public struct Source: Sendable {
  /// The name as the export writes it.
  public let name: String
  /// The identifier of the app that saved the samples; empty from exports, which do not have it.
  public let bundleIdentifier: String
  /// Whether its samples were entered by hand (`HKMetadataKeyWasUserEntered`).
  public let isUserEntered: Bool
  /// The name for comparison: no-break space → space, ’ → ', trimmed.
  ///
  /// String comparison uses canonical equivalence, so this is NFC in effect.
  public let matchingName: String

  /// Makes a source from the name as written.
  public init(name: String, bundleIdentifier: String = "", isUserEntered: Bool = false) {
    self.name = name
    self.bundleIdentifier = bundleIdentifier
    self.isUserEntered = isUserEntered
    self.matchingName = Self.matchingName(of: name)
  }

  /// The form of `name` that is compared.
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
  /// Whether a name means this source: its own name, or its ``description``, which means only the
  /// hand-entered samples.
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
      && left.bundleIdentifier == right.bundleIdentifier
  }
  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(matchingName)
    hasher.combine(bundleIdentifier)
    hasher.combine(isUserEntered)
  }
}

extension Source: Comparable {
  /// The order of sources in columns: by ``matchingName``, hand-entered first, then by
  /// ``bundleIdentifier``.
  public static func < (left: Self, right: Self) -> Bool {
    (left.matchingName, left.isUserEntered ? 0 : 1, left.bundleIdentifier)
      < (right.matchingName, right.isUserEntered ? 0 : 1, right.bundleIdentifier)
  }
}

extension Source: CustomStringConvertible {
  /// The name, marked when its samples were entered by hand.
  public var description: String { isUserEntered ? "\(name) (entered by hand)" : name }
}
