import Foundation
import Testing
import _HealthTestSupport

@testable import hkstats

/// Two devices whose samples have one name, told apart by their hardware.
@Suite("Devices of one name and other hardware")
final class DevicesOfOneNameProgramTests: StoreSuite {
  /// What a device counted; times are quarters of an hour from the first of March.
  private struct Count {
    let device: Int
    let start: Int
    let end: Int
    let steps: Int
  }

  private static let hardware = ["Watch6,2", "Watch7,5", "iPhone15,3"]

  private func export(
    _ name: String, _ counts: [Count], named names: [String], device: String = "Device"
  ) throws -> String {
    func date(_ quarter: Int) -> String {
      let (day, hour, minute) = (quarter / 96 + 1, quarter / 4 % 24, quarter % 4 * 15)
      return String(format: "2024-03-%02d %02d:%02d:00 +0000", day, hour, minute)
    }
    let records = counts.map { count in
      """
      <Record type="HKQuantityTypeIdentifierStepCount" sourceName="\(names[count.device])" \
      sourceVersion="10" device="&lt;&lt;HKDevice: 0x1&gt;, name:\(device), model:\
      \(count.device < 2 ? "Watch" : "iPhone"), hardware:\(Self.hardware[count.device])&gt;" \
      unit="count" creationDate="\(date(count.end))" startDate="\(date(count.start))" \
      endDate="\(date(count.end))" value="\(count.steps)"/>

      """
    }
    let text =
      "<?xml version=\"1.0\"?>\n<HealthData locale=\"en_FR\">\n"
      + "<ExportDate value=\"2024-03-30 12:00:00 +0000\"/>\n\(records.joined())</HealthData>"
    return try scratch.file(name, Data(text.utf8))
  }

  private func rows(_ arguments: [String], of path: String) throws -> [[String: Any]] {
    let run = try ProgramRun.hkstats(
      ["stats", "steps", "--timezone", "UTC", "--format", "json", "--export", path] + arguments)
    try #require(run.exitCode == 0, "\(run.errors)")
    return try run.rows("intervals")
  }

  @Test(
    "Watches of one name give what watches of two names give",
    arguments: 1...12 as ClosedRange<UInt64>)
  func names(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    // The second watch is the newer one: its first sample is later.
    var counts = [Count(device: 0, start: 0, end: 1, steps: 7)]
    for device in 0..<3 {
      for _ in 0..<Int.random(in: 1...60, using: &generator) {
        let start = Int.random(in: 1...900, using: &generator)
        counts.append(
          Count(
            device: device, start: start,
            end: start + Int.random(in: 0...5, using: &generator),
            steps: Int.random(in: 1...500, using: &generator)))
      }
    }
    counts.shuffle(using: &generator)
    let one = try export("one.xml", counts, named: ["Watch", "Watch", "Phone"])
    let two = try export("two.xml", counts, named: ["Old Watch", "New Watch", "Phone"])
    for arguments in [
      [], ["--by", "day"], ["--by", "hour"], ["--by", "day", "--merge", "drop"],
      ["--by", "day", "--merge", "none"], ["--by", "day", "--from", "2024-03-04"],
      ["--by", "day", "--source", "Phone"], ["--by", "day", "--merge", "highest"],
    ] {
      let sums = try [one, two].map { try rows(arguments, of: $0).map { $0["sum"] as? Double } }
      #expect(sums[0] == sums[1], "\(arguments)")
    }
  }

  @Test("Of two watches the newer one counts where both did, and the answer says why")
  func newer() throws {
    let counts = [
      Count(device: 0, start: 32, end: 33, steps: 500),
      Count(device: 1, start: 32, end: 33, steps: 520),
      Count(device: 1, start: 40, end: 41, steps: 200),
    ]
    let path = try export("both.xml", counts, named: ["Watch", "Watch", "Phone"])
    #expect(try rows([], of: path).map { $0["sum"] as? Double } == [720])
    #expect(try rows(["--merge", "none"], of: path).map { $0["sum"] as? Double } == [1220])
    let explained = try ProgramRun.hkstats(["stats", "steps", "--explain", "--export", path])
    #expect(explained.output.contains("Watch (Watch7,5)"), "\(explained.output)")
    #expect(explained.output.contains("Watch (Watch6,2)"))
    let sources = try ProgramRun.hkstats(["sources", "steps", "--format", "json", "--export", path])
    #expect(try sources.rows("sources").map { $0["source"] as? String } == ["Watch"])
  }

  @Test("No sample of a device is lost whose description is too long to be counted whole")
  func longDescription() throws {
    let long = String(repeating: "x", count: 1100)
    let short = [
      Count(device: 0, start: 32, end: 33, steps: 500),
      Count(device: 1, start: 32, end: 33, steps: 520),
    ]
    let store = ["--store", scratch.path("store.sqlite")]
    for path in [
      try export("short.xml", short, named: ["Watch", "Watch", "Watch"]),
      try export(
        "long.xml", short + [Count(device: 2, start: 40, end: 41, steps: 100)],
        named: ["Watch", "Watch", "Watch"], device: long),
    ] {
      #expect(try ProgramRun.hkstats(["import", path] + store).exitCode == 0)
    }
    let answer = try ProgramRun.hkstats(
      ["stats", "steps", "--timezone", "UTC", "--format", "json"] + store)
    #expect(try answer.rows("intervals").map { $0["sum"] as? Double } == [620])
  }

  @Test("A watch that takes the place of another one is the same source")
  func successor() throws {
    let counts = (0..<20).map {
      Count(device: $0 / 10, start: 96 * $0 + 40, end: 96 * $0 + 44, steps: 100)
    }
    let path = try export("after.xml", counts, named: ["Watch", "Watch", "Phone"])
    let explained = try ProgramRun.hkstats(["stats", "steps", "--explain", "--export", path])
    #expect(!explained.output.contains("Watch7,5"), "\(explained.output)")
    #expect(try rows([], of: path).map { $0["sum"] as? Double } == [2000])
  }
}
