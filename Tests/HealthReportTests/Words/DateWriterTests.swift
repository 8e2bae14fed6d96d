import HealthSamples
import Testing

@testable import HealthReport

@Suite("Dates of a report")
struct DateWriterTests {
  private static func date(_ text: String) throws -> CivilDate {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    try #require(parts.count == 3)
    return CivilDate(year: parts[0], month: parts[1], day: parts[2])
  }

  @Test("are those that a browser writes", arguments: IntlVectors.rows(IntlVectors.dates))
  func vectors(row: [String]) throws {
    let writer = DateWriter(try #require(ReportLanguage(identifier: row[0])))
    let date = try Self.date(row[1])
    let weekday = date.weekday
    let written = [
      writer.weekdayAndDay(date), writer.weekdayDayAndYear(date), writer.dayAndMonth(date),
      writer.dayMonthAndYear(date), writer.dayAndLongMonth(date), writer.monthAndYear(date),
      writer.month(date), writer.shortMonth(date), writer.year(date.year),
      writer.weekday(weekday), writer.shortWeekday(weekday), writer.narrowWeekday(weekday),
    ]
    let expected = row.dropFirst(2).map { text in
      // CLDR has no ordinal for the first of a French month.
      row[0] == "fr" && date.day == 1
        ? text.replacing(/(^|\s)1 (?=[a-z])/) { "\($0.1)1er " } : String(text)
    }
    #expect(written == expected)
  }

  @Test("have a French first of the month, alone and in ranges")
  func first() {
    let writer = DateWriter(.init(.french), last: CivilDate(year: 2026, month: 11, day: 30))
    let first = CivilDate(year: 2026, month: 11, day: 1)
    #expect(writer.dayAndMonth(first) == "1er nov." && writer.day(first) == "dim. 1er nov.")
    #expect(writer.dayAndLongMonth(first) == "1er novembre")
    #expect(
      writer.range(CivilDate(year: 2024, month: 11, day: 1), first)
        == "1er nov. 2024 – 1er nov. 2026")
    #expect(writer.dayAndMonth(CivilDate(year: 2026, month: 11, day: 11)) == "11 nov.")
    #expect(DateWriter(.init(.german)).dayAndMonth(first) == "1. Nov.")
    #expect(DateWriter(.init(.japanese)).dayAndMonth(first) == "11月1日")
  }

  @Test("have clocks that a browser writes", arguments: IntlVectors.rows(IntlVectors.clocks))
  func clocks(row: [String]) throws {
    let minutes = try #require(Int(row[1]))
    let language = try #require(ReportLanguage(identifier: row[0]))
    #expect(DateWriter(language).clock(minutes: minutes) == row[2])
    let regions = ["en": "US", "es": "US", "fr": "TN"]
    guard let region = regions[row[0]] else { return }
    let other = try #require(ReportLanguage(identifier: "\(row[0])-\(region)"))
    #expect(DateWriter(other).clock(minutes: minutes) == row[3])
  }

  @Test("have a clock of the day before and after")
  func clocksOfOtherDays() {
    let writer = DateWriter(.english)
    #expect(writer.clock(minutes: -47) == "23:13")
    #expect(writer.clock(minutes: 24 * 60 + 5) == "00:05")
  }

  @Test("have their year outside the last twelve months")
  func years() {
    let last = CivilDate(year: 2026, month: 10, day: 31)
    let writer = DateWriter(.english, last: last)
    #expect(writer.day(last) == "Sat 31 Oct")
    #expect(writer.day(CivilDate(year: 2025, month: 11, day: 1)) == "Sat 1 Nov")
    #expect(writer.day(CivilDate(year: 2025, month: 10, day: 31)) == "Fri, 31 Oct 2025")
    #expect(writer.shortDay(CivilDate(year: 2026, month: 11, day: 1)) == "1 Nov 2026")
    #expect(writer.shortDay(last) == "31 Oct")
    #expect(DateWriter(.english).day(last) == "Sat, 31 Oct 2026")
    let first = CivilDate(year: 2024, month: 11, day: 1)
    #expect(writer.range(first, last) == "1 Nov 2024 – 31 Oct 2026")
  }

  @Test("are named for the languages and regions that there are")
  func languages() throws {
    #expect(ReportLanguage(identifier: "nl") == nil)
    #expect(ReportLanguage(identifier: "") == nil)
    #expect(ReportLanguage(identifier: String(repeating: "en", count: 1000)) == nil)
    #expect(ReportLanguage(identifier: "de_AT.UTF-8")?.identifier == "de-AT")
    #expect(ReportLanguage(identifier: "ja-Jpan-JP")?.region == "JP")
    #expect(ReportLanguage(identifier: "EN-us")?.has12HourClock == true)
    #expect(ReportLanguage(identifier: "en-US")?.firstWeekday == 6)
    #expect(ReportLanguage(identifier: "en-GB")?.has12HourClock == false)
    #expect(ReportLanguage(identifier: "fr-CA")?.has12HourClock == false)
    #expect(ReportLanguage(identifier: "fr-DZ")?.firstWeekday == 5)
    #expect(ReportLanguage(identifier: "de-AT")?.firstWeekday == 0)
    #expect(ReportLanguage(.japanese).firstWeekday == 6)
    #expect(ReportLanguage.english.firstWeekday == 0 && !ReportLanguage.english.has12HourClock)
  }
}
