/// A curve that holds each value until the next one, second by second, with times in whole seconds.
public enum SlowHeldCurve {
  /// The value of each second that has one, from the first reading to before `end`.
  public static func seconds(
    times: [Int], values: [Double], limit: Int, end: Int
  ) -> [Double] {
    guard let first = times.first, first < end else { return [] }
    return (first..<end).compactMap { second in
      guard let row = times.indices.last(where: { times[$0] <= second }) else { return nil }
      return second - times[row] < limit ? values[row] : nil
    }
  }

  /// The value at a moment: of the nearest reading, of two as near their mean, or on the line between
  /// the readings around it; `nil` when there is none.
  public static func value(
    times: [Int], values: [Double], at moment: Int, nearest: Int, bridge: Int
  ) -> Double? {
    let distances = times.map { abs($0 - moment) }
    if let least = distances.min(), least <= nearest {
      let near = times.indices.filter { distances[$0] == least }.map { values[$0] }
      return near.reduce(0, +) / Double(near.count)
    }
    for row in times.indices.dropFirst() where times[row - 1] < moment && moment < times[row] {
      let length = times[row] - times[row - 1]
      guard length <= bridge else { return nil }
      let share = Double(moment - times[row - 1]) / Double(length)
      return values[row - 1] * (1 - share) + values[row] * share
    }
    return nil
  }
}
