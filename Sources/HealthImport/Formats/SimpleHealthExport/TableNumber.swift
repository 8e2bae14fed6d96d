/// A number in a cell of a table, whose program may write a decimal comma, or commas between
/// thousands.
enum TableNumber: Equatable {
  /// What a comma in a number is.
  enum Comma: Hashable { case decimalMark, thousandsMark }

  /// A number that says nothing about commas.
  case plain(Double)
  /// A number that shows what a comma is: `80.5`, `80,5`, `1,234,567`.
  case telling(Double, Comma)
  /// One comma before three digits, as in `1,234`.
  case ambiguous(decimal: Double, thousands: Double)

  /// Parses the text of a cell; `nil` if it is no finite number.
  init?(_ text: String) {
    guard text.utf8.contains(UInt8(ascii: ",")) else {
      guard let number = Self.number(text) else { return nil }
      let hasPoint = text.utf8.contains(UInt8(ascii: "."))
      self = hasPoint ? .telling(number, .thousandsMark) : .plain(number)
      return
    }
    let groups = text.split(separator: ",", omittingEmptySubsequences: false)
    let thousands = Self.isGrouped(groups) ? Self.number(groups.joined()) : nil
    let decimal =
      groups.count == 2 && !text.contains(".") ? Self.number(groups.joined(separator: ".")) : nil
    switch (decimal, thousands) {
    case (let decimal?, let thousands?):
      self = .ambiguous(decimal: decimal, thousands: thousands)
    case (let decimal?, nil): self = .telling(decimal, .decimalMark)
    case (nil, let thousands?): self = .telling(thousands, .thousandsMark)
    case (nil, nil): return nil
    }
  }

  /// The number where commas are `comma`; `nil` if that has to be known and is not.
  func value(_ comma: Comma?) -> Double? {
    switch (self, comma) {
    case (.plain(let number), _), (.telling(let number, _), _): number
    case (.ambiguous(let decimal, _), .decimalMark?): decimal
    case (.ambiguous(_, let thousands), .thousandsMark?): thousands
    case (.ambiguous, nil): nil
    }
  }

  /// Whether commas may be between thousands: one to three digits, the first not zero, then groups
  /// of three, the last perhaps with decimals.
  private static func isGrouped(_ groups: [Substring]) -> Bool {
    let first = groups[0].drop { $0 == "-" || $0 == "+" }
    return (1...3).contains(first.utf8.count) && first.first != "0"
      && groups.dropFirst().dropLast().allSatisfy { $0.utf8.count == 3 }
      && groups.last?.prefix { $0 != "." }.utf8.count == 3
      && ([first] + groups.dropFirst()).joined().utf8
        .allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
  }

  private static func number(_ text: String) -> Double? {
    var text = text
    return text.withUTF8(NumberScanner.number)
  }
}
