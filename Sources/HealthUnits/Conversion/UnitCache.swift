import Synchronization

/// The units that were read lately, by their whole text, so that reading one again allocates nothing.
///
/// A text has one place, which holds two; a new one takes the place of the older. So the cache never
/// grows, whatever texts a file holds. Only the second reading of a text keeps it: what comes once
/// costs no memory and displaces nothing. Nobody waits: who finds a place in use reads the text anew.
enum UnitCache {
  /// Up to 47 bytes of text, with their number and the dialect in the last byte.
  struct Key {
    fileprivate var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

    fileprivate init() {}

    /// Nil for a text that is too long to keep.
    ///
    /// Every load lies inside of one store that made the text, else the processor would have to wait
    /// for all of them: a small string has just been put on the stack.
    @inline(__always) init?(_ bytes: UnsafeBufferPointer<UInt8>, dialect: UnitDialect) {
      let count = bytes.count
      guard count < 48 else { return nil }
      let text = UnsafeRawBufferPointer(bytes)
      words.0 = Self.word(of: text, from: 0)
      if count > 8 { words.1 = Self.word(of: text, from: 8) }
      if count > 16 {
        words.2 = Self.word(of: text, from: 16)
        words.3 = Self.word(of: text, from: 24)
        words.4 = Self.word(of: text, from: 32)
        words.5 = Self.word(of: text, from: 40)
      }
      words.5 |= UInt64(count << 1 | (dialect == .ucum ? 1 : 0)) << 56
    }

    /// The bytes from a place on, at most eight.
    @inline(__always) private static func word(
      of text: UnsafeRawBufferPointer, from start: Int
    ) -> UInt64 {
      let count = text.count - start
      if count >= 8 { return text.loadUnaligned(fromByteOffset: start, as: UInt64.self) }
      guard count > 0 else { return 0 }
      var word: UInt64 = 0
      var end = text.count
      if count & 1 != 0 {
        end -= 1
        word = UInt64(text[end])
      }
      if count & 2 != 0 {
        end -= 2
        word = word << 16 | UInt64(text.loadUnaligned(fromByteOffset: end, as: UInt16.self))
      }
      if count & 4 != 0 {
        word = word << 32 | UInt64(text.loadUnaligned(fromByteOffset: start, as: UInt32.self))
      }
      return word
    }

    @inline(__always) fileprivate func equals(_ other: borrowing Key) -> Bool {
      let near =
        (words.0 ^ other.words.0) | (words.1 ^ other.words.1) | (words.5 ^ other.words.5)
      let far =
        (words.2 ^ other.words.2) | (words.3 ^ other.words.3) | (words.4 ^ other.words.4)
      return near | far == 0
    }

    /// A mark of the text, whose upper nine bits are its place.
    @inline(__always) fileprivate var mark: UInt64 {
      let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
      let near = (words.0 &* multiplier) ^ (words.1 &* 0xC2B2_AE3D_27D4_EB4F)
      let far = words.2 ^ (words.3 &* 3) ^ (words.4 &* 5) ^ words.5
      let mixed = near ^ (far &* 0x1656_67B1_9E37_79F9)
      return (mixed ^ (mixed >> 32)) &* multiplier
    }
  }

  /// Two texts, the newer first; only who has taken the place touches them.
  private struct Place: ~Copyable {
    let isTaken = Atomic(false)
    /// The mark of the text that was read here last without being found.
    let lastMissed = Atomic<UInt64>(0)
    var newerKey = Key()
    var newer: UnitExpression?
    var olderKey = Key()
    var older: UnitExpression?
  }

  /// The places, which live as long as the program.
  nonisolated(unsafe) private static let places: UnsafeMutablePointer<Place> = {
    let places = UnsafeMutablePointer<Place>.allocate(capacity: 512)
    for index in 0..<512 { (places + index).initialize(to: Place()) }
    return places
  }()

  @inline(__always) static func unit(for key: borrowing Key) -> UnitExpression? {
    let place = places + Int(key.mark >> 55)
    guard !place.pointee.isTaken.exchange(true, ordering: .acquiring) else { return nil }
    defer { place.pointee.isTaken.store(false, ordering: .releasing) }
    if key.equals(place.pointee.newerKey) { return place.pointee.newer }
    return key.equals(place.pointee.olderKey) ? place.pointee.older : nil
  }

  /// Keeps the unit of a text that was not found, if it was the last one here that was not.
  static func insert(_ unit: UnitExpression, for key: borrowing Key) {
    let mark = key.mark
    let place = places + Int(mark >> 55)
    guard place.pointee.lastMissed.load(ordering: .relaxed) == mark else {
      return place.pointee.lastMissed.store(mark, ordering: .relaxed)
    }
    guard !place.pointee.isTaken.exchange(true, ordering: .acquiring) else { return }
    var leaving: UnitExpression? = unit
    swap(&leaving, &place.pointee.newer)
    swap(&leaving, &place.pointee.older)
    place.pointee.olderKey = place.pointee.newerKey
    place.pointee.newerKey = copy key
    place.pointee.isTaken.store(false, ordering: .releasing)
    // Only now the unit that goes is released: that may take a while.
    _ = leaving
  }
}
