import Glibc

/// Distinct byte strings, numbered in the order of insertion.
///
/// The hash is seeded per table, so a file cannot be crafted to cause collisions.
struct ByteTable {
  private var slots: [UInt32]
  private var hashes: [UInt64] = []
  private var ends: [Int] = [0]
  private var bytes: [UInt8] = []
  private let seed = UInt64.random(in: 0 ... .max) | 1

  /// An empty table.
  init() { slots = Array(repeating: 0, count: 64) }

  /// The number of strings.
  var count: Int { hashes.count }
  /// The memory of all strings.
  var byteCount: Int { bytes.count + 24 * hashes.count }

  /// The number of `key`, which is added if new.
  ///
  /// - Complexity: O(length of the key), amortised
  mutating func index(of key: Bytes) -> (index: Int, isNew: Bool) {
    let hash = hash(key)
    let slot = slot(of: key, hash: hash)
    if slots[slot] != 0 { return (Int(slots[slot]) - 1, false) }
    hashes.append(hash)
    bytes.append(contentsOf: key)
    ends.append(bytes.count)
    slots[slot] = UInt32(hashes.count)
    if hashes.count * 2 > slots.count { grow() }
    return (hashes.count - 1, true)
  }

  /// The number of `key`, if the table has it.
  func existingIndex(of key: Bytes) -> Int? {
    let slot = slot(of: key, hash: hash(key))
    return slots[slot] == 0 ? nil : Int(slots[slot]) - 1
  }

  /// The slot of `key`, or the free one for it.
  private func slot(of key: Bytes, hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if hashes[index] == hash, equals(key, index) { break }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private func equals(_ key: Bytes, _ index: Int) -> Bool {
    guard ends[index + 1] - ends[index] == key.count else { return false }
    guard let base = key.baseAddress, key.count > 0 else { return true }
    return bytes.withUnsafeBufferPointer {
      $0.baseAddress.map { memcmp($0 + ends[index], base, key.count) == 0 } ?? false
    }
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for (index, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(index + 1)
    }
  }

  /// Hashes the key word by word, each step one product of 64 by 64 bits.
  private func hash(_ key: Bytes) -> UInt64 {
    var state = seed ^ UInt64(truncatingIfNeeded: key.count) &* 0x9E37_79B9_7F4A_7C15
    func mix(_ word: UInt64) {
      let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93 ^ seed << 1)
      state = product.high ^ product.low &+ seed
    }
    let raw = UnsafeRawBufferPointer(key)
    var place = 0
    while place + 8 <= raw.count {
      mix(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    var rest: UInt64 = 0
    while place < raw.count {
      rest = rest << 8 | UInt64(raw[place])
      place += 1
    }
    mix(rest)
    return state ^ state >> 32
  }
}
