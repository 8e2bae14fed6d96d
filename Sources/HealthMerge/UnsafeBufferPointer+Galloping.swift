extension UnsafeBufferPointer<Double> {
  /// The first place from `place` on at which a predicate holds that stays true once it is, found
  /// by steps that double; `count` when there is none.
  ///
  /// - Complexity: O(log *d*) in the distance
  func firstPlace(from place: Int, where isAfter: (Double) -> Bool) -> Int {
    guard place < count, !isAfter(self[place]) else { return place }
    var low = place
    var step = 1
    while low + step < count, !isAfter(self[low + step]) {
      low += step
      step *= 2
    }
    var high = Swift.min(low + step, count)
    low += 1
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
