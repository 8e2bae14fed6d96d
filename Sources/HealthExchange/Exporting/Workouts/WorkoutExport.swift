import Foundation
import HealthQuery
import HealthSamples
import HealthStore

/// An export of workouts with what belongs to each: all in one text, or a file for each.
///
/// The names of files are `2024-03-09-0830-running.gpx`, by the local start; of several with one
/// name the later ones get a number.
struct WorkoutExport {
  let request: ExportRequest
  let store: SampleStore
  let progress: ((ExportProgress) -> Void)?
  let isCancelled: () -> Bool

  /// What the result calls workouts for which gpx has no form.
  static let withoutRoute = "workouts without a route"

  /// Whether a request is of this kind.
  static func isAsked(by request: ExportRequest, to destination: ExportDestination) -> Bool {
    switch (request.format, destination) {
    case (.tcx, _), (.gpx, .folder): true
    default: false
    }
  }

  /// Writes the workouts.
  func write(to destination: ExportDestination) throws(OutputError) -> ExportResult {
    let workouts = try reading { try store.workouts(in: request.range).rows }
    switch destination {
    case .folder(let path, let replacing):
      return try write(workouts, to: path, replacing: replacing)
    case .file(let path, let replacing):
      let output = try TextOutput(path: path, replacing: replacing)
      return try write(workouts, to: output)
    case .stream(let handle): return try write(workouts, to: TextOutput(handle))
    }
  }

  private func write(
    _ workouts: [Workouts.Row], to output: TextOutput
  ) throws(OutputError) -> ExportResult {
    try output.write(TrainingCenterText.beginning)
    for (number, workout) in workouts.enumerated() {
      try TrainingCenterText.write(try recording(of: workout), to: output)
      progress?(ExportProgress(written: number + 1, count: workouts.count))
    }
    try output.write(TrainingCenterText.end)
    try output.finish()
    return ExportResult(written: workouts.count, leftOut: [:])
  }

  private func write(
    _ workouts: [Workouts.Row], to path: String, replacing: Bool
  ) throws(OutputError) -> ExportResult {
    let names = fileNames(of: workouts)
    let folder = try OutputFolder(path: path, replaces: replacing, known: Set(names))
    var written = 0
    for (workout, name) in zip(workouts, names) {
      let recording = try recording(of: workout)
      let hasPlaces = recording.routes.contains { $0.locations.count > 0 }
      guard request.format == .tcx || hasPlaces else { continue }
      let file = try folder.file(name, csv: CommaSeparated())
      if request.format == .tcx {
        try file.write(TrainingCenterText.beginning)
        try TrainingCenterText.write(recording, to: file)
        try file.write(TrainingCenterText.end)
        try file.finish()
      } else {
        let export = GPXExport(to: file, in: request.zones)
        try export.begin()
        try export.write(.routes(Routes(recording.routes)))
        try export.end()
      }
      written += 1
      progress?(ExportProgress(written: written, count: workouts.count))
    }
    try folder.finish()
    let leftOut = workouts.count - written
    return ExportResult(
      written: written, leftOut: leftOut == 0 ? [:] : [Self.withoutRoute: leftOut])
  }

  /// The name of each file, all different.
  private func fileNames(of workouts: [Workouts.Row]) -> [String] {
    var taken: Set<String> = []
    return workouts.map { workout in
      let start = LocalTime(workout.facts.start, in: request.zones)
      // The names of activities that the catalogue lacks are any text.
      let activity = ActivityName.short(workout.activity)
        .filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(40)
      let clock = start.minuteText.replacing(":", with: "")
      let stem = "\(start.dateText)-\(clock)-\(activity.isEmpty ? "workout" : activity)"
      var name = "\(stem).\(request.format.rawValue)"
      var number = 2
      while !taken.insert(name).inserted {
        name = "\(stem)-\(number).\(request.format.rawValue)"
        number += 1
      }
      return name
    }
  }

  private func recording(of workout: Workouts.Row) throws(OutputError) -> WorkoutRecording {
    if isCancelled() { throw OutputError(.cancelled) }
    return try reading { try store.recording(of: workout) }
  }

  /// Reads the store, and converts its errors.
  private func reading<Value>(_ body: () throws -> Value) throws(OutputError) -> Value {
    do {
      return try body()
    } catch let error as StoreError {
      throw OutputError(.store(error))
    } catch {
      // The store throws only its own errors.
      throw OutputError(.notWritable(errno: EIO))
    }
  }
}
