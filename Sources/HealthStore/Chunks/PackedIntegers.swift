/// A block of integers as offsets from a base with the same number of bits, and exceptions that
/// need more (frame of reference with exceptions: Zukowski et al., ICDE 2006, PFOR).
///
/// A block of equal numbers takes no bits.
enum PackedIntegers {
  /// The most numbers in a block; the index of an exception fits two bytes.
  static let blockCount = 1024
  /// The bits of one exception: its index and its offset.
  private static let exceptionBits = 16 + 64

  /// Appends a block.
  ///
  /// - Complexity: O(*n*)
  static func append(_ numbers: UnsafeBufferPointer<Int64>, to writer: inout ByteWriter) {
    let plan = Plan(numbers)
    let mask: UInt64 = plan.width == 64 ? .max : (1 << UInt64(plan.width)) - 1
    writer.append(UInt8(plan.width))
    writer.append(signed: plan.base)
    writer.append(variable: UInt64(plan.exceptionCount))
    pack(numbers, base: plan.base, width: UInt64(plan.width), mask: mask, to: &writer)
    if plan.exceptionCount > 0 {
      for index in numbers.indices {
        let offset = UInt64(bitPattern: numbers[index] &- plan.base)
        if offset > mask {
          writer.append(UInt16(index))
          writer.append(offset)
        }
      }
    }
  }

  private static func pack(
    _ numbers: UnsafeBufferPointer<Int64>, base: Int64, width: UInt64, mask: UInt64,
    to writer: inout ByteWriter
  ) {
    guard width > 0 else { return }
    let byteCount = (numbers.count * Int(width) + 7) / 8
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: byteCount / 8 + 1) { words in
      var word: UInt64 = 0
      var filled: UInt64 = 0
      var position = 0
      for number in numbers {
        let offset = UInt64(bitPattern: number &- base) & mask
        word |= offset &<< filled
        filled &+= width
        if filled >= 64 {
          words[position] = word.littleEndian
          position &+= 1
          filled &-= 64
          word = filled == 0 ? 0 : offset &>> (width &- filled)
        }
      }
      if filled > 0 { words[position] = word.littleEndian }
      writer.bytes.append(contentsOf: UnsafeRawBufferPointer(words)[..<byteCount])
    }
  }

  /// Reads a block into `numbers`, which has its length.
  ///
  /// - Complexity: O(*n*)
  static func read(
    _ numbers: UnsafeMutableBufferPointer<Int64>, from reader: inout ByteReader
  ) throws(Corruption) {
    let width = Int(try reader.byte())
    let base = try reader.signed()
    let exceptionCount = try reader.count(ofSize: exceptionBits / 8)
    guard width <= 64, exceptionCount <= numbers.count else { throw Corruption() }
    let start = try reader.skip((numbers.count * width + 7) / 8)
    // Eight bytes of checksum follow all packed data, so a word can be loaded at any of its bytes.
    reader.bytes.withUnsafeBytes { bytes in
      unpack(numbers, from: bytes, at: start, base: base, width: width)
    }
    for _ in 0..<exceptionCount {
      let index = Int(try reader.shortNumber())
      let offset = try reader.number()
      guard index < numbers.count else { throw Corruption() }
      numbers[index] = base &+ Int64(bitPattern: offset)
    }
  }

  /// Replaces numbers by their differences, and returns the first number.
  ///
  /// The first one has no difference: it repeats the second one's, so that it is no exception.
  /// A single number has `single` in its place.
  ///
  /// - Complexity: O(*n*)
  static func subtract(_ numbers: UnsafeMutableBufferPointer<Int64>, single: Int64 = 0) -> Int64 {
    let first = numbers[0]
    for index in stride(from: numbers.count - 1, to: 0, by: -1) {
      numbers[index] &-= numbers[index - 1]
    }
    numbers[0] = numbers.count > 1 ? numbers[1] : single
    return first
  }

  /// Reads a number and a block of the differences that follow it.
  ///
  /// - Complexity: O(*n*)
  static func readSums(
    _ numbers: UnsafeMutableBufferPointer<Int64>, from reader: inout ByteReader
  ) throws(Corruption) {
    var sum = try reader.signed()
    try read(numbers, from: &reader)
    numbers[0] = sum
    for index in 1..<max(1, numbers.count) {
      sum &+= numbers[index]
      numbers[index] = sum
    }
  }

  /// Skips a block of zeros; returns whether the next block is one.
  ///
  /// - Complexity: O(1)
  static func skipZeros(in reader: inout ByteReader) -> Bool {
    // The width, the base and the number of exceptions, each a byte.
    guard reader.end - reader.position >= 3,
      reader.bytes[reader.position..<reader.position + 3].allSatisfy({ $0 == 0 })
    else { return false }
    return (try? reader.skip(3)) != nil
  }

  private static func unpack(
    _ numbers: UnsafeMutableBufferPointer<Int64>, from bytes: UnsafeRawBufferPointer,
    at start: Int, base: Int64, width: Int
  ) {
    guard width > 0 else { return numbers.update(repeating: base) }
    if width <= 57 {
      let mask: UInt64 = (1 << UInt64(width)) - 1
      var bit = start * 8
      for index in numbers.indices {
        let word = bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
        let offset = (UInt64(littleEndian: word) &>> UInt64(bit & 7)) & mask
        numbers[index] = base &+ Int64(bitPattern: offset)
        bit &+= width
      }
    } else {
      let mask: UInt64 = width == 64 ? .max : (1 << UInt64(width)) - 1
      for index in numbers.indices {
        let bit = start * 8 + index * width
        let word = bytes.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self)
        let shift = UInt64(bit & 7)
        var offset = UInt64(littleEndian: word) >> shift
        if shift + UInt64(width) > 64 { offset |= UInt64(bytes[bit >> 3 + 8]) << (64 - shift) }
        numbers[index] = base &+ Int64(bitPattern: offset & mask)
      }
    }
  }

  /// The packing with the smallest size.
  private struct Plan {
    var base: Int64
    var width: Int
    var exceptionCount: Int

    init(_ numbers: UnsafeBufferPointer<Int64>) {
      guard let first = numbers.first else {
        self.init(base: 0, width: 0, exceptionCount: 0)
        return
      }
      var lowest = first
      var highest = first
      for number in numbers {
        lowest = min(lowest, number)
        highest = max(highest, number)
      }
      guard lowest < highest else {
        self.init(base: lowest, width: 0, exceptionCount: 0)
        return
      }
      let plan = Self(numbers, base: lowest)
      // A single very low number would cost all others bits: then the base is the start of the
      // bulk, and lower numbers wrap around and become exceptions.
      let common = Self.common(numbers)
      let spread = UInt64(bitPattern: common.upperBound &- common.lowerBound)
      guard UInt64(bitPattern: common.lowerBound &- lowest) > spread else {
        self = plan
        return
      }
      let edge = common.lowerBound &- Int64(bitPattern: spread)
      let base = numbers.reduce(common.lowerBound) { $1 >= edge ? min($0, $1) : $0 }
      let other = Self(numbers, base: base)
      self = other.bits(numbers.count) < plan.bits(numbers.count) ? other : plan
    }

    /// The bounds of a sample of the numbers without the extremes.
    private static func common(_ numbers: UnsafeBufferPointer<Int64>) -> ClosedRange<Int64> {
      let step = max(1, numbers.count / 32)
      let most = (numbers.count - 1) / step + 1
      return withUnsafeTemporaryAllocation(of: Int64.self, capacity: most) { some in
        var count = 0
        for index in stride(from: 0, to: numbers.count, by: step) {
          var position = count
          while position > 0, some[position - 1] > numbers[index] {
            some[position] = some[position - 1]
            position -= 1
          }
          some[position] = numbers[index]
          count += 1
        }
        let margin = count / 10
        return some[margin]...some[count - 1 - margin]
      }
    }

    private init(base: Int64, width: Int, exceptionCount: Int) {
      self.base = base
      self.width = width
      self.exceptionCount = exceptionCount
    }

    /// The best width for a base.
    private init(_ numbers: UnsafeBufferPointer<Int64>, base: Int64) {
      self = withUnsafeTemporaryAllocation(of: Int32.self, capacity: 65) { needing in
        needing.update(repeating: 0)
        for number in numbers {
          let offset = UInt64(bitPattern: number &- base)
          needing[64 &- offset.leadingZeroBitCount] &+= 1
        }
        var best = Self(base: base, width: 64, exceptionCount: 0)
        var exceptionCount = 0
        for width in stride(from: 63, through: 0, by: -1) {
          exceptionCount += Int(needing[width + 1])
          let plan = Self(base: base, width: width, exceptionCount: exceptionCount)
          if plan.bits(numbers.count) <= best.bits(numbers.count) { best = plan }
        }
        return best
      }
    }

    func bits(_ count: Int) -> Int { count * width + exceptionCount * exceptionBits }
  }
}
