package import HealthQuery
package import HealthSamples
package import HealthStore
internal import _HealthNumerics

/// The heart rates during workouts, read for those of a season at a time: a chunk of a store spans
/// months.
package struct WorkoutHeartRates {
  /// A heart rate in count/s.
  package struct Sample {
    package let start: Double
    package let rate: Double
  }

  private let store: SampleStore
  /// The end of the last workout.
  private let end: Double
  private var columns = SampleColumns(type: SampleType(.heartRate))
  /// The longest sample of each source of ``columns``.
  private var longest: [Double] = []
  /// The time of ``columns``.
  private var time: Range<Double>?

  /// The seconds of a season.
  private static let season = 100 * Double.secondsPerDay

  /// Asks for workouts in the order of their starts.
  package init(of workouts: [Workouts.Row], in store: SampleStore) {
    self.store = store
    end = workouts.map(\.facts.end).max() ?? -.infinity
  }

  /// The samples that overlap a workout, in the order of columns; one that starts with it is
  /// counted, and one that starts at its end is not.
  package mutating func rates(in workout: Workouts.Row) throws(QueryError) -> [Sample] {
    let (start, end) = (workout.facts.start, workout.facts.end)
    try read(workout.time)
    return columns.sources.indices.flatMap { source -> [Sample] in
      let rows = columns.rows(ofSource: source)
      let (starts, ends) = (columns.starts, columns.ends)
      // Rounded down: a longer sample that ends after the start may begin there.
      let earliest = (start - longest[source]).nextDown
      let first = starts[rows].partitioningIndex { $0 >= earliest }
      let last = starts[rows].partitioningIndex { $0 >= end }
      return (first..<max(first, last)).filter { starts[$0] >= start || ends[$0] > start }
        .map { Sample(start: starts[$0], rate: columns.values[$0]) }
    }
  }

  private mutating func read(_ wanted: Range<Double>) throws(QueryError) {
    if let time, time.lowerBound <= wanted.lowerBound, wanted.upperBound <= time.upperBound {
      return
    }
    let last = max(wanted.upperBound, min(wanted.lowerBound + Self.season, end.nextUp))
    let span = wanted.lowerBound..<last
    let columns = try store.stored { () throws(StoreError) in
      try store.samples(of: SampleType(.heartRate), in: span)
    }
    time = span
    longest = columns.sources.indices.map { source in
      columns.rows(ofSource: source).reduce(0) { max($0, columns.ends[$1] - columns.starts[$1]) }
    }
    self.columns = columns
  }
}
