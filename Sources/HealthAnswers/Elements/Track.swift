import HealthQuery
public import HealthSamples

/// The way of a route: how far it went by each instant, and how high.
///
/// ```swift
/// Track(route.locations).shortestTime(over: 5000)  // the fastest 5 km, in seconds
/// ```
///
/// Between two locations the way is the arc of a great circle, at an even speed, but between two
/// segments there is none: time passes, as in a stop. Locations whose horizontal accuracy is worse
/// than ``worstAccuracy`` and those whose times are not plausible are left out.
public struct Track: Sendable, Hashable {
  /// Instants, strictly ascending, in seconds since 2001-01-01 UTC.
  public private(set) var times: [Double] = []
  /// Metres since the first location; never descending.
  public private(set) var distances: [Double] = []
  /// Metres above sea level; `nil` where unknown.
  public private(set) var altitudes: [Double?] = []
  /// The rows of the locations that count.
  package private(set) var rows: [Int] = []
  /// The places of those that begin a further segment, ascending.
  private var gaps: [Int] = []

  /// The largest uncertainty of a location that counts, in metres.
  public static let worstAccuracy = 50.0
  /// The least change of altitude that counts as a climb or a descent, in metres: smaller ones are
  /// within the noise of receivers.
  public static let leastClimb = 3.0

  /// Measures the way along locations.
  ///
  /// - Complexity: O(*n*) for locations in order of time, otherwise O(*n* log *n*)
  public init(_ locations: LocationColumns) { self.init(locations, of: nil) }

  /// Measures the way of a route.
  package init(_ route: Routes.Row) { self.init(route.locations, of: route.workoutTime) }

  private init(_ locations: LocationColumns, of workout: ClosedRange<Double>?) {
    var last: Int?
    var starts = locations.segmentStarts[...]
    var isAfterGap = false
    for row in locations.plausibleRows(around: workout) {
      // The location with which a segment begins may be left out.
      while let start = starts.first, start <= row {
        isAfterGap = true
        starts.removeFirst()
      }
      guard (locations.horizontalAccuracy(row: row) ?? 0) <= Self.worstAccuracy else { continue }
      if let last {
        guard locations.times[row] > locations.times[last] else { continue }
        let step =
          isAfterGap ? 0 : Earth.metres(from: locations.place(last), to: locations.place(row))
        distances.append((distances.last ?? 0) + step)
        if isAfterGap { gaps.append(times.count) }
      } else {
        distances.append(0)
      }
      times.append(locations.times[row])
      altitudes.append(locations.altitude(row: row))
      rows.append(row)
      last = row
      isAfterGap = false
    }
  }

  /// The number of locations that count. - Complexity: O(1)
  public var count: Int { times.count }

  /// The length of the way, in metres. - Complexity: O(1)
  public var length: Double { distances.last ?? 0 }
}

extension Track {
  /// The least time over any stretch of a length, in seconds; `nil` if the way is shorter.
  ///
  /// A stretch may begin and end between locations. The time is piecewise linear in the beginning,
  /// so the fastest stretch begins or ends at a location.
  ///
  /// - Complexity: O(*n*): the other end only moves forwards
  public func shortestTime(over metres: Double) -> Double? {
    guard metres > 0, length >= metres else { return nil }
    var best = Double.infinity
    var end = 0
    for start in 0..<count {
      let target = distances[start] + metres
      while end < count, distances[end] < target { end += 1 }
      guard end < count else { break }
      best = min(best, instant(ofDistance: target, endingAt: end) - times[start])
    }
    var start = 0
    for end in 0..<count {
      let target = distances[end] - metres
      guard target >= 0 else { continue }
      // The latest location from which the length is not yet exceeded.
      while start + 1 < count, distances[start + 1] <= target { start += 1 }
      let begin =
        start + 1 < count
        ? instant(ofDistance: target, endingAt: start + 1) : times[start]
      best = min(best, times[end] - begin)
    }
    return best
  }

  /// The instant at which the way has a length, between a location and the one before.
  func instant(ofDistance metres: Double, endingAt row: Int) -> Double {
    guard row > 0 else { return times[row] }
    let span = distances[row] - distances[row - 1]
    guard span > 0 else { return times[row] }
    let share = min(max(0, (metres - distances[row - 1]) / span), 1)
    return times[row - 1] + share * (times[row] - times[row - 1])
  }

  /// Metres climbed and descended up to each location, along those whose altitude is known.
  ///
  /// A climb counts when the altitude is ``leastClimb`` above the last turning point of its segment.
  func climbs() -> (gains: [Double], losses: [Double]) {
    var (gains, losses) = ([Double](), [Double]())
    var (gain, loss) = (0.0, 0.0)
    var level: Double?
    var gaps = gaps[...]
    for (place, altitude) in altitudes.enumerated() {
      if gaps.first == place {
        level = nil
        gaps.removeFirst()
      }
      if let altitude {
        let change = altitude - (level ?? altitude)
        if abs(change) >= Self.leastClimb {
          if change > 0 { gain += change } else { loss -= change }
        }
        if level == nil || abs(change) >= Self.leastClimb { level = altitude }
      }
      gains.append(gain)
      losses.append(loss)
    }
    return (gains, losses)
  }

  /// Metres climbed in all; `nil` where fewer than two locations have an altitude.
  public var elevationGain: Double? { knowsClimbs ? climbs().gains.last : nil }

  /// Whether altitudes can be compared.
  var knowsClimbs: Bool { altitudes.lazy.compactMap(\.self).dropFirst().first != nil }
}

extension LocationColumns {
  /// A location in degrees. - Complexity: O(1)
  package func place(_ row: Int) -> (latitude: Double, longitude: Double) {
    (latitudes[row], longitudes[row])
  }
}
