import Foundation
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

@Suite("Questions while an import commits")
struct OneStateTests {
  private static let steps = SampleType(.stepCount)
  private static let day = 86_400.0
  private static let states = 30

  /// What the import of a state adds: a sample on a new day before all others, and one more on day 0.
  private static func add(_ state: Int, to store: SampleStore) throws {
    var batch = RecordColumns(type: steps, source: Source(name: "Phone"))
    batch.labelTable = ["count"]
    batch.originTable = [Origin()]
    batch.starts = [-day * Double(state + 1), Double(state)]
    batch.ends = batch.starts
    batch.values = [1, 1]
    batch.created = [0, 0]
    (batch.labels, batch.origins, batch.metadata) = ([0, 0], [0, 0], [0, 0])
    batch.copies = [1, 1]
    let session = try store.beginImport()
    try session.add(batch)
    _ = try session.finish()
  }

  @Test("every answer belongs to a state of the store", .timeLimit(.minutes(3)))
  func belongs() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("hkstats-state-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("store.sqlite").path
    let written = try SampleStore(path: path, mode: .readWrite)
    try Self.add(0, to: written)
    let failures = Mutex<[String]>([])
    let isDone = Atomic(false)
    let thread = Thread {
      do {
        for state in 1..<Self.states { try Self.add(state, to: written) }
      } catch {
        failures.withLock { $0.append("import: \(error)") }
      }
      isDone.store(true, ordering: .releasing)
    }
    thread.start()
    let store = try SampleStore(path: path, mode: .readOnly)
    var plan = StatisticsPlan(type: Self.steps, timeZone: .gmt)
    plan.interval = CalendarInterval(.day)
    plan.average = .day
    var seen: Set<Int> = []
    while !isDone.load(ordering: .acquiring) {
      let answer = try store.statistics(plan)
      // In each state there are as many samples on day 0 as there are days before it.
      let days = answer.intervals.count - 1
      let last = answer.intervals[raw: .sum]?.last ?? 0
      seen.insert(days)
      #expect(last == Double(days), "\(days) days before, and \(last) on the day itself")
      // The data end on day 0, which is in no average.
      #expect(answer.averages?.counts.reduce(0, +) == days)
      // An import that waits to commit goes first.
      Thread.sleep(forTimeInterval: 0.002)
    }
    let messages = failures.withLock { $0 }
    #expect(messages == [])
    #expect(seen.count > 3)
    #expect(try store.statistics(plan).intervals.count == Self.states + 1)
  }
}
