public import HealthUnits
import _HealthNumerics

/// The value of a metadata entry by its type, as an app set it.
///
/// ```swift
/// entry.typed  // .quantity(21, degC) for HKWeatherTemperature "21 degC"
/// ```
public enum MetadataValue: Sendable, Hashable {
  /// A text.
  case string(String)
  /// A number, a Boolean (0 or 1) or the raw value of a constant.
  case number(Double)
  /// An instant, in seconds since 2001-01-01 UTC.
  case date(Double)
  /// A value in a unit.
  case quantity(Double, UnitExpression)
}

extension Metadata.Entry {
  /// How the text of a value is read.
  public enum Kind: UInt8, Sendable, Hashable, Codable, CaseIterable {
    /// As an export wrote it: the catalogue says what values of the key are.
    case exported
    /// A text.
    case string
    /// A number.
    case number
    /// A date.
    case date
    /// A value and a unit.
    case quantity
  }

  /// Makes an entry whose text reads back as the same value.
  public init(key: String, _ value: MetadataValue) {
    switch value {
    case .string(let text): self.init(key: key, value: text, kind: .string)
    case .number(let number):
      self.init(key: key, value: DecimalDigits.shortest(number), kind: .number)
    case .date(let instant): self.init(key: key, value: DateText.text(instant), kind: .date)
    case .quantity(let number, let unit):
      let digits = DecimalDigits.shortest(number)
      self.init(key: key, value: "\(digits) \(unit.description)", kind: .quantity)
    }
  }

  /// The value by its kind; what an export wrote by the catalogue's type of the key.
  ///
  /// A text that does not read as its kind is a string.
  ///
  /// - Complexity: O(*n*) in the length of the value
  public var typed: MetadataValue {
    typed(as: kind == .exported ? Self.kind(ofKey: key) : kind) ?? .string(value)
  }

  private func typed(as kind: Kind) -> MetadataValue? {
    switch kind {
    case .exported, .string: .string(value)
    case .number: Self.number(value).map(MetadataValue.number)
    case .date: DateText.instant(value).map(MetadataValue.date)
    case .quantity: Self.quantity(value)
    }
  }

  /// What values of a key are; strings for keys that the catalogue does not have.
  private static func kind(ofKey key: String) -> Kind {
    switch Catalogue.metadataKey(key)?.value {
    case .boolean, .number, .enumeration: .number
    case .date: .date
    case .quantity: .quantity
    case .text, .undocumented, nil: .string
    }
  }

  /// A number, or a Boolean as exports and people write it.
  private static func number(_ text: String) -> Double? {
    Bool(written: text).map { $0 ? 1 : 0 } ?? Double(text)
  }

  private static func quantity(_ text: String) -> MetadataValue? {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let number = Double(parts[0]),
      let unit = try? UnitExpression(String(parts[1]))
    else { return nil }
    return .quantity(number, unit)
  }
}

extension Bool {
  /// A Boolean as exports and people write it: `1`, `true` or `yes`, and their opposites.
  package init?(written text: String) {
    switch text.lowercased() {
    case "1", "true", "yes": self = true
    case "0", "false", "no": self = false
    default: return nil
    }
  }
}

extension Catalogue {
  /// The row of a metadata key; `nil` when the catalogue does not have it.
  ///
  /// - Complexity: O(1)
  public static func metadataKey(_ key: String) -> MetadataKey? { metadataKeysByKey[key] }

  private static let metadataKeysByKey = Dictionary(
    metadataKeys.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
}

/// Dates in metadata, as exports write them: `2024-03-09 13:57:00 +0100`.
enum DateText {
  /// The text of an instant in UTC with as many decimals as it needs; the number of seconds since
  /// 2001-01-01 UTC where none would read back.
  static func text(_ instant: Double) -> String {
    guard instant.magnitude < 1e11 else { return "\(instant)" }
    let whole = instant.rounded(.down)
    let date = CivilDate(dayNumber: Int(whole).floorDivided(by: CivilDate.secondsPerDay))
    let clock = Int(whole) - date.dayNumber * CivilDate.secondsPerDay
    func padded(_ number: Int, _ digits: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let start =
      "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2)) "
      + "\(padded(clock / 3600, 2)):\(padded(clock / 60 % 60, 2)):\(padded(clock % 60, 2))"
    var scale = 1.0
    for digits in 0...9 {
      let fraction = Int(((instant - whole) * scale).rounded())
      let text = start + (digits == 0 ? "" : "." + padded(fraction, digits)) + " +0000"
      if Double(fraction) < scale || digits == 0, Self.instant(text) == instant { return text }
      scale *= 10
    }
    return "\(instant)"
  }

  /// The instant of a date with an offset, or of a number of seconds as ``text(_:)`` writes it.
  ///
  /// Such a number has a point or an exponent. Digits alone, as in `20240309`, are a day, and a day
  /// without an offset is no instant.
  static func instant(_ text: String) -> Double? {
    if let seconds = Double(text) { return text.contains(where: ".en".contains) ? seconds : nil }
    return WallClockText(text)?.instant
  }
}
