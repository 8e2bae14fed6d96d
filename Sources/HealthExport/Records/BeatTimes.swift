/// The beats of one heart rate variability, as exports write them.
///
/// A time is the time of day in the language of the phone, without a date or a zone:
/// `00:20:37,80`, `11:17:20.53 AM`. Its hour may differ from that of the record, which is written
/// in another zone in half of the year, so only minutes and seconds count.
struct BeatTimes {
  /// Milliseconds after the full hour.
  private var times: [Int] = []
  /// Beats a minute.
  private(set) var rates: [Double] = []

  private static let hour = 3_600_000
  private static let mostBeats = 1 << 16

  init() {}

  /// Takes a beat; false when it cannot be read or there are too many.
  mutating func add(rate: Bytes?, time: Bytes?) -> Bool {
    guard times.count < Self.mostBeats, let rate, let time,
      let number = NumberScanner.number(rate), let milliseconds = Self.milliseconds(time)
    else { return false }
    times.append(milliseconds)
    rates.append(number)
    return true
  }

  /// When each beat came, in seconds after `start`, which was written `offset` seconds east of UTC.
  ///
  /// Each beat is the one of all hours that lies nearest to the beat before it, the first nearest
  /// to the start.
  func offsets(after start: Double, offset: Int) -> [Double] {
    var last = Int(((start + Double(offset)) * 1000).truncatingRemainder(dividingBy: 3_600_000))
    var elapsed = 0
    return times.map { time in
      var step = (time - last) % Self.hour
      if step >= Self.hour / 2 { step -= Self.hour }
      if step < -Self.hour / 2 { step += Self.hour }
      elapsed += step
      last = time
      return Double(elapsed) / 1000
    }
  }

  /// The groups of digits are hours, minutes, seconds and a fraction, whatever stands between.
  private static func milliseconds(_ text: Bytes) -> Int? {
    guard text.count <= 64 else { return nil }
    var groups: [[UInt8]] = []
    var isInside = false
    for digit in digits(of: text) {
      if let digit, isInside {
        groups[groups.count - 1].append(digit)
      } else if let digit {
        groups.append([digit])
      }
      isInside = digit != nil
    }
    guard groups.count == 3 || groups.count == 4, groups[1].count <= 2, groups[2].count <= 2 else {
      return nil
    }
    func number(_ digits: some Sequence<UInt8>) -> Int {
      digits.reduce(0) { $0 * 10 + Int($1) }
    }
    let minutes = number(groups[1])
    let seconds = number(groups[2])
    guard minutes < 60, seconds <= 60 else { return nil }
    let fraction = groups.count == 4 ? number((groups[3] + [0, 0, 0]).prefix(3)) : 0
    return (minutes * 60 + seconds) * 1000 + fraction
  }

  /// The digits of a text in any script, `nil` for everything else.
  private static func digits(of text: Bytes) -> [UInt8?] {
    if text.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "&") }) {
      return text.map { $0.isDigit ? $0 - 0x30 : nil }
    }
    return TextDecoder.text(text).text.unicodeScalars.map { scalar in
      let properties = scalar.properties
      return properties.numericType == .decimal ? properties.numericValue.map { UInt8($0) } : nil
    }
  }
}
