import Foundation
import HealthSamples
import HealthUnits
import Samples

/// The samples that all tools read: instants and values of one source.
enum PeerSamples {
  /// Seconds from 1970 to 2001.
  private static let epoch = 978_307_200.0
  /// Samples begin in 2015.
  private static let begin = 441_763_200.0

  static func write(count: Int, to folder: URL) throws {
    let samples = SeededSamples.overlapping(
      type: try type(), sources: 1, count: count, hasGaps: false)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let times = samples.starts.map { Int64(($0 / 2 + begin).rounded() + epoch) }
    try times.withUnsafeBytes { Data($0) }.write(to: folder.appending(path: "times.i64"))
    try samples.values.withUnsafeBytes { Data($0) }.write(to: folder.appending(path: "values.f64"))
  }

  /// The samples of a folder as columns.
  static func read(from folder: URL) throws -> SampleColumns {
    let times: [Int64] = try numbers(in: folder.appending(path: "times.i64"))
    let values: [Double] = try numbers(in: folder.appending(path: "values.f64"))
    guard times.count == values.count else {
      throw ProblemError("times.i64 and values.f64 hold different counts.")
    }
    let source = Source(name: "Watch")
    return SampleColumns(
      type: try type(),
      rows: zip(times, values).lazy.map { time, value in
        let instant = Double(time) - epoch
        return .init(source: source, start: instant, end: instant, value: value)
      })
  }

  private static func type() throws -> SampleType {
    SampleType(
      identifier: "HKQuantityTypeIdentifierBenchmark",
      kind: .quantity(canonicalUnit: try UnitExpression("count"), style: .discreteArithmetic))
  }

  private static func numbers<Number: BitwiseCopyable>(in file: URL) throws -> [Number] {
    let data = try Data(contentsOf: file)
    return [Number](unsafeUninitializedCapacity: data.count / MemoryLayout<Number>.stride) {
      $1 = data.copyBytes(to: $0) / MemoryLayout<Number>.stride
    }
  }
}
