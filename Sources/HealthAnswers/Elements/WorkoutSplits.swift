public import HealthQuery
public import HealthSamples
public import HealthStore
internal import _HealthNumerics

/// One kilometre or mile of a workout.
public struct WorkoutSplit: Sendable, Hashable {
  /// Its number in the workout, from 1.
  public let number: Int
  /// When it begins, in seconds since 2001-01-01 UTC.
  public let start: Double
  /// When it ends.
  public let end: Double
  /// Metres; the last one is shorter than the others.
  public let distance: Double
  /// Seconds without pauses.
  public let duration: Double
  /// Metres climbed; `nil` where no location in it has an altitude.
  public let elevationGain: Double?
  /// Metres descended; `nil` where no location in it has an altitude.
  public let elevationLoss: Double?
  /// The mean of the heart rates that start in it, in beats a minute; `nil` without any.
  public let meanHeartRate: Double?

  /// Seconds for a kilometre.
  public var pace: Double? { distance > 0 ? duration / distance * 1000 : nil }
}

extension Workouts.Row {
  /// The splits along the ways of its routes, which follow each other without what lies between
  /// them.
  ///
  /// - Complexity: O(locations + splits × (pauses + log samples))
  public func splits(
    every metres: Double, along tracks: [Track], heartRates: SampleColumns
  ) -> [WorkoutSplit] {
    guard metres > 0 else { return [] }
    let rates = Rates(heartRates)
    let pauses = pauses
    var splits: [WorkoutSplit] = []
    var open: (start: Double, distance: Double, climb: (gain: Double, loss: Double)?)?
    /// Ends the split that is open.
    func close(at end: Double) {
      guard let split = open else { return }
      let paused = pauses.reduce(0) { sum, pause in
        sum + max(0, min(pause.upperBound, end) - max(pause.lowerBound, split.start))
      }
      splits.append(
        WorkoutSplit(
          number: splits.count + 1, start: split.start, end: end, distance: split.distance,
          duration: max(0, end - split.start - paused), elevationGain: split.climb?.gain,
          elevationLoss: split.climb?.loss, meanHeartRate: rates.mean(in: split.start..<end)))
    }
    var last = 0.0
    for track in tracks where track.count > 0 {
      let climbs = track.knowsClimbs ? track.climbs() : nil
      if open == nil { open = (track.times[0], 0, nil) }
      last = track.times[0]
      for row in 1..<max(1, track.count) {
        // A long step may end several splits.
        var place = track.distances[row - 1]
        while let missing = open.map({ metres - $0.distance }),
          track.distances[row] - place >= missing
        {
          place += missing
          open?.distance = metres
          let end = track.instant(ofDistance: place, endingAt: row)
          close(at: end)
          open = (end, 0, nil)
        }
        open?.distance += track.distances[row] - place
        if let climbs, track.altitudes[row] != nil {
          let known = open?.climb ?? (0, 0)
          open?.climb = (
            known.gain + climbs.gains[row] - climbs.gains[row - 1],
            known.loss + climbs.losses[row] - climbs.losses[row - 1]
          )
        }
        last = track.times[row]
      }
    }
    if let split = open, split.distance > 0 { close(at: last) }
    return splits
  }

  /// Heart rates in the order of time.
  private struct Rates {
    private let times: [Double]
    /// The sum of all rates before each.
    private let sums: [Double]

    init(_ samples: SampleColumns) {
      let order = samples.starts.indices.sorted { samples.starts[$0] < samples.starts[$1] }
      times = order.map { samples.starts[$0] }
      sums = order.reduce(into: [0]) { sums, row in
        sums.append(sums[sums.count - 1] + samples.values[row])
      }
    }

    func mean(in span: Range<Double>) -> Double? {
      func place(_ instant: Double) -> Int {
        // The first sample at or after the instant.
        times.partitioningIndex { $0 >= instant }
      }
      let rows = place(span.lowerBound)..<max(place(span.lowerBound), place(span.upperBound))
      guard !rows.isEmpty else { return nil }
      return (sums[rows.upperBound] - sums[rows.lowerBound]) / Double(rows.count) * 60
    }
  }
}

extension SampleStore {
  /// The splits of workouts of the store, in their order; none where a workout has no route.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  public func splits(
    of workouts: [Workouts.Row], every metres: Double
  ) throws(QueryError) -> [[WorkoutSplit]] {
    try oneState { () throws(QueryError) in
      let tracks = try tracks(of: workouts)
      var splits: [[WorkoutSplit]] = []
      for workout in workouts {
        guard let ways = tracks[WorkoutKey(workout)] else {
          splits.append([])
          continue
        }
        let heartRates = try stored { () throws(StoreError) in
          try samples(of: SampleType(.heartRate), in: workout.time)
        }
        splits.append(workout.splits(every: metres, along: ways, heartRates: heartRates))
      }
      return splits
    }
  }
}
