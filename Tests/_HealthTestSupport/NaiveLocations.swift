/// Which locations of a route count, one rule after the other.
public enum NaiveLocations {
  /// The rows whose times are plausible.
  public static func plausibleRows(
    _ times: [Double], around workout: ClosedRange<Double>?
  ) -> [Int] {
    // Steps of an hour at most lead to the time of the workout.
    var near = Set(times.indices.filter { row in workout.map { $0.contains(times[row]) } ?? true })
    let bounds = workout.map { [$0.lowerBound, $0.upperBound] } ?? []
    while let next = times.indices.first(where: { row in
      !near.contains(row)
        && (bounds + near.map { times[$0] }).contains { abs($0 - times[row]) <= 3600 }
    }) {
      near.insert(next)
    }
    let rows = near.count * 2 < times.count ? Array(times.indices) : near.sorted()
    return longestAscent(rows, times)
  }

  /// The longest subsequence in order of time: of several, from its end on, that of the last rows.
  private static func longestAscent(_ rows: [Int], _ times: [Double]) -> [Int] {
    var lengths: [Int: Int] = [:]
    for (place, row) in rows.enumerated() {
      let before = rows[..<place].filter { times[$0] <= times[row] }.compactMap { lengths[$0] }
      lengths[row] = (before.max() ?? 0) + 1
    }
    var ascent: [Int] = []
    var length = lengths.values.max() ?? 0
    while length > 0 {
      let wanted = rows.last { row in
        lengths[row] == length && (ascent.first.map { row < $0 && times[row] <= times[$0] } ?? true)
      }
      ascent.insert(wanted ?? -1, at: 0)
      length -= 1
    }
    return ascent
  }
}
