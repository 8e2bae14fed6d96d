internal import _HealthNumerics

extension LocationColumns {
  /// How far the time of a location may be from that of its workout and of all other locations, in
  /// seconds.
  package static let longestGap = 3600.0

  /// The rows whose times are plausible, ascending in row and time.
  ///
  /// A location counts in the time of its workout, and within ``longestGap`` of one that counts: a
  /// route goes on where the end of a workout leaves out its pauses. Where that leaves less than half
  /// of them, the time of the workout is wrong, and says nothing. Of the others those are left out
  /// that stand in the way of an order of time: as few as possible.
  ///
  /// - Complexity: O(*n*) for locations in order of time, otherwise O(*n* log *n*)
  package func plausibleRows(around workout: ClosedRange<Double>?) -> [Int] {
    let near = workout.map { reach(from: $0) } ?? -Double.infinity...Double.infinity
    var rows = times.indices.filter { near.contains(times[$0]) }
    if rows.count * 2 < count { rows = Array(times.indices) }
    let isInOrder = zip(rows, rows.dropFirst()).allSatisfy { times[$0] <= times[$1] }
    return isInOrder ? rows : longestAscent(of: rows)
  }

  /// A span with the times that follow each other within ``longestGap`` beyond its ends.
  private func reach(from span: ClosedRange<Double>) -> ClosedRange<Double> {
    var (first, last) = (span.lowerBound, span.upperBound)
    let outside = times.filter { !span.contains($0) }.sorted()
    for time in outside where time > last && time - last <= Self.longestGap { last = time }
    for time in outside.reversed() where time < first && first - time <= Self.longestGap {
      first = time
    }
    return first...last
  }

  /// The longest of the subsequences whose times do not descend, by patience sorting (Aldous and
  /// Diaconis 1999, Bulletin of the AMS 36: 413).
  private func longestAscent(of rows: [Int]) -> [Int] {
    // The last place that ends a subsequence of each length, and the place before each in its own.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: rows.count)
    for (place, row) in rows.enumerated() {
      let length = ends.partitioningIndex { times[rows[$0]] > times[row] }
      if length > 0 { previous[place] = ends[length - 1] }
      if length < ends.count { ends[length] = place } else { ends.append(place) }
    }
    var ascent: [Int] = []
    var place = ends.last
    while let here = place {
      ascent.append(rows[here])
      place = previous[here]
    }
    return ascent.reversed()
  }

  /// The locations of some rows, in their order.
  ///
  /// - Complexity: O(*n* log *n*)
  package func keeping(_ rows: [Int]) -> LocationColumns {
    var kept = LocationColumns()
    kept.columns = columns.map { column in rows.map { column[$0] } }
    let segments = rows.map { row in segmentStarts.partitioningIndex { $0 > row } }
    kept.segmentStarts = rows.indices.dropFirst().filter { segments[$0] != segments[$0 - 1] }
    return kept
  }

  /// Puts segments in the order of their first times.
  private mutating func sortSegments() {
    let segments = segments
    guard segments.count > 1 else { return }
    let sorted = segments.sorted {
      (times[$0.lowerBound], $0.lowerBound) < (times[$1.lowerBound], $1.lowerBound)
    }
    if sorted != segments { self = keeping(sorted.flatMap(Array.init)) }
  }

  /// Leaves out locations whose times are not plausible, and puts segments in order of time.
  ///
  /// - Returns: how many are left out
  fileprivate mutating func leaveOutImplausible(around workout: ClosedRange<Double>) -> Int {
    sortSegments()
    let rows = plausibleRows(around: workout)
    let leftOut = count - rows.count
    if leftOut > 0 { self = keeping(rows) }
    return leftOut
  }
}

extension Routes.Row {
  /// The time of the workout, also where it ends before it starts.
  package var workoutTime: ClosedRange<Double> {
    min(workoutStart, workoutEnd)...max(workoutStart, workoutEnd)
  }

  /// Leaves out locations whose times are not plausible, and puts segments in order of time.
  ///
  /// - Returns: how many are left out
  package mutating func leaveOutImplausible() -> Int {
    locations.leaveOutImplausible(around: workoutTime)
  }
}
