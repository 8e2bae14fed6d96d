import Foundation
import HealthAnswers
import HealthQuery
import HealthSamples

/// A route as maps draw it: without its ends, in Mercator's projection, with few points.
struct RouteShape: Hashable {
  /// East and south in degrees of longitude; a route that crosses the antimeridian goes on beyond
  /// ±180.
  let points: [MapPoint]

  /// How much of both ends is left out, in metres: whoever gets the page must not learn the door.
  static let hidden = 200.0
  /// How far simplification may move a line in its own map, in pixels.
  ///
  /// A map with other routes may do it once more, so that it is 0.7 in all.
  static let tolerance = 0.35
  /// A route of more points than these, which a map cannot show, is drawn more coarsely.
  static let mostPoints = 1000

  /// Makes the shape of a route; `nil` when nothing of it may be shown.
  ///
  /// - Complexity: O(*n* log *n*)
  init?(_ track: Track, along locations: LocationColumns) {
    guard let rows = Self.shownRows(of: track, along: locations) else { return nil }
    let points = Self.projected(rows.map(locations.place))
    guard points.count > 1, let box = MapBox(points) else { return nil }
    // The map of one route is its largest.
    let scale = RouteMap.scale(of: box, width: RouteMap.width, height: RouteMap.tallest)
    self.points = LineSimplifier.simplified(
      points, tolerance: Self.tolerance / scale, atMost: Self.mostPoints)
  }

  /// The rows of the locations that may be shown; `nil` for a route shorter than both its ends.
  ///
  /// What is left out ends where the route is ``hidden`` metres away from its first location for the
  /// first time, as the crow flies, and from its last one for the last time: a watch that waits at
  /// the door wanders about, and 200 m of such a way lead nowhere. So at least that much of the way
  /// is left out.
  static func shownRows(of track: Track, along locations: LocationColumns) -> ArraySlice<Int>? {
    guard track.length >= 2 * hidden, let first = track.rows.first, let last = track.rows.last,
      let start = track.rows.firstIndex(where: { isFar(locations, $0, from: first) }),
      let end = track.rows.lastIndex(where: { isFar(locations, $0, from: last) }), start < end
    else { return nil }
    return track.rows[start...end]
  }

  private static func isFar(_ locations: LocationColumns, _ row: Int, from other: Int) -> Bool {
    Earth.metres(from: locations.place(row), to: locations.place(other)) >= hidden
  }

  /// Places in Mercator's projection.
  static func projected(_ places: [(latitude: Double, longitude: Double)]) -> [MapPoint] {
    var points: [MapPoint] = []
    points.reserveCapacity(places.count)
    var before: (longitude: Double, x: Double)?
    for place in places where place.latitude.isFinite && place.longitude.isFinite {
      // The shorter way round: from 179.9 to −179.9 it is a step to the east.
      let step = (place.longitude - (before?.longitude ?? 0)).remainder(dividingBy: 360)
      guard step.isFinite else { continue }
      let x = (before?.x ?? 0) + step
      before = (place.longitude, x)
      points.append(MapPoint(x: x, y: south(place.latitude)))
    }
    return points
  }

  /// The latitude at which a Mercator map of the world is a square: it has no poles.
  private static let mostNorthern = 85.051_128_779_806_59

  private static func south(_ latitude: Double) -> Double {
    let radians = min(max(latitude, -mostNorthern), mostNorthern) * .pi / 180
    return -log(tan(.pi / 4 + radians / 2)) * 180 / .pi
  }
}

/// The smallest rectangle around points.
struct MapBox: Hashable {
  private(set) var x: ClosedRange<Double>
  private(set) var y: ClosedRange<Double>

  /// The rectangle around points; `nil` around none.
  init?(_ points: some Sequence<MapPoint>) {
    var bounds: (left: Double, right: Double, top: Double, bottom: Double)?
    for point in points {
      let known = bounds ?? (point.x, point.x, point.y, point.y)
      bounds = (
        min(known.left, point.x), max(known.right, point.x), min(known.top, point.y),
        max(known.bottom, point.y)
      )
    }
    guard let bounds else { return nil }
    (x, y) = (bounds.left...bounds.right, bounds.top...bounds.bottom)
  }

  var width: Double { x.upperBound - x.lowerBound }
  var height: Double { y.upperBound - y.lowerBound }
  var middle: MapPoint {
    MapPoint(x: x.lowerBound + width / 2, y: y.lowerBound + height / 2)
  }
}
