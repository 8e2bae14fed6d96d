import Foundation

/// A queue of few places between one thread that makes and one that takes.
///
/// The maker waits when all places are taken, so memory stays flat however fast it is.
final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private let capacity: Int
  private var elements: [Element] = []
  private var isClosed = false

  init(capacity: Int) { self.capacity = capacity }

  /// Adds an element, waiting for a place; false when the taker has gone.
  func put(_ element: Element) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while elements.count >= capacity, !isClosed { condition.wait() }
    guard !isClosed else { return false }
    elements.append(element)
    condition.signal()
    return true
  }

  /// Takes the oldest element, waiting for one.
  func take() -> Element {
    condition.lock()
    defer { condition.unlock() }
    while elements.isEmpty { condition.wait() }
    condition.signal()
    return elements.removeFirst()
  }

  /// Says that nobody takes any more; a waiting maker goes on at once.
  func close() {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    elements = []
    condition.signal()
  }
}
