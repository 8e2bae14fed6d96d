import Foundation
import GRDB
import Harness
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore

/// What a store is like after many random saves and deletions, beside a fresh import of what is left.
struct Histories {
  let folder: String

  func run(_ operations: Int) throws {
    let path = "\(folder)/history.sqlite"
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    let elapsed = try ContinuousClock().measure { try write(operations, to: path) }
    let store = try SampleStore(path: path, mode: .readWrite)
    let fresh = try freshStore(of: store)
    let count = try store.types().reduce(0) { $0 + $1.count }
    print("\(operations) random saves and deletions in \(elapsed): \(count) samples are left")
    try printBytes(of: store, "after the history", count)
    try store.compact()
    try printBytes(of: store, "after compact", count)
    try printBytes(of: fresh, "fresh import", count)
    try compareAnswers(store, fresh)
  }

  private func write(_ operations: Int, to path: String) throws {
    let store = try SampleStore(path: path, mode: .readWrite)
    var samples = RandomSamples(seed: 99)
    var live: [UUID] = []
    var done = 0
    while done < operations {
      let size = min(operations - done, Int(1 + samples.random.next() % 100))
      if samples.random.next() % 5 < 3 || live.count < size {
        live += try store.save(samples.next(size))
      } else {
        let chosen = (0..<size).map { _ in
          let index = Int(samples.random.next()) % live.count
          live.swapAt(index, live.count - 1)
          return live.removeLast()
        }
        try store.delete(chosen)
      }
      done += size
    }
  }

  private func freshStore(of store: SampleStore) throws -> SampleStore {
    let path = "\(folder)/fresh.sqlite"
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    let fresh = try SampleStore(path: path, mode: .readWrite)
    let session = try fresh.beginImport()
    for type in try store.types().map(\.type) {
      for batch in try store.records(of: type) { try session.add(batch) }
    }
    _ = try session.finish()
    return fresh
  }

  /// The bytes of the pages in use, those with the UUIDs of saved samples apart.
  private func printBytes(of store: SampleStore, _ name: String, _ count: Int) throws {
    let bytes = try DatabaseQueue(path: store.path).read { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT sum(pgsize), sum(pgsize) FILTER (WHERE name LIKE 'identit%' OR name LIKE
            'sqlite_autoindex_identit%') FROM dbstat
          """)
    }
    guard let bytes, let all = bytes[0] as Int? else { return }
    let identities = bytes[1] as Int? ?? 0
    let file = try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int ?? 0
    print(
      Line.of([name], widths: [-20]),
      String(
        format: "%.2f B a sample, %.2f more of identities, file %.2f B",
        Double(all - identities) / Double(count), Double(identities) / Double(count),
        Double(file) / Double(count)))
  }

  private func compareAnswers(_ store: SampleStore, _ fresh: SampleStore) throws {
    var (checked, wrong) = (0, 0)
    for type in try store.types().map(\.type) {
      for policy in [MergePolicy.unmerged, .healthKit] {
        for alignment in [CalendarInterval.Alignment.hour, .day, .month] {
          for isExact in [false, true] {
            var plan = StatisticsPlan(type: type, timeZone: .gmt)
            plan.policy = policy
            plan.interval = CalendarInterval(alignment)
            plan.isExact = isExact
            let (left, right) = (try store.statistics(plan), try fresh.statistics(plan))
            checked += 1
            if !agree(left.intervals, right.intervals, isExact: isExact) {
              wrong += 1
              print(
                "other answers: \(type.identifier) by \(alignment), \(policy), exact \(isExact)")
            }
          }
        }
      }
    }
    print("answers like those of the fresh store: \(checked - wrong) passed, \(wrong) failed")
  }

  private func agree(_ left: StatisticsColumns, _ right: StatisticsColumns, isExact: Bool) -> Bool {
    guard left.starts == right.starts, left.counts == right.counts,
      left[raw: .min] == right[raw: .min], left[raw: .max] == right[raw: .max]
    else { return false }
    return [Statistic.sum, .mean].allSatisfy { statistic in
      guard let left = left[statistic], let right = right[statistic] else {
        return left[statistic] == nil && right[statistic] == nil
      }
      // All values are positive, so that a sum is that of the magnitudes of its terms.
      return zip(left, right).allSatisfy {
        $0 == $1 || !isExact && abs($0 - $1) <= 0x1p-50 * max(abs($0), abs($1)) + $0.ulp
      }
    }
  }
}
