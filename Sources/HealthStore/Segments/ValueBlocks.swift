/// Blocks of recorded values: short decimals as integers, the few that are not kept apart, and a
/// block without a common scale as it is.
enum ValueBlocks {
  private static let raw: UInt8 = 0xFF

  static func append(
    _ values: UnsafeBufferPointer<Double>, room block: RowBlock, to writer: inout ByteWriter
  ) {
    let numbers = block.numbers.first(values.count)
    guard let (exponent, failures) = scale(values, into: numbers) else {
      writer.append(raw)
      for value in values { writer.append(value.bitPattern) }
      return
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
  ) throws(SegmentDamage) {
    let exponent = try reader.byte()
    let values = block.values.first(count)
    guard exponent != raw else { return try RawDoubles.read(values, from: &reader) }
    guard ScaledDecimals.exponents.contains(Int(exponent)) else { throw SegmentDamage() }
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
      guard index < count, value.isFinite else { throw SegmentDamage() }
      values[index] = value
    }
    try reader.move(to: next)
  }

  /// The smallest scale that all but a few values share.
  ///
  /// A value kept apart costs 80 bits, a further digit 3.3 bits a row: so 1 in 32 may stand apart.
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

  /// The scale that all but the longest of some values spread over the block need.
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
