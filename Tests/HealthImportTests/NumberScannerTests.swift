import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Numbers are read as the nearest Double")
struct NumberScannerTests {
  /// The number by the fast path, if it reaches the end of the text.
  private func fast(_ text: String) -> Double? {
    let bytes = Array(text.utf8) + [UInt8(ascii: "\"")]
    return bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress, let (value, end) = NumberScanner.scan(base) else {
        return nil
      }
      return end - base == text.utf8.count ? value : nil
    }
  }

  private func whole(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { NumberScanner.number($0) }
  }

  private func compare(_ text: String) {
    let expected = NaiveText.number(text)
    #expect(whole(text)?.bitPattern == expected?.bitPattern, "\(text)")
    if let fast = fast(text) { #expect(fast.bitPattern == expected?.bitPattern, "\(text)") }
  }

  @Test("every text of up to five characters from those of numbers")
  func everyShortText() {
    let alphabet = Array("09.-+eE")
    var texts = [""]
    for _ in 1...5 {
      texts = texts.flatMap { text in alphabet.map { text + String($0) } }
      for text in texts { compare(text) }
    }
  }

  @Test("random decimals, as exports write them and longer")
  func randomDecimals() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      let digits = Int.random(in: 1...20, using: &random)
      var text = String((0..<digits).map { _ in "0123456789".randomElement(using: &random) ?? "0" })
      if Bool.random(using: &random) {
        text.insert(
          ".", at: text.index(text.startIndex, offsetBy: Int.random(in: 0..<digits, using: &random))
        )
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        text += "e\(Int.random(in: -330...310, using: &random))"
      }
      compare(text)
    }
  }

  @Test(
    "the fast path takes what exports write", arguments: ["92", "5.91532e-05", "-0.25", "1e22"])
  func fastPath(text: String) { #expect(fast(text) != nil) }

  @Test(
    "what is no finite decimal is no number",
    arguments: ["", "nan", "inf", "0x10", "1e999", "1,5", " 1", "1 ", "1.", "1e", "--1", "٣"])
  func notNumbers(text: String) {
    #expect(whole(text) == nil)
    #expect(fast(text) == nil)
  }
}
