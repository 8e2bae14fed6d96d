import Foundation

/// A queue of few places between one thread that makes and one that takes.
///
/// The maker waits when all places are taken, so memory stays flat however fast it is.
package final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private let capacity: Int
  private var elements: [Element] = []
  private var isClosed = false

  /// Makes an empty queue with `capacity` places.
  package init(capacity: Int) { self.capacity = capacity }

  /// Adds an element, waiting for a place; false when the queue was closed.
  package func put(_ element: Element) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while elements.count >= capacity, !isClosed { condition.wait() }
    guard !isClosed else { return false }
    elements.append(element)
    condition.signal()
    return true
  }

  /// Takes the oldest element, waiting for one; `nil` when there is none and the queue was closed,
  /// or none has come within so many seconds.
  package func take(within seconds: Double? = nil) -> Element? {
    condition.lock()
    defer { condition.unlock() }
    let latest = seconds.map { Date(timeIntervalSinceNow: $0) }
    while elements.isEmpty {
      if isClosed { return nil }
      if let latest {
        if !condition.wait(until: latest) { return nil }
      } else {
        condition.wait()
      }
    }
    condition.signal()
    return elements.removeFirst()
  }

  /// Says that one of the two has gone: nothing is added any more, and nobody waits.
  package func close() {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.broadcast()
  }
}
