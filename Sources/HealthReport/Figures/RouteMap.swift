import Foundation

/// Routes on an empty ground: north is up, and a line says how long a length is.
struct RouteMap {
  /// The routes as they are drawn, in pixels.
  let lines: [[MapPoint]]
  /// The size of the drawing, which has the shape of the routes.
  let width: Double
  let height: Double
  /// Whether start and end are marked.
  private let isOfOne: Bool
  /// The line of a round length.
  let scaleLine: ScaleLine

  /// A round length as a line.
  struct ScaleLine: Hashable {
    /// The length times 10^digits.
    let scaled: Int
    let digits: Int
    /// Whether it is in metres, else in the unit of the map.
    let isInMetres: Bool
    /// How long the line is.
    let pixels: Double
  }

  /// The greatest width of all maps, in pixels of the drawing.
  static let width = 400.0
  /// What the line of a length and the arrow need.
  private static let (leastWidth, leastHeight) = (160.0, 120.0)
  /// How tall a map is on the page, and how much larger than its drawing at most.
  private static let (shownHeight, mostScale) = (340.0, 1.6)
  /// The height of the map of one workout.
  static let low = 260.0
  /// The height of the map of a place.
  static let tallest = 300.0
  /// The room around routes.
  private static let margin = 22.0
  /// The most routes that are drawn, the last ones.
  static let mostRoutes = 2000
  /// The most elements and the most points of a map.
  private static let (mostElements, mostPoints) = (250, 30_000)
  /// A map shows about 100 m at least.
  private static let leastDegrees = 0.001
  /// A degree of longitude on the equator, in metres (WGS 84).
  private static let metresOfDegree = 111_319.490_793

  /// Makes a map; `nil` without a route.
  ///
  /// - Parameters:
  ///   - shapes: the routes, of which the last ones are drawn
  ///   - height: the greatest height in pixels
  ///   - isOfOne: whether they are the parts of one workout, whose start and end are marked
  ///   - metres: the length of the unit of distances
  init?(_ shapes: [RouteShape], height: Double, isOfOne: Bool, unit metres: Double) {
    let routes = Self.side(by: shapes.suffix(Self.mostRoutes).map(\.points).filter { $0.count > 1 })
    guard let box = MapBox(routes.joined()) else { return nil }
    let scale = Self.scale(of: box, width: Self.width, height: height)
    func size(_ length: Double, _ least: Double, _ most: Double) -> Double {
      min(max(length * scale + 2 * Self.margin, least), most)
    }
    let width = size(box.width, Self.leastWidth, Self.width)
    let height = size(box.height, Self.leastHeight, height)
    let lines = routes.map { route in
      route.map { point in
        MapPoint(
          x: (point.x - box.middle.x) * scale + width / 2,
          y: (point.y - box.middle.y) * scale + height / 2)
      }
    }
    self.lines = Self.simplified(lines)
    (self.width, self.height, self.isOfOne) = (width, height, isOfOne)
    // A metre is longer on the map the farther it is from the equator.
    let metresOfPixel =
      Self.metresOfDegree / cosh(box.middle.y * .pi / 180) / scale
    scaleLine = Self.scaleLine(metresOfPixel: metresOfPixel, unit: metres)
  }

  /// The pixels of a degree at which a rectangle fits into a map.
  static func scale(of box: MapBox, width: Double, height: Double) -> Double {
    min(
      (width - 2 * margin) / max(box.width, leastDegrees),
      (height - 2 * margin) / max(box.height, leastDegrees))
  }

  /// Routes on the same side of the antimeridian as the first one.
  private static func side(by routes: [[MapPoint]]) -> [[MapPoint]] {
    guard let first = routes.first?.first else { return [] }
    return routes.map { route in
      let away = ((route.first?.x ?? 0) - first.x) / 360
      let turns = away.rounded() * 360
      return turns == 0 ? route : route.map { MapPoint(x: $0.x - turns, y: $0.y) }
    }
  }

  /// Lines in pixels with the points that they need, and fewer where they are too many for a page.
  private static func simplified(_ lines: [[MapPoint]]) -> [[MapPoint]] {
    var (lines, tolerance) = (lines, RouteShape.tolerance)
    repeat {
      lines = lines.map { line in
        LineSimplifier.kept(of: line, tolerance: tolerance).map { line[$0] }
      }
      tolerance *= 2
      // Each line keeps two points.
    } while lines.reduce(0) { $0 + $1.count } > mostPoints && tolerance < 10_000
    return lines
  }

  /// The longest round length that takes no more than a quarter of the width.
  static func scaleLine(metresOfPixel: Double, unit metres: Double) -> ScaleLine {
    let room = width / 4
    let isInMetres = metres == 1000 && metresOfPixel * room < metres
    let unit = isInMetres ? 1 : metres
    let most = max(metresOfPixel * room / unit, 1e-3)
    let exponent = floor(log10(most))
    let power = pow(10, exponent)
    let factor = [5.0, 2].first { $0 * power <= most } ?? 1
    let digits = max(0, Int(-exponent))
    return ScaleLine(
      scaled: ScaledNumber.scaled(factor * power, digits: digits) ?? 1, digits: digits,
      isInMetres: isInMetres, pixels: factor * power * unit / metresOfPixel)
  }

  // MARK: - Writing

  /// Writes the map.
  func write(to markup: inout Markup, name: String) {
    let scale = min(Self.shownHeight / height, Self.mostScale)
    markup.element(
      "svg",
      [
        "class": isOfOne ? "map" : "map routes", "role": "img", "aria-label": name,
        "width": Plot.pixel(width * scale), "height": Plot.pixel(height * scale),
        "viewBox": "0 0 \(Plot.pixel(width)) \(Plot.pixel(height))",
      ]
    ) { markup in
      markup.element("title", [:], name)
      // Each route is a line of its own, so that what was walked often is darker.
      let size = max(1, (lines.count + Self.mostElements - 1) / Self.mostElements)
      for first in stride(from: 0, to: lines.count, by: size) {
        let part = lines[first..<min(first + size, lines.count)]
        markup.empty("path", ["class": "route", "d": part.map(Self.path).joined()])
      }
      if isOfOne { ends(to: &markup) }
      frame(to: &markup)
    }
  }

  private static func path(_ line: [MapPoint]) -> String {
    var text = ""
    for point in line {
      text += "\(text.isEmpty ? "M" : "L")\(Plot.pixel(point.x)) \(Plot.pixel(point.y))"
    }
    return text
  }

  /// The start as a ring, the end as a disc.
  private func ends(to markup: inout Markup) {
    for (point, style) in [(lines.first?.first, "route start"), (lines.last?.last, "k1")] {
      guard let point else { continue }
      markup.empty(
        "circle",
        ["class": style, "cx": Plot.pixel(point.x), "cy": Plot.pixel(point.y), "r": "4.5"])
    }
  }

  /// The line of a round length, and the arrow to the north.
  private func frame(to markup: inout Markup) {
    let (left, bottom) = (Self.margin / 2, height - Self.margin / 2)
    markup.empty(
      "path",
      [
        "class": "inkl",
        "d": "M\(Plot.pixel(left)) \(Plot.pixel(bottom))H\(Plot.pixel(left + scaleLine.pixels))",
      ])
    let east = width - Self.margin / 2 - 4
    markup.empty(
      "path",
      [
        "class": "inkl",
        "d": "M\(Plot.pixel(east)) 28V12M\(Plot.pixel(east - 4)) 17L\(Plot.pixel(east)) 12"
          + "L\(Plot.pixel(east + 4)) 17",
      ])
  }
}
