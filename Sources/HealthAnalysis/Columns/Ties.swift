/// How many values of a column are equal to others, as the variance of Kendall's score needs it.
struct Ties {
  /// Σt(t − 1)/2 over groups of *t* equal values: the pairs of equal values.
  private(set) var pairs = 0
  /// Σt(t − 1)(t − 2).
  private(set) var triples = 0.0
  /// Σt(t − 1)(2t + 5).
  private(set) var weighted = 0.0

  /// Counts the groups of a column whose equal values stand side by side.
  ///
  /// - Complexity: O(*n*)
  init(ordered values: some Sequence<Double>) {
    var size = 0
    var last: Double?
    for value in values {
      if value != last {
        add(groupOf: size)
        size = 0
      }
      size += 1
      last = value
    }
    add(groupOf: size)
  }

  private mutating func add(groupOf size: Int) {
    guard size > 1 else { return }
    let t = Double(size)
    pairs += size * (size - 1) / 2
    triples += t * (t - 1) * (t - 2)
    weighted += t * (t - 1) * (2 * t + 5)
  }
}
