/// The optimal string alignment distance by its definition.
public enum SlowEditDistance {
  /// The least number of insertions, deletions, replacements and swaps of neighbours.
  ///
  /// - Complexity: exponential; for short texts only.
  public static func between(_ left: String, _ right: String) -> Int {
    between(Array(left)[...], Array(right)[...])
  }

  private static func between(_ left: ArraySlice<Character>, _ right: ArraySlice<Character>) -> Int
  {
    guard let leftLast = left.last, let rightLast = right.last else {
      return max(left.count, right.count)
    }
    if leftLast == rightLast { return between(left.dropLast(), right.dropLast()) }
    var distance =
      1
      + min(
        between(left.dropLast(), right.dropLast()), between(left.dropLast(), right),
        between(left, right.dropLast()))
    if left.suffix(2) == ArraySlice(right.suffix(2).reversed()), left.count > 1 {
      distance = min(distance, 1 + between(left.dropLast(2), right.dropLast(2)))
    }
    return distance
  }
}
