import Foundation
import HealthExport
import HealthSamples
import HealthStore

/// The entry that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  FuzzReaders.check(Data(UnsafeBufferPointer(start: data, count: size)))
  return 0
}

/// Reads any bytes as one of the files that people have, and holds the result to what is promised.
///
/// The environment variable `HKSTATS_READER` names the kind of file: xml, zip, gpx, ecg, json, csv,
/// connect. Some inputs are read within limits so narrow that windows grow and tables are
/// forgotten, and of some a store must take every batch.
enum FuzzReaders {
  private static let reader = ProcessInfo.processInfo.environment["HKSTATS_READER"] ?? "xml"
  /// A folder in memory for the file, with what must stand beside it.
  private static let folder = makeFolder()
  private static let store = try? SampleStore.temporary()

  private static let workout = """
    <HealthData><Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="W"
     startDate="2024-03-09 10:00:00 +0000" endDate="2024-03-09 11:00:00 +0000"><WorkoutRoute
     sourceName="W" startDate="2024-03-09 10:00:00 +0000" endDate="2024-03-09 11:00:00 +0000">
     <FileReference path="/workout-routes/route.gpx"/></WorkoutRoute></Workout></HealthData>
    """

  static func check(_ input: Data) {
    let isNarrow = input.count % 2 == 1
    let session = input.count % 16 < 2 ? try? store?.beginImport() : nil
    let limits = ExportLimits(
      textBytes: 1 << 22, elementBytes: isNarrow ? 1 << 11 : 1 << 16, bufferedRows: 1 << 10,
      rememberedBytes: isNarrow ? 1 << 10 : 1 << 20)
    do {
      switch reader {
      case "gpx":
        _ = try write(input, to: "apple_health_export/workout-routes/route.gpx")
        try drain(
          ExportReader(path: folder + "/apple_health_export", limits: limits), into: session)
      case "ecg":
        _ = try write(input, to: "apple_health_export/electrocardiograms/ecg.csv")
        try drain(
          ExportReader(path: folder + "/apple_health_export", limits: limits), into: session)
      case "json":
        try drain(
          HealthAutoExportReader(path: try write(input, to: "export.json")), into: session)
      case "csv":
        try drain(
          SimpleHealthExportReader(path: try write(input, to: "export.csv")), into: session)
      case "connect":
        try drain(HealthConnectReader(path: try write(input, to: "backup.db")), into: session)
      case "zip":
        let path = try write(input, to: "export.zip")
        switch try ImportFormat(path: path) {
        case .appleHealth: try drain(ExportReader(path: path, limits: limits), into: session)
        case .healthAutoExport: try drain(HealthAutoExportReader(path: path), into: session)
        case .simpleHealthExport: try drain(SimpleHealthExportReader(path: path), into: session)
        case .healthConnect: try drain(HealthConnectReader(path: path), into: session)
        }
      default:
        let path = try write(input, to: "export.xml")
        try drain(ExportReader(path: path, limits: limits), into: session)
      }
      _ = try session?.finish(dryRun: true)
    } catch is ExportError {
      // A file that is refused is an answer.
    } catch {
      fatalError("an error of another kind: \(error)")
    }
  }

  private static func makeFolder() -> String {
    let folder = "/dev/shm/hkstats-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    for name in ["workout-routes", "electrocardiograms"] {
      try? FileManager.default.createDirectory(
        atPath: folder + "/apple_health_export/" + name, withIntermediateDirectories: true)
    }
    _ = FileManager.default.createFile(
      atPath: folder + "/apple_health_export/export.xml", contents: Data(workout.utf8))
    return folder
  }

  private static func write(_ input: Data, to name: String) throws -> String {
    let path = folder + "/" + name
    try input.write(to: URL(fileURLWithPath: path))
    return path
  }

  private static func drain(
    _ opened: consuming some BatchReader & ~Copyable, into session: ImportSession?
  ) throws {
    var reader = opened
    var delivered = 0
    while let batch = try reader.next() {
      switch batch {
      case .records(let rows):
        check(rows)
        delivered += rows.count
      case .routes(let routes):
        for row in routes.rows {
          precondition(
            row.locations.latitudes.allSatisfy { abs($0) <= 90 }, "a place off the globe")
          precondition(row.locations.times.count == row.locations.latitudes.count)
        }
      case .electrocardiograms(let columns):
        for row in columns.rows {
          precondition(row.voltages.allSatisfy(\.isFinite) && row.facts.end.isFinite)
        }
      default: break
      }
      try session?.add(batch)
    }
    let summary = reader.summary
    precondition(
      summary.read - summary.skipped.values.reduce(0, +) <= delivered + summary.nestedRecords,
      "records were lost without a reason")
  }

  private static func check(_ rows: RecordColumns) {
    precondition(rows.count > 0, "an empty batch")
    precondition(
      [
        rows.ends.count, rows.values.count, rows.labels.count, rows.origins.count,
        rows.metadata.count, rows.copies.count,
      ].allSatisfy { $0 == rows.count }, "columns of different lengths")
    precondition(
      (rows.starts + rows.ends + rows.values).allSatisfy(\.isFinite), "a number is not finite")
    precondition(
      (0..<rows.count).allSatisfy { rows.creation(row: $0)?.isFinite ?? true },
      "a date of creation is not finite")
    precondition(rows.labels.allSatisfy { rows.labelTable.indices.contains(Int($0)) })
    precondition(rows.origins.allSatisfy { rows.originTable.indices.contains(Int($0)) })
    precondition(rows.metadata.allSatisfy { rows.metadataTable.indices.contains(Int($0)) })
  }
}
