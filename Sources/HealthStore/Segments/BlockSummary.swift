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
    var lastEnd = starts[starts.count - 1]
    for end in ends { lastEnd = max(lastEnd, end) }
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

  /// - Complexity: O(*n*)
  init(_ values: UnsafeBufferPointer<Double>) {
    for value in values {
      let total = sum + value
      let virtual = total - sum
      lost += (sum - (total - virtual)) + (value - virtual)
      sum = total
      minimum = min(minimum, value)
      maximum = max(maximum, value)
    }
    if !sum.isFinite { lost = 0 }
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
