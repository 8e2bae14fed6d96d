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
  private static let raw: UInt8 = 0xFF
  private static let steps: UInt8 = 0x40
  /// The longest series: a month of one location per second, two hours of an electrocardiogram.
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
    // The first has no difference: it is stored separately, and repeats the second one's, so that
    // it is not an exception.
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
  static func read(from reader: inout ByteReader) throws(Corruption) -> [Double] {
    let count = try reader.variable()
    // A block of equal numbers takes at least four bytes.
    let most = UInt64(reader.end - reader.position) / 4 * UInt64(PackedIntegers.blockCount)
    guard count <= min(most, UInt64(mostNumbers)) else { throw Corruption() }
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
  ) throws(Corruption) -> [Double] {
    let form = try reader.byte()
    var block = [Double](repeating: 0, count: count)
    guard form != raw else {
      for index in block.indices {
        block[index] = Double(bitPattern: try reader.number())
        guard block[index].isFinite else { throw Corruption() }
      }
      return block
    }
    let exponent = Int(form & ~steps)
    guard ScaledDecimals.exponents.contains(exponent) else { throw Corruption() }
    var stand = form & steps != 0 ? try reader.signed() : 0
    var numbers = [Int64](repeating: 0, count: count)
    try numbers.withUnsafeMutableBufferPointer { buffer throws(Corruption) in
      try PackedIntegers.read(buffer, from: &reader)
    }
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
}
