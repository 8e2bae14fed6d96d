import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("History") struct HistoryTests {
  /// The vectors that the store does not follow yet, one name a line.
  private static let failing = Set(
    """
    versions of two stores
    an association with its end restored
    an association taken away in another store
    measurements go with their sample
    settings
    the clock of another store is ahead
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

  /// A random history in a store and its twin; returns the names of its steps.
  private func history(seed: Int) throws -> [String] {
    var maker = HistoryMaker(seed: UInt64(seed))
    let clock = HistoryClock()
    let (store, twin) = (try StoreReplica("s", clock), HistoryStore("s", clock))
    var deletions: (store: [Int64?], twin: [History.Names]) = ([], [])
    var steps: [String] = []
    var identities: [String: String] = [:]
    for _ in 0..<Int.random(in: 3...14, using: &maker.random) {
      clock.now += 1
      var step = maker.step(deletions: deletions.twin.count)
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
      steps.append(step.name)
      let deleted = (
        store: try store.perform(step, taking: deletions.store),
        twin: try twin.perform(step, taking: deletions.twin)
      )
      if let names = deleted.twin {
        deletions.twin.append(names)
        deletions.store.append(deleted.store ?? nil)
      }
      let (found, wanted) = (try store.answers(), twin.answers())
      let differences = found.differences(from: wanted)
      if !differences.isEmpty {
        Issue.record("seed \(seed): \(differences) after \(steps): \(step)")
        return steps
      }
    }
    try store.verify()
    return steps
  }

  @Test("any history gives what the slow twin gives")
  func histories() throws {
    var counts: [String: Int] = [:]
    for seed in (Soak.isLong ? 0..<20_000 : 0..<250) {
      do {
        for step in try history(seed: seed) { counts[step, default: 0] += 1 }
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    print(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
  }
}
