import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Archives and folders that want what they should not have")
struct HostileArchiveTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func workout(_ path: String) -> String {
    let facts =
      "sourceName=\"W\" startDate=\"2024-05-01 08:00:00 +0100\" endDate=\"2024-05-01 09:00:00 +0100\""
    return " <Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" \(facts)>"
      + "<WorkoutRoute \(facts)><FileReference path=\"\(path)\"/></WorkoutRoute></Workout>\n"
  }

  private let route =
    "<gpx><trkpt lat=\"1\" lon=\"2\"><time>2024-05-01T08:00:00Z</time></trkpt></gpx>"

  private func read(_ entries: [ZipWriter.Entry]) throws -> Reading {
    try Reading(path: try folder.write(ZipWriter(entries, isLong: true).bytes, to: "export.zip"))
  }

  @Test("A file that states more than it has is tried once, however often it is named")
  func lyingRoute() throws {
    let names = 3000
    let text = export(String(repeating: workout("/workout-routes/a.gpx"), count: names))
    var entry = ZipWriter.Entry("workout-routes/a.gpx", route)
    entry.isLong = true
    entry.statedLength = 1 << 26
    let started = ContinuousClock.now
    let reading = try read([ZipWriter.Entry("export.xml", text), entry])
    #expect(reading.summary.unreadableFiles == 1 && reading.summary.missingFiles == 0)
    #expect(reading.summary.unreadFiles.map(\.path) == ["/workout-routes/a.gpx"])
    #expect(reading.routes.count == names)
    // Room for what the file states takes a hundredth of a second to make ready.
    #expect(ContinuousClock.now - started < .seconds(15))
  }

  @Test(
    "A path that leads out of the export names nothing",
    arguments: [
      "/workout-routes/../secret.gpx", "../secret.gpx", "/../secret.gpx", "/secret.gpx",
      "secret.gpx",
      "/workout-routes/./a.gpx", "/workout-routes//secret.gpx", "/workout-routes/",
      "/workout-routes",
      "/clinical-records/secret.gpx", "file:///secret.gpx", "/workout-routes/a/secret.gpx", "..",
      "/workout-routes/..",
    ])
  func traversal(path: String) throws {
    let text = export(workout(path))
    _ = try folder.write(route, to: "secret.gpx")
    _ = try folder.write(route, to: "top/secret.gpx")
    _ = try folder.write(route, to: "top/workout-routes/a/secret.gpx")
    _ = try folder.write(text, to: "top/export.xml")
    let names = ["secret.gpx", "top/secret.gpx", "top/workout-routes/a/secret.gpx", "/secret.gpx"]
    let archived = try read(
      [ZipWriter.Entry("top/export.xml", text)] + names.map { ZipWriter.Entry($0, route) })
    for reading in [try Reading(path: folder.path + "/top"), archived] {
      #expect(reading.routes.map(\.locations.count) == [0])
      #expect(reading.summary.missingFiles == 1)
    }
  }

  @Test("Links in a folder are not followed: neither to the text, nor to a file, nor to a folder")
  func links() throws {
    let text = export(workout("/workout-routes/a.gpx") + workout("/workout-routes/b.gpx"))
    _ = try folder.write(route, to: "elsewhere/a.gpx")
    _ = try folder.write(export(record()), to: "elsewhere/export.xml")
    _ = try folder.write(text, to: "whole/export.xml")
    _ = try folder.write(route, to: "whole/workout-routes/b.gpx")
    let files = FileManager.default
    func link(_ name: String, to target: String) throws {
      try files.createSymbolicLink(
        atPath: folder.path + "/" + name, withDestinationPath: folder.path + "/" + target)
    }
    try link("whole/workout-routes/a.gpx", to: "elsewhere/a.gpx")
    let reading = try Reading(path: folder.path + "/whole")
    #expect(reading.routes.map(\.locations.count) == [0, 1])

    _ = try folder.write(text, to: "linked/export.xml")
    try link("linked/workout-routes", to: "elsewhere")
    #expect(
      try Reading(path: folder.path + "/linked").routes.map(\.locations.count) == [0, 0])

    _ = try folder.write("", to: "bare/other.txt")
    try link("bare/export.xml", to: "elsewhere/export.xml")
    let error = #expect(throws: ExportError.self) { try Reading(path: folder.path + "/bare") }
    #expect(error?.reason == .noExportInside)
  }

  @Test("A pipe in a folder does not make the reader wait")
  func pipes() throws {
    _ = try folder.write(export(record() + workout("/workout-routes/a.gpx")), to: "export.xml")
    _ = try folder.write(route, to: "workout-routes/b.gpx")
    #expect(mkfifo(folder.path + "/other.xml", 0o600) == 0)
    #expect(mkfifo(folder.path + "/workout-routes/a.gpx", 0o600) == 0)
    let reading = try Reading(path: folder.path)
    #expect(reading.records.count == 1)
    #expect(reading.summary.missingFiles == 1)
  }

  @Test("Entries that share their data are read as often as they are named, and no other")
  func overlap() throws {
    let text = export(record())
    var archive = ZipWriter([ZipWriter.Entry("export.xml", text)], isLong: true).bytes
    let whole = try Reading(text).records
    // The directory, doubled: both entries name the same data.
    let directory = try #require(archive.firstRange(of: [0x50, 0x4B, 1, 2]))
    let end = try #require(archive.firstRange(of: [0x50, 0x4B, 6, 6]))
    let entry = Array(archive[directory.lowerBound..<end.lowerBound])
    archive.insert(contentsOf: entry, at: end.lowerBound)
    let record = end.lowerBound + entry.count
    withUnsafeBytes(of: UInt64(2 * entry.count).littleEndian) {
      archive.replaceSubrange(record + 40..<record + 48, with: $0)
    }
    let locator = try #require(archive.firstRange(of: [0x50, 0x4B, 6, 7]))
    withUnsafeBytes(of: UInt64(record).littleEndian) {
      archive.replaceSubrange(locator.lowerBound + 8..<locator.lowerBound + 16, with: $0)
    }
    let path = try folder.write(archive, to: "export.zip")
    #expect(try Reading(path: path).records == whole)
  }

  private let table =
    "type,sourceName,startDate,endDate,unit,value\nHKQuantityTypeIdentifierStepCount,W,"
    + "2024-03-09 10:00:00 +0000,2024-03-09 10:05:00 +0000,count,25\n"

  @Test("Tables that state more text than any export has are refused", arguments: [1, 2, 3])
  func statedTables(count: Int) throws {
    let entries = (0..<count).map { index in
      // The end of the text, where the lie shows, is not read when the table is opened.
      let long = table + String(repeating: "\n", count: 1 << 18)
      var entry = ZipWriter.Entry("\(index).csv", long)
      entry.isLong = true
      entry.statedLength = UInt64(1) << 62 + 1
      return entry
    }
    let path = try folder.write(ZipWriter(entries, isLong: true).bytes, to: "tables.zip")
    let error = #expect(throws: ExportError.self) { _ = try SimpleHealthExportReader(path: path) }
    #expect(error?.reason == .tooLarge(limit: ImportLimits.standard.textBytes))
  }

  @Test("A table of very long fields waits in memory for few rows at a time")
  func longFields() throws {
    let keys = (0..<50).map { "k\($0)" }
    var text = (["type", "sourceName", "startDate", "endDate", "unit", "value"] + keys)
      .joined(separator: ",")
    let row =
      "\nHKQuantityTypeIdentifierStepCount,W,2024-03-09 10:00:00 +0000,"
      + "2024-03-09 10:05:00 +0000,count,25"
    let field = String(repeating: "x", count: 50_000)
    for _ in 0..<20 { text += row + keys.map { "," + $0 + field }.joined() }
    var reader = try SimpleHealthExportReader(path: try folder.write(text, to: "wide.csv"))
    var rows = 0
    while let batch = try reader.next() {
      guard case .records(let columns) = batch else { continue }
      rows += columns.count
      #expect(columns.metadataTable.reduce(0) { $0 + $1.bytes } < 1 << 25)
    }
    #expect(rows == 20)
  }
}

extension Metadata {
  fileprivate var bytes: Int { entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } }
}
