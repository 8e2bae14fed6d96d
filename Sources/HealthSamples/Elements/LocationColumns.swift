/// Places in the order in which they were passed; the columns have one length.
///
/// Accuracies, course and speed are -1 where unknown, as Core Location has it.
public struct LocationColumns: Sendable, Hashable {
  /// Instants, in seconds since 2001-01-01 UTC.
  public var times: [Double] = []
  /// Degrees north, WGS 84.
  public var latitudes: [Double] = []
  /// Degrees east, WGS 84.
  public var longitudes: [Double] = []
  /// Metres above the sea.
  public var altitudes: [Double] = []
  /// Metres.
  public var horizontalAccuracies: [Double] = []
  /// Metres.
  public var verticalAccuracies: [Double] = []
  /// Degrees from north.
  public var courses: [Double] = []
  /// Metres a second.
  public var speeds: [Double] = []

  /// What stands for an unknown accuracy, course or speed.
  public static let unknown = -1.0

  /// No places.
  public init() {}

  /// The number of places. - Complexity: O(1)
  public var count: Int { times.count }

  /// Adds a place.
  public mutating func append(
    time: Double, latitude: Double, longitude: Double, altitude: Double,
    horizontalAccuracy: Double = unknown, verticalAccuracy: Double = unknown,
    course: Double = unknown, speed: Double = unknown
  ) {
    times.append(time)
    latitudes.append(latitude)
    longitudes.append(longitude)
    altitudes.append(altitude)
    horizontalAccuracies.append(horizontalAccuracy)
    verticalAccuracies.append(verticalAccuracy)
    courses.append(course)
    speeds.append(speed)
  }
}
