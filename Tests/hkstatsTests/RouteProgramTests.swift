import Foundation
import HealthImport
import HealthSamples
import Testing

@Suite("Routes that lack something, as a program")
final class RouteProgramTests: ProgramSuite {
  /// Imports a run from 9:00 to 9:30 with a route.
  private func imported(gpx: String) throws -> ProgramRun {
    let facts =
      "sourceName=\"Watch\" startDate=\"2024-03-05 09:00:00 +0000\" "
      + "endDate=\"2024-03-05 09:30:00 +0000\""
    var export = SmallExport()
    export.add(
      lines: """
        <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" \
        durationUnit="min" \(facts)><WorkoutRoute \(facts)>\
        <FileReference path="/workout-routes/r.gpx"/></WorkoutRoute></Workout>
        """)
    let folder = scratch.url("export/workout-routes")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    _ = try scratch.file("export/export.xml", export.data)
    _ = try scratch.file("export/workout-routes/r.gpx", Data("<gpx>\(gpx)</gpx>".utf8))
    return try ask("import", scratch.path("export"))
  }

  /// A track point, by its minute after nine o'clock and its distance north of the start in hundreds of
  /// metres.
  private static func place(_ minute: Int, _ hundreds: Int, _ children: String = "") -> String {
    let time = "2024-03-05T09:\(minute < 10 ? "0" : "")\(minute):00Z"
    let latitude = 45 + Double(hundreds) * 100 / 111_195
    return "<trkpt lat=\"\(latitude)\" lon=\"2\">\(children)<time>\(time)</time></trkpt>"
  }

  @Test("A place without an altitude has none, in the climb and in every format")
  func missingAltitudes() throws {
    let places = (0..<20).map { step in
      Self.place(step, step, step % 3 == 1 ? "" : "<ele>\(150 + step)</ele>")
    }
    #expect(try imported(gpx: "<trk><trkseg>\(places.joined())</trkseg></trk>").exitCode == 0)
    let known = (0..<20).map { $0 % 3 == 1 ? nil : Double(150 + $0) }
    // From 150 to 168 in steps of three metres and more.
    let splits = try ask("workouts", "--splits", "--format", "json").rows("splits")
    let gain = splits.compactMap { $0["elevationGain"] as? Double }.reduce(0, +)
    #expect(gain == 18)
    #expect(splits.allSatisfy { $0["elevationLoss"] as? Double == 0 })
    let route = try ask("samples", "routes", "--format", "ndjson").object()
    let locations = try #require(route["locations"] as? [[String: Any]])
    #expect(locations.map { $0["altitude"] as? Double } == known)
    let gpx = try ask("export", "routes", "--format", "gpx").output
    #expect(gpx.components(separatedBy: "<ele>").count - 1 == known.compactMap(\.self).count)
    let tcx = try ask("export", "--format", "tcx").output
    #expect(
      tcx.components(separatedBy: "<AltitudeMeters>").count - 1 == known.compactMap(\.self).count)
    let features = try ask("export", "--format", "geojson").object()["features"]
    let feature = try #require((features as? [[String: Any]])?.first)
    let geometry = try #require(feature["geometry"] as? [String: Any])
    let positions = try #require(geometry["coordinates"] as? [[Double]])
    #expect(positions.map { $0.count > 2 ? $0[2] : nil } == known)
  }

  @Test("Places at another time, without a time and beyond a gap are no way, and are counted")
  func implausible() throws {
    let stray = Self.place(5, 5).replacingOccurrences(of: "2024-03-05T", with: "2043-10-14T")
    let timeless = Self.place(6, 6).replacingOccurrences(of: "time", with: "when")
    let first = (0..<10).map { $0 == 5 ? stray : Self.place($0, $0) } + [timeless]
    // Ten kilometres further, after ten minutes.
    let second = (20..<30).map { Self.place($0, $0 + 100) }
    let imported = try imported(
      gpx: "<trk><trkseg>\(first.joined())</trkseg><trkseg>\(second.joined())</trkseg></trk>")
    #expect(imported.exitCode == 0)
    #expect(imported.output.contains("2 locations of routes left out"))
    let splits = try ask("workouts", "--splits", "--format", "json").rows("splits")
    let kilometres = splits.compactMap { $0["distance"] as? Double }
    // Nine hundred metres, and as many.
    #expect(abs(kilometres.reduce(0, +) - 1.8) < 1e-4)
    let seconds = try ask("workouts", "--by", "month", "--stat", "best1k", "--format", "json")
      .rows("intervals").compactMap { $0["best1k"] as? Double }
    // No stretch of a kilometre is without the gap.
    #expect(seconds.count == 1 && seconds.allSatisfy { $0 > 1200 && $0 < 1800 })
    let gpx = try ask("export", "routes", "--format", "gpx").output
    #expect(gpx.components(separatedBy: "<trkseg>").count == 3)
    let read = RouteText.contents(of: Array(gpx.utf8))
    #expect(read.leftOut == 0 && read.locations.segments == [0..<9, 9..<19])
    #expect(!gpx.contains("2043"))
    let tcx = try ask("export", "--format", "tcx").output
    #expect(tcx.components(separatedBy: "<Track>").count == 3)
    let features = try ask("export", "--format", "geojson").object()["features"]
    let feature = try #require((features as? [[String: Any]])?.first)
    let geometry = try #require(feature["geometry"] as? [String: Any])
    #expect(geometry["type"] as? String == "MultiLineString")
    let lines = try #require(geometry["coordinates"] as? [[[Double]]])
    let properties = try #require(feature["properties"] as? [String: Any])
    let times = try #require(properties["coordTimes"] as? [[String]])
    #expect(lines.map(\.count) == [9, 10] && times.map(\.count) == [9, 10])
    let route = try ask("samples", "routes", "--format", "ndjson").object()
    let locations = try #require(route["locations"] as? [[String: Any]])
    #expect(locations.map { $0["segment"] as? Int } == (0..<19).map { $0 < 9 ? 1 : 2 })
  }

  @Test("A route without any altitude says nothing of climbs")
  func noAltitudes() throws {
    _ = try imported(
      gpx: "<trk><trkseg>\((0..<20).map { Self.place($0, $0) }.joined())</trkseg></trk>")
    let splits = try ask("workouts", "--splits", "--format", "json").rows("splits")
    #expect(!splits.isEmpty && splits.allSatisfy { $0["elevationGain"] as? Double == nil })
    let months = try ask("workouts", "--by", "month", "--stat", "elevation", "--format", "json")
    #expect(try months.rows("intervals").map { $0["elevation"] as? Double } == [nil])
  }
}
