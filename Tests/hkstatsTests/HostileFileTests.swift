import Foundation
import Synchronization
import Testing
import _HealthTestSupport

@Suite("Files made to take all memory, time or disk", .serialized)
struct HostileFileTests {
  private static let tally = Mutex(SoakTally())

  @Test(
    "An import ends by itself, as it should, in bounded time and memory; what is good arrives",
    arguments: HostileFile.all.filter { Soak.isLong || $0.shortCount != nil })
  func hostile(file: HostileFile) throws {
    let count = Soak.isLong ? file.count : file.shortCount ?? file.count
    let scratch = try Scratch()
    let (path, store) = (scratch.path("hostile." + file.suffix), scratch.path("store.sqlite"))
    try file.write(count: count, to: path)
    let size = try URL(fileURLWithPath: path).resourceValues(forKeys: [.fileSizeKey]).fileSize
    let measured = try MeasuredRun(["import", path, "--store", store, "--json"])
    let run = measured.run
    #expect(run.exitCode == file.exitCode, "\(run.errors.suffix(300))")
    #expect(1..<file.megabytes * 1_000_000 ~= measured.peakBytes)
    switch file.arrival {
    case .nothing: break
    case .eachRecord: #expect(try run.object()["read"] as? Int == count)
    case .steps(let wanted):
      let answer = try ProgramRun.hkstats(
        ["samples", "steps", "--store", store, "--format", "ndjson"])
      let values = try answer.lines.map { line in
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      }
      #expect(wanted.isSubset(of: values.compactMap { $0?["value"] as? Double }))
    }
    Self.tally.withLock {
      $0.add(
        bytes: size ?? 0, end: "ended with \(run.exitCode)", seconds: measured.seconds,
        peakBytes: measured.peakBytes)
      if Soak.isLong { print($0.line("hostile files")) }
    }
  }
}
