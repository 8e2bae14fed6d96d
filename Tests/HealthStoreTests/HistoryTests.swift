import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("History") struct HistoryTests {
  /// The vectors that the store does not follow yet, one name a line.
  private static let failing = Set(
    """
    our own export into an empty store
    our own export into the same store
    our own export, undone
    """.split(separator: "\n").map(String.init))

  @Test("the slow twin says what the vectors say", arguments: try HistoryVector.all())
  func vectorsOfTheTwin(_ vector: HistoryVector) throws {
    #expect(try vector.differences(HistoryStore.init) == [])
  }

  @Test(
    "the store says what the vectors say, but for those listed, which it does not",
    arguments: try HistoryVector.all())
  func vectorsOfTheStore(_ vector: HistoryVector) throws {
    var differences: [String]
    do {
      differences = try vector.differences(StoreReplica.init)
    } catch {
      differences = ["\(error)"]
    }
    #expect(differences.isEmpty != Self.failing.contains(vector.name), "\(differences)")
  }

  /// A store and its twin, and the deletions of each that a step may take back.
  private final class Pair {
    let store: StoreReplica
    let twin: HistoryStore
    var deletions: (store: [Int64?], twin: [History.Names]) = ([], [])

    init(_ name: String, _ clock: HistoryClock) throws {
      (store, twin) = (try StoreReplica(name, clock), HistoryStore(name, clock))
    }

    /// Does a step; returns what the store answers otherwise than its twin.
    func perform(_ step: HistoryMaker.Step) throws -> [String] {
      let stored = try store.perform(step, taking: deletions.store)
      if let names = try twin.perform(step, taking: deletions.twin) {
        deletions.twin.append(names)
        deletions.store.append(stored ?? nil)
      }
      return try differences()
    }

    func differences() throws -> [String] {
      try store.answers().differences(from: twin.answers())
    }
  }

  /// A random history of one store or of several that synchronise, and of their twins; returns the
  /// names of its steps.
  private func history(
    seed: Int, stores count: Int, tellsEqualRows: Bool = false
  ) throws -> [String] {
    var maker = HistoryMaker(seed: UInt64(seed), tellsEqualRows: tellsEqualRows)
    let clock = HistoryClock()
    let pairs = try (0..<count).map { try Pair("s\($0)", clock) }
    var steps: [String] = []
    var identities: [String: String] = [:]
    for _ in 0..<Int.random(in: 5...45, using: &maker.random) {
      clock.now += 1
      let place = Int.random(in: 0..<count, using: &maker.random)
      let pair = pairs[place]
      if count > 1, Int.random(in: 0..<5, using: &maker.random) == 0 {
        let other = pairs[(place + 1) % count]
        steps.append("sync")
        try pair.store.synchronise(with: other.store)
        pair.twin.synchronise(with: other.twin)
        let differences = try pair.differences() + other.differences()
        guard differences.isEmpty else {
          Issue.record("seed \(seed) of \(count): \(differences) after \(steps)")
          return steps
        }
        continue
      }
      var step = maker.step(deletions: pair.deletions.twin.count, pair.twin.answers())
      switch step {
      case .importing(var files, let replacing, let restoring):
        for index in files.indices {
          let identity = try identities[files[index].id] ?? StoreReplica.identity(files[index])
          identities[files[index].id] = identity
          files[index].id = identity
        }
        step = .importing(files, replacing: replacing, restoring: restoring)
      case .undoing(var file):
        file.id = try identities[file.id] ?? StoreReplica.identity(file)
        step = .undoing(file)
      default: break
      }
      steps += step.names
      let differences = try pair.perform(step)
      if !differences.isEmpty {
        Issue.record("seed \(seed) of \(count): \(differences) after \(steps): \(step)")
        return steps
      }
    }
    if count > 1 {
      let differences = try settle(pairs, &maker.random)
      if !differences.isEmpty { Issue.record("seed \(seed) of \(count): \(differences)") }
    }
    for pair in pairs { try pair.store.verify() }
    return steps
  }

  /// Synchronises stores in rounds of any order until nothing is new; returns what differs then.
  private func settle(_ pairs: [Pair], _ random: inout SplitMix64) throws -> [String] {
    func round(_ body: (Pair, Pair) throws -> Void) rethrows {
      for one in pairs.indices.shuffled(using: &random) {
        for other in pairs.indices.shuffled(using: &random) where other != one {
          try body(pairs[one], pairs[other])
        }
      }
    }
    try round { one, other in
      try one.store.synchronise(with: other.store)
      one.twin.synchronise(with: other.twin)
    }
    var differences = try pairs.flatMap { try $0.differences() }
    let answers = try pairs.map { try $0.store.answers() }
    if !answers.allSatisfy({ $0 == answers[0] }) { differences.append("the stores differ") }
    // Each learns that the others know what it has; then a round moves nothing.
    try round { one, other in try one.store.synchronise(with: other.store) }
    let before = try pairs.map { try $0.store.digest() }
    try round { one, other in try one.store.synchronise(with: other.store) }
    if try pairs.map({ try $0.store.digest() }) != before {
      differences.append("a further round writes")
    }
    return differences
  }

  @Test(
    "any history gives what the slow twin gives, of one store and of three that synchronise")
  func histories() async throws {
    let seeds = Soak.isLong ? 0..<5_000 : 0..<150
    let counts = await withTaskGroup(of: [String: Int].self) { group in
      for stores in [1, 3] {
        group.addTask { [self] in
          var counts: [String: Int] = [:]
          for seed in seeds {
            do {
              for step in try history(seed: seed, stores: stores) { counts[step, default: 0] += 1 }
            } catch {
              Issue.record("seed \(seed) of \(stores) stores: \(error)")
            }
            // Tests with a limit of time wait for a thread.
            await Task.yield()
          }
          return counts
        }
      }
      return await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }
    let steps = counts.values.reduce(0, +)
    print("\(2 * seeds.count) histories of \(steps) steps:")
    print(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
    for kind in HistoryMaker.kinds { #expect(counts[kind] ?? 0 >= 100, "\(kind)") }
  }

  @Test(
    "an older file decides about rows that it does not have, also without a new row there (law 4)",
    arguments: [false, true])
  func olderFile(hasNewRow: Bool) throws {
    func row(_ start: Double, _ end: Double, _ value: Double) -> History.Row {
      History.Row("steps", "Watch", start, end, value)
    }
    let (first, second, both) = (row(0, 60, 40), row(60, 100, 25), row(0, 100, 65))
    let pair = try Pair("s", HistoryClock())
    func visible(after date: Double, _ rows: [History.Row]) throws -> [History.Row] {
      var file = History.File(date: date, rows: rows)
      file.id = try StoreReplica.identity(file)
      let step = HistoryMaker.Step.importing([file], replacing: false, restoring: false)
      #expect(try pair.perform(step) == [])
      return try pair.store.answers().samples
    }
    #expect(try visible(after: 10, [first, both]) == [first, both].sorted())
    #expect(try visible(after: 30, [second, both]) == [first, second, both].sorted())
    // It tells `both` in another way, so that the newest file tells `first` anew.
    let elsewhere = hasNewRow ? [row(1000, 1060, 90)] : []
    #expect(
      try visible(after: 20, [second] + elsewhere) == ([second, both] + elsewhere).sorted())
  }

  @Test(
    "samples of one time and value that a file tells apart stay apart in any history",
    arguments: Soak.isLong ? 0..<500 : 0..<24)
  func equalRows(seed: Int) throws {
    _ = try history(seed: seed, stores: seed.isMultiple(of: 3) ? 3 : 1, tellsEqualRows: true)
  }
}
