/// Reads dates as the app Health Auto Export writes them: in the style of the phone's clock.
///
/// `2024-03-09 15:04:05 -0700`, `2024-03-09 3:04:05 PM -0700`, with a no-break or narrow space
/// before a small or large AM or PM, or ISO 8601.
enum LocalisedDate {
  /// Seconds since 2001-01-01 UTC; `nil` when the text is no such date.
  static func instant(_ text: String) -> Double? {
    guard text.utf8.count <= 64 else { return nil }
    let plain = text.map { $0.isWhitespace ? " " : $0 }.filter { $0 != "." }
    var parts = String(plain).split(separator: " ").map(String.init)
    let half = parts.firstIndex { ["AM", "PM"].contains($0.uppercased()) }
    var isAfternoon: Bool?
    if let half { isAfternoon = parts.remove(at: half).uppercased() == "PM" }
    guard parts.count == 3, let isAfternoon else { return iso(text) }
    var clock = parts[1].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard let hour = Int(clock.first ?? ""), (1...12).contains(hour) else { return nil }
    let hours = hour % 12 + (isAfternoon ? 12 : 0)
    clock[0] = (hours < 10 ? "0" : "") + String(hours)
    if clock.count == 2 { clock.append("00") }
    return iso("\(parts[0])T\(clock.joined(separator: ":"))\(parts[2])")
  }

  private static func iso(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { InstantText.instant($0) }
  }
}
