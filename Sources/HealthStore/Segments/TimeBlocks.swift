/// Blocks of instants: starts as steps from one to the next, ends as durations, creation dates as
/// delays after the end; whole numbers of the largest decimal fraction of a second that is exact.
enum TimeBlocks {
  /// The mark of a block whose instants stand as they are.
  private static let raw: UInt8 = 0xFF
  /// Finer fractions leave no room for the seconds since 2001.
  private static let finest = 9

  static func append(
    starts: UnsafeBufferPointer<Double>, ends: UnsafeBufferPointer<Double>,
    room block: RowBlock, to writer: inout ByteWriter
  ) {
    let count = starts.count
    let steps = block.numbers.first(count)
    let durations = block.otherNumbers.first(count)
    guard
      let exponent = (0...finest).first(where: { exponent in
        ScaledDecimals.holds(starts[0], exponent: exponent)
          && ScaledDecimals.scale(starts, by: exponent, into: steps) == 0
          && ScaledDecimals.scale(ends, by: exponent, into: durations) == 0
      })
    else {
      writer.append(raw)
      for value in starts { writer.append(value.bitPattern) }
      for value in ends { writer.append(value.bitPattern) }
      return
    }
    writer.append(UInt8(exponent))
    let first = steps[0]
    for index in 0..<count { durations[index] &-= steps[index] }
    for index in stride(from: count - 1, to: 0, by: -1) { steps[index] &-= steps[index - 1] }
    // The first row has no step: it repeats the second one's, so that it costs no exception.
    steps[0] = count > 1 ? steps[1] : 0
    writer.append(signed: first)
    PackedIntegers.append(UnsafeBufferPointer(steps), to: &writer)
    PackedIntegers.append(UnsafeBufferPointer(durations), to: &writer)
  }

  static func read(
    _ count: Int, into block: RowBlock, from reader: inout ByteReader
  ) throws(SegmentDamage) {
    let exponent = try reader.byte()
    let starts = block.starts.first(count)
    let ends = block.ends.first(count)
    guard exponent != raw else {
      try RawDoubles.read(starts, from: &reader)
      try RawDoubles.read(ends, from: &reader)
      return
    }
    guard exponent <= finest else { throw SegmentDamage() }
    let numbers = block.numbers.first(count)
    let durations = block.otherNumbers.first(count)
    var instant = try reader.signed()
    try PackedIntegers.read(numbers, from: &reader)
    try PackedIntegers.read(durations, from: &reader)
    numbers[0] = instant
    durations[0] &+= instant
    for index in 1..<max(1, count) {
      instant &+= numbers[index]
      numbers[index] = instant
      durations[index] &+= instant
    }
    ScaledDecimals.unscale(UnsafeBufferPointer(numbers), by: Int(exponent), into: starts)
    ScaledDecimals.unscale(UnsafeBufferPointer(durations), by: Int(exponent), into: ends)
  }
}

/// Doubles as they are.
enum RawDoubles {
  static func read(
    _ values: UnsafeMutableBufferPointer<Double>, from reader: inout ByteReader,
    allowing special: Double? = nil
  ) throws(SegmentDamage) {
    for index in values.indices {
      let value = Double(bitPattern: try reader.number())
      guard value.isFinite || value == special else { throw SegmentDamage() }
      values[index] = value
    }
  }
}
