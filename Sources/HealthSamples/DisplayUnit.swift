public import HealthUnits

/// A unit in which people read values and say them: one rule for both.
///
/// HealthKit's `%` is a fraction: 0.97 is read, and said, as `97 %`. A plain count has no unit.
///
/// ```swift
/// let percent = DisplayUnit(try UnitExpression("%"))
/// percent.spoken(0.97)     // 97
/// percent.stored("97")     // 0.97
/// ```
public struct DisplayUnit: Sendable, Hashable {
  /// The unit of stored values.
  public let unit: UnitExpression
  /// The name after a number; empty if none is needed.
  public let name: String
  /// The decimal places between a stored value and a spoken one.
  private let places: Int

  /// Makes the spoken form of a unit.
  public init(_ unit: UnitExpression) {
    self.unit = unit
    let text = unit.isNull ? "" : unit.shortDescription
    name = text == "count" ? "" : text
    places = text == "%" ? 2 : 0
  }

  /// The factor from stored values to spoken ones.
  public var scale: Double { places == 0 ? 1 : 100 }

  /// A stored value as it is said.
  public func spoken(_ stored: Double) -> Double { stored * scale }

  /// The value to store for a number as people write it; `nil` if it is none.
  ///
  /// Commas between thousands are read as they are shown: `1,200`. The result is the double nearest
  /// to what the digits say.
  public func stored(_ text: some StringProtocol) -> Double? {
    guard let digits = Self.digits(text) else { return nil }
    guard places > 0 else { return Double(digits).flatMap { $0.isFinite ? $0 : nil } }
    let parts = digits.split(separator: "e", omittingEmptySubsequences: false)
    guard parts.count <= 2, let power = parts.count == 2 ? Int(parts[1]) : 0,
      power > Int.min + places, let value = Double("\(parts[0])e\(power - places)"), value.isFinite
    else { return nil }
    return value
  }

  /// The value to store for a spoken number.
  public func stored(_ spoken: Double) -> Double { spoken / scale }

  /// The number at the beginning of a text, and what follows it: `97` and `%` of `97%`; `nil` for a
  /// text that begins with none.
  public static func parts(of text: String) -> (digits: String, unit: String)? {
    // No unit begins with one of these, apart from an exponent: the longest number counts.
    let most = text.utf8.prefix { "0123456789+-.,eE".utf8.contains($0) }.prefix(longestNumber)
    var end = most.endIndex
    while end > text.startIndex {
      let digits = text[..<end]
      if DisplayUnit(.null).stored(digits) != nil {
        let unit = text[end...].drop(while: \.isWhitespace)
        let last = unit.lastIndex { !$0.isWhitespace }
        return (String(digits), last.map { String(unit[...$0]) } ?? "")
      }
      end = text.utf8.index(before: end)
    }
    return nil
  }

  private static let longestNumber = 1000

  /// The number with the only comma as its decimal mark, `71,4`; `nil` where it has another.
  private static func decimalComma(_ text: String, _ unsigned: Substring) -> String? {
    let parts = unsigned.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, !unsigned.contains("."), !parts[0].isEmpty,
      parts[0].allSatisfy(\.isNumber)
    else { return nil }
    let decimals = parts[1].prefix(while: \.isNumber).count
    guard decimals > 0, decimals != 3 || parts[0] == "0" else { return nil }
    return text.replacing(",", with: ".")
  }

  /// A decimal number without commas, and with a small `e`; `nil` for other texts.
  ///
  /// A comma before three digits stands between thousands, `1,200`; any other is a decimal mark.
  private static func digits(_ text: some StringProtocol) -> String? {
    guard text.utf8.allSatisfy({ "0123456789+-.,eE".utf8.contains($0) }) else { return nil }
    let text = text.lowercased()
    guard text.contains(",") else { return text }
    let unsigned = text.drop { $0 == "-" || $0 == "+" }
    let whole = unsigned.prefix { $0.isNumber || $0 == "," }
    let groups = whole.split(separator: ",", omittingEmptySubsequences: false)
    guard !unsigned.dropFirst(whole.count).contains(","), let first = groups.first,
      (1...3).contains(first.count), groups.dropFirst().allSatisfy({ $0.count == 3 })
    else { return decimalComma(text, unsigned) }
    // `0,125` is no thousand.
    return first == "0" ? decimalComma(text, unsigned) : String(text.filter { $0 != "," })
  }
}

extension SampleType {
  /// The unit in which people speak about values of the type: the one that is named, else the one
  /// that answers are in, else the everyday one.
  ///
  /// `SampleStore.displayUnit(of:named:)` knows the unit of answers.
  ///
  /// - Parameters:
  ///   - name: a unit as people write it (see ``unit(colloquial:)``), or `nil`
  ///   - chosen: the unit of answers, or `nil`; one that is no unit of the type does not count
  /// - Returns: the unit; `nil` for a category type
  /// - Throws: `UnitError` for a name that is no unit of the type
  public func displayUnit(
    named name: String?, else chosen: String? = nil
  ) throws(UnitError) -> DisplayUnit? {
    guard let everyday = everydayUnit() else { return nil }
    if let name { return DisplayUnit(try unit(colloquial: name)) }
    if let chosen, let unit = try? unit(colloquial: chosen) { return DisplayUnit(unit) }
    return DisplayUnit(everyday)
  }

  /// A recorded unit as the programs of this package print it: without the molar mass of the
  /// substance that the type measures.
  ///
  /// ``recordedUnit(of:)`` reads it back.
  public func printedUnit(_ label: String) -> String {
    guard label.contains("<"), let substance, let unit = try? UnitExpression(label),
      let short = try? UnitExpression(unit.shortDescription), short.withMoles(of: substance) == unit
    else { return label }
    return unit.shortDescription
  }

  /// HealthKit's text of a recorded unit: a mole without a molar mass is one of the substance that
  /// the type measures.
  public func recordedUnit(of label: String) -> String {
    guard let substance, label.contains("mol"), let unit = try? UnitExpression(label) else {
      return label
    }
    let whole = unit.withMoles(of: substance)
    return whole == unit ? label : whole.description
  }
}
