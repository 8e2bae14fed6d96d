/// What is known of the points of a route while they are written.
struct RoutePoints {
  private var count = 0
  private var ends: [Route.Point] = []

  mutating func add(_ point: Route.Point) {
    ends = [ends.first ?? point, point]
    count += 1
  }

  /// What is known after the last one.
  func truth(path: String, start: Int) -> Truth.Route {
    Truth.Route(
      path: path, start: start, points: count, latitudes: ends.map(\.latitude),
      longitudes: ends.map(\.longitude))
  }
}
