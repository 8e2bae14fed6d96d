import HealthExchange
import HealthReport

/// Sizes, durations and counts as text.
enum AmountText {
  /// A size in decimal units, such as `1.2 GB`.
  static func bytes(_ count: Int) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"]
    var value = Double(count)
    var unit = 0
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return NumberText.rounded(value, decimals: unit > 0 && value < 9.95 ? 1 : 0) + " " + units[unit]
  }

  /// A duration for people, such as `3 s` or `2 min 5 s`.
  static func duration(_ seconds: Double) -> String {
    guard abs(seconds) < 1e9 else { return "long" }
    let whole = Int(seconds.rounded())
    func unit(_ name: String) -> String { Vocabulary.current.unit(name, of: nil) }
    switch whole {
    case ..<60: return "\(whole) \(unit("s"))"
    case ..<3600: return "\(whole / 60) \(unit("min")) \(whole % 60) \(unit("s"))"
    default: return "\(whole / 3600) \(unit("hr")) \(whole % 3600 / 60) \(unit("min"))"
    }
  }

  /// A count with its noun: `1 record`, `1,200 records`.
  static func count(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(NumberText.grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }
}
