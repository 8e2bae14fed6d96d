import Foundation
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import Synchronization
import _HealthTestSupport

/// Processes that read while others write.
///
/// Every commit keeps a promise: for each flight of stairs there is
/// a step count of the same time and value from the same source, so that who sees another state has
/// not seen one state. What each writer has saved and not deleted must be there in the end.
struct Crowd {
  private static let (left, right) = (StoreRecords.steps, SampleType(.flightsClimbed))
  private static let origin = 7e8

  // MARK: A writer

  /// Saves, deletes and compacts, and says in the end which pairs it has left.
  static func write(store path: String, writer: Int, seconds: Double, seed: UInt64) throws {
    var chance = SplitMix64(seed: seed &+ UInt64(writer))
    let store = try SampleStore(path: path, mode: .readWrite)
    let source = Source(name: "Writer \(writer)")
    let end = ContinuousClock.now + .seconds(seconds)
    var live: [(number: Int, uuids: [UUID])] = []
    var (number, commits, waits) = (0, 0, 0)
    func sample(_ type: SampleType, _ number: Int, _ label: String) -> NewSample {
      let start = origin + Double(number) * 30
      return NewSample(
        type: type, source: source, start: start, end: start + 10, value: Double(number % 97 + 1),
        label: label, created: start, origin: Origin(), metadata: Metadata(), uuid: nil)
    }
    while ContinuousClock.now < end {
      do {
        let draw = Int.random(in: 0..<20, using: &chance)
        if draw < 12 || live.isEmpty {
          let count = draw == 0 ? 40 : 1
          let pairs = (number..<number + count).flatMap {
            [sample(left, $0, "count"), sample(right, $0, "count")]
          }
          let uuids = try store.save(pairs)
          live += (0..<count).map { (number + $0, Array(uuids[2 * $0..<2 * $0 + 2])) }
          number += count
        } else if draw < 19 {
          let index = Int.random(in: 0..<live.count, using: &chance)
          guard try store.delete(live[index].uuids) == 2 else {
            throw TrialError("writer \(writer): a pair that it has saved is not there")
          }
          live.remove(at: index)
        } else {
          try store.compact()
        }
        commits += 1
      } catch let error as StoreError where error.reason == .busy {
        waits += 1
      }
    }
    let held = Set(try store.serials(of: live.flatMap(\.uuids)).keys)
    let lost = live.filter { !held.isSuperset(of: $0.uuids) }.count
    say("live \(live.count) lost \(lost) commits \(commits) waits \(waits)")
  }

  // MARK: A reader

  /// Asks again and again; each answer must be that of one state, and none older than the last.
  static func read(store path: String, seconds: Double, isReopening: Bool) throws {
    var store = try SampleStore(path: path, mode: .readOnly)
    let end = ContinuousClock.now + .seconds(seconds)
    var (answers, waits) = (0, 0)
    var last: StoreAnchor?
    while ContinuousClock.now < end {
      do {
        if isReopening { store = try SampleStore(path: path, mode: .readOnly) }
        try store.snapshot {
          let (steps, rates) = (try store.samples(of: left), try store.samples(of: right))
          guard steps.starts == rates.starts, steps.values == rates.values else {
            throw TrialError("two answers are of different states: \(steps.count), \(rates.count)")
          }
          let anchor = try store.anchor()
          if let last, anchor < last { throw TrialError("an anchor goes back") }
          last = anchor
          var plan = StatisticsPlan(type: left, timeZone: .gmt)
          plan.policy = .unmerged
          let answer = try store.statistics(plan)
          guard answer.intervals.counts.reduce(0, +) == steps.count else {
            throw TrialError("the statistics are of another state")
          }
        }
        answers += 1
      } catch let error as StoreError where error.reason == .busy {
        waits += 1
      }
    }
    say("answers \(answers) waits \(waits)")
  }

  // MARK: All of them

  static func run(folder: String, seconds: Double, seed: UInt64) throws -> Bool {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/store.sqlite"
    _ = try SampleStore(path: path, mode: .readWrite)
    let (writers, readers) = (2, 8)
    let tasks =
      (0..<writers).map { ["crowd-write", path, "\($0)", "\(seconds)", "\(seed)"] }
      + (0..<readers).map { ["crowd-read", path, "\(seconds)", "\($0 % 2)"] }
    let results = Mutex<[Int: (lines: [String], hasEnded: Bool)]>([:])
    // Each waits in a thread of its own; the caller's limit of time finds a deadlock.
    let threads = DispatchGroup()
    for (index, task) in tasks.enumerated() {
      threads.enter()
      Thread.detachNewThread {
        let result = Child.lines(task)
        results.withLock { $0[index] = result }
        threads.leave()
      }
    }
    threads.wait()
    var totals: [String: Int] = [:]
    var failed = 0
    for (index, result) in results.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      let words = (result.lines.last ?? "").split(separator: " ").map(String.init)
      guard result.hasEnded, words.count >= 4 else {
        say("FAILED: \(tasks[index]) ends badly")
        failed += 1
        continue
      }
      for place in stride(from: 0, to: words.count - 1, by: 2) {
        totals[words[place], default: 0] += Int(words[place + 1]) ?? 0
      }
    }
    let store = try SampleStore(path: path, mode: .readOnly)
    try store.verify()
    let held = try store.samples(of: left).count
    if held != totals["live"] || totals["lost"] != 0 {
      say("FAILED: \(held) pairs, not \(totals["live"] ?? 0); \(totals["lost"] ?? 0) are lost")
      failed += 1
    }
    let told = totals.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    say(
      "\(readers) readers and \(writers) writers for \(Int(seconds)) s (\(told.joined(separator: ", "))"
        + "): \(tasks.count - failed) passed, \(failed) failed")
    return failed == 0
  }
}
