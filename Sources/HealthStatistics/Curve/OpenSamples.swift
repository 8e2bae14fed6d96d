/// The samples that are open at an instant: which of them ends first, and the mean of all.
///
/// A binary heap by end. The mean is correctly rounded, so it does not depend on the order in
/// which samples came and went.
struct OpenSamples {
  private var heap: [(end: Double, value: Double)] = []
  private var sum = ExactSum()

  var isEmpty: Bool { heap.isEmpty }

  /// The earliest end; `nil` when nothing is open.
  var firstEnd: Double? { heap.first?.end }

  /// The mean of what is open; `nil` when nothing is.
  var mean: Double? {
    heap.count > 1 ? sum.mean(count: heap.count) : heap.first?.value
  }

  /// The mean of what is open, not rounded; `nil` when nothing is.
  var exactMean: ExactMean? {
    guard let first = heap.first else { return nil }
    return heap.count > 1 ? ExactMean(sum, count: heap.count) : ExactMean(first.value)
  }

  /// - Complexity: O(log *n*)
  mutating func insert(end: Double, value: Double) {
    sum.add(value)
    heap.append((end, value))
    var child = heap.count - 1
    while child > 0, heap[child].end < heap[(child - 1) / 2].end {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes out the sample that ends first, and gives its value; `nil` when nothing is open.
  ///
  /// - Complexity: O(log *n*)
  mutating func removeFirst() -> Double? {
    guard let last = heap.popLast() else { return nil }
    let first = heap.first ?? last
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    sum.add(-first.value)
    return first.value
  }

  private mutating func sink() {
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
