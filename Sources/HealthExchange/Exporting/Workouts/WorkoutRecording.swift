import HealthAnswers
import HealthSamples
import HealthStore

/// A workout with its routes and the heart rates of its time.
struct WorkoutRecording {
  let workout: Workouts.Row
  /// In order of time.
  let routes: [Routes.Row]
  /// Instants and beats a minute, in order of time.
  private let heartRates: [(time: Double, rate: Double)]

  /// For how long a heart rate counts after it was measured, in seconds.
  static let longestHold = 60.0

  init(_ workout: Workouts.Row, routes: [Routes.Row], heartRates: SampleColumns) {
    self.workout = workout
    self.routes = routes.sorted { $0.facts.start < $1.facts.start }
    self.heartRates = zip(heartRates.starts, heartRates.values)
      .map { (time: $0, rate: $1 * 60) }
      .sorted { ($0.time, $0.rate) < ($1.time, $1.rate) }
  }

  /// The tracks: the segments of the routes, else the instants at which a heart rate was measured.
  var tracks: [WorkoutTrack] {
    let segments = routes.map(\.locations).flatMap { locations in
      locations.segmentStarts.isEmpty
        ? [locations] : locations.segments.map { locations.keeping(Array($0)) }
    }
    let located = segments.filter { $0.count > 0 }.map { locations in
      WorkoutTrack(
        times: locations.times, locations: locations, heartRates: heartRates(at: locations.times))
    }
    guard located.isEmpty else { return located }
    let measured = heartRates.filter {
      $0.time >= workout.facts.start && $0.time < workout.facts.end
    }
    guard !measured.isEmpty else { return [] }
    return [
      WorkoutTrack(
        times: measured.map(\.time), locations: nil, heartRates: measured.map(\.rate))
    ]
  }

  /// The latest heart rate at or before each of ascending instants; `nil` where it is older than
  /// ``longestHold``.
  ///
  /// - Complexity: O(*n*)
  func heartRates(at times: [Double]) -> [Double?] {
    var next = 0
    return times.map { time in
      // Locations may go back in time.
      while next > 0, heartRates[next - 1].time > time { next -= 1 }
      while next < heartRates.count, heartRates[next].time <= time { next += 1 }
      guard next > 0, time - heartRates[next - 1].time <= Self.longestHold else { return nil }
      return heartRates[next - 1].rate
    }
  }
}

/// Points of a workout in order of time.
struct WorkoutTrack {
  let times: [Double]
  /// Where each was; `nil` indoors.
  let locations: LocationColumns?
  /// Beats a minute; `nil` where unknown.
  let heartRates: [Double?]
}

extension SampleStore {
  /// Reads what belongs to a workout.
  func recording(of workout: Workouts.Row) throws -> WorkoutRecording {
    let key = WorkoutKey(workout)
    // A heart rate before the start counts for a while.
    let time = workout.time
    let before = time.lowerBound - WorkoutRecording.longestHold
    return WorkoutRecording(
      workout, routes: try routes(in: time).rows.filter { WorkoutKey($0) == key },
      heartRates: try samples(of: SampleType(.heartRate), in: before..<time.upperBound))
  }
}
