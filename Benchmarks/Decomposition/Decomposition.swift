import Foundation
import Harness
import HealthAnalysis

/// Measures decompositions of many series of days, beside the same by another tool.
///
///     decomposition write FOLDER ROWS COUNT   makes FOLDER/values.f64: COUNT series of ROWS days
///     decomposition measure FOLDER ROWS [WAY] prints the way, the seconds and how many series, and
///                                             writes trend and seasons to FOLDER/ours-WAY.f64
///
/// One thread, whose own time counts. A plan is made anew for each measurement, and used for all series.
@main
struct DecompositionTimes {
  private static let rounds = 5

  static func main() async throws {
    let arguments = Options().rest
    switch arguments.first {
    case "write" where arguments.count == 4:
      guard let rows = Int(arguments[2]), let count = Int(arguments[3]) else { fail() }
      try write(to: arguments[1], rows: rows, count: count)
    case "measure" where 3...4 ~= arguments.count:
      guard let rows = Int(arguments[2]), rows > 0 else { fail() }
      try measure(arguments[1], rows: rows, only: arguments.dropFirst(3).first)
    default: fail()
    }
  }

  private static func fail() -> Never {
    Options.fail("decomposition write FOLDER ROWS COUNT | measure FOLDER ROWS [WAY]")
  }

  /// A trend, a week, a year and scatter, by whole numbers alone.
  private static func write(to folder: String, rows: Int, count: Int) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var values: [Double] = []
    for series in 0..<count {
      var state = UInt64(series) &* 0x9E37_79B9_7F4A_7C15 &+ 1
      for row in 0..<rows {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let scatter = Double(state >> 33) / Double(1 << 31)
        let year = Double(row % 365 * (365 - row % 365)) / 5_000
        let week = Double(row % 7 * ((series + row) % 7)) / 10
        values.append(60 + 0.001 * Double(row) + year + week + 6 * scatter)
      }
    }
    try values.withUnsafeBytes { try Data($0).write(to: file("values", in: folder)) }
  }

  private static func file(_ name: String, in folder: String) -> URL {
    URL(fileURLWithPath: folder).appendingPathComponent(name + ".f64")
  }

  private static func measure(_ folder: String, rows: Int, only chosen: String?) throws {
    let data = try Data(contentsOf: file("values", in: folder))
    let values = data.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
    let series = try stride(from: 0, to: values.count, by: rows).map { first in
      try RegularSeries(Array(values[first..<first + rows]))
    }
    let jumps = DecompositionParameters().withTenthJumps()
    let ways: [(String, () throws -> DecompositionPlan)] = [
      ("stl-1", { try DecompositionPlan(rows: rows, period: 7) }),
      ("stl-tenth", { try DecompositionPlan(rows: rows, period: 7, parameters: jumps) }),
      ("stl-robust", { try DecompositionPlan(rows: rows, period: 7, parameters: .robust) }),
      ("mstl-1", { try DecompositionPlan(rows: rows, periods: [7, 365]) }),
      ("mstl-tenth", { try DecompositionPlan(rows: rows, periods: [7, 365], parameters: jumps) }),
    ]
    for (name, plan) in ways where chosen ?? name == name {
      var parts: [Decomposition] = []
      var times = Times()
      for _ in 0..<rounds {
        let begin = Clock.processor.now
        let plan = try plan()
        parts = try series.map { try $0.decomposed(by: plan) }
        times.seconds.append(Clock.processor.now - begin)
      }
      print("\(name)\t\(times.least)\t\(series.count)")
      let columns = parts.flatMap { $0.trend + $0.seasons.flatMap(\.values) }
      try columns.withUnsafeBytes {
        try Data($0).write(to: file("ours-\(name)", in: folder))
      }
    }
  }
}
