import Foundation
import HealthQuery
package import HealthSamples

/// GPX 1.1 (https://www.topografix.com/GPX/1/1), a track for each route; speed, course and
/// accuracies as in Apple's files.
package final class GPXExport: TextExport {
  package override func begin() throws(OutputError) {
    try output.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="hkstats" xmlns="http://www.topografix.com/GPX/1/1">

      """)
  }

  package override func write(_ elements: ExportBatch) throws(OutputError) {
    guard case .routes(let routes) = elements else { return }
    for route in routes.rows {
      let activity = ActivityName.short(route.activity)
      let name = "\(activity) \(XMLText.time(route.facts.start))"
      try output.write(
        "  <trk>\n    <name>\(XMLText.escaped(name))</name>\n    <type>\(XMLText.escaped(activity))"
          + "</type>\n    <trkseg>\n")
      let places = route.locations
      for index in 0..<places.count { try output.write(Self.point(places, index)) }
      try output.write("    </trkseg>\n  </trk>\n")
    }
  }

  package override func end() throws(OutputError) {
    try output.write("</gpx>\n")
    try super.end()
  }

  private static func point(_ places: LocationColumns, _ index: Int) -> String {
    let number = NumberText.withoutExponent
    func element(_ name: String, _ value: Double?) -> String {
      value.map { "<\(name)>\(number($0))</\(name)>" } ?? ""
    }
    let more =
      element("speed", places.speed(row: index)) + element("course", places.course(row: index))
      + element("hAcc", places.horizontalAccuracy(row: index))
      + element("vAcc", places.verticalAccuracy(row: index))
    return "      <trkpt lat=\"\(number(places.latitudes[index]))\" "
      + "lon=\"\(number(places.longitudes[index]))\">"
      + element("ele", places.altitude(row: index))
      + "<time>\(XMLText.time(places.times[index]))</time>"
      + (more.isEmpty ? "" : "<extensions>\(more)</extensions>") + "</trkpt>\n"
  }
}

/// GeoJSON (RFC 7946), a feature for each route; `coordTimes` has the instant of each location.
package final class GeoJSONExport: TextExport {
  package override func begin() throws(OutputError) {
    try output.write(#"{"type":"FeatureCollection","features":["#)
  }

  package override func write(_ elements: ExportBatch) throws(OutputError) {
    guard case .routes(let routes) = elements else { return }
    for route in routes.rows {
      try separate(first: "\n", next: ",\n")
      try output.write(#"{"type":"Feature","geometry":"#)
      try writeGeometry(route.locations)
      let facts = OutputRow(route).members(of: .table(of: .route), in: zone)
      try output.write(
        #","properties":"# + JSON.object(facts).text.dropLast() + #","coordTimes":["#)
      for (index, time) in route.locations.times.enumerated() {
        try output.write(
          (index == 0 ? "" : ",") + JSON.string(LocalTime(time, in: zone).isoText).text)
      }
      try output.write("]}}")
    }
  }

  package override func end() throws(OutputError) {
    try output.write("\n]}\n")
    try super.end()
  }

  /// A line needs two locations; a single one is a point, and without locations there is no
  /// geometry.
  private func writeGeometry(_ places: LocationColumns) throws(OutputError) {
    guard places.count > 1 else {
      let point = places.count == 1 ? "{\"type\":\"Point\",\"coordinates\":" : "null"
      return try output.write(point + (places.count == 1 ? Self.position(places, 0) + "}" : ""))
    }
    try output.write(#"{"type":"LineString","coordinates":["#)
    for index in 0..<places.count {
      try output.write((index == 0 ? "" : ",") + Self.position(places, index))
    }
    try output.write("]}")
  }

  private static func position(_ places: LocationColumns, _ index: Int) -> String {
    let numbers = [
      places.longitudes[index], places.latitudes[index], places.altitude(row: index),
    ]
    return "["
      + numbers.compactMap { $0.map(NumberText.withoutExponent) }.joined(separator: ",") + "]"
  }
}
