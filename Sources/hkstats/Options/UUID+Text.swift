import Foundation

extension UUID {
  /// The UUID that a text is (RFC 9562): 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
  ///
  /// Foundation's reader takes half a microsecond for each, and a command may get thousands.
  init?(text: String) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    var high: UInt8?
    var place = 0
    for letter in text.utf8 {
      let isHyphen = letter == UInt8(ascii: "-")
      guard place < 36, isHyphen == [8, 13, 18, 23].contains(place) else { return nil }
      place += 1
      if isHyphen { continue }
      let digit: UInt8
      switch letter {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = letter - UInt8(ascii: "0")
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = letter - UInt8(ascii: "A") + 10
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = letter - UInt8(ascii: "a") + 10
      default: return nil
      }
      if let first = high { bytes.append(first << 4 | digit) }
      high = high == nil ? digit : nil
    }
    guard place == 36 else { return nil }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
