/// Long series of doubles, bit for bit: blocks of short decimals as integers, as they are or as
/// steps from one to the next, whichever is smaller.
enum NumberSeries {
  private static let raw: UInt8 = 0xFF
  private static let steps: UInt8 = 0x40
  /// No series is longer: a month of one place a second, two hours of an electrocardiogram.
  static let mostNumbers = 1 << 22

  /// Appends a series of finite numbers.
  ///
  /// - Complexity: O(*n*)
  static func append(_ series: [Double], to writer: inout ByteWriter) {
    writer.append(variable: UInt64(series.count))
    for start in stride(from: 0, to: series.count, by: PackedIntegers.blockCount) {
      let block = series[start..<min(start + PackedIntegers.blockCount, series.count)]
      append(block: Array(block), to: &writer)
    }
  }

  private static func append(block: [Double], to writer: inout ByteWriter) {
    var numbers = [Int64](repeating: 0, count: block.count)
    let exponent = ScaledDecimals.exponents.first { exponent in
      ScaledDecimals.holds(block[0], exponent: exponent)
        && block.withUnsafeBufferPointer { values in
          numbers.withUnsafeMutableBufferPointer {
            ScaledDecimals.scale(values, by: exponent, into: $0)
          }
        } == 0
    }
    guard let exponent else {
      writer.append(raw)
      for number in block { writer.append(number.bitPattern) }
      return
    }
    // The first has no step: it stands before them, and repeats the second one's, so that it costs
    // no exception.
    var differences = numbers
    for index in differences.indices.dropFirst() {
      differences[index] = numbers[index] &- numbers[index - 1]
    }
    differences[0] = differences.count > 1 ? differences[1] : 0
    let plain = packed(numbers)
    let stepped = packed(differences)
    if stepped.count < plain.count {
      writer.append(UInt8(exponent) | steps)
      writer.append(signed: numbers[0])
      writer.bytes += stepped
    } else {
      writer.append(UInt8(exponent))
      writer.bytes += plain
    }
  }

  private static func packed(_ numbers: [Int64]) -> [UInt8] {
    var writer = ByteWriter()
    numbers.withUnsafeBufferPointer { PackedIntegers.append($0, to: &writer) }
    return writer.bytes
  }

  /// Reads a series.
  ///
  /// - Complexity: O(*n*)
  static func read(from reader: inout ByteReader) throws(SegmentDamage) -> [Double] {
    let count = try reader.variable()
    // A block of equal numbers takes four bytes at least.
    let most = UInt64(reader.end - reader.position) / 4 * UInt64(PackedIntegers.blockCount)
    guard count <= min(most, UInt64(mostNumbers)) else { throw SegmentDamage() }
    var series: [Double] = []
    series.reserveCapacity(Int(count))
    while series.count < Int(count) {
      series += try readBlock(
        min(PackedIntegers.blockCount, Int(count) - series.count), from: &reader)
    }
    return series
  }

  private static func readBlock(
    _ count: Int, from reader: inout ByteReader
  ) throws(SegmentDamage) -> [Double] {
    let form = try reader.byte()
    var block = [Double](repeating: 0, count: count)
    guard form != raw else {
      for index in block.indices {
        block[index] = Double(bitPattern: try reader.number())
        guard block[index].isFinite else { throw SegmentDamage() }
      }
      return block
    }
    let exponent = Int(form & ~steps)
    guard ScaledDecimals.exponents.contains(exponent) else { throw SegmentDamage() }
    var stand = form & steps != 0 ? try reader.signed() : 0
    var numbers = [Int64](repeating: 0, count: count)
    try read(&numbers, from: &reader)
    if form & steps != 0 {
      numbers[0] = stand
      for index in numbers.indices.dropFirst() {
        stand &+= numbers[index]
        numbers[index] = stand
      }
    }
    numbers.withUnsafeBufferPointer { numbers in
      block.withUnsafeMutableBufferPointer {
        ScaledDecimals.unscale(numbers, by: exponent, into: $0)
      }
    }
    return block
  }

  private static func read(
    _ numbers: inout [Int64], from reader: inout ByteReader
  ) throws(SegmentDamage) {
    var outcome: Result<ByteReader, SegmentDamage> = .success(reader)
    numbers.withUnsafeMutableBufferPointer { buffer in
      var copy = reader
      do throws(SegmentDamage) {
        try PackedIntegers.read(buffer, from: &copy)
        outcome = .success(copy)
      } catch {
        outcome = .failure(error)
      }
    }
    reader = try outcome.get()
  }
}
