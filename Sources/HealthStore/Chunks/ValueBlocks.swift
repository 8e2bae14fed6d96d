/// Blocks of recorded values: short decimals as integers, with exceptions, or raw bits if there is
/// no common scale.
enum ValueBlocks {
  static func append(_ count: Int, of block: RowBlock, to writer: inout ByteWriter) {
    let values = block.values.cells(count)
    let numbers = block.numbers.first(count)
    guard let (exponent, failures) = scale(values, into: numbers) else {
      return RawDoubles.append(values, to: &writer)
    }
    writer.append(UInt8(exponent))
    writer.append(variable: UInt64(failures))
    if failures > 0 {
      var stand: Int64 = 0
      for index in values.indices {
        if ScaledDecimals.holds(values[index], exponent: exponent) {
          stand = numbers[index]
        } else {
          writer.append(UInt16(index))
          writer.append(values[index].bitPattern)
          numbers[index] = stand
        }
      }
    }
    PackedIntegers.append(UnsafeBufferPointer(numbers), to: &writer)
  }

  static func read(
    _ count: Int, into block: RowBlock, from reader: inout ByteReader
  ) throws(Corruption) {
    let exponent = try reader.byte()
    let values = block.values.first(count)
    guard exponent != RawDoubles.mark else {
      return try RawDoubles.read(values, from: &reader)
    }
    guard ScaledDecimals.exponents.contains(Int(exponent)) else { throw Corruption() }
    let failures = try reader.count(ofSize: 2 + 8)
    let apart = reader.position
    _ = try reader.skip(failures * (2 + 8))
    let numbers = block.numbers.first(count)
    try PackedIntegers.read(numbers, from: &reader)
    ScaledDecimals.unscale(UnsafeBufferPointer(numbers), by: Int(exponent), into: values)
    guard failures > 0 else { return }
    let next = reader.position
    try reader.move(to: apart)
    for _ in 0..<failures {
      let index = Int(try reader.shortNumber())
      let value = Double(bitPattern: try reader.number())
      guard index < count, value.isFinite else { throw Corruption() }
      values[index] = value
    }
    try reader.move(to: next)
  }

  /// The smallest scale that all but a few values share.
  ///
  /// An exception costs 80 bits, another digit 3.3 bits per row: so 1 in 32 may be an exception.
  private static func scale(
    _ values: UnsafeBufferPointer<Double>, into numbers: UnsafeMutableBufferPointer<Int64>
  ) -> (exponent: Int, failures: Int)? {
    let bearable = values.count / 32
    var exponent = guess(values)
    var failures = ScaledDecimals.scale(values, by: exponent, into: numbers)
    while failures > bearable {
      exponent += 1
      guard exponent <= ScaledDecimals.exponents.upperBound else { return nil }
      failures = ScaledDecimals.scale(values, by: exponent, into: numbers)
    }
    return (exponent, failures)
  }

  /// The scale needed by a sample of the values without the longest ones.
  private static func guess(_ values: UnsafeBufferPointer<Double>) -> Int {
    let step = max(1, values.count / 16)
    var needing = Array(repeating: 0, count: ScaledDecimals.exponents.count + 1)
    var count = 0
    for index in stride(from: 0, to: values.count, by: step) {
      let exponent = ScaledDecimals.exponents.first {
        ScaledDecimals.holds(values[index], exponent: $0)
      }
      needing[exponent ?? ScaledDecimals.exponents.count] += 1
      count += 1
    }
    var held = 0
    for exponent in ScaledDecimals.exponents {
      held += needing[exponent]
      if held * 16 >= count * 15 { return exponent }
    }
    return 0
  }
}

/// Blocks of small numbers: indices into a table, and copies.
enum IdentifierBlocks {
  static func append(
    _ identifiers: some Collection<UInt32>, room block: RowBlock, to writer: inout ByteWriter
  ) {
    var count = 0
    for identifier in identifiers {
      block.numbers[count] = Int64(identifier)
      count += 1
    }
    PackedIntegers.append(block.numbers.cells(count), to: &writer)
  }

  /// Reads `count` numbers that must lie in `bounds`.
  static func read(
    _ count: Int, in bounds: ClosedRange<Int64>, room block: RowBlock,
    into identifiers: UnsafeMutableBufferPointer<UInt32>, from reader: inout ByteReader
  ) throws(Corruption) {
    if bounds == 0...0, PackedIntegers.skipZeros(in: &reader) {
      return identifiers.first(count).update(repeating: 0)
    }
    let numbers = block.numbers.first(count)
    try PackedIntegers.read(numbers, from: &reader)
    var isInside = true
    for index in 0..<count {
      isInside = isInside && bounds.contains(numbers[index])
      identifiers[index] = UInt32(truncatingIfNeeded: numbers[index])
    }
    guard isInside else { throw Corruption() }
  }
}

/// Blocks of serials: the first, then the steps from one to the next.
///
/// Rows that were imported together have steps of one, which take no bits.
enum SerialBlocks {
  /// Appends the serials, and leaves their steps in their place.
  static func append(_ count: Int, of block: RowBlock, to writer: inout ByteWriter) {
    writer.append(signed: PackedIntegers.subtract(block.serials.first(count), single: 1))
    PackedIntegers.append(block.serials.cells(count), to: &writer)
  }

  /// Reads `count` serials, none of them below the least one of the chunk.
  static func read(
    _ count: Int, into block: RowBlock, from reader: inout ByteReader
  ) throws(Corruption) {
    let serials = block.serials.first(count)
    try PackedIntegers.readSums(serials, from: &reader)
    guard serials.reduce(0, min) >= 0 else { throw Corruption() }
  }
}

/// Doubles that are short decimals, as integers times a power of ten, bit for bit.
///
/// A decimal of at most 15 digits, *n* / 10^*k* with |*n*| < 2^51, is rounded once when it is
/// parsed and once when it is divided out here, so both give the same double.
enum ScaledDecimals {
  /// The powers that are tried; all are exact doubles.
  static let exponents = 0...15
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
  /// Adding this to a double below 2^51 rounds it to an integer, which is then in its low bits.
  private static let rounder = 0x1.8p52
  /// Below this ``rounder`` works.
  private static let limit = 0x1p51

  /// Writes `values` × 10^`exponent` as integers, and says how many do not read back.
  ///
  /// - Complexity: O(*n*)
  static func scale(
    _ values: UnsafeBufferPointer<Double>, by exponent: Int,
    into numbers: UnsafeMutableBufferPointer<Int64>
  ) -> Int {
    let power = powers[exponent]
    let shift = Int64(bitPattern: rounder.bitPattern)
    var failures = 0
    for index in values.indices {
      let value = values[index]
      let scaled = value * power
      let rounded = scaled + rounder
      let back = (rounded - rounder) / power
      numbers[index] = Int64(bitPattern: rounded.bitPattern) &- shift
      let holds = (back.bitPattern == value.bitPattern) && (scaled.magnitude < limit)
      failures &+= holds ? 0 : 1
    }
    return failures
  }

  /// Whether a value reads back from its integer.
  static func holds(_ value: Double, exponent: Int) -> Bool {
    let scaled = value * powers[exponent]
    return scaled.magnitude < limit
      && ((scaled + rounder - rounder) / powers[exponent]).bitPattern == value.bitPattern
  }

  /// An exact value × 10^`exponent`.
  static func scaled(_ value: Double, exponent: Int) -> Int64 {
    Int64(bitPattern: (value * powers[exponent] + rounder).bitPattern &- rounder.bitPattern)
  }

  /// The double of one integer.
  static func unscaled(_ number: Int64, exponent: Int) -> Double {
    Double(number) / powers[exponent]
  }

  /// The doubles of integers.
  ///
  /// - Complexity: O(*n*)
  static func unscale(
    _ numbers: UnsafeBufferPointer<Int64>, by exponent: Int,
    into values: UnsafeMutableBufferPointer<Double>
  ) {
    let power = powers[exponent]
    let whole = numbers.count & ~7
    let stride = MemoryLayout<Double>.stride
    let source = UnsafeRawBufferPointer(numbers)
    let target = UnsafeMutableRawBufferPointer(values)
    var beyond = SIMD8<UInt64>()
    for index in Swift.stride(from: 0, to: whole, by: 8) {
      let lanes = source.loadUnaligned(
        fromByteOffset: index * stride, as: SIMD8<UInt64>.self)
      beyond |= (lanes &+ Self.half) &>> 52
      // The inverse of adding ``rounder``: small integers are in its low bits.
      let sums = lanes &+ rounder.bitPattern
      var doubles = unsafeBitCast(sums, to: SIMD8<Double>.self) - rounder
      if exponent > 0 { doubles /= power }
      target.storeBytes(of: doubles, toByteOffset: index * stride, as: SIMD8<Double>.self)
    }
    // Only damaged or forged bytes hold larger numbers than ``scale(_:by:into:)`` makes.
    let first = beyond == SIMD8() ? whole : 0
    for index in first..<numbers.count {
      values[index] = unscaled(numbers[index], exponent: exponent)
    }
  }

  /// 2^51, which makes all that ``rounder`` works for a number below 2^52.
  private static let half: UInt64 = 1 << 51
}
