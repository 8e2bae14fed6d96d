import Foundation
import FoundationXML
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
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
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

  @Test("The program writes them, and refuses to import them with a reason")
  func program() throws {
    let store = scratch.path("store.sqlite")
    let made = try ProgramRun.run(
      "generate-export",
      [
        "--out", scratch.path("made.zip"), "--seed", "4", "--years", "0.06", "--density", "0.05",
        "--zone", "Europe/Paris",
      ])
    try #require(made.exitCode == 0, "\(made.errors)")
    func run(_ arguments: [String]) throws -> ProgramRun {
      try ProgramRun.hkstats(arguments + ["--store", store])
    }
    try #require(try run(["import", scratch.path("made.zip")]).exitCode == 0)
    for format in ["gpx", "tcx"] {
      let folder = scratch.path("runs-" + format)
      let written = try run(["export", "--format", format, "--each", "--out", folder])
      #expect(written.exitCode == 0, "\(written.errors)")
      #expect(written.output.isEmpty)
      #expect(written.errors.contains("without a route") == (format == "gpx"))
      let names = try names("runs-" + format)
      #expect(!names.isEmpty)
      let refused = try run(["import", folder + "/" + (names.first ?? "")])
      #expect(refused.exitCode == 65 && !refused.errors.isEmpty)
      #expect(try run(["import", folder]).exitCode == 65)
    }
    let text = try run(["export", "--format", "tcx"])
    #expect(try XMLTree(text.output).violations == [])
    for wrong in [
      ["--each"], ["--each", "--format", "csv", "--out", "x"], ["--each", "--format", "gpx"],
      ["steps", "--format", "tcx"], ["--format", "tcx", "--out", "x.gpx"],
    ] {
      #expect(try run(["export"] + wrong).exitCode == 64, "\(wrong)")
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

/// A document as a parser of another house reads it.
private final class XMLTree: NSObject, XMLParserDelegate {
  struct Element {
    let name: String
    let attributes: [String: String]
    var children: [Element] = []
    var characters = ""

    /// The text of the first child of a name.
    func text(_ name: String) -> String {
      children.first { $0.name == name }?.characters.trimmingCharacters(in: .whitespacesAndNewlines)
        ?? ""
    }
  }

  private var open: [Element] = [Element(name: "", attributes: [:])]

  init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    try #require(parser.parse())
  }

  var root: Element { open[0].children.first ?? open[0] }

  func all(_ name: String) -> [Element] {
    func within(_ element: Element) -> [Element] {
      (element.name == name ? [element] : []) + element.children.flatMap(within)
    }
    return within(root)
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    open.append(Element(name: name, attributes: attributes))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    open[open.count - 1].characters += text
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard let element = open.popLast() else { return }
    open[open.count - 1].children.append(element)
  }

  /// The children of each element in the order of the schema, with how many there may be.
  private static let schema: [String: [(name: String, count: ClosedRange<Int>)]] = [
    "TrainingCenterDatabase": [("Activities", 0...1)], "Activities": [("Activity", 0...100_000)],
    "Activity": [("Id", 1...1), ("Lap", 1...1000), ("Notes", 0...1)],
    "Lap": [
      ("TotalTimeSeconds", 1...1), ("DistanceMeters", 1...1), ("MaximumSpeed", 0...1),
      ("Calories", 1...1), ("AverageHeartRateBpm", 0...1), ("MaximumHeartRateBpm", 0...1),
      ("Intensity", 1...1), ("Cadence", 0...1), ("TriggerMethod", 1...1), ("Track", 0...1000),
      ("Notes", 0...1),
    ],
    "Track": [("Trackpoint", 1...1_000_000)],
    "Trackpoint": [
      ("Time", 1...1), ("Position", 0...1), ("AltitudeMeters", 0...1), ("DistanceMeters", 0...1),
      ("HeartRateBpm", 0...1), ("Cadence", 0...1), ("SensorState", 0...1),
    ],
    "Position": [("LatitudeDegrees", 1...1), ("LongitudeDegrees", 1...1)],
    "HeartRateBpm": [("Value", 1...1)], "AverageHeartRateBpm": [("Value", 1...1)],
    "MaximumHeartRateBpm": [("Value", 1...1)],
  ]

  /// What is not as the schema of TCX 2 says.
  var violations: [String] {
    var found: [String] = root.name == "TrainingCenterDatabase" ? [] : ["root"]
    func check(_ element: Element) {
      let text = element.characters.trimmingCharacters(in: .whitespacesAndNewlines)
      if let order = Self.schema[element.name] {
        if !text.isEmpty { found.append("text in \(element.name)") }
        let places = element.children.map { child in order.firstIndex { $0.name == child.name } }
        if places.contains(nil) { found.append("child of \(element.name)") }
        let known = places.compactMap(\.self)
        if known != known.sorted() { found.append("order in \(element.name)") }
        for (place, part) in order.enumerated()
        where !part.count.contains(known.count { $0 == place }) {
          found.append("\(part.name) in \(element.name)")
        }
      } else {
        let isRight =
          switch element.name {
          case "Value": (1...255).contains(Int(text) ?? 0)
          case "Calories": (0...65_535).contains(Int(text) ?? -1)
          case "LatitudeDegrees": (-90.0...90).contains(Double(text) ?? .nan)
          case "LongitudeDegrees": (-180.0..<180).contains(Double(text) ?? .nan)
          case "Time", "Id": text.hasSuffix("Z") && text.count >= 20
          case "Intensity": ["Active", "Resting"].contains(text)
          case "TriggerMethod": text == "Manual"
          case "Notes": !text.isEmpty
          default: Double(text) != nil && !text.contains("e")
          }
        if !isRight || !element.children.isEmpty { found.append(element.name) }
      }
      for child in element.children { check(child) }
    }
    check(root)
    for activity in all("Activity")
    where !["Running", "Biking", "Other"].contains(activity.attributes["Sport"] ?? "") {
      found.append("Sport")
    }
    return found
  }
}
