/// Values by priority, the least first: a binary heap.
///
/// Which of several values of one priority comes first depends on nothing but the calls, so sums in
/// the order of a queue keep their bits. `Heap` of swift-collections does not promise that order.
///
/// Public, because the compiler specialises no generic type of the package in other modules.
@_spi(Queues) public struct PriorityQueue<Priority: Comparable, Value> {
  @usableFromInline var entries: [(priority: Priority, value: Value)] = []

  /// A queue of nothing.
  @inlinable public init() {}

  /// Whether there is no value. - Complexity: O(1)
  @inlinable public var isEmpty: Bool { entries.isEmpty }

  /// The number of values. - Complexity: O(1)
  @inlinable public var count: Int { entries.count }

  /// The value of least priority. - Complexity: O(1)
  @inlinable public var first: (priority: Priority, value: Value)? { entries.first }

  /// The least priority of all values but the first. - Complexity: O(1)
  @inlinable public var secondPriority: Priority? {
    entries.dropFirst().prefix(2).lazy.map { $0.priority }.min()
  }

  /// Adds a value. - Complexity: O(log *n*)
  @inlinable public mutating func insert(_ value: Value, priority: Priority) {
    entries.append((priority, value))
    var child = entries.count - 1
    while child > 0, entries[child].priority < entries[(child - 1) / 2].priority {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes the first value; nothing happens without one. - Complexity: O(log *n*)
  @inlinable public mutating func removeFirst() {
    guard let last = entries.popLast(), !entries.isEmpty else { return }
    replaceFirst(by: last.value, priority: last.priority)
  }

  /// Puts another value into the place of the first. - Complexity: O(log *n*)
  ///
  /// - Precondition: there is a first value.
  @inlinable public mutating func replaceFirst(by value: Value, priority: Priority) {
    entries[0] = (priority, value)
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < entries.count else { return }
      if child + 1 < entries.count, entries[child + 1].priority < entries[child].priority {
        child += 1
      }
      guard entries[child].priority < entries[parent].priority else { return }
      entries.swapAt(parent, child)
      parent = child
    }
  }
}

extension PriorityQueue: Sendable where Priority: Sendable, Value: Sendable {}
