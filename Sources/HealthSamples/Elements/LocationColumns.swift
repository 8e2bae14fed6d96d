/// The locations of a track in order of time; the columns have the same length.
public struct LocationColumns: Sendable, Hashable {
  /// Instants, in seconds since 2001-01-01 UTC.
  public package(set) var times: [Double] = []
  /// Degrees north, WGS 84.
  public package(set) var latitudes: [Double] = []
  /// Degrees east, WGS 84.
  public package(set) var longitudes: [Double] = []
  /// Metres above sea level, or ``unknownAltitude``.
  package var altitudes: [Double] = []
  /// Metres, or ``unknown``, as in all columns below.
  package var horizontalAccuracies: [Double] = []
  /// Metres.
  package var verticalAccuracies: [Double] = []
  /// Degrees from north.
  package var courses: [Double] = []
  /// Metres per second.
  package var speeds: [Double] = []
  /// The rows that begin a further segment, ascending: what lies between it and the one before is
  /// not known, and is no way.
  public package(set) var segmentStarts: [Int] = []

  /// The value of an unknown accuracy, course or speed, as in Core Location.
  package static let unknown = -1.0
  /// The value of an unknown altitude: stores have finite numbers only, and no place is there.
  package static let unknownAltitude = -1e6

  /// No locations.
  public init() {}

  /// The number of locations. - Complexity: O(1)
  public var count: Int { times.count }

  /// The altitude, in metres above sea level; `nil` where unknown.
  public func altitude(row: Int) -> Double? {
    altitudes[row] == Self.unknownAltitude ? nil : altitudes[row]
  }
  /// The horizontal accuracy, in metres; `nil` where unknown.
  public func horizontalAccuracy(row: Int) -> Double? { known(horizontalAccuracies[row]) }
  /// The vertical accuracy, in metres; `nil` where unknown.
  public func verticalAccuracy(row: Int) -> Double? { known(verticalAccuracies[row]) }
  /// The direction of travel, in degrees from north; `nil` where unknown.
  public func course(row: Int) -> Double? { known(courses[row]) }
  /// The speed, in metres per second; `nil` where unknown.
  public func speed(row: Int) -> Double? { known(speeds[row]) }

  /// How many columns there are.
  package static let columnCount = 8

  /// All columns, in the order in which stores and archives have them.
  ///
  /// - Precondition: there are ``columnCount``, of one length.
  package var columns: [[Double]] {
    get {
      [
        times, latitudes, longitudes, altitudes, horizontalAccuracies, verticalAccuracies, courses,
        speeds,
      ]
    }
    set {
      times = newValue[0]
      latitudes = newValue[1]
      longitudes = newValue[2]
      altitudes = newValue[3]
      horizontalAccuracies = newValue[4]
      verticalAccuracies = newValue[5]
      courses = newValue[6]
      speeds = newValue[7]
    }
  }

  /// The rows of each segment, in order; one of all rows where there are no gaps.
  public var segments: [Range<Int>] {
    zip([0] + segmentStarts, segmentStarts + [count]).map { $0..<$1 }
  }

  /// Whether the columns have one length, and each segment has locations.
  package var isSound: Bool {
    columns.allSatisfy { $0.count == count }
      && zip([0] + segmentStarts, segmentStarts + [max(count, 1)]).allSatisfy { $0 < $1 }
  }

  private func known(_ number: Double) -> Double? { number == Self.unknown ? nil : number }

  private static func stored(_ number: Double?) -> Double {
    guard let number, number >= 0 else { return unknown }
    return number
  }

  /// Adds a location; `nil` is unknown.
  ///
  /// As in Core Location a negative accuracy, course or speed is unknown, and an altitude with a
  /// negative vertical accuracy is.
  public mutating func append(
    time: Double, latitude: Double, longitude: Double, altitude: Double?,
    horizontalAccuracy: Double? = nil, verticalAccuracy: Double? = nil, course: Double? = nil,
    speed: Double? = nil, beginsSegment: Bool = false
  ) {
    if beginsSegment, count > 0 { segmentStarts.append(count) }
    times.append(time)
    latitudes.append(latitude)
    longitudes.append(longitude)
    let isAltitudeKnown = verticalAccuracy.map { $0 >= 0 } ?? true
    altitudes.append(isAltitudeKnown ? altitude ?? Self.unknownAltitude : Self.unknownAltitude)
    horizontalAccuracies.append(Self.stored(horizontalAccuracy))
    verticalAccuracies.append(Self.stored(verticalAccuracy))
    courses.append(Self.stored(course))
    speeds.append(Self.stored(speed))
  }
}
