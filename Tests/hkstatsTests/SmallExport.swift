import Foundation

/// An export of a few records, written by hand as Apple writes one.
struct SmallExport {
  /// Minutes east of UTC in all dates.
  var offset = 60
  /// The memory address in all device texts.
  var address = 0x2_8375_4780
  /// When it was exported, in UTC.
  var exported = "2024-06-01T08:00:00"
  private(set) var lines: [String] = []

  static let watch = "Anna’s Apple\u{A0}Watch"
  static let phone = "Anna’s iPhone"

  init(offset: Int = 60, address: Int = 0x2_8375_4780) {
    self.offset = offset
    self.address = address
  }

  /// Seconds since 2001 of a time in UTC.
  static func instant(_ text: String) -> Double {
    let formatter = ISO8601DateFormatter()
    return formatter.date(from: text + "Z")?.timeIntervalSinceReferenceDate ?? .nan
  }

  /// Adds a record, created at its end unless said; times are in UTC, such as `2024-03-09T13:57:00`.
  mutating func add(
    _ type: String, _ value: String?, unit: String?, from start: String, to end: String,
    created: String? = nil, source: String = SmallExport.watch, metadata: [String: String] = [:]
  ) {
    let hardware = source == Self.watch ? ("Apple Watch", "Watch7,2") : ("iPhone", "iPhone15,3")
    let device =
      "&lt;&lt;HKDevice: 0x\(String(address, radix: 16))&gt;, name:\(hardware.0), "
      + "manufacturer:Apple Inc., model:\(hardware.0 == "iPhone" ? "iPhone" : "Watch"), "
      + "hardware:\(hardware.1), software:17.4&gt;"
    var line =
      " <Record type=\"\(type)\" sourceName=\"\(Self.escaped(source))\" sourceVersion=\"17.4\""
    line += " device=\"\(device)\""
    if let unit { line += " unit=\"\(unit)\"" }
    line += " creationDate=\"\(date(created ?? end))\""
    line += " startDate=\"\(date(start))\" endDate=\"\(date(end))\""
    if let value { line += " value=\"\(value)\"" }
    guard !metadata.isEmpty else {
      lines.append(line + "/>")
      return
    }
    lines.append(line + ">")
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
      lines.append("  <MetadataEntry key=\"\(key)\" value=\"\(Self.escaped(value))\"/>")
    }
    lines.append(" </Record>")
  }

  /// Adds steps.
  mutating func steps(
    _ value: Int, from start: String, to end: String, source: String = SmallExport.watch
  ) {
    add(
      "HKQuantityTypeIdentifierStepCount", String(value), unit: "count", from: start, to: end,
      source: source)
  }

  /// Adds lines as they are.
  mutating func add(lines more: String...) { lines += more }

  /// Adds lines as they are.
  mutating func add(lines more: [String]) { lines += more }

  /// The whole file.
  var text: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 13 -->
    <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout)*)>
    ]>
    <HealthData locale="en_FR">
     <ExportDate value="\(date(exported))"/>
    \(lines.joined(separator: "\n"))
    </HealthData>

    """
  }

  var data: Data { Data(text.utf8) }

  /// The time of a minute from the first of March 2024 on, in UTC.
  static func time(ofMinute minute: Int) -> String {
    String(format: "2024-03-%02dT%02d:%02d:00", minute / 1440 + 1, minute / 60 % 24, minute % 60)
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")
  }

  private func date(_ utc: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: offset * 60)
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss Z"
    return formatter.string(from: Date(timeIntervalSinceReferenceDate: Self.instant(utc)))
  }
}
