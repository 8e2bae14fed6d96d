#if os(Linux) && !HKSTATS_STUB
public import Foundation
import Synchronization

/// The clock of a test's store: what it dates, such as the start of a workout session, and when what
/// it does later is due, such as an update that waits because the app did not complete the last one.
public final class TestClock: Sendable {
  /// How time passes.
  public enum Mode: Sendable {
    /// It stands still until ``TestClock/advance(by:)``.
    case manual(Date)
    /// It is the machine's.
    case live
  }

  private struct Timer: Sendable {
    let due: Date
    let body: @Sendable () -> Void
  }

  private struct State {
    var now: Date?
    /// What is due later, in the order in which it was asked for.
    var timers: [Timer] = []

    /// The next timer that is due by a date.
    mutating func next(by end: Date) -> Timer? {
      let due = timers.indices.filter { timers[$0].due <= end }
      guard let first = due.min(by: { (timers[$0].due, $0) < (timers[$1].due, $1) }) else {
        return nil
      }
      let timer = timers.remove(at: first)
      now = now.map { max($0, timer.due) }
      return timer
    }
  }

  private let state: Mutex<State>
  /// The machine's clock.
  private let system: @Sendable () -> Date
  /// Waits until nothing runs on the store.
  private let waits = Mutex<(@Sendable () async -> Void)?>(nil)

  /// - Parameters:
  ///   - mode: how time passes; it stands still at the system's for `nil`
  ///   - system: the machine's clock
  init(_ mode: Mode?, system: @escaping @Sendable () -> Date) {
    self.system = system
    switch mode {
    case .manual(let start): state = Mutex(State(now: start))
    case .live: state = Mutex(State())
    case nil: state = Mutex(State(now: system()))
    }
  }

  /// What the time is.
  public var now: Date { state.withLock { $0.now } ?? system() }

  /// Whether it stands still.
  var isManual: Bool { state.withLock { $0.now != nil } }

  /// Sets what waits until nothing runs on the store.
  func setWait(_ wait: @escaping @Sendable () async -> Void) { waits.withLock { $0 = wait } }

  /// Runs a body after some seconds of this clock.
  func schedule(after seconds: Double, _ body: @escaping @Sendable () -> Void) {
    state.withLock { state in
      let now = state.now ?? system()
      state.timers.append(Timer(due: now.addingTimeInterval(max(0, seconds)), body: body))
    }
  }

  /// Lets time pass: what falls due runs in its order, each after what the one before began is done.
  ///
  /// On a live clock it waits for that time.
  public func advance(by duration: Duration) async {
    guard isManual else {
      try? await Task.sleep(for: duration)
      return
    }
    let wait = waits.withLock { $0 }
    let end = now.addingTimeInterval(duration / .seconds(1))
    await wait?()
    while let timer = state.withLock({ $0.next(by: end) }) {
      timer.body()
      await wait?()
    }
    state.withLock { state in state.now = state.now.map { max($0, end) } }
    await wait?()
  }

  /// Runs at once what is due later, at the end of a test, so that no call waits for ever.
  func finish() {
    let timers = state.withLock { state in
      defer { state.timers = [] }
      return state.timers
    }
    for timer in timers { timer.body() }
    waits.withLock { $0 = nil }
  }
}
#endif
