import HealthUnits
import _HealthNumerics

/// Statistics of a chunk by block that need no decoding: time bounds, sums and ranges of the
/// recorded values.
///
/// A query reads it first, and from the chunk only the blocks that an edge of an interval cuts.
struct ZoneMap: Equatable {
  /// The format version; others are refused.
  private static let version: UInt8 = 1

  /// The number of rows.
  var count = 0
  /// The label of all values; `nil` when there are several.
  var label: String?
  /// The blocks in order; all but the last have ``RowBlock/capacity`` rows.
  var blocks: [BlockStatistics] = []

  /// The number of rows of a block.
  func rowCount(ofBlock block: Int) -> Int {
    min(RowBlock.capacity, count - block * RowBlock.capacity)
  }
}

extension ZoneMap {
  /// The encoded bytes.
  ///
  /// - Complexity: O(blocks)
  var bytes: [UInt8] {
    ByteWriter.checksummed { writer in
      writer.append(Self.version)
      writer.append(variable: UInt64(count))
      writer.append(UInt8(label == nil ? 0 : 1))
      if let label { writer.append(label) }
      for block in blocks { block.write(to: &writer) }
    }
  }

  /// Decodes the bytes.
  ///
  /// - Complexity: O(blocks)
  init(_ bytes: [UInt8]) throws(Corruption) {
    var reader = try ByteReader(checked: bytes)
    guard try reader.byte() == Self.version else { throw Corruption() }
    let count = try reader.variable()
    guard count > 0, count <= UInt64(EncodedChunk.mostRows) else { throw Corruption() }
    self.count = Int(count)
    label = try reader.byte() == 0 ? nil : try reader.text()
    blocks.reserveCapacity(self.count / RowBlock.capacity + 1)
    for _ in stride(from: 0, to: self.count, by: RowBlock.capacity) {
      blocks.append(try BlockStatistics(from: &reader))
    }
    guard reader.isAtEnd else { throw Corruption() }
  }

  /// Computes it from the times, values and labels of a chunk.
  ///
  /// - Complexity: O(*n*)
  init(core: CoreReader, room block: RowBlock) throws(Corruption) {
    var reader = core
    count = reader.count
    label = reader.labelTable.count == 1 ? reader.labelTable[0] : nil
    while true {
      let offset = reader.position
      let rows = try reader.next(into: block)
      guard rows > 0 else { return }
      blocks.append(block.statistics(0..<rows, offset: offset))
    }
  }
}

extension RowBlock {
  /// The statistics of some rows.
  func statistics(_ rows: Range<Int>, offset: Int = 0) -> BlockStatistics {
    BlockStatistics(
      offset: offset, starts: UnsafeBufferPointer(rebasing: starts[rows]),
      ends: UnsafeBufferPointer(rebasing: ends[rows]),
      values: UnsafeBufferPointer(rebasing: values[rows]))
  }
}

/// Time bounds of the rows of one block, and the sum and the range of their recorded values; an end
/// before its start is treated as the start.
struct BlockStatistics: Equatable {
  /// The offset of the block in the bytes of the core; 0 for rows that are not a whole block.
  var offset: Int
  private(set) var firstStart: Double
  private(set) var lastStart: Double
  private(set) var lastEnd: Double
  private(set) var sum = 0.0
  /// The rounding error of ``sum`` (see `twoSum`): the exact sum is near `sum + sumError`.
  private(set) var sumError = 0.0
  private(set) var minimum = Double.infinity
  private(set) var maximum = -Double.infinity
}

extension BlockStatistics {
  /// Adds value *i* to lane *i* mod 8, then the lanes in order, then the remaining values.
  ///
  /// - Precondition: there is a row, and starts ascend.
  /// - Complexity: O(*n*)
  init(
    offset: Int = 0, starts: UnsafeBufferPointer<Double>, ends: UnsafeBufferPointer<Double>,
    values: UnsafeBufferPointer<Double>
  ) {
    self.offset = offset
    firstStart = starts[0]
    lastStart = starts[starts.count - 1]
    lastEnd = max(lastStart, ends.largest)
    var sums = SIMD8<Double>()
    var errors = SIMD8<Double>()
    var lows = SIMD8(repeating: minimum)
    var highs = SIMD8(repeating: maximum)
    let whole = values.count & ~7
    for index in stride(from: 0, to: whole, by: 8) {
      let lanes = values.lanes(at: index)
      let next = twoSum(sums, lanes)
      errors += next.error
      sums = next.sum
      lows.replace(with: lanes, where: lanes .< lows)
      highs.replace(with: lanes, where: lanes .> highs)
    }
    for lane in 0..<8 {
      add(sums[lane])
      sumError += errors[lane]
    }
    (minimum, maximum) = (lows.min(), highs.max())
    for value in values[whole...] {
      add(value)
      minimum = min(minimum, value)
      maximum = max(maximum, value)
    }
    if !sum.isFinite { sumError = 0 }
  }

  /// Adds later rows.
  mutating func merge(_ others: Self) {
    lastStart = others.lastStart
    lastEnd = max(lastEnd, others.lastEnd)
    add(others.sum)
    sumError += others.sumError
    minimum = min(minimum, others.minimum)
    maximum = max(maximum, others.maximum)
  }

  private mutating func add(_ value: Double) {
    let next = twoSum(sum, value)
    sumError += next.error
    sum = next.sum
  }

  /// Whether the sum is in the range of `Double`.
  var isFinite: Bool { (sum + sumError).isFinite }

  /// The statistics of the values in another unit; `nil` if they do not follow from these.
  func converted(by unit: RecordedUnit) -> Self? {
    var converted = self
    if case .converted(let conversion) = unit {
      // Only a positive factor preserves sums and the order of values.
      guard conversion(0) == 0, conversion(1) > 0, conversion(2) == 2 * conversion(1) else {
        return nil
      }
      (converted.sum, converted.sumError) = (conversion(sum), conversion(sumError))
      (converted.minimum, converted.maximum) = (conversion(minimum), conversion(maximum))
    }
    return converted.isFinite ? converted : nil
  }
}

extension BlockStatistics {
  /// Encodes it into a zone map.
  func write(to writer: inout ByteWriter) {
    writer.append(variable: UInt64(offset))
    for number in [firstStart, lastStart, lastEnd, sum, sumError, minimum, maximum] {
      writer.append(number.bitPattern)
    }
  }

  /// Decodes it.
  init(from reader: inout ByteReader) throws(Corruption) {
    guard let offset = Int(exactly: try reader.variable()) else { throw Corruption() }
    self.offset = offset
    func number() throws(Corruption) -> Double { Double(bitPattern: try reader.number()) }
    (firstStart, lastStart, lastEnd) = (try number(), try number(), try number())
    (sum, sumError) = (try number(), try number())
    (minimum, maximum) = (try number(), try number())
    // NaN would compare as neither inside nor outside a range.
    guard firstStart.isFinite, firstStart <= lastStart, lastStart <= lastEnd, lastEnd.isFinite,
      minimum <= maximum
    else { throw Corruption() }
  }
}

extension UnsafeBufferPointer<Double> {
  /// The largest number; all are finite.
  ///
  /// With eight independent maxima, because every chunk is scanned when it is written.
  ///
  /// - Complexity: O(*n*)
  var largest: Double {
    var highs = SIMD8(repeating: -Double.infinity)
    let whole = count & ~7
    for index in stride(from: 0, to: whole, by: 8) {
      let lanes = lanes(at: index)
      highs.replace(with: lanes, where: lanes .> highs)
    }
    return self[whole...].reduce(highs.max()) { Swift.max($0, $1) }
  }

  /// Eight numbers at an index.
  fileprivate func lanes(at index: Int) -> SIMD8<Double> {
    UnsafeRawBufferPointer(self).loadUnaligned(
      fromByteOffset: index * MemoryLayout<Double>.stride, as: SIMD8<Double>.self)
  }
}
