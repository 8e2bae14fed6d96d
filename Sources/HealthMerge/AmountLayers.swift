import HealthSamples

/// What sources counted, which grows by one source after the other.
///
/// It is kept in layers for the reason that ``CoverLayers`` has.
struct AmountLayers {
  private var layers: [CountedAmount] = []

  /// Adds what segments of one source count; the answer is whether their spans fall into no more
  /// parts than `limit`.
  ///
  /// - Complexity: O(log all) for each piece, amortised
  mutating func add(
    starts: ArraySlice<Double>, ends: ArraySlice<Double>, values: ArraySlice<Double>, limit: Int
  ) -> Bool {
    var layer = CountedAmount()
    guard layer.add(starts: starts, ends: ends, values: values, limit: limit) else { return false }
    guard layer.count > 0 else { return true }
    layers.append(layer)
    while layers.count > 1, layers[layers.count - 2].count < 2 * layers[layers.count - 1].count {
      joinLast()
    }
    return true
  }

  /// Makes one layer of all for a source that is large enough to pay for it.
  ///
  /// - Complexity: O(rows × log rows × layers)
  mutating func join(forRows rows: Int) {
    let count = layers.reduce(0) { $0 + $1.count }
    guard count <= CoverLayers.spansPerSample * rows else { return }
    while layers.count > 1 { joinLast() }
  }

  private mutating func joinLast() {
    let last = layers.removeLast()
    layers[layers.count - 1].add(last)
  }

  /// The amount inside a span, ends included; `nil` when nothing was counted there.
  ///
  /// - Complexity: O(layers × log pieces + pieces met); `steps` grows by those that are met
  func amount(from start: Double, to end: Double, steps: inout Int) -> Double? {
    var total = AmountTotal()
    for layer in layers { layer.add(to: &total, from: start, to: end, steps: &steps) }
    return total.result
  }
}

/// A compensated sum of amounts (Knuth, TwoSum) that may overflow.
struct AmountTotal {
  private var sum: Double?
  private var lost = 0.0

  /// Adds a term.
  mutating func add(_ term: Double) {
    let old = sum ?? 0
    let total = old + term
    let virtual = total - old
    lost += (old - (total - virtual)) + (term - virtual)
    sum = total
  }

  /// The sum; `nil` without terms.
  var result: Double? { sum.map { $0.isFinite ? $0 + lost : $0 } }
}
