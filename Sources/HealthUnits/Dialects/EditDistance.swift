/// The number of edits between two texts.
package enum EditDistance {
  /// The smallest number of insertions, deletions, replacements and swaps of adjacent letters.
  ///
  /// Each letter is edited at most once (the optimal string alignment distance).
  ///
  /// - Complexity: O(*n* · *m*) in the numbers of Unicode scalars.
  package static func between(_ left: String, _ right: String) -> Int {
    let left = Array(left.unicodeScalars)
    let right = Array(right.unicodeScalars)
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    var current = beforeLast
    for (row, scalar) in left.enumerated() {
      current[0] = row + 1
      for (column, other) in right.enumerated() {
        let replaced = last[column] + (scalar == other ? 0 : 1)
        var distance = min(replaced, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == other {
          distance = min(distance, beforeLast[column - 1] + 1)
        }
        current[column + 1] = distance
      }
      (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[right.count]
  }
}
