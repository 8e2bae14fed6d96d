internal import HealthQuery
internal import HealthSamples
internal import HealthStore

/// A place on the way of a workout, at a time.
///
/// Linux has no Core Location: routes consist of these instead of `CLLocation`. The properties and
/// the initializers have the same names, units and meaning, and negative numbers for unknown
/// values. The product `CoreLocation` has Apple's names for it: code that imports it stays as it is.
public struct RouteLocation: Sendable, Hashable {
  /// A point of the earth, WGS 84.
  public struct Coordinate: Sendable, Hashable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double

    /// Makes a point.
    public init(latitude: Double, longitude: Double) {
      (self.latitude, self.longitude) = (latitude, longitude)
    }

    /// Makes the point 0° north, 0° east.
    public init() { self.init(latitude: 0, longitude: 0) }

    /// Whether the point is on the earth: within ±90° and ±180°.
    package var isValid: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }
  }

  /// A storey of a building.
  public struct Floor: Sendable, Hashable {
    /// The number of storeys above the ground floor.
    public let level: Int
  }

  /// Where it is.
  public let coordinate: Coordinate
  /// Metres above sea level; not valid when the vertical accuracy is negative.
  public let altitude: Double
  /// The radius of uncertainty, in metres; negative when the coordinate is not valid or the radius
  /// is not known.
  public let horizontalAccuracy: Double
  /// The uncertainty of the altitude, in metres; negative when the altitude is not valid, or its
  /// uncertainty is not known.
  public let verticalAccuracy: Double
  /// The direction of travel, in degrees from north; negative when not known.
  public let course: Double
  /// The uncertainty of the course, in degrees; negative when not known, as in every place of a store.
  public let courseAccuracy: Double
  /// Metres per second; negative when not known.
  public let speed: Double
  /// The uncertainty of the speed, in metres per second; negative when not known, as in every place
  /// of a store.
  public let speedAccuracy: Double
  /// When it was.
  public let timestamp: Date

  /// Always `nil`: only a device finds out the storey.
  public var floor: Floor? { nil }

  /// Makes a place with course and speed, and with their accuracies.
  public init(
    coordinate: Coordinate, altitude: Double, horizontalAccuracy: Double,
    verticalAccuracy: Double, course: Double, courseAccuracy: Double, speed: Double,
    speedAccuracy: Double, timestamp: Date
  ) {
    self.coordinate = coordinate
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.timestamp = timestamp
  }

  /// Makes a place with course and speed.
  public init(
    coordinate: Coordinate, altitude: Double, horizontalAccuracy: Double,
    verticalAccuracy: Double, course: Double, speed: Double, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: course,
      courseAccuracy: LocationColumns.unknown, speed: speed,
      speedAccuracy: LocationColumns.unknown, timestamp: timestamp)
  }

  /// Makes a place whose course and speed are not known.
  public init(
    coordinate: Coordinate, altitude: Double, horizontalAccuracy: Double,
    verticalAccuracy: Double, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: LocationColumns.unknown,
      speed: LocationColumns.unknown, timestamp: timestamp)
  }

  /// Makes a place at the present time; nothing else of it is known.
  public init(latitude: Double, longitude: Double) {
    self.init(
      coordinate: Coordinate(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: LocationColumns.unknown, timestamp: Now.system.date)
  }

  /// The distance from another place along the surface of the earth as a sphere, in metres,
  /// whatever the altitudes.
  public func distance(from location: RouteLocation) -> Double {
    Earth.metres(
      from: (location.coordinate.latitude, location.coordinate.longitude),
      to: (coordinate.latitude, coordinate.longitude))
  }

  /// Whether every number is finite, and the point is on the earth.
  var isValid: Bool {
    let numbers = [
      altitude, horizontalAccuracy, verticalAccuracy, course, speed,
      timestamp.timeIntervalSinceReferenceDate,
    ]
    return coordinate.isValid && numbers.allSatisfy(\.isFinite)
  }
}

extension LocationColumns {
  /// The place of a row; an altitude that is not known is 0 with a negative accuracy, as in Core
  /// Location.
  func location(at row: Int) -> RouteLocation {
    let altitude = altitude(row: row)
    return RouteLocation(
      coordinate: .init(latitude: latitudes[row], longitude: longitudes[row]),
      altitude: altitude ?? 0, horizontalAccuracy: horizontalAccuracy(row: row) ?? Self.unknown,
      verticalAccuracy: (altitude == nil ? nil : verticalAccuracy(row: row)) ?? Self.unknown,
      course: course(row: row) ?? Self.unknown, speed: speed(row: row) ?? Self.unknown,
      timestamp: Date(timeIntervalSinceReferenceDate: times[row]))
  }

  /// Adds a place.
  mutating func append(_ location: RouteLocation) {
    append(
      time: location.timestamp.timeIntervalSinceReferenceDate,
      latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
      altitude: location.altitude, horizontalAccuracy: location.horizontalAccuracy,
      verticalAccuracy: location.verticalAccuracy, course: location.course, speed: location.speed)
  }
}
