import Synchronization

/// The units that were read lately, by their whole text, so that reading one again allocates nothing.
///
/// A text has one of two places; a new one takes the place of the older. So the cache never grows,
/// whatever texts a file holds.
struct UnitCache: ~Copyable, Sendable {
  private struct Slot {
    var key = Key()
    var unit: UnitExpression?
  }

  /// Up to 47 bytes of text, with their number and the dialect in the last byte.
  struct Key: Equatable {
    private(set) var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

    fileprivate init() {}

    /// Nil for a text that is too long to keep.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, dialect: UnitDialect) {
      guard bytes.count < 48 else { return nil }
      withUnsafeMutableBytes(of: &words) { target in
        target.copyMemory(from: UnsafeRawBufferPointer(bytes))
        target[47] = UInt8(bytes.count) << 1 | (dialect == .ucum ? 1 : 0)
      }
    }

    static func == (left: Key, right: Key) -> Bool { left.words == right.words }

    var hash: Int {
      let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
      var hash = (words.5 ^ words.0) &* multiplier
      hash = (hash ^ (hash >> 32) ^ words.1) &* multiplier
      hash = (hash ^ (hash >> 32) ^ words.2 ^ words.3 ^ words.4) &* multiplier
      return Int(truncatingIfNeeded: hash >> 54) & ~1
    }
  }

  private let slots = Mutex<[Slot]>(Array(repeating: Slot(), count: 1024))

  static let shared = UnitCache()

  private init() {}

  func unit(for key: Key) -> UnitExpression? {
    let place = key.hash
    return slots.withLock { slots in
      if slots[place].key == key { return slots[place].unit }
      if slots[place + 1].key == key { return slots[place + 1].unit }
      return nil
    }
  }

  func insert(_ unit: UnitExpression, for key: Key) {
    let place = key.hash
    slots.withLock { slots in
      slots[place + 1] = slots[place]
      slots[place] = Slot(key: key, unit: unit)
    }
  }
}
