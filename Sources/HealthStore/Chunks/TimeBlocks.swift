import HealthSamples

/// Blocks of instants: starts as differences, ends as durations, creation dates as delays after the
/// end; integers in the largest decimal fraction of a second that is exact.
enum TimeBlocks {
  /// Finer fractions leave no room for the seconds since 2001.
  private static let finest = 9

  static func append(_ count: Int, of block: RowBlock, to writer: inout ByteWriter) {
    let (starts, ends) = (block.starts.cells(count), block.ends.cells(count))
    let steps = block.numbers.first(count)
    let durations = block.otherNumbers.first(count)
    guard
      let exponent = (0...finest).first(where: { exponent in
        ScaledDecimals.holds(starts[0], exponent: exponent)
          && ScaledDecimals.scale(starts, by: exponent, into: steps) == 0
          && ScaledDecimals.scale(ends, by: exponent, into: durations) == 0
      })
    else { return RawDoubles.append(starts, ends, to: &writer) }
    writer.append(UInt8(exponent))
    for index in 0..<count { durations[index] &-= steps[index] }
    writer.append(signed: PackedIntegers.subtract(steps))
    PackedIntegers.append(UnsafeBufferPointer(steps), to: &writer)
    PackedIntegers.append(UnsafeBufferPointer(durations), to: &writer)
  }

  static func read(
    _ count: Int, into block: RowBlock, from reader: inout ByteReader
  ) throws(Corruption) {
    let exponent = try reader.byte()
    let starts = block.starts.first(count)
    let ends = block.ends.first(count)
    guard exponent != RawDoubles.mark else {
      try RawDoubles.read(starts, from: &reader)
      return try RawDoubles.read(ends, from: &reader)
    }
    guard exponent <= finest else { throw Corruption() }
    let instants = block.numbers.first(count)
    let durations = block.otherNumbers.first(count)
    try PackedIntegers.readSums(instants, from: &reader)
    try PackedIntegers.read(durations, from: &reader)
    for index in 0..<count { durations[index] &+= instants[index] }
    ScaledDecimals.unscale(UnsafeBufferPointer(instants), by: Int(exponent), into: starts)
    ScaledDecimals.unscale(UnsafeBufferPointer(durations), by: Int(exponent), into: ends)
  }
}

/// Doubles as raw bits, where no scale is common to them.
enum RawDoubles {
  /// Stands in the place of the exponent.
  static let mark: UInt8 = 0xFF

  static func append(_ columns: UnsafeBufferPointer<Double>..., to writer: inout ByteWriter) {
    writer.append(mark)
    for column in columns {
      for value in column { writer.append(value.bitPattern) }
    }
  }

  /// Reads the bits of a column, after the mark; only one number that is not finite is allowed.
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
  /// Stands in the place of the exponent where no row has a date.
  private static let none: UInt8 = 0xFD
  /// Flag in the first byte when some rows have no date; their delay is then a reserved value.
  private static let partial: UInt8 = 0x40
  private static let finest = 6

  static func append(_ count: Int, of block: RowBlock, to writer: inout ByteWriter) {
    let created = block.created.cells(count)
    let missing = created.reduce(0) { $0 + ($1 == RecordColumns.notRecorded ? 1 : 0) }
    guard missing < count else { return writer.append(none) }
    let delays = block.numbers.first(count)
    let seconds = block.otherNumbers.first(count)
    guard
      let exponent = (0...finest).first(where: { exponent in
        ScaledDecimals.scale(created, by: exponent, into: delays) == missing
      }), wholeSeconds(of: block.ends.cells(count), into: seconds)
    else { return RawDoubles.append(created, to: &writer) }
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
    if first == none { return created.update(repeating: RecordColumns.notRecorded) }
    guard first != RawDoubles.mark else {
      return try RawDoubles.read(created, from: &reader, allowing: RecordColumns.notRecorded)
    }
    let exponent = Int(first & ~partial)
    guard exponent <= finest else { throw Corruption() }
    let mark = first & partial == 0 ? nil : try reader.signed()
    let delays = block.numbers.first(count)
    let dates = block.otherNumbers.first(count)
    try PackedIntegers.read(delays, from: &reader)
    guard wholeSeconds(of: block.ends.cells(count), into: dates) else {
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
