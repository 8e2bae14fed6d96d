import HealthQuery
package import HealthSamples

/// GPX 1.1 (https://www.topografix.com/GPX/1/1), a track for each route with its segments; speed,
/// course and accuracies as in Apple's files.
package final class GPXExport: TextExport {
  package override func begin() throws(OutputError) {
    try output.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="hkstats" xmlns="http://www.topografix.com/GPX/1/1">

      """)
  }

  package override func write(_ elements: ImportBatch) throws(OutputError) {
    guard case .routes(let routes) = elements else { return }
    for route in routes.rows {
      let activity = ActivityName.short(route.activity)
      let name = "\(activity) \(XMLText.time(route.facts.start))"
      try output.write(
        "  <trk>\n    <name>\(XMLText.escaped(name))</name>\n    <type>\(XMLText.escaped(activity))"
          + "</type>\n")
      for segment in route.locations.segments {
        try output.write("    <trkseg>\n")
        for index in segment { try output.write(Self.point(route.locations, index)) }
        try output.write("    </trkseg>\n")
      }
      try output.write("  </trk>\n")
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

/// GeoJSON (RFC 7946), a feature for each route; `coordTimes` has the instant of each location, in
/// the form of the coordinates.
package final class GeoJSONExport: TextExport {
  package override func begin() throws(OutputError) {
    try output.write(#"{"type":"FeatureCollection","features":["#)
  }

  package override func write(_ elements: ImportBatch) throws(OutputError) {
    guard case .routes(let routes) = elements else { return }
    for route in routes.rows {
      try separate(first: "\n", next: ",\n")
      try output.write(#"{"type":"Feature","geometry":"#)
      try writeGeometry(route.locations)
      let facts = OutputRow(route).members(of: .table(of: .route), in: zone)
      try output.write(
        #","properties":"# + JSON.object(facts).text.dropLast() + #","coordTimes":"#)
      let times = route.locations.times
      try writeLines(route.locations) { JSON.string(LocalTime(times[$0], in: zone).isoText).text }
      try output.write("}}")
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
    let type = places.segmentStarts.isEmpty ? "LineString" : "MultiLineString"
    try output.write("{\"type\":\"\(type)\",\"coordinates\":")
    try writeLines(places) { Self.position(places, $0) }
    try output.write("}")
  }

  /// Writes an array of one value for each location, or with gaps one of such arrays.
  ///
  /// A line needs two locations: a segment of one has it twice.
  private func writeLines(
    _ places: LocationColumns, _ value: (Int) -> String
  ) throws(OutputError) {
    let hasGaps = !places.segmentStarts.isEmpty
    if hasGaps { try output.write("[") }
    for (number, segment) in places.segments.enumerated() {
      try output.write(number == 0 ? "[" : ",[")
      for index in segment {
        try output.write((index == segment.lowerBound ? "" : ",") + value(index))
      }
      if hasGaps, segment.count == 1 { try output.write("," + value(segment.lowerBound)) }
      try output.write("]")
    }
    if hasGaps { try output.write("]") }
  }

  private static func position(_ places: LocationColumns, _ index: Int) -> String {
    let numbers = [
      places.longitudes[index], places.latitudes[index], places.altitude(row: index),
    ]
    return "["
      + numbers.compactMap { $0.map(NumberText.withoutExponent) }.joined(separator: ",") + "]"
  }
}
