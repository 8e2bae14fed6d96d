import Foundation

/// A bounded queue between one producer thread and one consumer thread.
///
/// The producer blocks when the queue is full, so memory stays flat.
package final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private let capacity: Int
  private var elements: [Element] = []
  private var isClosed = false

  /// Makes an empty queue of `capacity` elements.
  package init(capacity: Int) { self.capacity = capacity }

  /// Adds an element, blocking while the queue is full; false when it was closed.
  package func put(_ element: Element) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while elements.count >= capacity, !isClosed { condition.wait() }
    guard !isClosed else { return false }
    elements.append(element)
    condition.signal()
    return true
  }

  /// Removes the oldest element, blocking while the queue is empty; `nil` when it was closed, or
  /// after the timeout.
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

  /// Closes the queue: nothing is added any more, and blocked calls return.
  package func close() {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.broadcast()
  }
}
