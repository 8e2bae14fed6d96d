import Foundation
import HealthExchange
import Testing

@testable import hkstats

@Suite("Tables with thousands of sources take time in proportion to them")
struct ManySourcesTests {
  private func seconds(_ work: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let tries = try (0..<3).map { _ in try clock.measure { try work() } }
    return tries.map { $0 / .seconds(1) }.min() ?? 0
  }

  @Test("A list of names is broken into lines in linear time", arguments: [60, Int.max])
  func wrapping(width: Int) {
    let words = (0..<8000).map { "source\($0)" }
    func wrap(_ size: Int) {
      let lines = words.prefix(size).joined(separator: " ").wrapped(to: width)
      #expect(lines.joined(separator: " ").split(separator: " ").count == size)
      #expect(width == .max || lines.allSatisfy { $0.displayWidth <= width })
    }
    wrap(1000)
    // Eight times as much; in quadratic time it would be 64 times as long.
    #expect(seconds { wrap(8000) } < 30 * seconds { wrap(1000) })
  }

  @Test("A comparison as a table takes little more time than as csv, and fits the screen")
  func comparison() throws {
    let scratch = try Scratch()
    var text = "type,sourceName,startDate,endDate,unit,value\n"
    for place in 0..<3000 {
      text +=
        "HKQuantityTypeIdentifierStepCount,source \(place),2024-03-09 10:00:00 +0000,"
        + "2024-03-09 10:05:00 +0000,count,10\n"
    }
    try Data(text.utf8).write(to: scratch.url("many.csv"))
    let arguments = [
      "sources", "compare", "steps", "--timezone", "UTC", "--export", scratch.path("many.csv"),
    ]
    var table = ""
    let tableSeconds = try seconds {
      table = try ProgramRun.hkstats(arguments, environment: ["COLUMNS": "80"]).output
    }
    let csvSeconds = try seconds { _ = try ProgramRun.hkstats(arguments + ["--format", "csv"]) }
    #expect(tableSeconds < 3 * csvSeconds)
    let rows = table.split(separator: "\n").filter { $0.contains("2024-03-09") }
    #expect(table.contains(" more"))
    #expect(rows.count == 1 && rows.allSatisfy { $0.contains("30000") || $0.contains("30,000") })
  }
}
