import Foundation
import HealthExchange

/// A bar on stderr with the rate and the time left; silent if stderr is not a terminal, or one that
/// cannot redraw a line.
///
/// ```
/// Importing  ████████████▌             52 %  1.2 GB/s  3 s left
/// ```
struct ProgressBar {
  private let title: String
  /// Whether what is done is bytes, of which a rate is told.
  private let isOfBytes: Bool
  private let isShown: Bool
  private let started = ContinuousClock.now
  private var drawn: ContinuousClock.Instant?

  init(
    title: String, isOfBytes: Bool = true, isShown: Bool = Terminal.obeysEscapes(STDERR_FILENO)
  ) {
    (self.title, self.isOfBytes, self.isShown) = (title, isOfBytes, isShown)
  }

  /// Redraws the bar, at most ten times per second.
  mutating func update(done: Int, of total: Int) {
    guard isShown else { return }
    let now = ContinuousClock.now
    if let drawn, now - drawn < .milliseconds(100) { return }
    drawn = now
    let seconds = (now - started) / .seconds(1)
    let text = Marks.$isASCII.withValue(Terminal.isASCII(STDERR_FILENO)) {
      Self.line(
        title: title, done: done, total: total, isOfBytes: isOfBytes, seconds: seconds,
        width: Terminal.columns(STDERR_FILENO) - 1)
    }
    StandardError.write("\r\u{1B}[K" + text)
  }

  /// Removes the bar, if it is there.
  mutating func clear() {
    if drawn != nil { StandardError.write("\r\u{1B}[K") }
    drawn = nil
  }

  /// The bar as text; without a known total only the amount and the rate.
  static func line(
    title: String, done: Int, total: Int, isOfBytes: Bool = true, seconds: Double, width: Int
  ) -> String {
    let rate = seconds > 0 ? Double(done) / seconds : 0
    let rateText = "\(AmountText.bytes(Int(rate)))/s"
    guard total > 0 else {
      return "\(title)  \(AmountText.bytes(done))  \(rateText)".truncated(to: width)
    }
    let share = min(1, Double(done) / Double(total))
    let left = rate > 0 ? Double(max(0, total - done)) / rate : 0
    let percent = "\(Int(share * 100)) %".padded(to: 5, isTrailing: true)
    let amount = isOfBytes ? "  \(rateText)" : ""
    let facts = "\(percent)\(amount)  \(AmountText.duration(left)) left"
    let room = min(40, width - title.displayWidth - facts.displayWidth - 4)
    guard room >= 5 else { return "\(title)  \(facts)".truncated(to: width) }
    let filled = Int((share * Double(room)).rounded())
    let bar = Marks.drawn(
      String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled))
    return "\(title)  \(bar)  \(facts)"
  }
}
