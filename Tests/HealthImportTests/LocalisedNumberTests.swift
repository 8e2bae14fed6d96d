import Foundation
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Numbers in any language")
struct LocalisedNumberTests {
  private func parse(_ text: String) -> LocalisedNumber? {
    (Array(text.utf8) + [.lineFeed]).withUnsafeBufferPointer {
      LocalisedNumber(Bytes(rebasing: $0.dropLast()))
    }
  }

  @Test("What Foundation writes in a language is read as it was, whatever the marks")
  func languages() throws {
    var random = SplitMix64(seed: 15)
    let values =
      [0, 7, -3.5, 0.123, 1034.5]
      + (0..<20).map { _ in
        Double(Int.random(in: -20_000_000...20_000_000, using: &random)) / 1000
      }
    // Ge'ez parts thousands with a letter.
    let languages = Locale.availableIdentifiers.filter { !$0.hasPrefix("gez") }
    try #require(languages.count > 100)
    for language in languages {
      let format = NumberFormatter()
      format.numberStyle = .decimal
      format.maximumFractionDigits = 3
      format.locale = Locale(identifier: language)
      let texts = values.map { format.string(from: NSNumber(value: $0)) ?? "" }
      let numbers = texts.compactMap(parse)
      guard case .known(let mark) = numbers.marks(nil) else {
        Issue.record("\(language) \(texts)")
        continue
      }
      #expect(numbers.map { $0.value(mark) } == values, "\(language)")
    }
  }

  @Test(
    "A number with one meaning shows its decimal mark",
    arguments: [
      ("1,034.5", 1034.5), ("1.034,5", 1034.5), ("1\u{202F}034,5", 1034.5), ("1’034.5", 1034.5),
      ("12,34,567.8", 1_234_567.8), ("1,234,567", 1_234_567), ("0,123", 0.123), ("-0.123", -0.123),
      ("1234,567", 1234.567), ("\u{2212}1,5", -1.5), ("\u{200E}-2.25", -2.25), ("+3,5", 3.5),
      ("\u{FEFF}12,5", 12.5), ("1.5e2", 150), ("-2,5E-1", -0.25), ("٠٫٥", 0.5), ("१,०३४.५", 1034.5),
    ])
  func plain(text: String, value: Double) throws {
    let number = try #require(parse(text))
    #expect(number.ambiguousMark == nil)
    let values = LocalisedNumber.DecimalMark.allCases.compactMap { number.value($0) }
    #expect(Set(values) == [value])
  }

  @Test("One mark before three digits may be either")
  func ambiguous() throws {
    let number = try #require(parse("-265,868"))
    #expect(number.ambiguousMark == .comma)
    #expect(number.value(.comma) == -265.868 && number.value(.point) == -265_868)
  }

  @Test(
    "Other texts are no numbers",
    arguments: [
      "", "-", "--1", "1-", "abc", "1 2", "1 034", "1,2,3", "1.2.3", "1,23,4", "01,234,567",
      "1.034.5", "1_000", "nan", "inf", "0x1p3", "1e", "1.", "1,5 µV", "1\t2", "½", "Ⅷ",
      "1,234\u{202F}567", String(repeating: "1", count: 200),
    ])
  func others(text: String) { #expect(parse(text) == nil) }

  @Test("Numbers together tell what their marks are, and where they do not")
  func together() {
    func marks(
      _ texts: String..., other: LocalisedNumber.DecimalMark? = nil
    ) -> [LocalisedNumber].Marks { texts.compactMap(parse).marks(other) }
    #expect(marks("151.2", "1,034", "7") == .known(.point))
    #expect(marks("57,92", "1.034", "7") == .known(.comma))
    #expect(marks("7", "-3") == .known(.point))
    // Nearly all are below a thousand, so the mark of nearly all is none between thousands.
    #expect(marks("-265,868", "12,125", "7") == .known(.comma))
    #expect(marks("-265.868", "1034") == .known(.point))
    #expect(marks("7", "8", "1,034") == .unknown(place: 2))
    #expect(marks("7", "8", "1,034", other: .point) == .known(.point))
    #expect(marks("57,992", "1.034") == .unknown(place: 0))
    #expect(marks("1.5", "7", "2,5") == .unknown(place: 2))
    #expect(marks() == .known(.point))
  }
}
