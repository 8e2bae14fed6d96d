internal import _HealthNumerics

/// Encodes and decodes the texts of one element: a repeated text is its number, and the common
/// prefixes of identifiers take one byte.
struct ElementTexts {
  /// The form of a text, in the lowest two bits of its head.
  private enum Form: UInt64 {
    case whole = 0
    /// The head has the number of an earlier text.
    case repeated = 1
    /// A byte is the index of one of ``beginnings``.
    case begun = 2
  }

  /// The index is stored: append new ones at the end, and never remove one.
  private static let beginnings = [
    "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKCorrelationTypeIdentifier",
    "HKWorkoutActivityType", "HKWorkoutEventType", "HKMetadataKey", "HKDataTypeIdentifier",
  ]
  /// Shorter texts are as short as a number.
  private static let shortest = 3

  private var texts: [String] = []
  private var indices: [String: Int] = [:]

  /// Appends a text, byte for byte.
  mutating func append(_ text: String, to writer: inout ByteWriter) {
    let utf8 = text.utf8
    if utf8.count >= Self.shortest {
      // Equal strings may differ in their bytes.
      if let index = indices[text], texts[index].utf8.elementsEqual(utf8) {
        writer.append(variable: UInt64(index) << 2 | Form.repeated.rawValue)
        return
      }
      indices[text] = texts.count
      texts.append(text)
    }
    let beginning = Self.beginnings.firstIndex { utf8.starts(with: $0.utf8) }
    let rest = utf8.dropFirst(beginning.map { Self.beginnings[$0].utf8.count } ?? 0)
    let form = beginning == nil ? Form.whole : .begun
    writer.append(variable: UInt64(rest.count) << 2 | form.rawValue)
    if let beginning { writer.append(UInt8(beginning)) }
    writer.bytes.append(contentsOf: rest)
  }

  /// Reads the next text.
  mutating func read(from reader: inout ByteReader) throws(Corruption) -> String {
    let head = try reader.variable()
    let number = head >> 2
    guard let form = Form(rawValue: head & 3), number <= UInt64(reader.bytes.count) else {
      throw Corruption()
    }
    if form == .repeated {
      guard number < UInt64(texts.count) else { throw Corruption() }
      return texts[Int(number)]
    }
    var text = ""
    if form == .begun {
      let beginning = Int(try reader.byte())
      guard beginning < Self.beginnings.count else { throw Corruption() }
      text = Self.beginnings[beginning]
    }
    let start = try reader.skip(Int(number))
    text += String(decoding: reader.bytes[start..<start + Int(number)], as: UTF8.self)
    if text.utf8.count >= Self.shortest { texts.append(text) }
    return text
  }
}

/// Long series of doubles, bit for bit: blocks of short decimals as integers, either directly or as
/// differences, whichever is smaller.
enum NumberSeries {
  /// In the exponent of a block of differences.
  private static let steps: UInt8 = 0x40
  /// The longest series: a month of one location per second, two hours of an electrocardiogram.
  static let mostNumbers = 1 << 22

  /// Appends a series of finite numbers.
  ///
  /// - Complexity: O(*n*)
  static func append(_ series: [Double], to writer: inout ByteWriter) {
    writer.append(variable: UInt64(series.count))
    series.withUnsafeBufferPointer { series in
      for block in series.chunks(ofCount: PackedIntegers.blockCount) {
        append(block: UnsafeBufferPointer(rebasing: block), to: &writer)
      }
    }
  }

  private static func append(block: UnsafeBufferPointer<Double>, to writer: inout ByteWriter) {
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: block.count) { numbers in
      let exponent = ScaledDecimals.exponents.first { exponent in
        ScaledDecimals.holds(block[0], exponent: exponent)
          && ScaledDecimals.scale(block, by: exponent, into: numbers) == 0
      }
      guard let exponent else { return RawDoubles.append(block, to: &writer) }
      var (plain, stepped) = (ByteWriter(), ByteWriter())
      PackedIntegers.append(UnsafeBufferPointer(numbers), to: &plain)
      let first = PackedIntegers.subtract(numbers)
      PackedIntegers.append(UnsafeBufferPointer(numbers), to: &stepped)
      if stepped.bytes.count < plain.bytes.count {
        writer.append(UInt8(exponent) | steps)
        writer.append(signed: first)
        writer.bytes += stepped.bytes
      } else {
        writer.append(UInt8(exponent))
        writer.bytes += plain.bytes
      }
    }
  }

  /// Reads a series.
  ///
  /// - Complexity: O(*n*)
  static func read(from reader: inout ByteReader) throws(Corruption) -> [Double] {
    let count = try reader.variable()
    // A block of equal numbers takes at least four bytes.
    let most = UInt64(reader.end - reader.position) / 4 * UInt64(PackedIntegers.blockCount)
    guard count <= min(most, UInt64(mostNumbers)) else { throw Corruption() }
    var series = [Double](repeating: 0, count: Int(count))
    var room = [Int64](repeating: 0, count: PackedIntegers.blockCount)
    try series.withUnsafeMutableBufferPointer { series throws(Corruption) in
      try room.withUnsafeMutableBufferPointer { room throws(Corruption) in
        for block in series.chunks(ofCount: PackedIntegers.blockCount) {
          try read(
            UnsafeMutableBufferPointer(rebasing: block), room: room.first(block.count),
            from: &reader)
        }
      }
    }
    return series
  }

  private static func read(
    _ block: UnsafeMutableBufferPointer<Double>, room numbers: UnsafeMutableBufferPointer<Int64>,
    from reader: inout ByteReader
  ) throws(Corruption) {
    let form = try reader.byte()
    guard form != RawDoubles.mark else { return try RawDoubles.read(block, from: &reader) }
    let exponent = Int(form & ~steps)
    guard ScaledDecimals.exponents.contains(exponent) else { throw Corruption() }
    if form & steps != 0 {
      try PackedIntegers.readSums(numbers, from: &reader)
    } else {
      try PackedIntegers.read(numbers, from: &reader)
    }
    ScaledDecimals.unscale(UnsafeBufferPointer(numbers), by: exponent, into: block)
  }
}
