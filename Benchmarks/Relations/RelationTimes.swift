import Foundation
import Harness
import HealthAnalysis

/// Measures the relations of many series of days, beside the same by another tool.
///
///     relations write FOLDER ROWS COUNT PERCENT   makes FOLDER/values.f64: COUNT series of ROWS days,
///                                                 of which PERCENT lack a value (NaN)
///     relations measure FOLDER ROWS               prints method, seconds and how many tests, and writes
///                                                 all coefficients to FOLDER/ours-METHOD.f64
///
/// One thread, whose own time counts: from series to adjusted p-values of all pairs at all lags.
@main
struct RelationTimes {
  private static let rounds = 5

  static func main() throws {
    let arguments = Options().rest
    switch arguments.first {
    case "write" where arguments.count == 5:
      guard let rows = Int(arguments[2]), let count = Int(arguments[3]),
        let percent = Int(arguments[4]), rows > 0, count > 1
      else { fail() }
      try write(to: arguments[1], rows: rows, count: count, percent: percent)
    case "measure" where arguments.count == 3:
      guard let rows = Int(arguments[2]), rows > 0 else { fail() }
      try measure(arguments[1], rows: rows)
    default: fail()
    }
  }

  private static func fail() -> Never {
    Options.fail("relations write FOLDER ROWS COUNT PERCENT | measure FOLDER ROWS")
  }

  private static func write(to folder: String, rows: Int, count: Int, percent: Int) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var state: UInt64 = 1
    let next = {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / Double(1 << 53)
    }
    let values = (0..<rows * count).map { _ in
      let value = next()
      return next() * 100 < Double(percent) ? Double.nan : value
    }
    try values.withUnsafeBytes { try Data($0).write(to: file("values", in: folder)) }
  }

  private static func file(_ name: String, in folder: String) -> URL {
    URL(fileURLWithPath: folder).appendingPathComponent(name + ".f64")
  }

  private static func measure(_ folder: String, rows: Int) throws {
    let data = try Data(contentsOf: file("values", in: folder))
    let values = data.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
    let series = try stride(from: 0, to: values.count, by: rows).map { first in
      try RegularSeries(values[first..<first + rows].map { $0.isNaN ? nil : $0 })
    }
    for method in Correlation.Method.allCases {
      var times = Times()
      var relations = try Relations(series, method: method)
      for _ in 0..<rounds {
        let begin = Clock.processor.now
        relations = try Relations(series, method: method)
        times.seconds.append(Clock.processor.now - begin)
      }
      print(method, times.least, relations.tested.count, separator: "\t")
      let coefficients = relations.tested.map(\.correlation.coefficient)
      try coefficients.withUnsafeBytes {
        try Data($0).write(to: file("ours-\(method)", in: folder))
      }
    }
  }
}
