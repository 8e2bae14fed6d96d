import Foundation

extension UUID {
  /// The UUID that a text is (RFC 9562): 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
  ///
  /// Foundation's reader takes half a microsecond for each, and a command may get thousands.
  init?(text: some StringProtocol) {
    var text = Substring(text)
    let number = text.withUTF8 { letters -> UInt128? in
      guard letters.count == 36 else { return nil }
      var number: UInt128 = 0
      // Digits of UUIDs are random, so no branch is on one of them.
      var wrong: UInt8 = 0
      for place in 0..<36 {
        if place == 8 || place == 13 || place == 18 || place == 23 {
          wrong |= letters[place] ^ UInt8(ascii: "-")
          continue
        }
        let digit = letters[place] &- UInt8(ascii: "0")
        let letter = (letters[place] | 0x20) &- UInt8(ascii: "a")
        wrong |= digit < 10 ? 0 : letter < 6 ? 0 : 1
        number = number << 4 | UInt128(digit < 10 ? digit : letter & 7 &+ 10)
      }
      return wrong == 0 ? number : nil
    }
    guard let number else { return nil }
    self = withUnsafeBytes(of: number.bigEndian) {
      UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
    }
  }
}
