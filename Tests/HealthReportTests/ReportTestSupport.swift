import HealthSamples
import HealthStore

/// Samples of one type, one on each of some days.
struct DailySamples {
  let type: SampleType
  let unit: String
  var source = "Watch"
  /// When they begin, in seconds after midnight of UTC, and how long they last.
  var start = 30_000.0
  var duration = 0.0
  /// The value of a day, counted from the first of January 2001; `nil` for none.
  let value: (Int) -> Double?

  /// The samples of some days.
  func records(on days: some Sequence<Int>) throws -> RecordColumns {
    var records = RecordColumns(type: type, source: Source(name: source))
    for day in days {
      guard let value = value(day) else { continue }
      let start = Double(day) * 86_400 + start
      try records.append(start: start, end: start + duration, value: value, label: unit)
    }
    return records
  }
}

extension String {
  /// The text of a page without tags, style and script.
  var textOfPage: String {
    replacing(/<(script|style)[\s\S]*?<\/(?:script|style)>/, with: "")
      .replacing(/<[^>]*>/, with: "").replacing("\u{A0}", with: " ")
  }
}
