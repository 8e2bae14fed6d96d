import Foundation
import HealthSamples
import HealthStore
import Testing

@Suite("Changes of another process")
struct WatchProgramTests {
  private let steps = SampleType(.stepCount)

  private func sample(_ start: Double, _ value: Double) -> NewSample {
    NewSample(
      type: steps, source: Source(name: "App"), start: start, end: start + 1, value: value,
      label: "count")
  }

  @Test("watch prints each changed interval soon after its commit", .timeLimit(.minutes(2)))
  func latency() throws {
    let scratch = try Scratch()
    let path = scratch.path("store.sqlite")
    let store = try SampleStore(path: path, mode: .readWrite)
    try store.save([sample(0, 1)])
    let count = 20
    let process = try ProgramRun.start(
      "hkstats",
      [
        "watch", "steps", "--by", "day", "--format", "ndjson", "--count", "\(count)", "--store",
        path,
      ],
      in: scratch)
    defer { process.terminate() }
    func lines() throws -> Int { try scratch.text("output").utf8.count { $0 == 10 } }
    // The first change is seen once the program has begun to watch.
    var day = 1.0
    while try lines() == 0 {
      try store.save([sample(day * 86_400, 5)])
      day += 1
      Thread.sleep(forTimeInterval: 0.2)
      let errors = try scratch.text("errors")
      try #require(process.isRunning, "\(errors)")
    }
    var delays: [Double] = []
    while delays.count < count - 1 {
      let before = try lines()
      try store.save([sample(day * 86_400, 5)])
      let committed = ContinuousClock.now
      while try lines() == before, process.isRunning, ContinuousClock.now - committed < .seconds(10)
      {
        Thread.sleep(forTimeInterval: 0.001)
      }
      delays.append((ContinuousClock.now - committed) / .seconds(1))
      day += 1
      // What came before the first line may count, too.
      if !process.isRunning { break }
    }
    delays.sort()
    let (median, last) = (delays[delays.count / 2], delays[delays.count - 1])
    print("commit to line: p50 \(median * 1_000) ms, p99 \(last * 1_000) ms of \(delays.count)")
    // 100 ms on a machine that does nothing else.
    #expect(median < 1)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let output = try scratch.text("output").split(separator: "\n")
    #expect(output.count == count)
    #expect(output.allSatisfy { $0.contains("\"sum\":5") })
  }

  @Test(
    "watch shows the intervals of stats, with their numbers", .timeLimit(.minutes(2)),
    arguments: ["day", "hour", "week", "45min", "2d"])
  func asStatistics(by: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("store.sqlite")
    let store = try SampleStore(path: path, mode: .readWrite)
    let noon = 43_217.0
    try store.save([sample(noon, 1), sample(10 * 86_400 + noon, 2)])
    let options = ["--by", by, "--timezone", "Asia/Kolkata", "--format", "csv", "--store", path]
    let process = try ProgramRun.start(
      "hkstats", ["watch", "steps", "--count", "1"] + options, in: scratch)
    defer { process.terminate() }
    var saved = 0.0
    while process.isRunning {
      try store.save([sample(10 * 86_400 + noon + 600 + saved, 5)])
      saved += 1
      Thread.sleep(forTimeInterval: 0.3)
    }
    process.waitUntilExit()
    let lines = try scratch.text("output").split(separator: "\n")
    let all = try ProgramRun.hkstats(["stats", "steps"] + options).output.split(separator: "\n")
    #expect(lines.count >= 2 && lines.first == all.first)
    func intervals(_ lines: [Substring]) -> [Substring] {
      lines.dropFirst().map { $0.split(separator: ",").prefix(2).joined(separator: ",")[...] }
    }
    #expect(Set(intervals(all)).isSuperset(of: intervals(lines)))
    // Nothing is saved after the only change: the last interval has the same numbers.
    if saved == 1 { #expect(all.contains(try #require(lines.last))) }
  }

  @Test("an observer gets the changes of its own process and of others, in order")
  func stream() async throws {
    let scratch = try Scratch()
    let path = scratch.path("store.sqlite")
    let store = try SampleStore(path: path, mode: .readWrite)
    try store.save([sample(0, 1)])
    let other = try SampleStore(path: path, mode: .readWrite)
    let stream = try other.observeChanges()
    for day in 1...5 { try store.save([sample(Double(day) * 100, 2)]) }
    var starts: [Double] = []
    for try await changes in stream {
      for change in changes {
        #expect(change.type == steps)
        starts.append(change.span.lowerBound)
      }
      if starts.last == 500 { break }
    }
    #expect(starts == starts.sorted() && !starts.isEmpty)
    #expect(throws: StoreError.self) { try SampleStore.temporary().observeChanges() }
  }
}
