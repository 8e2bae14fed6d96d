/// XXH64 with seed 0, after the xxHash specification 0.1.1 by Yann Collet.
///
/// It finds every change within one 8-byte word, and any other but one in 2^64, faster than memory
/// delivers the bytes.
enum Checksum {
  private static let primes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
    0x27D4_EB2F_1656_67C5
  )

  static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.withUnsafeBytes(sum) }

  private static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    var offset = 0
    var sum: UInt64
    if count >= 32 {
      var lanes = (primes.0 &+ primes.1, primes.1, UInt64(0), 0 &- primes.0)
      while offset <= count - 32 {
        lanes.0 = round(lanes.0, word(bytes, offset))
        lanes.1 = round(lanes.1, word(bytes, offset + 8))
        lanes.2 = round(lanes.2, word(bytes, offset + 16))
        lanes.3 = round(lanes.3, word(bytes, offset + 24))
        offset += 32
      }
      sum = rotate(lanes.0, 1) &+ rotate(lanes.1, 7)
      sum = sum &+ rotate(lanes.2, 12) &+ rotate(lanes.3, 18)
      for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
        sum = (sum ^ round(0, lane)) &* primes.0 &+ primes.3
      }
    } else {
      sum = primes.4
    }
    sum = sum &+ UInt64(count)
    while offset <= count - 8 {
      sum = rotate(sum ^ round(0, word(bytes, offset)), 27) &* primes.0 &+ primes.3
      offset += 8
    }
    if offset <= count - 4 {
      let half = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      sum = rotate(sum ^ (UInt64(UInt32(littleEndian: half)) &* primes.0), 23)
      sum = sum &* primes.1 &+ primes.2
      offset += 4
    }
    while offset < count {
      sum = rotate(sum ^ (UInt64(bytes[offset]) &* primes.4), 11) &* primes.0
      offset += 1
    }
    sum = (sum ^ (sum >> 33)) &* primes.1
    sum = (sum ^ (sum >> 29)) &* primes.2
    return sum ^ (sum >> 32)
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
    (word &<< count) | (word &>> (64 &- count))
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotate(lane &+ word &* primes.1, 31) &* primes.0
  }
}
