import Foundation

/// How often a verdict is given where nothing is there, and where something is.
///
/// The long forms print a row of a Markdown table for each, from which the documentation is written.
public struct VerdictRate: Sendable {
  private let verdict, kind: String
  private let rows: Int
  private var counts = (series: 0, before: 0, alarms: 0, found: 0, effects: 0)

  /// Begins to count.
  public init(_ verdict: String, _ kind: String, rows: Int) {
    (self.verdict, self.kind, self.rows) = (verdict, kind, rows)
  }

  /// How many series had nothing and a verdict.
  public var alarms: Int { counts.alarms }
  /// How many series had nothing.
  public var count: Int { counts.series }
  /// The share of effects that were found.
  public var foundShare: Double { Double(counts.found) / Double(max(1, counts.effects)) }

  /// Counts a series without anything, with the verdict as it is and as it was before.
  public mutating func addNull(_ isAlarm: Bool, before wasAlarm: Bool) {
    counts.series += 1
    if isAlarm { counts.alarms += 1 }
    if wasAlarm { counts.before += 1 }
  }

  /// Counts a series in which something is.
  public mutating func addEffect(isFound: Bool) {
    counts.effects += 1
    if isFound { counts.found += 1 }
  }

  /// Whether there are as few alarms as a share promises, within two standard errors.
  public func keeps(percent: Int) -> Bool {
    let share = Double(percent) / 100
    let mean = share * Double(count)
    return Double(alarms) <= mean + 2 * (mean * (1 - share)).squareRoot()
  }

  /// The row of the table.
  public var line: String {
    func text(_ part: Int, of all: Int) -> String {
      all == 0 ? "" : String(format: "%.1f %%", 100 * Double(part) / Double(all))
    }
    return [
      verdict, kind, "\(rows)", text(counts.before, of: counts.series),
      text(counts.alarms, of: counts.series), text(counts.found, of: counts.effects),
      "\(counts.series)",
    ].joined(separator: " | ")
  }

  /// Prints the row in the long form.
  public func report() {
    if Soak.isLong { print(line) }
  }
}
