/// The source of a sample: an app or a device by name, and whether a person entered it by hand.
///
/// Merging ranks sources, not device descriptions: those contain a memory address that changes
/// within one export. Samples with `HKMetadataKeyWasUserEntered` form a separate source, because
/// they rank differently from measured ones.
///
/// Two sources are equal when their ``matchingName``, ``bundleIdentifier``, ``isUserEntered`` and
/// ``hardware`` are.
public struct Source: Sendable {
  /// The name as the export writes it.
  public let name: String
  /// The identifier of the app that saved the samples; empty from exports, which do not have it.
  public let bundleIdentifier: String
  /// Whether its samples were entered by hand (`HKMetadataKeyWasUserEntered`).
  public let isUserEntered: Bool
  /// The hardware of the device, such as `Watch7,5`, where devices of one name recorded at one time;
  /// else empty.
  public let hardware: String
  /// The name for comparison: no-break space → space, ’ → ', trimmed.
  ///
  /// String comparison uses canonical equivalence, so this is NFC in effect.
  public let matchingName: String

  /// Makes a source from the name as written.
  public init(
    name: String, bundleIdentifier: String = "", isUserEntered: Bool = false, hardware: String = ""
  ) {
    self.name = name
    self.bundleIdentifier = bundleIdentifier
    self.isUserEntered = isUserEntered
    self.hardware = hardware
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
  /// hand-entered samples, or those of one hardware.
  public func isNamed(_ name: String) -> Bool {
    let wanted = Self.matchingName(of: name)
    return wanted == matchingName
      || (isUserEntered || !hardware.isEmpty) && wanted == Self.matchingName(of: description)
  }

  /// The source of the samples of one hardware.
  package func of(hardware: String) -> Source {
    Source(
      name: name, bundleIdentifier: bundleIdentifier, isUserEntered: isUserEntered,
      hardware: hardware)
  }
}

extension Source: Hashable {
  /// Whether two are the same source (see ``Source``).
  public static func == (left: Self, right: Self) -> Bool {
    left.isUserEntered == right.isUserEntered && left.matchingName == right.matchingName
      && left.bundleIdentifier == right.bundleIdentifier && left.hardware == right.hardware
  }
  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(matchingName)
    hasher.combine(bundleIdentifier)
    hasher.combine(isUserEntered)
    hasher.combine(hardware)
  }
}

extension Source: Comparable {
  /// The order of sources in columns: by ``matchingName``, hand-entered first, then by
  /// ``bundleIdentifier`` and ``hardware``.
  public static func < (left: Self, right: Self) -> Bool {
    (left.matchingName, left.isUserEntered ? 0 : 1, left.bundleIdentifier, left.hardware)
      < (right.matchingName, right.isUserEntered ? 0 : 1, right.bundleIdentifier, right.hardware)
  }
}

extension Source: CustomStringConvertible {
  /// The name, with the hardware if there is one, and marked when its samples were entered by hand.
  public var description: String {
    let name = hardware.isEmpty ? name : "\(name) (\(hardware))"
    return isUserEntered ? "\(name) (entered by hand)" : name
  }
}
