/// A number as phones write it in any language: digits of any script, a decimal mark, marks between
/// thousands, a sign of any form, and marks of the direction of writing, which say nothing.
///
/// What its points and commas are, one number may not tell: `1,234` is two numbers.
struct LocalisedNumber: Equatable {
  /// What a program writes before decimals; the other one stands between thousands.
  enum DecimalMark: UInt8, CaseIterable {
    case point = 0x2E
    case comma = 0x2C
  }

  /// The number where programs write a decimal point; `nil` if it is none then.
  private var withPoint: Double?
  /// The number where programs write a decimal comma.
  private var withComma: Double?
  /// The point or the comma that may be either.
  private(set) var ambiguousMark: DecimalMark?
  /// Whether it has four digits or more without a mark between thousands.
  private(set) var isUngrouped: Bool

  /// The longest number, in bytes.
  private static let longest = 96

  /// Parses a whole text; `nil` if it is no number with either decimal mark.
  ///
  /// - Precondition: after `bytes` there is a byte that cannot be in a number.
  init?(_ bytes: Bytes) {
    guard bytes.count <= Self.longest else { return nil }
    if let short = Self(short: bytes) {
      self = short
      return
    }
    guard let text = LocalisedNumberText(bytes) else { return nil }
    withPoint = text.value(.point)
    withComma = text.value(.comma)
    guard withPoint != nil || withComma != nil else { return nil }
    ambiguousMark = withPoint != nil && withComma != nil ? text.firstMark : nil
    isUngrouped = text.isUngrouped
  }

  /// Parses a number in ASCII with a point or a comma at most, as nearly all are.
  private init?(short bytes: Bytes) {
    var mark: DecimalMark?
    var (whole, decimals) = (0, 0)
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
    for byte in digits {
      if byte.isDigit {
        if mark == nil { whole += 1 } else { decimals += 1 }
      } else if mark == nil, let found = DecimalMark(rawValue: byte) {
        mark = found
      } else {
        return nil
      }
    }
    guard whole > 0, mark == nil || decimals > 0, let first = digits.first else { return nil }
    isUngrouped = whole > 3
    let value: Double?
    if mark == .comma {
      // A byte after the last digit, so that the number is terminated.
      let plain = bytes.map { $0 == DecimalMark.comma.rawValue ? DecimalMark.point.rawValue : $0 }
      value = (plain + [.lineFeed]).withUnsafeBufferPointer {
        NumberScanner.enclosed(Bytes(rebasing: $0.dropLast()))
      }
    } else {
      value = NumberScanner.enclosed(bytes)
    }
    guard let value else { return nil }
    let isGrouped = decimals == 3 && whole <= 3 && first != UInt8(ascii: "0")
    // Six digits at most: the product is exact once it is rounded.
    let grouped = isGrouped ? (value * 1000).rounded() : nil
    switch mark {
    case nil: (withPoint, withComma) = (value, value)
    case .point: (withPoint, withComma) = (value, grouped)
    case .comma: (withPoint, withComma) = (grouped, value)
    }
    ambiguousMark = isGrouped ? mark : nil
  }

  /// The number where programs write this decimal mark; `nil` if it is none then.
  func value(_ mark: DecimalMark) -> Double? { mark == .point ? withPoint : withComma }

  /// The decimal mark that it shows; `nil` where it is a number with either.
  fileprivate var shownMark: DecimalMark? {
    withPoint == nil ? .comma : withComma == nil ? .point : nil
  }
}

/// A number in ASCII, with one character for all marks that have one meaning.
private struct LocalisedNumberText {
  private var text: [UInt8] = []

  /// A mark that only stands between thousands, such as a narrow no-break space.
  private static let group = UInt8(ascii: "_")
  /// A mark that only stands before decimals.
  private static let decimal = UInt8(ascii: "|")

  /// The characters of a text; `nil` if one is of no number.
  init?(_ bytes: Bytes) {
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if Self.isInvisible(scalar) { continue }
      guard let byte = Self.byte(scalar) else { return nil }
      text.append(byte)
    }
  }

  /// Byte order marks, and marks of the direction of writing.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{FEFF}", "\u{200B}"..."\u{200F}", "\u{061C}", "\u{202A}"..."\u{202E}", "\u{2060}",
      "\u{2066}"..."\u{2069}":
      true
    default: false
    }
  }

  /// The meaning of a character; `nil` if it has none in a number.
  ///
  /// A plain space is none: it may be between two numbers.
  private static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    switch scalar {
    case "0"..."9", ".", ",", "-", "+", "e", "E": UInt8(ascii: scalar)
    case "\u{2212}", "\u{2010}"..."\u{2013}", "\u{FE63}", "\u{FF0D}": UInt8(ascii: "-")
    case "\u{FF0B}": UInt8(ascii: "+")
    case "\u{A0}", "\u{202F}", "\u{2007}", "\u{2009}", "'", "\u{2019}", "\u{060C}", "\u{066C}",
      "\u{2E41}":
      group
    case "\u{066B}": decimal
    case "\u{FF0E}": UInt8(ascii: ".")
    case "\u{FF0C}": UInt8(ascii: ",")
    default:
      scalar.properties.numericType == .decimal
        ? scalar.properties.numericValue.flatMap(UInt8.init(exactly:)).map {
          UInt8(ascii: "0") + $0
        }
        : nil
    }
  }

  /// The first point or comma.
  var firstMark: LocalisedNumber.DecimalMark? {
    text.lazy.compactMap { LocalisedNumber.DecimalMark(rawValue: $0) }.first
  }

  /// Whether it has four digits or more without a mark between thousands.
  var isUngrouped: Bool { text.drop { !$0.isDigit }.prefix { $0.isDigit }.count > 3 }

  /// The number where programs write this decimal mark; `nil` if marks between thousands stand
  /// elsewhere.
  func value(_ mark: LocalisedNumber.DecimalMark) -> Double? {
    func isDecimal(_ byte: UInt8) -> Bool { byte == mark.rawValue || byte == Self.decimal }
    let whole = text.prefix { !isDecimal($0) && $0 | 0x20 != UInt8(ascii: "e") }
    let rest = text[whole.endIndex...]
    // Only marks between thousands are left, of one kind, and none of them behind the whole number.
    let groups = whole.split(omittingEmptySubsequences: false, whereSeparator: Self.isMark)
    guard Set(whole.filter(Self.isMark)).count <= 1, !rest.dropFirst().contains(where: Self.isMark),
      groups.count == 1 || Self.areGroups(groups)
    else { return nil }
    var plain = Array(groups.joined())
    if let first = rest.first { plain.append(isDecimal(first) ? UInt8(ascii: ".") : first) }
    // A byte after the last digit, so that the number is terminated.
    plain += rest.dropFirst() + [.lineFeed]
    return plain.withUnsafeBufferPointer {
      NumberScanner.enclosed(Bytes(rebasing: $0.dropLast()))
    }
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    byte == group || byte == decimal || LocalisedNumber.DecimalMark(rawValue: byte) != nil
  }

  /// Whether parts of a whole number are its groups: of three digits, in Indian numbers of two before
  /// the last three.
  private static func areGroups(_ groups: [ArraySlice<UInt8>]) -> Bool {
    let first = groups[0].drop { !$0.isDigit }
    let middle = groups.dropFirst().dropLast()
    return (1...3).contains(first.count) && first.first != UInt8(ascii: "0")
      && groups.last?.count == 3
      && (middle.allSatisfy { $0.count == 3 }
        || first.count < 3 && middle.allSatisfy { $0.count == 2 })
  }
}

extension [LocalisedNumber] {
  /// What points and commas are in numbers of one program.
  enum Marks: Equatable {
    case known(LocalisedNumber.DecimalMark)
    /// The number at this place contradicts one before it, or is the first that may be two, while
    /// none tells which.
    case unknown(place: Int)
  }

  /// What points and commas are in these numbers.
  ///
  /// Most numbers tell: `0,5`, `12.25`, `1.034,5`, `1,234,567`. Where all have one mark before three
  /// digits or none, as `-265,868`, it is a decimal mark if most have it, since few of many
  /// measurements are as large as a thousand, and if there are large ones without it.
  ///
  /// - Parameter other: the decimal mark in another number of the program, where these do not tell
  /// - Returns: the decimal mark, or the place of a number that prevents it
  /// - Complexity: O(*n*)
  func marks(_ other: LocalisedNumber.DecimalMark?) -> Marks {
    var shown: LocalisedNumber.DecimalMark?
    var ambiguous: (mark: LocalisedNumber.DecimalMark, place: Int, count: Int)?
    var (isMixed, isUngrouped) = (false, false)
    for (place, number) in enumerated() {
      if let mark = number.shownMark {
        if let shown, shown != mark { return .unknown(place: place) }
        shown = mark
      }
      if let mark = number.ambiguousMark {
        isMixed = isMixed || ambiguous.map { $0.mark != mark } ?? false
        ambiguous = ambiguous.map { ($0.mark, $0.place, $0.count + 1) } ?? (mark, place, 1)
      }
      isUngrouped = isUngrouped || number.isUngrouped
    }
    guard let ambiguous else { return .known(shown ?? .point) }
    if let known = shown ?? other { return .known(known) }
    let isDecimal = !isMixed && (isUngrouped || ambiguous.count * 2 > count)
    return isDecimal ? .known(ambiguous.mark) : .unknown(place: ambiguous.place)
  }
}
