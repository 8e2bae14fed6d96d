import HealthSamples

/// Blocks of instants: starts as differences, ends as durations, creation dates as delays after the
/// end; integers in the largest decimal fraction of a second that is exact.
enum TimeBlocks {
  /// Marks a block of instants that is stored as raw bits.
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
    // The first row has no difference: it repeats the second one's, so that it is not an exception.
    steps[0] = count > 1 ? steps[1] : 0
    writer.append(signed: first)
    PackedIntegers.append(UnsafeBufferPointer(steps), to: &writer)
    PackedIntegers.append(UnsafeBufferPointer(durations), to: &writer)
  }

  static func read(
    _ count: Int, into block: RowBlock, from reader: inout ByteReader
  ) throws(Corruption) {
    let exponent = try reader.byte()
    let starts = block.starts.first(count)
    let ends = block.ends.first(count)
    guard exponent != raw else {
      try RawDoubles.read(starts, from: &reader)
      try RawDoubles.read(ends, from: &reader)
      return
    }
    guard exponent <= finest else { throw Corruption() }
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

/// Doubles as raw bits.
enum RawDoubles {
  static func read(
    _ values: UnsafeMutableBufferPointer<Double>, from reader: inout ByteReader,
    allowing special: Double? = nil
  ) throws(Corruption) {
    for index in values.indices {
      let value = Double(bitPattern: try reader.number())
      guard value.isFinite || value == special else { throw Corruption() }
      values[index] = value
    }
  }
}

/// Blocks of creation dates: delays after the whole second of the row's end.
enum CreationBlocks {
  private enum Form: UInt8 {
    case none = 0xFD
    case raw = 0xFF
  }
  /// Flag in the first byte when some rows have no date; their delay is then a reserved value.
  private static let partial: UInt8 = 0x40
  private static let finest = 6

  static func append(
    _ created: UnsafeBufferPointer<Double>, after ends: UnsafeBufferPointer<Double>,
    room block: RowBlock, to writer: inout ByteWriter
  ) {
    let count = created.count
    let missing = created.reduce(0) { $0 + ($1 == RecordColumns.notRecorded ? 1 : 0) }
    guard missing < count else { return writer.append(Form.none.rawValue) }
    let delays = block.numbers.first(count)
    let seconds = block.otherNumbers.first(count)
    guard
      let exponent = (0...finest).first(where: { exponent in
        ScaledDecimals.scale(created, by: exponent, into: delays) == missing
      }), wholeSeconds(of: ends, into: seconds)
    else {
      writer.append(Form.raw.rawValue)
      for value in created { writer.append(value.bitPattern) }
      return
    }
    writer.append(UInt8(exponent) | (missing > 0 ? partial : 0))
    var lowest = Int64.max
    for index in 0..<count where created[index] != RecordColumns.notRecorded {
      delays[index] &-= seconds[index] &* powers[exponent]
      lowest = min(lowest, delays[index])
    }
    if missing > 0 {
      writer.append(signed: lowest - 1)
      for index in 0..<count where created[index] == RecordColumns.notRecorded {
        delays[index] = lowest - 1
      }
    }
    PackedIntegers.append(UnsafeBufferPointer(delays), to: &writer)
  }

  /// Reads the dates of a block whose ends have been read.
  static func read(
    _ count: Int, into block: RowBlock, from reader: inout ByteReader
  ) throws(Corruption) {
    let first = try reader.byte()
    let created = block.created.first(count)
    if first == Form.none.rawValue {
      return created.update(repeating: RecordColumns.notRecorded)
    }
    guard first != Form.raw.rawValue else {
      return try RawDoubles.read(created, from: &reader, allowing: RecordColumns.notRecorded)
    }
    let exponent = Int(first & ~partial)
    guard exponent <= finest else { throw Corruption() }
    let mark = first & partial == 0 ? nil : try reader.signed()
    let delays = block.numbers.first(count)
    let dates = block.otherNumbers.first(count)
    try PackedIntegers.read(delays, from: &reader)
    guard wholeSeconds(of: UnsafeBufferPointer(block.ends.first(count)), into: dates) else {
      throw Corruption()
    }
    let power = powers[exponent]
    for index in 0..<count { dates[index] = dates[index] &* power &+ delays[index] }
    ScaledDecimals.unscale(UnsafeBufferPointer(dates), by: exponent, into: created)
    if let mark {
      for index in 0..<count where delays[index] == mark {
        created[index] = RecordColumns.notRecorded
      }
    }
  }

  private static let powers: [Int64] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

  /// Larger instants are out of calendar range, and their fractions out of integer range.
  private static let limit = 0x1p42

  /// The whole second of each instant; false if one is out of calendar range.
  private static func wholeSeconds(
    of instants: UnsafeBufferPointer<Double>, into seconds: UnsafeMutableBufferPointer<Int64>
  ) -> Bool {
    var distant = 0
    for instant in instants { distant &+= instant.magnitude < limit ? 0 : 1 }
    guard distant == 0 else { return false }
    // Nearly all instants are whole seconds.
    if ScaledDecimals.scale(instants, by: 0, into: seconds) > 0 {
      for index in instants.indices { seconds[index] = Int64(instants[index].rounded(.down)) }
    }
    return true
  }
}
