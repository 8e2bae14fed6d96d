/// Bytes of text on their way to a file, in one block of memory that is used again and again.
///
/// The block holds far more than one element, and is emptied between elements.
struct TextBuffer: ~Copyable {
  private let block: UnsafeMutableRawBufferPointer
  /// The number of bytes held.
  private(set) var count = 0
  private var day = DayText()

  /// When to empty the buffer: what remains is room for the longest element.
  static let fullCount = 1 << 20
  private static let capacity = fullCount + (1 << 18)

  init() {
    block = .allocate(byteCount: Self.capacity, alignment: 64)
  }

  deinit { block.deallocate() }

  /// Whether it is time to empty the buffer.
  var isFull: Bool { count >= Self.fullCount }

  /// The bytes held.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: block[..<count]) }

  /// Forgets the bytes held.
  mutating func removeAll() { count = 0 }

  mutating func append(_ byte: UInt8) {
    block[count] = byte
    count += 1
  }

  mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Appends text as it is, without escaping.
  mutating func append(verbatim text: String) {
    append([UInt8](text.utf8))
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    precondition(count + bytes.count <= Self.capacity, "An element is longer than the buffer.")
    UnsafeMutableRawBufferPointer(rebasing: block[count...]).copyMemory(from: bytes)
    count += bytes.count
  }

  /// Appends `number` in decimal digits, with zeros in front up to `width`.
  mutating func append(whole number: Int, width: Int = 1) {
    if number < 0 { append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    var digits: UInt64 = 0
    var length = 0
    while rest > 0 || length < max(width, 1) {
      let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
      digits = digits << 4 | UInt64(remainder)
      rest = quotient
      length += 1
      if length == 16 { break }
    }
    for _ in 0..<length {
      append(UInt8(ascii: "0") + UInt8(digits & 15))
      digits >>= 4
    }
  }

  /// Appends a number with so many digits after the mark.
  mutating func append(
    _ number: Double, decimals: Int, mark: UInt8 = UInt8(ascii: ".")
  ) {
    let scale = SixDigits.powers[decimals]
    let scaled = Int((number.magnitude * Double(scale)).rounded())
    if number < 0, scaled > 0 { append(UInt8(ascii: "-")) }
    append(whole: scaled / scale)
    guard decimals > 0 else { return }
    append(mark)
    append(whole: scaled % scale, width: decimals)
  }

  /// Appends `number` as `%.6g` prints it: six significant digits, zeros at the end left out.
  mutating func append(sixDigits number: Double) {
    guard number != 0 else { return append(UInt8(ascii: "0")) }
    if number < 0 { append(UInt8(ascii: "-")) }
    let decimal = SixDigits(number.magnitude)
    if decimal.exponent < -4 || decimal.exponent > 5 {
      append(scientific: decimal)
    } else if decimal.exponent < 0 {
      append("0.")
      for _ in 1..<(-decimal.exponent) { append(UInt8(ascii: "0")) }
      append(whole: decimal.digits)
    } else {
      let fraction = decimal.length - 1 - decimal.exponent
      guard fraction > 0 else {
        return append(whole: decimal.digits * SixDigits.powers[-fraction])
      }
      let (whole, rest) = decimal.digits.quotientAndRemainder(
        dividingBy: SixDigits.powers[fraction])
      append(whole: whole)
      append(UInt8(ascii: "."))
      append(whole: rest, width: fraction)
    }
  }

  private mutating func append(scientific decimal: SixDigits) {
    let scale = SixDigits.powers[decimal.length - 1]
    let (first, rest) = decimal.digits.quotientAndRemainder(dividingBy: scale)
    append(whole: first)
    if decimal.length > 1 {
      append(UInt8(ascii: "."))
      append(whole: rest, width: decimal.length - 1)
    }
    append(UInt8(ascii: "e"))
    append(decimal.exponent < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    append(whole: decimal.exponent.magnitude.asInt, width: 2)
  }

  /// Appends an instant as `yyyy-MM-dd HH:mm:ss ±HHMM`.
  ///
  /// - Parameters:
  ///   - instant: seconds since 1970-01-01 UTC
  ///   - offset: what the wall clock is ahead of UTC
  mutating func append(date instant: Int, offset: UTCOffset) {
    let (day, second) = (instant + offset.seconds).flooredDivision(by: 86_400)
    append(self.day.text(ofDay: day))
    append(clock: second)
    append(offset.bytes)
  }

  /// Appends an instant as `yyyy-MM-ddTHH:mm:ssZ`.
  mutating func append(utcDate instant: Int) {
    let (day, second) = instant.flooredDivision(by: 86_400)
    append(self.day.text(ofDay: day).dropLast())
    append(UInt8(ascii: "T"))
    append(clock: second)
    append(UInt8(ascii: "Z"))
  }

  /// Appends an instant as iOS 8 and clinical documents do: `yyyyMMddHHmmss±HHMM`.
  mutating func append(compactDate instant: Int, offset: UTCOffset) {
    let (day, second) = (instant + offset.seconds).flooredDivision(by: 86_400)
    append(self.day.text(ofDay: day).filter { $0 >= UInt8(ascii: "0") })
    append(whole: second / 3_600 * 10_000 + second / 60 % 60 * 100 + second % 60, width: 6)
    append(offset.bytes.dropFirst())
  }

  /// Appends an instant as apps write it on a phone of twelve hours:
  /// `yyyy-MM-dd h:mm:ss AM ±HHMM`.
  mutating func append(
    date instant: Int, offset: UTCOffset, halves: (morning: StaticString, afternoon: StaticString)
  ) {
    let (day, second) = (instant + offset.seconds).flooredDivision(by: 86_400)
    append(self.day.text(ofDay: day))
    append(clock: second, hasTwelveHours: true)
    append(second < 43_200 ? halves.morning : halves.afternoon)
    append(offset.bytes)
  }

  /// Appends a time of day, whose hours are 1 to 12 or 00 to 23.
  mutating func append(clock second: Int, hasTwelveHours: Bool = false) {
    if hasTwelveHours {
      append(whole: (second / 3_600 + 11) % 12 + 1)
    } else {
      append(whole: second / 3_600, width: 2)
    }
    append(UInt8(ascii: ":"))
    append(whole: second / 60 % 60, width: 2)
    append(UInt8(ascii: ":"))
    append(whole: second % 60, width: 2)
  }
}

extension UInt {
  fileprivate var asInt: Int { Int(self) }
}
