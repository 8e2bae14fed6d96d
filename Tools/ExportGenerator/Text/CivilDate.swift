import Foundation

/// A date of the Gregorian calendar, without time or zone.
struct CivilDate: CustomStringConvertible, Equatable {
  /// Year, month 1...12, day of the month 1...31.
  let year: Int
  let month: Int
  let dayOfMonth: Int

  private static let utc: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  /// The date that is `day` days after 1970-01-01.
  init(day: Int) {
    let instant = Date(timeIntervalSince1970: Double(day) * 86_400)
    let parts = Self.utc.dateComponents([.year, .month, .day], from: instant)
    (year, month, dayOfMonth) = (parts.year ?? 1970, parts.month ?? 1, parts.day ?? 1)
  }

  /// Reads `yyyy-MM-dd`, or gives nothing when there is no such day.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard text.utf8.count == 10, parts.count == 3, let year = parts[0], let month = parts[1],
      let dayOfMonth = parts[2], (1971...2199).contains(year)
    else { return nil }
    (self.year, self.month, self.dayOfMonth) = (year, month, dayOfMonth)
    guard let midnight = midnight(in: .gmt),
      CivilDate(day: Int(midnight / 86_400)) == self
    else { return nil }
  }

  /// The first instant of the date in a zone, in seconds since 1970-01-01 UTC.
  func midnight(in zone: TimeZone) -> Double? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    return calendar.date(from: DateComponents(year: year, month: month, day: dayOfMonth))
      .map { calendar.startOfDay(for: $0).timeIntervalSince1970 }
  }

  var description: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
  }
}
