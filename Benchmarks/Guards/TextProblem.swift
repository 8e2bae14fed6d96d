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

  private static let count = 10_000

  /// The problem, after ours and the C loop have printed the same text.
  static func checked(in workplace: Workplace) throws -> Self {
    let problem = try TextProblem()
    let paths = ["ours.csv", "floor.csv"].map { "\(workplace.folder)/\($0)" }
    try Data().write(to: URL(fileURLWithPath: paths[0]))
    try problem.export(to: paths[0])
    guard problem.print(to: paths[1]) == count else {
      throw ProblemError("The C loop cannot write to \(paths[1]).")
    }
    let texts = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }
    // Ours begins with the titles.
    guard let end = texts[0].firstIndex(of: "\n") else { throw ProblemError("There is no text.") }
    guard texts[0][texts[0].index(after: end)...] == texts[1] else {
      throw ProblemError("The C loop prints another text.")
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

  /// With `fprintf` in C.
  func print(to path: String) -> Int {
    floor_print_samples(path, starts, values, starts.count)
  }
}
