import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import ExportGenerator

@Suite("A file for each workout")
struct WorkoutFilesTests {
  private let export: ImportedExport
  private let scratch: TemporaryFolder

  init() throws {
    scratch = try TemporaryFolder()
    export = try ImportedExport(
      .sample(seed: 4, days: 30, version: .version13, density: 0.05), as: "export.zip",
      detail: .counts)
  }

  private func request(_ format: ExportFormat) throws -> ExportRequest {
    let zone = try #require(TimeZone(identifier: "Europe/Paris"))
    return ExportRequest(format: format, zones: ZoneTimeline(zone))
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.path(folder)).sorted()
  }

  @Test("GPX has a file for each workout with a route, named by its start and activity")
  func gpx() throws {
    let result = try export.store.export(
      try request(.gpx), to: .folder(path: scratch.path("gpx")))
    let workouts = try export.store.workouts().rows
    let routes = try export.store.routes().rows
    let routed = workouts.filter { workout in
      routes.contains { $0.workoutStart == workout.facts.start && $0.locations.count > 0 }
    }
    let found = try names("gpx")
    #expect(found.count == routed.count && !routed.isEmpty)
    #expect(result.written == routed.count)
    #expect(result.leftOut.values.reduce(0, +) == workouts.count - routed.count)
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "Europe/Paris")
    formatter.dateFormat = "yyyy-MM-dd-HHmm"
    let known = routed.map { workout in
      formatter.string(from: Date(timeIntervalSinceReferenceDate: workout.facts.start)) + "-"
        + Catalogue.swiftName(of: workout.activity.dropFirst("HKWorkoutActivityType".count))
        + ".gpx"
    }
    #expect(found == known.sorted())
    var places = 0
    for name in found {
      let tree = try XMLTree(scratch.text("gpx/" + name))
      #expect(tree.root.name == "gpx")
      places += tree.all("trkpt").count
    }
    #expect(places == routes.reduce(0) { $0 + $1.locations.count })
  }

  @Test("TCX is what its schema says, and each point has the latest heart rate of the last minute")
  func tcx() throws {
    let result = try export.store.export(
      try request(.tcx), to: .folder(path: scratch.path("tcx")))
    let workouts = try export.store.workouts().rows
    #expect(result.written == workouts.count && result.leftOut.isEmpty)
    let found = try names("tcx")
    #expect(found.count == workouts.count)
    var (places, beats) = (0, 0)
    for name in found {
      let tree = try XMLTree(scratch.text("tcx/" + name))
      #expect(tree.violations == [], "\(name)")
      let activity = try #require(tree.all("Activity").first)
      let workout = try #require(
        workouts.first { Self.instant(activity.text("Id")) == $0.facts.start })
      #expect(activity.attributes["Sport"] == Self.sport(workout.activity))
      let rates = try export.store.samples(
        of: SampleType(.heartRate), in: workout.facts.start - 100..<workout.facts.end + 100)
      let lap = try #require(tree.all("Lap").first)
      let distance = workout.statistics.filter { $0.type.contains("Distance") }
        .compactMap(\.sum).reduce(0, +)
      let metres = try #require(Double(lap.text("DistanceMeters")))
      #expect(abs(metres - distance) <= 1e-9 * distance)
      for point in tree.all("Trackpoint") {
        let time = Self.instant(point.text("Time"))
        places += point.children.contains { $0.name == "Position" } ? 1 : 0
        // The slow way: of all samples the latest at or before.
        let before = rates.starts.indices.filter {
          rates.starts[$0] <= time && time - rates.starts[$0] <= 60
        }
        let latest = before.map { rates.starts[$0] }.max()
        let known = before.filter { rates.starts[$0] == latest }
          .map { Int((rates.values[$0] * 60).rounded()) }
        let beat = point.children.first { $0.name == "HeartRateBpm" }
        #expect((beat == nil) == known.isEmpty)
        if let beat {
          beats += 1
          #expect(known.contains(Int(beat.text("Value")) ?? -1))
        }
      }
    }
    #expect(places == (try export.store.routes().rows.reduce(0) { $0 + $1.locations.count }))
    #expect(beats > 0)
  }

  @Test("All workouts in one TCX are those of the single files")
  func together() throws {
    try export.store.export(try request(.tcx), to: .file(path: scratch.path("all.tcx")))
    try export.store.export(try request(.tcx), to: .folder(path: scratch.path("each")))
    let tree = try XMLTree(scratch.text("all.tcx"))
    #expect(tree.violations == [])
    let single = try names("each").flatMap { name in
      try XMLTree(scratch.text("each/" + name)).all("Activity").map { $0.text("Id") }
    }
    #expect(tree.all("Activity").map { $0.text("Id") }.sorted() == single.sorted())
  }

  @Test("Workouts that begin in one minute have names of their own, and odd names are made plain")
  func sameName() throws {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    var rows: [Workouts.Row] = []
    for (start, activity) in [
      (1.0, "HKWorkoutActivityTypeYoga"), (2, "HKWorkoutActivityTypeYoga"),
      (3, "HKWorkoutActivityTypeYoga"), (4, "../../é <b>"), (5, ""),
    ] {
      var row = Workouts.Row()
      (row.activity, row.facts.start, row.facts.end) = (activity, start, start + 60)
      row.facts.source = Source(name: "App")
      rows.append(row)
    }
    try session.add(.workouts(Workouts(rows)))
    _ = try session.finish()
    let folder = scratch.path("same")
    try store.export(ExportRequest(format: .tcx), to: .folder(path: folder))
    let start = "2001-01-01-0000-"
    #expect(
      try names("same")
        == ["b.tcx", "noactivity.tcx", "yoga-2.tcx", "yoga-3.tcx", "yoga.tcx"].map { start + $0 })
    for name in try names("same") {
      #expect(try XMLTree(scratch.text("same/" + name)).violations == [])
    }
    #expect(throws: HealthExchange.OutputError.self) {
      try store.export(ExportRequest(format: .tcx), to: .folder(path: folder))
    }
    try store.export(
      ExportRequest(format: .tcx), to: .folder(path: folder, replacing: true))
    #expect(try names("same").count == 5)
    let steps = ExportRequest(format: .tcx, selections: [.samples(SampleType(.stepCount))])
    #expect(throws: HealthExchange.OutputError(.workoutsOnly(.tcx))) {
      try store.export(steps, to: .stream(.nullDevice))
    }
  }

  private static func instant(_ text: String) -> Double {
    let formatter = ISO8601DateFormatter()
    if let date = formatter.date(from: text) { return date.timeIntervalSinceReferenceDate }
    formatter.formatOptions.insert(.withFractionalSeconds)
    return formatter.date(from: text)?.timeIntervalSinceReferenceDate ?? .nan
  }

  private static func sport(_ activity: String) -> String {
    activity.hasSuffix("Running") ? "Running" : activity.hasSuffix("Cycling") ? "Biking" : "Other"
  }
}
