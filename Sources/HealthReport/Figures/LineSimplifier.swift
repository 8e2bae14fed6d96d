/// A point of a drawing.
struct MapPoint: Hashable {
  var x: Double
  var y: Double
}

/// Leaves points of a line out that its drawing does not need.
///
/// Douglas and Peucker 1973, Algorithms for the reduction of the number of points required to
/// represent a digitized line, Cartographica 10: 112. Distances are those to a segment and not to
/// its line, because a round walk ends where it begins.
enum LineSimplifier {
  /// How often a stretch is parted at its farthest point, which may take one point off the end each
  /// time; from then on it is parted in its middle, which bounds the work.
  private static let deepest = 64

  /// The points that a line keeps: its ends, and enough others that no point lies farther from the new
  /// line than the tolerance.
  ///
  /// - Parameters:
  ///   - points: points whose coordinates are finite and less than 10^150, so that squares are finite
  ///   - tolerance: the greatest distance of a point that is left out
  /// - Returns: the indices of the points, ascending
  /// - Complexity: O(*n* log *n*), whatever the line
  static func kept(of points: [MapPoint], tolerance: Double) -> [Int] {
    guard points.count > 2 else { return Array(points.indices) }
    var isKept = [Bool](repeating: false, count: points.count)
    (isKept[0], isKept[points.count - 1]) = (true, true)
    let limit = tolerance * tolerance
    var stretches = [(first: 0, last: points.count - 1, depth: 0)]
    while let (first, last, depth) = stretches.popLast() {
      var (farthest, greatest) = (first, limit)
      for index in (first + 1)..<max(first + 1, last) {
        let square = squaredDistance(
          from: points[index], toSegment: points[first], points[last])
        if square > greatest { (farthest, greatest) = (index, square) }
      }
      guard farthest > first else { continue }
      let middle = depth < deepest ? farthest : first + (last - first) / 2
      isKept[middle] = true
      stretches.append((first, middle, depth + 1))
      stretches.append((middle, last, depth + 1))
    }
    return isKept.indices.filter { isKept[$0] }
  }

  /// The points that a line keeps, and no more than a number of them: the tolerance is doubled until
  /// they are so few.
  static func simplified(
    _ points: [MapPoint], tolerance: Double, atMost count: Int
  ) -> [MapPoint] {
    var (kept, tolerance) = (points, tolerance)
    repeat {
      kept = self.kept(of: kept, tolerance: tolerance).map { kept[$0] }
      tolerance *= 2
    } while kept.count > max(2, count)
    return kept
  }

  private static func squaredDistance(
    from point: MapPoint, toSegment start: MapPoint, _ end: MapPoint
  ) -> Double {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let length = x * x + y * y
    let along = (point.x - start.x) * x + (point.y - start.y) * y
    let share = length > 0 ? min(max(along / length, 0), 1) : 0
    let (east, south) = (point.x - start.x - share * x, point.y - start.y - share * y)
    return east * east + south * south
  }
}
