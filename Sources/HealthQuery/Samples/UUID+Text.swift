package import Foundation

extension UUID {
  /// The UUID that a text is (RFC 9562): 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
  ///
  /// Foundation's reader takes half a microsecond for each, and a command may get thousands.
  package init?(text: String) {
    var text = text
    let number = text.withUTF8 { letters -> UInt128? in
      let letters = UnsafeRawBufferPointer(letters)
      let hyphen = UInt8(ascii: "-")
      guard letters.count == 36, letters[8] == hyphen, letters[13] == hyphen,
        letters[18] == hyphen, letters[23] == hyphen
      else { return nil }
      func four(_ place: Int) -> UInt64 {
        UInt64(UInt32(bigEndian: letters.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
      }
      guard let first = Self.number(ofDigits: four(0) << 32 | four(4)),
        let second = Self.number(ofDigits: four(9) << 32 | four(14)),
        let third = Self.number(ofDigits: four(19) << 32 | four(24)),
        let fourth = Self.number(ofDigits: four(28) << 32 | four(32))
      else { return nil }
      return UInt128(first << 32 | second) << 64 | UInt128(third << 32 | fourth)
    }
    guard let number else { return nil }
    self = withUnsafeBytes(of: number.bigEndian) {
      UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
    }
  }

  /// The number of eight hexadecimal digits, which are the bytes of a word; `nil` if one is none.
  ///
  /// Digits of UUIDs are random, so no branch is on one of them.
  private static func number(ofDigits word: UInt64) -> UInt64? {
    let each: UInt64 = 0x0101_0101_0101_0101
    // Letters have bit 6, and begin with 1 in the low half.
    let values = (word & (0x0F &* each)) &+ 9 &* (word >> 6 & each)
    let areLetters = (values &+ 0x76 &* each) >> 7 & each
    // What these values are written as, in small letters: else a byte was no digit.
    let written = values &+ 0x30 &* each &+ 0x27 &* areLetters
    guard values & (0xF0 &* each) == 0, written == word | 0x20 &* each,
      (word >> 5 | word >> 6) & each == each
    else { return nil }
    let pairs = (values | values >> 4) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs | pairs >> 8) & 0x0000_FFFF_0000_FFFF
    return (fours | fours >> 16) & 0xFFFF_FFFF
  }
}
