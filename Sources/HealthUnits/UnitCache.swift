import Synchronization

/// The units that were read lately, by their whole text, so that reading one again allocates nothing.
///
/// A text has one of two places; a new one takes the place of the older. So the cache never grows,
/// whatever texts a file holds.
enum UnitCache {
  /// Up to 47 bytes of text, with their number and the dialect in the last byte.
  struct Key {
    fileprivate var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

    fileprivate init() {}

    /// Nil for a text that is too long to keep.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, dialect: UnitDialect) {
      guard bytes.count < 48 else { return nil }
      withUnsafeMutableBytes(of: &words) { target in
        target.copyMemory(from: UnsafeRawBufferPointer(bytes))
        target[47] = UInt8(bytes.count) << 1 | (dialect == .ucum ? 1 : 0)
      }
    }

    fileprivate func equals(_ other: borrowing Key) -> Bool {
      let near =
        (words.0 ^ other.words.0) | (words.1 ^ other.words.1) | (words.5 ^ other.words.5)
      let far =
        (words.2 ^ other.words.2) | (words.3 ^ other.words.3) | (words.4 ^ other.words.4)
      return near | far == 0
    }

    fileprivate var place: Int {
      let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
      var hash = (words.5 ^ words.0) &* multiplier
      hash = (hash ^ (hash >> 32) ^ words.1) &* multiplier
      hash = (hash ^ (hash >> 32) ^ words.2 ^ words.3 ^ words.4) &* multiplier
      return Int(truncatingIfNeeded: hash >> 54) & ~1
    }
  }

  private struct Slot {
    var key = Key()
    var unit: UnitExpression?
  }

  /// The places, which only the holder of the lock touches; they live as long as the program.
  nonisolated(unsafe) private static let slots: UnsafeMutablePointer<Slot> = {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: 1024)
    slots.initialize(repeating: Slot(), count: 1024)
    return slots
  }()

  private static let lock = Mutex<Void>(())

  static func unit(for key: Key) -> UnitExpression? {
    let place = slots + key.place
    return lock.withLock { _ in
      if place[0].key.equals(key) { return place[0].unit }
      return place[1].key.equals(key) ? place[1].unit : nil
    }
  }

  static func insert(_ unit: UnitExpression, for key: Key) {
    let place = slots + key.place
    // The unit that goes is released behind the lock.
    let old = lock.withLock { _ in
      let old = place[1].unit
      place[1] = place[0]
      place[0] = Slot(key: key, unit: unit)
      return old
    }
    _ = old
  }
}
