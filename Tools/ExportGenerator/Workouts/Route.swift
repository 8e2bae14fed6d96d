import Foundation

/// Where a part of a workout went: one point a second, pauses left out.
struct Route: Sequence, IteratorProtocol {
  /// A place on the way.
  struct Point {
    let time: Int
    /// In degrees.
    let latitude: Double
    let longitude: Double
    /// In metres.
    let altitude: Double
    let horizontalAccuracy: Double
    let verticalAccuracy: Double
    /// In metres a second.
    let speed: Double
    /// In degrees from north; -1 when it is not known.
    let course: Double
  }

  /// When it begins and ends.
  let range: Range<Int>
  private let pauses: [Range<Int>]
  private let speed: Double
  private var chance: Chance
  private var time: Int
  private var latitude: Double
  private var longitude: Double
  private var altitude = 35.0
  private var heading: Double

  private static let metresOfDegree = 111_195.0

  init(part: WorkoutPlan.Part, of workout: WorkoutPlan) {
    range = part.range
    pauses = workout.pauses
    speed = part.distance?.speed ?? 1
    chance = Chance(
      seed: UInt64(bitPattern: Int64(part.range.lowerBound)), stream: 0x72, day: 0)
    time = part.range.lowerBound
    latitude = 48.85 + 0.05 * chance.bell()
    longitude = 2.35 + 0.05 * chance.bell()
    heading = 360 * chance.fraction()
  }

  mutating func next() -> Point? {
    while let pause = pauses.first(where: { $0.contains(time) }) { time = pause.upperBound }
    guard time < range.upperBound else { return nil }
    let isFirst = time == range.lowerBound
    heading += 4 * chance.bell()
    let pace = speed * (1 + 0.08 * chance.bell())
    latitude += pace * cos(heading * .pi / 180) / Self.metresOfDegree
    longitude +=
      pace * sin(heading * .pi / 180) / (Self.metresOfDegree * cos(latitude * .pi / 180))
    altitude += 0.15 * chance.bell()
    defer { time += 1 }
    let turn = heading.truncatingRemainder(dividingBy: 360)
    return Point(
      time: time, latitude: latitude, longitude: longitude, altitude: altitude,
      horizontalAccuracy: isFirst ? 48.3 : 2.5 + chance.fraction(),
      verticalAccuracy: 2 + chance.fraction(), speed: pace,
      course: isFirst ? -1 : turn < 0 ? turn + 360 : turn)
  }
}

extension WorkoutPlan {
  /// The parts that have a route.
  var routedParts: [Part] {
    guard hasRoute else { return [] }
    return parts.filter { part in
      part.distance.map { $0.type.description != "DistanceSwimming" } ?? false
    }
  }
}
