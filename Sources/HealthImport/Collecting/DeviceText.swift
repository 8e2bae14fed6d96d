/// The format of devices in exports: `<<HKDevice: 0x283754780>, name:iPhone, …>`.
///
/// The number is a memory address on the phone. It changes within one file, so it is ignored.
enum DeviceText {
  /// The range of the address digits in the raw text; an empty range at its start if there is none.
  static func address(in raw: Bytes) -> Range<Int> {
    for opening in ["&lt;&lt;HKDevice: 0x", "<<HKDevice: 0x"] where raw.starts(with: opening.utf8) {
      let start = opening.utf8.count
      return start..<start + raw[start...].prefix(while: isHexadecimal).count
    }
    return 0..<0
  }

  /// Whether the byte is a hexadecimal digit.
  @inline(__always)
  static func isHexadecimal(_ byte: UInt8) -> Bool {
    byte.isDigit || (byte | 0x20) &- 0x61 <= 5
  }
}
