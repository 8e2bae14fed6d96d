import HealthUnits

/// What is known of one block of a segment; an end before its start counts as the start.
struct BlockSummary: Equatable {
  /// Where the block begins among the bytes of the core.
  var offset: Int
  var firstStart: Double
  var lastStart: Double
  var lastEnd: Double
  /// What the recorded values add up to.
  var total: BlockTotal
}

extension BlockSummary {
  /// - Precondition: there is a row, and starts ascend.
  /// - Complexity: O(*n*)
  init(
    offset: Int, starts: UnsafeBufferPointer<Double>, ends: UnsafeBufferPointer<Double>,
    values: UnsafeBufferPointer<Double>
  ) {
    let lastEnd = max(starts[starts.count - 1], ends.largest)
    self.init(
      offset: offset, firstStart: starts[0], lastStart: starts[starts.count - 1],
      lastEnd: lastEnd, total: BlockTotal(values))
  }

  /// What is kept beside the offset.
  var numbers: [Double] {
    [firstStart, lastStart, lastEnd, total.sum, total.lost, total.minimum, total.maximum]
  }

  init(from reader: inout ByteReader) throws(SegmentDamage) {
    let offset = try reader.variable()
    guard let offset = Int(exactly: offset) else { throw SegmentDamage() }
    self.offset = offset
    func number() throws(SegmentDamage) -> Double { Double(bitPattern: try reader.number()) }
    (firstStart, lastStart, lastEnd) = (try number(), try number(), try number())
    total = BlockTotal(
      sum: try number(), lost: try number(), minimum: try number(), maximum: try number())
    // Nothing else could be written; what is no number would compare as neither inside nor outside.
    guard firstStart.isFinite, firstStart <= lastStart, lastStart <= lastEnd, lastEnd.isFinite,
      total.minimum <= total.maximum
    else { throw SegmentDamage() }
  }
}

/// What some values add up to, with what rounding took from the sum (Knuth's TwoSum).
struct BlockTotal: Equatable {
  private(set) var sum = 0.0
  private(set) var lost = 0.0
  private(set) var minimum = Double.infinity
  private(set) var maximum = -Double.infinity

  init(sum: Double, lost: Double, minimum: Double, maximum: Double) {
    (self.sum, self.lost, self.minimum, self.maximum) = (sum, lost, minimum, maximum)
  }

  /// Adds up value *i* in lane *i* mod 8, the lanes in order, then what is left over.
  ///
  /// - Complexity: O(*n*)
  init(_ values: UnsafeBufferPointer<Double>) {
    var sums = SIMD8<Double>()
    var losses = SIMD8<Double>()
    var lows = SIMD8(repeating: minimum)
    var highs = SIMD8(repeating: maximum)
    let whole = values.count & ~7
    for index in stride(from: 0, to: whole, by: 8) {
      let lanes = values.lanes(at: index)
      let totals = sums + lanes
      let virtual = totals - sums
      losses += (sums - (totals - virtual)) + (lanes - virtual)
      sums = totals
      lows.replace(with: lanes, where: lanes .< lows)
      highs.replace(with: lanes, where: lanes .> highs)
    }
    for lane in 0..<8 {
      add(sums[lane])
      lost += losses[lane]
    }
    (minimum, maximum) = (lows.min(), highs.max())
    for value in values[whole...] {
      add(value)
      minimum = min(minimum, value)
      maximum = max(maximum, value)
    }
    if !sum.isFinite { lost = 0 }
  }

  /// Adds the values of another total.
  mutating func merge(_ other: Self) {
    add(other.sum)
    lost += other.lost
    minimum = min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
  }

  private mutating func add(_ value: Double) {
    let total = sum + value
    let virtual = total - sum
    lost += (sum - (total - virtual)) + (value - virtual)
    sum = total
  }

  /// Whether the sum stayed in the range of `Double`.
  var isFinite: Bool { (sum + lost).isFinite }

  /// The total of the values in another unit; `nil` where that is not known from the total alone.
  func converted(by meaning: LabelMeaning) -> Self? {
    switch meaning {
    case .canonical: return isFinite ? self : nil
    case .converted(let conversion):
      // Only a factor above zero keeps sums, and which value is the smallest.
      guard conversion(0) == 0, conversion(1) > 0, conversion(2) == 2 * conversion(1) else {
        return nil
      }
      let total = Self(
        sum: conversion(sum), lost: conversion(lost), minimum: conversion(minimum),
        maximum: conversion(maximum))
      return total.isFinite ? total : nil
    }
  }
}

extension UnsafeBufferPointer<Double> {
  /// The largest number; all are finite.
  ///
  /// Eight at a time: a segment is looked through while it is written.
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

  /// The eight numbers from an index on.
  fileprivate func lanes(at index: Int) -> SIMD8<Double> {
    UnsafeRawBufferPointer(self).loadUnaligned(
      fromByteOffset: index * MemoryLayout<Double>.stride, as: SIMD8<Double>.self)
  }
}
