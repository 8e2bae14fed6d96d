/// The beats of one heart rate variability in an export.
///
/// A time is the localised time of day, without a date or a zone: `00:20:37,80`, `11:17:20.53 AM`.
/// The record may be written in another zone, as it is for half of the year, so the time of the
/// first beat is used only modulo a quarter of an hour: no two zones differ by less.
struct BeatTimes {
  /// Milliseconds after the full hour.
  private var times: [Int] = []
  /// Beats per minute.
  private(set) var rates: [Double] = []

  private static let hour = 3_600_000
  private static let quarter = hour / 4
  private static let mostBeats = 1 << 16

  init() {}

  /// Adds a beat; false if it is invalid or there are too many.
  mutating func add(rate: Bytes?, time: Bytes?) -> Bool {
    guard times.count < Self.mostBeats, let rate, let time,
      let number = NumberScanner.enclosed(rate),
      let milliseconds = Self.milliseconds(time)
    else { return false }
    times.append(milliseconds)
    rates.append(number)
    return true
  }

  /// The instant of each beat, in seconds after `start`, which was written `offset` seconds east of
  /// UTC.
  ///
  /// Each beat is in the hour that places it nearest to the previous beat, the first one in the
  /// quarter of an hour nearest to the start.
  func offsets(after start: Double, offset: Int) -> [Double] {
    var last = Int(((start + Double(offset)) * 1000).truncatingRemainder(dividingBy: 3_600_000))
    var elapsed = 0
    var period = Self.quarter
    return times.map { time in
      var step = (time - last) % period
      if step >= period / 2 { step -= period }
      if step < -period / 2 { step += period }
      elapsed += step
      last = time
      period = Self.hour
      return Double(elapsed) / 1000
    }
  }

  /// The groups of digits are hours, minutes, seconds and a fraction, with any separators.
  private static func milliseconds(_ text: Bytes) -> Int? {
    guard text.count <= 64 else { return nil }
    var groups = DigitGroups()
    var place = 0
    while place < text.count {
      let byte = text[place]
      if byte.isDigit {
        groups.add(Int(byte - 0x30))
        place += 1
      } else if byte < 0x80, byte != UInt8(ascii: "&") {
        groups.add(nil)
        place += 1
      } else if text[place...].starts(with: narrowSpace) {
        groups.add(nil)
        place += narrowSpace.count
      } else {
        return millisecondsOfAnyScript(text)
      }
    }
    return groups.milliseconds
  }

  /// U+202F in UTF-8, which precedes AM and PM.
  private static let narrowSpace: [UInt8] = [0xE2, 0x80, 0xAF]

  private static func millisecondsOfAnyScript(_ text: Bytes) -> Int? {
    var groups = DigitGroups()
    for scalar in TextDecoder.text(text).text.unicodeScalars {
      let properties = scalar.properties
      groups.add(properties.numericType == .decimal ? properties.numericValue.map { Int($0) } : nil)
    }
    return groups.milliseconds
  }
}

/// The groups of digits of a time of day.
private struct DigitGroups {
  private var count = 0
  private var isInside = false
  /// The minutes, the seconds and the first three digits of the fraction.
  private var numbers = InlineArray<3, Int>(repeating: 0)
  private var lengths = InlineArray<3, Int>(repeating: 0)

  /// Adds a digit, or a separator.
  mutating func add(_ digit: Int?) {
    guard let digit else {
      isInside = false
      return
    }
    if !isInside { count += 1 }
    isInside = true
    // The first group is the hour, which is ignored.
    let group = count - 2
    guard (0...2).contains(group) else { return }
    if group < 2 || lengths[group] < 3 { numbers[group] = min(numbers[group] * 10 + digit, 9999) }
    lengths[group] += 1
  }

  /// Milliseconds after the full hour; `nil` if the groups are not a time.
  var milliseconds: Int? {
    guard count == 3 || count == 4, lengths[0] <= 2, lengths[1] <= 2, numbers[0] < 60,
      numbers[1] <= 60
    else { return nil }
    var fraction = numbers[2]
    for _ in min(lengths[2], 3)..<3 { fraction *= 10 }
    return (numbers[0] * 60 + numbers[1]) * 1000 + fraction
  }
}
