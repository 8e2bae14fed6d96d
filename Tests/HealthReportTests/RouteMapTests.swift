import Foundation
import HealthQuery
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthAnswers
@testable import HealthReport

@Suite("Maps of routes")
struct RouteMapTests {
  // MARK: - Simplification

  /// A walk with steps of any direction, and some that stand still.
  private func walk(_ count: Int, seed: UInt64) -> [MapPoint] {
    var random = SplitMix64(seed: seed)
    var place = MapPoint(x: 0, y: 0)
    return (0..<count).map { _ in
      if Int.random(in: 0..<10, using: &random) > 0 {
        place.x += Double.random(in: -3...4, using: &random)
        place.y += Double.random(in: -3...3, using: &random)
      }
      return place
    }
  }

  /// How far a point is from a segment, by trigonometry.
  private func distance(_ point: MapPoint, _ start: MapPoint, _ end: MapPoint) -> Double {
    let length = hypot(end.x - start.x, end.y - start.y)
    let away = hypot(point.x - start.x, point.y - start.y)
    guard length > 0, away > 0 else { return away }
    let turn =
      atan2(point.y - start.y, point.x - start.x) - atan2(end.y - start.y, end.x - start.x)
    let along = away * cos(turn)
    if along <= 0 { return away }
    if along >= length { return hypot(point.x - end.x, point.y - end.y) }
    return abs(away * sin(turn))
  }

  /// The same as its definition says it: keep the farthest point, and part the line there.
  private func slow(_ points: [MapPoint], _ tolerance: Double) -> [MapPoint] {
    guard points.count > 2, let first = points.first, let last = points.last else { return points }
    let distances = points.map { distance($0, first, last) }
    guard let greatest = distances.max(), greatest > tolerance,
      let place = distances.firstIndex(of: greatest)
    else { return [first, last] }
    return slow(Array(points[...place]), tolerance).dropLast()
      + slow(Array(points[place...]), tolerance)
  }

  /// Ends are kept, and no point is farther from the line than the tolerance.
  private func checkLaws(_ points: [MapPoint], _ tolerance: Double, _ name: String) {
    let kept = LineSimplifier.kept(of: points, tolerance: tolerance)
    #expect(kept.first == points.indices.first && kept.last == points.indices.last, "\(name)")
    #expect(zip(kept, kept.dropFirst()).allSatisfy { $0 < $1 }, "\(name)")
    var worst = 0.0
    for (start, end) in zip(kept, kept.dropFirst()) {
      for index in start...end {
        worst = max(worst, distance(points[index], points[start], points[end]))
      }
    }
    #expect(worst <= tolerance * (1 + 1e-9) + 1e-9, "\(name)")
  }

  @Test("A line keeps the points that its definition keeps", arguments: 0..<80)
  func twin(seed: Int) {
    let points = walk(seed * 2, seed: UInt64(seed))
    for tolerance in [0.3, 0.7, 3, 20, 1000] {
      let kept = LineSimplifier.kept(of: points, tolerance: tolerance).map { points[$0] }
      #expect(kept == slow(points, tolerance))
    }
  }

  /// To and fro, each time less far: the farthest point is always the first one.
  private func narrowing(_ count: Int) -> [MapPoint] {
    (0..<count).map { MapPoint(x: 0, y: Double(count - $0) * ($0 % 2 == 0 ? 1 : -1)) }
  }

  @Test("Its ends stay and no point is farther from it than the tolerance, whatever the line")
  func laws() {
    let circle = (0...400).map { MapPoint(x: cos(Double($0) / 63.66), y: sin(Double($0) / 63.66)) }
    let lines: [(String, [MapPoint])] = [
      ("none", []), ("one", walk(1, seed: 1)), ("two", walk(2, seed: 1)),
      ("walk", walk(3000, seed: 2)),
      ("round", circle.map { MapPoint(x: $0.x * 100, y: $0.y * 100) }),
      ("to and fro", (0..<100).map { MapPoint(x: Double($0 % 2) * 50, y: 0) }),
      ("still", Array(repeating: MapPoint(x: 3, y: 4), count: 50)),
      ("far", walk(200, seed: 3).map { MapPoint(x: $0.x * 1e100, y: $0.y * 1e100) }),
      ("narrowing", narrowing(2000)),
    ]
    for (name, points) in lines {
      for tolerance in [0, 0.7, 10, 1e101] { checkLaws(points, tolerance, name) }
    }
  }

  @Test("A hundred thousand points take no more than moments, even where each parts off one")
  func fast() {
    let count = 100_000
    let lines = [
      walk(count, seed: 9),
      narrowing(count),
      (0..<count).map { MapPoint(x: Double($0), y: pow(1.0001, Double($0))) },
    ]
    for points in lines {
      let clock = ContinuousClock()
      let time = clock.measure { _ = LineSimplifier.kept(of: points, tolerance: 0.7) }
      #expect(time < .seconds(20))
      checkLaws(points, 0.7, "long")
      #expect(LineSimplifier.simplified(points, tolerance: 0.7, atMost: 500).count <= 500)
    }
  }

  // MARK: - What is left out

  private static let metresOfDegree = 111_195.08

  /// A route with a location every ten metres to the north of a place.
  private func straight(
    metres: Double, latitude: Double = 48, longitude: Double = 2
  ) -> LocationColumns {
    var locations = LocationColumns()
    for step in 0...Int(metres / 10) {
      locations.append(
        time: Double(step) * 4, latitude: latitude + Double(step) * 10 / Self.metresOfDegree,
        longitude: longitude, altitude: 0)
    }
    return locations
  }

  private func shownRows(_ locations: LocationColumns) -> [Int]? {
    RouteShape.shownRows(of: Track(locations), along: locations).map(Array.init)
  }

  private func shape(_ locations: LocationColumns) -> RouteShape? {
    RouteShape(Track(locations), along: locations)
  }

  @Test("200 m at both ends are left out, and all of a route shorter than 400 m")
  func ends() throws {
    for metres in [0.0, 10, 100, 390] {
      #expect(shownRows(straight(metres: metres)) == nil)
      #expect(shape(straight(metres: metres)) == nil)
    }
    let rows = try #require(shownRows(straight(metres: 3000)))
    #expect(try #require(rows.first) >= 20 && rows.first ?? 0 <= 21)
    #expect(try #require(rows.last) <= 280 && rows.last ?? 0 >= 279)
    #expect(shownRows(LocationColumns()) == nil)
    var two = LocationColumns()
    two.append(time: 0, latitude: 48, longitude: 2, altitude: 0)
    two.append(time: 60, latitude: 48.1, longitude: 2, altitude: 0)
    #expect(shape(two) == nil)
  }

  @Test("Nothing within 200 m of the door is shown before the route has left it", arguments: 0..<20)
  func door(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var locations = LocationColumns()
    var time = 0.0
    // A watch that waits at the door wanders about more than 200 m of way.
    func wait(_ latitude: Double) {
      for _ in 0..<60 {
        locations.append(
          time: time, latitude: latitude + Double.random(in: -30...30, using: &random) / 111_195,
          longitude: 2, altitude: 0)
        time += 1
      }
    }
    wait(48)
    for step in 0..<200 {
      locations.append(
        time: time, latitude: 48 + Double(step) * 10 / 111_195, longitude: 2, altitude: 0)
      time += 4
    }
    wait(48 + 2000 / 111_195)
    let rows = try #require(shownRows(locations))
    let doors = [locations.place(0), locations.place(locations.count - 1)]
    for row in rows {
      for door in doors { #expect(Earth.metres(from: door, to: locations.place(row)) > 150) }
    }
    let first = try #require(rows.first)
    let last = try #require(rows.last)
    #expect(Earth.metres(from: doors[0], to: locations.place(first)) >= RouteShape.hidden)
    #expect(Earth.metres(from: doors[1], to: locations.place(last)) >= RouteShape.hidden)
    let points = try #require(shape(locations)).points
    #expect(points.first == RouteShape.projected([locations.place(first)]).first)
    #expect(points.last == RouteShape.projected([locations.place(last)]).first)
  }

  @Test("A shape is as near to its route as a third of a pixel", arguments: 0..<20)
  func near(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var locations = LocationColumns()
    var (latitude, longitude, course) = (48.0, 2.0, 0.0)
    for step in 0..<900 {
      locations.append(
        time: Double(step), latitude: latitude, longitude: longitude, altitude: 0)
      course += Double.random(in: -0.3...0.3, using: &random)
      latitude += cos(course) * 3 / Self.metresOfDegree
      longitude += sin(course) * 3 / Self.metresOfDegree
    }
    guard let rows = shownRows(locations) else { return }
    let whole = RouteShape.projected(rows.map(locations.place))
    let drawn = try #require(shape(locations)).points
    let box = try #require(MapBox(whole))
    let pixel = 1 / RouteMap.scale(of: box, width: RouteMap.width, height: RouteMap.tallest)
    #expect(drawn.count <= whole.count)
    for point in whole {
      let nearest = zip(drawn, drawn.dropFirst()).map { distance(point, $0, $1) }.min()
      #expect(try #require(nearest) <= RouteShape.tolerance * pixel * 1.001)
    }
  }

  // MARK: - Maps

  private func text(_ map: RouteMap) -> String {
    var markup = Markup()
    map.write(to: &markup, name: "<map> & “name”")
    return markup.text
  }

  /// Every drawn point is in the frame, and the text has no number that is none.
  private func checkFrame(_ map: RouteMap, height: Double) {
    for point in map.lines.joined() {
      #expect((0...map.width).contains(point.x) && (0...map.height).contains(point.y))
    }
    #expect(map.width <= RouteMap.width && map.height <= height)
    let text = text(map)
    for word in ["nan", "inf", "e+", "<map>"] { #expect(!text.contains(word), "\(word)") }
    #expect(map.scaleLine.pixels > 0 && map.scaleLine.pixels <= RouteMap.width / 4 + 0.001)
  }

  @Test("Poles, the antimeridian and coordinates of no earth are drawn in the frame or not at all")
  func hostile() throws {
    /// A straight line in degrees.
    func line(
      from start: (Double, Double), to end: (Double, Double), steps: Int = 100
    ) -> LocationColumns {
      var locations = LocationColumns()
      for step in 0...steps {
        let share = Double(step) / Double(steps)
        locations.append(
          time: Double(step), latitude: start.0 + (end.0 - start.0) * share,
          longitude: start.1 + (end.1 - start.1) * share, altitude: 0)
      }
      return locations
    }
    let lines = [
      line(from: (89, 0), to: (90, 0)), line(from: (-90, 10), to: (-89.9, 300)),
      line(from: (0, -180), to: (0, 180)), line(from: (10, 179.9), to: (10, 180.1)),
      line(from: (0, 0), to: (1e6, 1e6)), line(from: (1e300, 1e300), to: (-1e300, -1e300)),
      line(from: (0, 1e308), to: (0, 0)), line(from: (48, 2), to: (48.01, 2), steps: 2),
    ]
    for locations in lines {
      guard let shape = shape(locations) else { continue }
      for unit in [1000, 1609.344] {
        let map = try #require(RouteMap([shape], height: 260, isOfOne: true, unit: unit))
        checkFrame(map, height: 260)
      }
    }
    // From 179.9 to −179.9 degrees it is a step, not a walk around the earth.
    var crossing = LocationColumns()
    for step in 0...200 {
      let longitude = 179.9 + Double(step) / 1000
      crossing.append(
        time: Double(step), latitude: 10, longitude: longitude > 180 ? longitude - 360 : longitude,
        altitude: 0)
    }
    let east = try #require(shape(crossing))
    #expect(try #require(MapBox(east.points)).width < 0.2)
    // A route on the other side of it lies beside it in their map.
    let west = try #require(shape(line(from: (10.01, -179.99), to: (10.02, -179.8))))
    let map = try #require(RouteMap([east, west], height: 300, isOfOne: false, unit: 1000))
    checkFrame(map, height: 300)
    #expect(map.scaleLine.scaled <= 10 && !map.scaleLine.isInMetres)
  }

  @Test("A map has the shape of its routes, and a bounded height")
  func shapes() throws {
    for (north, east, size) in [(0.02, 0, (160, 300)), (0, 0.02, (400, 120))]
      as [(Double, Double, (Double, Double))]
    {
      var locations = LocationColumns()
      for step in 0...200 {
        let share = Double(step) / 200
        locations.append(
          time: Double(step), latitude: share * north, longitude: share * east, altitude: 0)
      }
      let route = try #require(shape(locations))
      let map = try #require(RouteMap([route], height: 300, isOfOne: true, unit: 1000))
      #expect(abs(map.width - size.0) < 0.001 && abs(map.height - size.1) < 0.001)
      checkFrame(map, height: 300)
      let heights = text(map).matches(of: /<svg.*? height="([0-9.]+)"/).compactMap {
        Double($0.1)
      }
      #expect(heights.count == 1 && heights[0] <= 340)
    }
  }

  @Test("A map of very many routes has few elements and a bounded text")
  func many() throws {
    var shapes: [RouteShape] = []
    for seed in 0..<3000 {
      var locations = LocationColumns()
      var random = SplitMix64(seed: UInt64(seed))
      var (latitude, longitude) = (48.0, 2.0)
      for step in 0..<100 {
        locations.append(time: Double(step), latitude: latitude, longitude: longitude, altitude: 0)
        latitude += Double.random(in: -0.001...0.002, using: &random)
        longitude += Double.random(in: -0.002...0.002, using: &random)
      }
      if let shape = shape(locations) { shapes.append(shape) }
    }
    let map = try #require(RouteMap(shapes, height: 300, isOfOne: false, unit: 1000))
    checkFrame(map, height: 300)
    let text = text(map)
    #expect(text.split(separator: "<path").count <= 260)
    #expect(text.utf8.count < 800_000)
    #expect(RouteMap([], height: 300, isOfOne: false, unit: 1000) == nil)
  }

  @Test("The line is of a round length, and as long as the map says")
  func scale() {
    for unit in [1000, 1609.344] {
      for power in -40...80 {
        let metresOfPixel = pow(10, Double(power) / 10)
        let line = RouteMap.scaleLine(metresOfPixel: metresOfPixel, unit: unit)
        let length = Double(line.scaled) / pow(10, Double(line.digits))
        let metres = length * (line.isInMetres ? 1 : unit)
        #expect(abs(line.pixels * metresOfPixel - metres) < 1e-6 * metres)
        #expect(["1", "2", "5"].contains("\(line.scaled)".replacing("0", with: "")))
        guard metresOfPixel * 100 >= unit / 1000 else { continue }
        #expect(line.pixels <= 100.001 && line.pixels > 39)
      }
    }
  }
}
