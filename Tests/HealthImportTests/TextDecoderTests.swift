import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Attributes are decoded")
struct TextDecoderTests {
  private func compare(_ raw: [UInt8]) {
    let found = raw.withUnsafeBufferPointer { TextDecoder.text($0) }
    let expected = NaiveText(raw)
    #expect(Array(found.text.utf8) == Array(expected.text.utf8), "\(raw)")
    #expect(found.replaced == expected.replaced, "\(raw)")
  }

  @Test(
    "references, controls and line breaks",
    arguments: [
      ("&lt;&gt;&amp;&quot;&apos;", "<>&\"'", 0), ("a & b &bogus; &", "a & b &bogus; &", 0),
      ("&#183;&#xB7;&#XB7;", "···", 0), ("&#10;&#9;&#13;", "\n\t\r", 0),
      ("&#11;&#0;&#xD800;", "", 3),
      ("&#99999999999;", "&#99999999999;", 0), ("&#4294967296;", "", 1), ("&#x;&#;", "&#x;&#;", 0),
      ("a\tb\r\nc\rd\ne", "a b c d e", 0), ("a\u{B}b\u{0}\u{1F}", "ab", 3),
      ("\u{FFFD}", "\u{FFFD}", 0), ("Sam’s Apple\u{A0}Watch", "Sam’s Apple\u{A0}Watch", 0),
    ])
  func table(raw: String, text: String, replaced: Int) {
    let found = Array(raw.utf8).withUnsafeBufferPointer { TextDecoder.text($0) }
    #expect(Array(found.text.utf8) == Array(text.utf8))
    #expect(found.replaced == replaced)
  }

  @Test("random bytes, many of them of references and of broken UTF-8")
  func random() {
    var random = SplitMix64(seed: 3)
    let pieces: [[UInt8]] = [
      Array("&#".utf8), Array("x4".utf8), Array(";".utf8), Array("&lt;".utf8), [0xE2, 0x80, 0x99],
      [0xE2, 0x80], [0xEF, 0xBF, 0xBD], [0xF0, 0x9F], [0xC0, 0x80], [0x0D, 0x0A], [0x0B], [0x41],
    ]
    for _ in 0..<5000 {
      var raw: [UInt8] = []
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        raw += pieces.randomElement(using: &random) ?? []
      }
      if Bool.random(using: &random), !raw.isEmpty {
        raw[Int.random(in: 0..<raw.count, using: &random)] = UInt8(
          truncatingIfNeeded: random.next())
      }
      compare(raw)
    }
  }
}
