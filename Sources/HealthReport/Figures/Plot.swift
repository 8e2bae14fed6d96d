/// An elastic drawing: x are shares of the width, y are pixels, so that it fits every width without a
/// script and its text stays as large as it is.
struct Plot {
  /// The height in pixels.
  let height: Double
  /// Where the plot of numbers begins and ends, in pixels from the top.
  let area: ClosedRange<Double>
  /// The numbers at the bottom and at the top.
  let range: ClosedRange<Double>
  /// What is drawn.
  var drawing = Markup()
  /// The kinds of marks that are drawn, by their classes.
  private(set) var marks: Set<String> = []

  /// The room above the plot for the unit of its axis.
  static let unitRoom = 20.0

  /// Makes an empty drawing.
  ///
  /// - Parameters:
  ///   - height: the height in pixels
  ///   - top: the room above the greatest number
  ///   - bottom: the room below the least number, for labels
  ///   - range: the numbers at the bottom and at the top
  init(height: Double, top: Double = 8, bottom: Double = 24, range: ClosedRange<Double>) {
    self.height = height
    area = top...(height - bottom)
    self.range = range
  }

  /// The pixel of a number, from the top.
  func y(_ value: Double) -> Double {
    let span = range.upperBound - range.lowerBound
    let share = span > 0 ? (value - range.lowerBound) / span : 0.5
    return area.upperBound - share * (area.upperBound - area.lowerBound)
  }

  // MARK: - Marks

  /// Draws a rectangle from a number to another; `x` and `width` are shares of the width.
  mutating func bar(
    _ name: String, x: Double, width: Double, from low: Double, to high: Double, radius: Double = 0
  ) {
    let (top, bottom) = (y(max(low, high)), y(min(low, high)))
    rectangle(name, x: x, width: width, y: top, height: max(bottom - top, 0.5), radius: radius)
  }

  /// Draws a rectangle of pixels in height.
  mutating func rectangle(
    _ name: String, x: Double, width: Double, y: Double, height: Double, radius: Double = 0
  ) {
    marks.insert(name)
    drawing.empty(
      "rect",
      [
        "class": name, "x": Self.share(x), "y": Self.pixel(y), "width": Self.share(width),
        "height": Self.pixel(height), "rx": radius > 0 ? Self.pixel(radius) : nil,
      ])
  }

  /// Draws a line between two numbers at one place.
  mutating func stroke(_ name: String, x: Double, from low: Double, to high: Double) {
    line(name, from: (x, y(low)), to: (x, y(high)))
  }

  /// Draws a line over the whole width at a number.
  mutating func level(_ name: String, _ value: Double) {
    line(name, from: (0, y(value)), to: (1, y(value)))
  }

  /// Draws a line between points, whose y are pixels.
  mutating func line(
    _ name: String, from start: (x: Double, y: Double), to end: (x: Double, y: Double)
  ) {
    marks.insert(name)
    drawing.empty(
      "line",
      [
        "class": name, "x1": Self.share(start.x), "y1": Self.pixel(start.y),
        "x2": Self.share(end.x), "y2": Self.pixel(end.y),
      ])
  }

  /// Draws a disc at a number.
  mutating func dot(_ name: String, x: Double, _ value: Double, radius: Double) {
    circle(name, x: x, y: y(value), radius: radius)
  }

  /// Draws a circle at a pixel.
  mutating func circle(_ name: String, x: Double, y: Double, radius: Double) {
    marks.insert(name)
    drawing.empty(
      "circle",
      [
        "class": name, "cx": Self.share(x), "cy": Self.pixel(y), "r": Self.pixel(radius),
      ])
  }

  /// Draws a diamond at a pixel, the sign of what is unusual.
  mutating func diamond(_ name: String, x: Double, y: Double) {
    drawing.element(
      "svg", ["class": "mark", "x": Self.share(x), "y": Self.pixel(y), "overflow": "visible"]
    ) { $0.empty("path", ["class": name, "d": "M0 -6L6 0L0 6L-6 0Z"]) }
  }

  /// Draws a square in the middle of a key's square.
  mutating func square(_ name: String, side: Double) {
    rectangle(
      name, x: (7 - side / 2) / 14, width: side / 14, y: 7 - side / 2, height: side, radius: 1.5)
  }

  /// Draws the small ring of what has no data into a key's square.
  static func gapOfKey(_ plot: inout Plot) { plot.circle("gap", x: 0.5, y: 7, radius: 2) }

  /// Draws a small ring where there are no data, at the bottom of the area.
  mutating func gap(x: Double) { circle("gap", x: x, y: area.upperBound - 4, radius: 2) }

  /// Writes a text; `y` is its base line in pixels.
  mutating func label(_ name: String, x: Double, y: Double, _ text: String) {
    drawing.element(
      "text", ["class": name, "x": Self.share(x), "y": Self.pixel(y)], text)
  }

  /// Draws connected lines and closed areas, which share numbers cannot describe.
  ///
  /// - Parameters:
  ///   - name: the class
  ///   - points: x as shares, y in pixels; a `nil` breaks the line
  ///   - closes: whether each run is an area
  mutating func path(_ name: String, _ points: [(x: Double, y: Double)?], closes: Bool = false) {
    var description = ""
    var isOpen = false
    for point in points {
      guard let point else {
        if isOpen, closes { description += "Z" }
        isOpen = false
        continue
      }
      description += "\(isOpen ? "L" : "M")\(Self.pixel(point.x * 1000)) \(Self.pixel(point.y))"
      isOpen = true
    }
    if isOpen, closes { description += "Z" }
    guard !description.isEmpty else { return }
    marks.insert(name)
    drawing.element(
      "svg",
      [
        "class": "stretch", "viewBox": "0 0 1000 \(Self.pixel(height))",
        "preserveAspectRatio": "none", "width": "100%", "height": Self.pixel(height),
      ]
    ) { $0.empty("path", ["class": name, "d": description]) }
  }

  /// Draws the area between two courses.
  mutating func ribbon(_ name: String, _ points: [(x: Double, low: Double, high: Double)]) {
    path(
      name,
      points.map { ($0.x, y($0.high)) } + points.reversed().map { ($0.x, y($0.low)) },
      closes: true)
  }

  /// Draws the typical range: its area, and its dotted edges, which carry the contrast.
  mutating func band(_ low: Double, _ high: Double, from start: Double = 0, to end: Double = 1) {
    let inside = (max(low, range.lowerBound), min(high, range.upperBound))
    guard inside.0 < inside.1 else { return }
    bar("band", x: start, width: end - start, from: inside.0, to: inside.1)
    for value in [inside.0, inside.1] {
      line("edge-d", from: (start, y(value)), to: (end, y(value)))
    }
  }

  // MARK: - Numbers as attributes

  /// A share of the width as a percentage with two digits.
  static func share(_ value: Double) -> String { decimal(value * 100, hundredths: true) + "%" }

  /// A pixel with one digit.
  static func pixel(_ value: Double) -> String { decimal(value, hundredths: false) }

  private static func decimal(_ value: Double, hundredths: Bool) -> String {
    // A drawing has no number beyond a million; what has is cut.
    let scale = hundredths ? 100 : 10
    let bounded = value.isFinite ? min(max(value, -1e6), 1e6) : 0
    let whole = Int((bounded * Double(scale)).rounded())
    let (quotient, rest) = (abs(whole) / scale, abs(whole) % scale)
    let sign = whole < 0 ? "-" : ""
    guard rest > 0 else { return "\(sign)\(quotient)" }
    guard hundredths, rest % 10 != 0 else {
      return "\(sign)\(quotient).\(hundredths ? rest / 10 : rest)"
    }
    return "\(sign)\(quotient).\(rest < 10 ? "0" : "")\(rest)"
  }
}
