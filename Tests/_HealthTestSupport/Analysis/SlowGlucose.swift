/// Excursions, differences and events of glucose by their definitions.
public enum SlowGlucose {
  /// The changes of the way along some of the values that is longest when each change costs a threshold.
  ///
  /// A turn is worth taking when glucose moves by more than the threshold from it, so these are the
  /// excursions. All sets of values are tried.
  ///
  /// - Precondition: there are no more than sixteen values.
  public static func excursions(_ values: [Double], threshold: Double) -> [Double] {
    precondition(values.count <= 16)
    var best: (worth: Double, changes: [Double]) = (0, [])
    for set in 0..<(1 << values.count) {
      let chosen = values.indices.filter { set >> $0 & 1 == 1 }.map { values[$0] }
      let changes = zip(chosen.dropFirst(), chosen).map { $0 - $1 }
      let worth = changes.reduce(0) { $0 + $1.magnitude - threshold }
      if worth > best.worth { best = (worth, changes) }
    }
    return best.changes
  }

  /// The differences of readings from those some seconds before, each looked for among all.
  public static func differences(
    times: [Double], values: [Double], seconds: Double, nearest: Double
  ) -> [Double] {
    times.indices.compactMap { row in
      let moment = times[row] - seconds
      let others = times.indices.map { ((times[$0] - moment).magnitude, $0) }
      guard let other = others.min(by: <), other.0 <= nearest else { return nil }
      return values[row] - values[other.1]
    }
  }

  /// The events among minutes that are beyond an edge, not beyond it, or without data: the minutes from
  /// the first to after the last one beyond it.
  public static func events(_ minutes: [Bool?], needed: Int) -> [Range<Int>] {
    func isRun(_ state: Bool, from start: Int) -> Bool {
      start + needed <= minutes.count && minutes[start..<start + needed].allSatisfy { $0 == state }
    }
    var events: [Range<Int>] = []
    var minute = 0
    while minute < minutes.count {
      guard isRun(true, from: minute) else {
        minute += 1
        continue
      }
      var (end, next) = (minute, minute)
      while next < minutes.count, minutes[next] != nil, !isRun(false, from: next) {
        next += 1
        if minutes[next - 1] == true { end = next }
      }
      events.append(minute..<end)
      minute = next
    }
    return events
  }
}
