import Floors
import Foundation
import HealthExchange
import HealthSamples
import HealthStore
import Samples

/// Heart rates to print, from a store and from arrays.
struct TextProblem {
  private let store: SampleStore
  private let starts: [Double]
  private let values: [Double]

  private static let count = 50_000

  /// The samples, after all implementations have printed the same text.
  static let checked = Result { try TextProblem.check() }

  private static func check() throws -> Self {
    let problem = try TextProblem()
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("hkstats-text-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let paths = ["ours", "naive", "floor"].map { folder.appendingPathComponent($0).path }
    for path in paths { FileManager.default.createFile(atPath: path, contents: nil) }
    try problem.export(to: paths[0])
    try problem.interpolate(to: paths[1])
    guard problem.print(to: paths[2]) == count else {
      throw ProblemError("The C loop cannot write to \(paths[2]).")
    }
    let texts = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }
    // Ours begins with the titles.
    guard let end = texts[0].firstIndex(of: "\n") else { throw ProblemError("There is no text.") }
    guard texts[0][texts[0].index(after: end)...] == texts[1], texts[1] == texts[2] else {
      throw ProblemError("The three texts differ.")
    }
    return problem
  }

  private init() throws {
    starts = (0..<Self.count).map { Double($0 * 97) }
    // Ten of sixteen have decimals, as rates of a watch have.
    values = (0..<Self.count).map { 60 + Double($0 % 997) / 16 }
    var records = RecordColumns(type: SampleType(.heartRate), source: Source(name: "Watch"))
    let origin = Origin(sourceVersion: "10.1", device: "name:Watch, model:Watch")
    for (start, value) in zip(starts, values) {
      try records.append(
        start: start, end: start, value: value, label: "count/min", creation: start,
        origin: origin)
    }
    store = try SampleStore.temporary()
    let session = try store.beginImport()
    try session.add(.records(records))
    _ = try session.finish()
  }

  /// From the store, as `hkstats export` does.
  func export(to path: String) throws {
    guard let file = FileHandle(forWritingAtPath: path) else {
      throw ProblemError("\(path) cannot be written.")
    }
    try store.export(
      ExportRequest(format: .csv, selections: [.samples(SampleType(.heartRate))]),
      to: .stream(file))
  }

  /// With a formatter of dates and a string a row.
  func interpolate(to path: String) throws {
    guard let file = FileHandle(forWritingAtPath: path) else {
      throw ProblemError("\(path) cannot be written.")
    }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssxxx"
    for (start, value) in zip(starts, values) {
      let date = formatter.string(from: Date(timeIntervalSinceReferenceDate: start))
      let number = value == value.rounded() ? String(Int(value)) : String(value)
      let row =
        "HKQuantityTypeIdentifierHeartRate,\(date),\(date),\(number),count/min,Watch,false,10.1,"
        + "\"name:Watch, model:Watch\",\(date),1,\n"
      file.write(Data(row.utf8))
    }
  }

  /// With `fprintf` in C.
  func print(to path: String) -> Int {
    floor_print_samples(path, starts, values, starts.count)
  }
}
