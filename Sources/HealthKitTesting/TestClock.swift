public import Foundation
import Synchronization

/// The clock of a test's store: what it dates, such as the start of a workout session.
public final class TestClock: Sendable {
  /// How time passes.
  public enum Mode: Sendable {
    /// It stands still until ``TestClock/advance(by:)``.
    case manual(Date)
    /// It is the machine's.
    case live
  }

  private let date: Mutex<Date?>

  init(_ mode: Mode) {
    switch mode {
    case .manual(let start): date = Mutex(start)
    case .live: date = Mutex(nil)
    }
  }

  /// What the time is.
  public var now: Date { date.withLock { $0 } ?? Date() }
}
