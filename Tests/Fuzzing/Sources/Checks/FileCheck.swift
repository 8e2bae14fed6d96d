import Foundation
import HealthImport
import HealthSamples
import HealthStore

/// Reads any bytes as one of the files that people have, and holds the result to what is promised.
///
/// Some inputs are read within limits so narrow that windows grow and tables are forgotten, and of
/// some a store must take every batch.
final class FileCheck: Sendable {
  private let subject: FuzzSubject
  /// A folder for the file and the other files of its export.
  private let folder: String
  private let store: SampleStore

  private static let workout = """
    <HealthData><Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="W"
     startDate="2024-03-09 10:00:00 +0000" endDate="2024-03-09 11:00:00 +0000"><WorkoutRoute
     sourceName="W" startDate="2024-03-09 10:00:00 +0000" endDate="2024-03-09 11:00:00 +0000">
     <FileReference path="/workout-routes/route.gpx"/></WorkoutRoute></Workout></HealthData>
    """

  init(of subject: FuzzSubject) throws {
    self.subject = subject
    store = try SampleStore.temporary()
    let files = FileManager.default
    folder = files.temporaryDirectory.path + "/hkstats-fuzz-\(UUID().uuidString)"
    for name in ["workout-routes", "electrocardiograms"] {
      try files.createDirectory(
        atPath: folder + "/apple_health_export/" + name, withIntermediateDirectories: true)
    }
    _ = try write(Array(Self.workout.utf8), to: "apple_health_export/export.xml")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func check(_ input: [UInt8]) throws {
    let isNarrow = input.count % 2 == 1
    let session = input.count % 16 < 2 ? try store.beginImport() : nil
    let limits = ImportLimits(
      textBytes: 1 << 22, elementBytes: isNarrow ? 1 << 11 : 1 << 16, bufferedRows: 1 << 10,
      rememberedBytes: isNarrow ? 1 << 10 : 1 << 20)
    do {
      let path = try write(input, to: fileName)
      let isBeside = subject == .gpx || subject == .ecg
      let opened = isBeside ? folder + "/apple_health_export" : path
      switch try format(of: opened) {
      case .appleHealth: try drain(ImportReader(path: opened, limits: limits), into: session)
      case .healthAutoExport: try drain(HealthAutoExportReader(path: opened), into: session)
      case .simpleHealthExport: try drain(SimpleHealthExportReader(path: opened), into: session)
      case .healthConnect: try drain(HealthConnectReader(path: opened), into: session)
      }
      _ = try session?.finish(dryRun: true)
    } catch is ExportError {
      // A file that is refused is an answer; an error of another kind is none.
    }
  }

  private var fileName: String {
    switch subject {
    case .gpx: "apple_health_export/workout-routes/route.gpx"
    case .ecg: "apple_health_export/electrocardiograms/ecg.csv"
    case .connect: "backup.db"
    case .xml, .zip, .json, .csv, .units: "export.\(subject)"
    }
  }

  /// Whose file it is: only of an archive the contents say so.
  private func format(of path: String) throws(ExportError) -> ImportFormat {
    switch subject {
    case .zip: try ImportFormat(path: path)
    case .json: .healthAutoExport
    case .csv: .simpleHealthExport
    case .connect: .healthConnect
    case .xml, .gpx, .ecg, .units: .appleHealth
    }
  }

  private func write(_ input: [UInt8], to name: String) throws -> String {
    let path = folder + "/" + name
    try Data(input).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func drain(
    _ opened: consuming some BatchReader & ~Copyable, into session: ImportSession?
  ) throws {
    var reader = opened
    var delivered = 0
    while let batch = try reader.next() {
      switch batch {
      case .records(let rows):
        try check(rows)
        delivered += rows.count
      case .routes(let routes):
        for row in routes.rows {
          try BrokenPromise.unless(
            row.locations.latitudes.allSatisfy { abs($0) <= 90 }, "a place off the globe")
          try BrokenPromise.unless(
            row.locations.times.count == row.locations.latitudes.count,
            "columns of a route of different lengths")
        }
      case .electrocardiograms(let columns):
        for row in columns.rows {
          try BrokenPromise.unless(
            row.voltages.allSatisfy(\.isFinite) && row.facts.end.isFinite,
            "a number of an electrocardiogram is not finite")
        }
      default: break
      }
      try session?.add(batch)
    }
    let summary = reader.summary
    try BrokenPromise.unless(
      summary.read - summary.skipped.values.reduce(0, +) <= delivered + summary.nestedRecords,
      "records were lost without a reason")
  }

  private func check(_ rows: RecordColumns) throws(BrokenPromise) {
    try BrokenPromise.unless(rows.count > 0, "an empty batch")
    try BrokenPromise.unless(
      [
        rows.ends.count, rows.values.count, rows.labels.count, rows.origins.count,
        rows.metadata.count, rows.copies.count,
      ].allSatisfy { $0 == rows.count }, "columns of different lengths")
    try BrokenPromise.unless(
      (rows.starts + rows.ends + rows.values).allSatisfy(\.isFinite), "a number is not finite")
    try BrokenPromise.unless(
      (0..<rows.count).allSatisfy { rows.creation(row: $0)?.isFinite ?? true },
      "a date of creation is not finite")
    try BrokenPromise.unless(
      rows.labels.allSatisfy { rows.labelTable.indices.contains(Int($0)) }
        && rows.origins.allSatisfy { rows.originTable.indices.contains(Int($0)) }
        && rows.metadata.allSatisfy { rows.metadataTable.indices.contains(Int($0)) },
      "a row refers to no entry of a table")
  }
}
