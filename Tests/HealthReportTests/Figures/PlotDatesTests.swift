import HealthSamples
import Testing

@testable import HealthReport

@Suite("Dates below drawings")
struct PlotDatesTests {
  private static let last = CivilDate(year: 2026, month: 10, day: 31)
  private static let dates = DateWriter(ReportLanguage(.german))
  /// The plot of a phone of 320 pixels, and half of a date in German.
  private static let (width, half) = (200.0, 23.0)

  /// The places of names at any width, as pixels of a small phone.
  private func places(of plot: Plot) -> [Double] {
    plot.drawing.text.matches(of: /<text class="t(?: mid)?" x="([0-9.]+)%"/)
      .compactMap { Double($0.1) }.map { $0 / 100 * Self.width }
  }

  private func days(_ count: Int) -> [CivilDate] {
    (0..<count).map { Self.last.adding(days: $0 + 1 - count) }
  }

  @Test("Days of up to three months have at least three names, which do not meet")
  func days() {
    for count in 5...92 {
      var plot = Plot(height: 100, range: 0...1)
      plot.weeks(days(count), Self.dates)
      let places = places(of: plot)
      #expect((3...4).contains(places.count), "\(count) days")
      #expect(
        zip(places, places.dropFirst()).allSatisfy { $1 - $0 >= 2 * Self.half }, "\(count) days")
    }
  }

  @Test("A day alone, and a few, are all named")
  func fewDays() {
    for count in 1...4 {
      var plot = Plot(height: 100, range: 0...1)
      plot.weeks(days(count), Self.dates)
      #expect(places(of: plot).count == count)
    }
  }

  @Test("Few months are named by days", arguments: [7, 28, 42])
  func months(_ count: Int) {
    var plot = Plot(height: 100, range: 0...1)
    plot.months(days(count), Self.dates)
    #expect(places(of: plot).count >= 3)
    #expect(plot.drawing.text.contains("31. Okt."))
  }

  @Test("Weeks of half a year to a whole one have names that do not meet on a phone")
  func weeks() {
    for count in 28...60 {
      var plot = Plot(height: 100, range: 0...1)
      plot.months((0..<count).map { Self.last.adding(days: 7 * ($0 + 1 - count)) }, Self.dates)
      let places = places(of: plot)
      #expect((3...5).contains(places.count), "\(count) weeks")
      #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 >= 36 }, "\(count) weeks")
    }
  }

  @Test("A bar of few rows is no block")
  func bars() {
    #expect(Plot.barWidth(of: 7, share: 0.6) < 0.04)
    #expect(abs(Plot.barWidth(of: 28, share: 0.6) - 0.6 / 28) < 1e-9)
  }
}
