package import HealthSamples

/// Reads the locations of a workout route: a GPX 1.1 file of Apple's.
///
/// Each `trkpt` has degrees as attributes and `ele`, `time`, `speed`, `course`, `hAcc`, `vAcc` as
/// descendants at any depth. Each `trkseg` is a segment.
package struct RouteText: ~Copyable {
  /// What a file has.
  package struct Contents: Sendable {
    /// The locations in the order of the file.
    package var locations = LocationColumns()
    /// How many more there are, without a time or without degrees.
    package var leftOut = 0
  }

  private var tags = TagScanner()
  private var contents = Contents()
  private var place: Place?
  /// Whether the next location is the first of its segment.
  private var isAtStart = true
  /// The start of the text of the last opened element.
  private var textStart: UnsafePointer<UInt8>?

  /// The longest file, in bytes: days with one location per second.
  static let mostBytes = 1 << 26

  /// A location while its element is open.
  private struct Place {
    var latitude: Double?
    var longitude: Double?
    var time: Double?
    var altitude: Double?
    var horizontalAccuracy: Double?
    var verticalAccuracy: Double?
    var course: Double?
    var speed: Double?
  }

  private init() {}

  /// Whether a text starts like a route, or has a location.
  package static func isRoute(_ text: [UInt8]) -> Bool {
    var rest = text.prefix(longestHead)
    while let tag = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(tag + 1)...]
      if rest.starts(with: "gpx".utf8) || rest.starts(with: "trkpt".utf8) { return true }
    }
    return false
  }

  /// More bytes than precede the root of any route.
  private static let longestHead = 1 << 14

  /// Reads a file; a text that is not a route has no locations.
  ///
  /// - Complexity: O(*n*)
  package static func contents(of text: [UInt8]) -> Contents {
    var route = RouteText()
    text.withUnsafeBufferPointer { bytes in
      if let start = bytes.baseAddress { route.read(start, before: start + bytes.count) }
    }
    return route.contents
  }

  private mutating func read(_ start: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>) {
    var next = start
    while let tag = next.first(.less, before: end) {
      switch tags.scan(tag, before: end) {
      case .start(let name, let isClosed, let after):
        open(name)
        textStart = isClosed ? nil : after
        if isClosed, name.equals("trkpt") { close() }
        next = after
      case .end(let name, let after):
        if let textStart { take(Bytes(from: textStart, to: tag), of: name) }
        textStart = nil
        if name.equals("trkpt") { close() }
        next = after
      case .markup(let terminator, let after):
        guard let found = after.first(terminator, before: end) else { return }
        next = found + terminator.utf8CodeUnitCount
      case .malformed: next = tag + 1
      case .incomplete: return
      }
    }
  }

  private mutating func open(_ name: Bytes) {
    if name.equals("trkseg") { isAtStart = true }
    guard name.equals("trkpt") else { return }
    // One that is never closed is lost.
    if place != nil { contents.leftOut += 1 }
    place = Place(latitude: degrees("lat", 90), longitude: degrees("lon", 180))
  }

  private func degrees(_ name: StaticString, _ most: Double) -> Double? {
    tags.value(name).flatMap(NumberScanner.enclosed).flatMap { abs($0) <= most ? $0 : nil }
  }

  private mutating func take(_ text: Bytes, of name: Bytes) {
    guard place != nil else { return }
    let text = text.trimmed
    if name.equals("time") {
      place?.time = WallClockText(text, years: CivilDate.years)?.instant
      return
    }
    guard let number = NumberScanner.enclosed(text) else { return }
    if name.equals("ele") {
      place?.altitude = number
    } else if name.equals("speed") {
      place?.speed = number
    } else if name.equals("course") {
      place?.course = number
    } else if name.equals("hAcc") {
      place?.horizontalAccuracy = number
    } else if name.equals("vAcc") {
      place?.verticalAccuracy = number
    }
  }

  private mutating func close() {
    guard let place else { return }
    self.place = nil
    guard let time = place.time, let latitude = place.latitude, let longitude = place.longitude
    else {
      contents.leftOut += 1
      return
    }
    contents.locations.append(
      time: time, latitude: latitude, longitude: longitude, altitude: place.altitude,
      horizontalAccuracy: place.horizontalAccuracy, verticalAccuracy: place.verticalAccuracy,
      course: place.course, speed: place.speed, beginsSegment: isAtStart)
    isAtStart = false
  }
}

extension Bytes {
  /// The bytes without white space at either end.
  var trimmed: Bytes {
    var bytes = self[...]
    while let first = bytes.first, first.isSpace { bytes.removeFirst() }
    while let last = bytes.last, last.isSpace { bytes.removeLast() }
    return Bytes(rebasing: bytes)
  }
}
