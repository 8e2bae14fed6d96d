import HealthExchange
import HealthQuery
import HealthStore

/// Where the data of a kind end, whatever the period that is asked for.
struct DataEnd {
  /// The last date.
  let date: String
  /// The last moment, or day, for programs.
  let text: String
  /// Whether days are recorded as such, without a zone.
  private let isOfDays: Bool

  /// The end of the last of some samples or elements.
  init(_ instant: Double, in zones: ZoneTimeline) {
    let time = LocalTime(instant, in: zones)
    (date, text, isOfDays) = (time.dateText, time.isoText, false)
  }

  /// The last of some days.
  init(day: String) { (date, text, isOfDays) = (day, day, true) }

  /// The end of what a selection of a store has; `nil` if that is nothing.
  init?(
    of selection: StoredSelection, in store: SampleStore, zones: ZoneTimeline
  ) throws {
    switch selection {
    case .samples(let type):
      let sources = try store.sources(of: type)
      guard let last = sources.map(\.lastEnd).max() else { return nil }
      // The last moment of a sample is the one before its end.
      self.init(max(last.nextDown, sources.map(\.lastStart).max() ?? last), in: zones)
    case .elements(let kind, let type):
      let always = StoredPeriod(range: -.infinity ..< .infinity, zones: zones)
      var latest: ElementLine?
      try store.forEachElement(of: kind, type: type, in: always, isNewestFirst: true) { batch in
        latest = ElementLine.lines(of: batch).first
        return latest == nil
      }
      if let instant = latest?.end ?? latest?.start {
        self.init(instant, in: zones)
      } else if let day = latest?.day {
        self.init(day: day)
      } else {
        return nil
      }
    }
  }

  /// What a list for people ends with: where the data end, and which zone its times are of.
  static func sentence(_ end: DataEnd?, zones: ZoneTimeline) -> String {
    let zone = StatisticsCaptions.zones(zones)
    guard let end else { return "Times are those of \(zone)." }
    return "The data end on \(end.date). "
      + (end.isOfDays
        ? "Days are as recorded; --from and --to mean days of \(zone)."
        : "Times are those of \(zone).")
  }
}
