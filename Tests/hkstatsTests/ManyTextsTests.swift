import ArgumentParser
import Foundation
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("Options that are given thousands of times")
struct ManyTextsTests {
  private static let words = [
    "--where", "--where=value>1", "--where=", "value>2", "uuid=x", "--uuid", "--uuid=a", "-",
    "heartRate", "--yes", "--", "a=b", "", "--uuid=-b", "--where=-",
  ]

  /// What the parser makes of arguments; `nil` if it refuses them.
  private func parsed(_ arguments: [String]) -> [[String]]? {
    guard let command = try? DeleteCommand.parse(arguments) else { return nil }
    func texts(_ option: [ManyTexts]) -> [String] { option.flatMap(\.texts) }
    return [
      texts(command.objects.uuid), texts(command.conditions), [command.objects.name ?? "none"],
      ["\(command.change.yes)"],
    ]
  }

  @Test("mean the same when all of one name are in one argument", arguments: 0..<6)
  func gathering(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var accepted = 0
    for _ in 0..<50 {
      let arguments = (0..<Int.random(in: 0...7, using: &random)).map { _ in
        Self.words.randomElement(using: &random) ?? ""
      }
      let gathered = DeleteCommand.gathering(arguments, parsed)
      #expect(gathered == parsed(arguments), "\(arguments)")
      if parsed(arguments) != nil { accepted += 1 }
    }
    #expect(accepted > 0)
  }

  @Test("are one argument to the parser, whatever their number")
  func one() {
    let many = (0..<2_000).flatMap { ["--uuid", "\($0)"] } + ["--where", "a", "--where=b"]
    #expect(DeleteCommand.gathering(["delete"] + many, \.count) == 5)
    #expect(DeleteCommand.gathering(many + ["steps", "--yes"], parsed) == nil)
    #expect(DeleteCommand.gathering(many.dropLast(3), parsed)?.first?.count == 2_000)
  }

  @Test("take time in proportion to their number, as a program")
  func linear() throws {
    let scratch = try Scratch()
    let store = scratch.path("store.sqlite")
    var export = SmallExport()
    for minute in 10..<60 {
      let time = "2024-03-01T10:\(minute):00"
      export.add(
        "HKQuantityTypeIdentifierHeartRate", "\(minute)", unit: "count/min", from: time, to: time)
    }
    let path = try scratch.file("export.xml", export.data)
    try #require(try ProgramRun.hkstats(["import", path, "--store", store]).exitCode == 0)
    func seconds(_ count: Int, _ arguments: [String], _ option: (Int) -> String) throws -> Double {
      let run = try MeasuredRun(
        arguments + ["--store", store] + (0..<count).map(option))
      #expect(run.run.exitCode == 0, "\(run.run.errors)")
      return run.seconds
    }
    for (arguments, option): ([String], (Int) -> String) in [
      (["delete", "--dry-run"], { _ in "--uuid=\(UUID())" }),
      (["samples", "heartRate"], { _ in "--where=uuid!=\(UUID())" }),
      (["samples", "heartRate"], { "--where=value!=\($0)" }),
      (["samples", "heartRate"], { "--where=metadata.a!=\($0)" }),
      (["samples", "heartRate"], { "--where=device!=\($0)" }),
      (["delete", "heartRate", "--dry-run"], { "--where=value>\($0)" }),
    ] {
      let one = try seconds(1, arguments, option)
      // What takes quadratic time takes 30 times as long and more.
      #expect(try seconds(5_000, arguments, option) < 8 * one + 3, "\(arguments)")
    }
  }

  @Test("come from standard input, too, one a line")
  func input() throws {
    let scratch = try Scratch()
    let store = scratch.path("store.sqlite")
    var export = SmallExport()
    for hour in 10...14 {
      let time = "2024-03-01T\(hour):00:00"
      export.add(
        "HKQuantityTypeIdentifierStepCount", "\(hour)", unit: "count", from: time, to: time)
    }
    let path = try scratch.file("export.xml", export.data)
    func run(_ arguments: [String], input: String = "") throws -> ProgramRun {
      try ProgramRun.hkstats(arguments + ["--store", store], input: input)
    }
    try #require(try run(["import", path]).exitCode == 0)
    let rows = try #require(
      try run(["samples", "steps", "--uuid", "--format", "json"]).json() as? [[String: Any]])
    let uuids = rows.compactMap { $0["uuid"] as? String }
    #expect(uuids.count == 5)
    let narrowed = try run(
      ["samples", "steps", "--where", "-", "--format", "ndjson"], input: "value>11\n\nvalue!=13\n")
    #expect(narrowed.lines.count == 2)
    for arguments in [["delete", "--uuid", "-"], ["delete", "steps", "--where=-"]] {
      let run = try run(arguments, input: "\n")
      #expect(run.exitCode == 64 && run.errors.contains("empty"))
    }
    let deleted = try run(["delete", "--uuid", "-"], input: uuids[..<3].joined(separator: "\n"))
    #expect(deleted.output == "3 samples deleted.\n")
    #expect(try run(["restore", "--uuid=-"], input: uuids[0]).output.contains("1 sample"))
    #expect(try run(["samples", "steps", "--format", "ndjson"]).lines.count == 3)
  }
}
