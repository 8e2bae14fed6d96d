public import HealthQuery
public import HealthSamples
public import HealthStore

/// A place where routes of workouts lie: each within ``radius`` of the first one.
public struct RoutePlace: Sendable, Hashable {
  /// Degrees north of about the middle of the first route: to a hundredth, a kilometre.
  public let latitude: Double
  /// Degrees east.
  public let longitude: Double
  /// How many routes there are.
  public fileprivate(set) var count = 0
  /// Their length together, in metres.
  public fileprivate(set) var distance = 0.0
  /// When the first one begins, in seconds since 2001-01-01 UTC.
  public fileprivate(set) var first: Double
  /// When the last one begins.
  public fileprivate(set) var last: Double
  /// Its place in the order in which places were found.
  package let number: Int

  /// How far apart routes of one place are, in metres, from the middle of the first one.
  public static let radius = 25_000.0
}

/// Gathers routes by where they lie, one at a time.
///
/// A route belongs to the first place whose middle is near its own; without one it founds a place.
struct RoutePlaces {
  private(set) var places: [RoutePlace] = []
  /// The exact middle of each place.
  private var middles: [(latitude: Double, longitude: Double)] = []
  /// The places of each band of latitude, which is as high as a place is wide.
  private var bands: [Int: [Int]] = [:]

  /// Adds a route with a way.
  ///
  /// - Returns: the number of its place
  /// - Complexity: O(places of three bands), which lie apart: a few thousand on the whole earth
  mutating func add(_ track: Track, along locations: LocationColumns) -> Int {
    // Degrees beyond the poles are of a hostile file.
    var middle = locations.place(track.rows[track.count / 2])
    middle.latitude = middle.latitude.isNaN ? 0 : min(max(middle.latitude, -90), 90)
    middle.longitude = middle.longitude.remainder(dividingBy: 360)
    let start = track.times[0]
    let height = RoutePlace.radius / Earth.radius * 180 / .pi
    let band = Int((middle.latitude / height).rounded(.down))
    let near = (band - 1...band + 1).flatMap { bands[$0] ?? [] }.sorted()
    let known = near.first { Earth.metres(from: middles[$0], to: middle) <= RoutePlace.radius }
    let number = known ?? places.count
    if known == nil {
      func rounded(_ degrees: Double) -> Double { (degrees * 100).rounded() / 100 }
      places.append(
        RoutePlace(
          latitude: rounded(middle.latitude), longitude: rounded(middle.longitude), first: start,
          last: start, number: number))
      middles.append(middle)
      bands[band, default: []].append(number)
    }
    places[number].count += 1
    if track.length.isFinite { places[number].distance += track.length }
    places[number].first = min(places[number].first, start)
    places[number].last = max(places[number].last, start)
    return number
  }

  /// The places with most routes first.
  var ranked: [RoutePlace] {
    places.sorted { ($1.count, $0.number) < ($0.count, $1.number) }
  }
}

extension SampleStore {
  /// The places where routes of workouts lie, that with most routes first.
  ///
  /// ```swift
  /// try store.places(of: workouts).first?.count  // how many routes are about the same place
  /// ```
  ///
  /// - Parameter workouts: workouts of the store
  /// - Returns: the places of their routes
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  /// - Complexity: O(locations); one route at a time is in memory
  public func places(of workouts: [Workouts.Row]) throws(QueryError) -> [RoutePlace] {
    try places(of: workouts) { _, _, _ in }
  }

  /// The same, while what they are made of is visited: a route, its way and the number of its place.
  package func places(
    of workouts: [Workouts.Row], _ visit: (Routes.Row, Track, Int) -> Void
  ) throws(QueryError) -> [RoutePlace] {
    var places = RoutePlaces()
    try eachRoute(of: workouts) { route, track in
      visit(route, track, places.add(track, along: route.locations))
    }
    return places.ranked
  }

  /// Visits the routes of workouts that have a way, by their start, one at a time.
  package func eachRoute(
    of workouts: [Workouts.Row], _ visit: (Routes.Row, Track) -> Void
  ) throws(QueryError) {
    guard let first = workouts.map(\.facts.start).min(),
      let last = workouts.map(\.time.upperBound).max()
    else { return }
    let wanted = Set(workouts.map(WorkoutKey.init))
    try each(of: .route, in: first..<last) { batch in
      guard case .routes(let columns) = batch else { return }
      for route in columns.rows where wanted.contains(WorkoutKey(route)) {
        let track = Track(route)
        if track.count > 0 { visit(route, track) }
      }
    }
  }
}
