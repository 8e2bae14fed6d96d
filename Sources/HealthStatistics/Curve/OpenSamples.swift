/// The samples that are open at an instant, as a binary heap by end.
struct OpenSamples {
  private var heap: [(end: Double, row: Int)] = []

  var isEmpty: Bool { heap.isEmpty }
  var count: Int { heap.count }

  /// The row that ends first, and its end; `nil` when no sample is open.
  var first: (end: Double, row: Int)? { heap.first }

  /// - Complexity: O(log *n*)
  mutating func insert(end: Double, row: Int) {
    heap.append((end, row))
    var child = heap.count - 1
    while child > 0, heap[child].end < heap[(child - 1) / 2].end {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes the sample that ends first.
  ///
  /// - Complexity: O(log *n*)
  mutating func removeFirst() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { return }
      if child + 1 < heap.count, heap[child + 1].end < heap[child].end { child += 1 }
      guard heap[child].end < heap[parent].end else { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}
