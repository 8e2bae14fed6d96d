import HealthSamples

extension Metadata.Entry {
  /// The zone of a date that is written with its offset from UTC, in seconds, as HealthKit names it:
  /// `GMT+0200`.
  static func zone(secondsFromUTC seconds: Int) -> Self {
    let minutes = seconds.magnitude / 60
    func digits(_ number: UInt) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let clock = digits(minutes / 60) + digits(minutes % 60)
    return Self(
      key: Catalogue.timeZoneKey,
      value: minutes == 0 ? "GMT" : "GMT" + (seconds < 0 ? "-" : "+") + clock)
  }
}
