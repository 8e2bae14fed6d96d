import Foundation

/// The earth as a sphere.
package enum Earth {
  /// The mean radius, in metres (Moritz 2000, Geodetic Reference System 1980, R1).
  package static let radius = 6_371_008.7714

  /// The length of an arc in metres, by the haversine formula, which is accurate for short ones
  /// (Sinnott 1984, Virtues of the Haversine, Sky and Telescope 68: 158).
  package static func metres(
    from start: (latitude: Double, longitude: Double), to end: (latitude: Double, longitude: Double)
  ) -> Double {
    let radians = Double.pi / 180
    let first = start.latitude * radians
    let second = end.latitude * radians
    let turn = (end.longitude - start.longitude) * radians
    let (north, east) = (sin((second - first) / 2), sin(turn / 2))
    let share = north * north + cos(first) * cos(second) * east * east
    return 2 * radius * asin(min(1, share.squareRoot()))
  }
}
