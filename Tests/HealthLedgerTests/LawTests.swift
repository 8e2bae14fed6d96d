import HealthLedger
import Testing

@testable import _HealthTestSupport

/// The law of history without a store: what `HealthLedger` decides is what the slow twin recomputes.
@Suite("The law") struct LawTests {
  /// What the ledger decides otherwise than the twin.
  private static func differences(_ store: HistoryStore) -> [String] {
    let (ledger, twin) = (LedgerOfHistory(store), store.state)
    let things = History.things(of: twin.files, store.ordered)
    let standing = History.standing(things, store.ordered)
    func texts(_ samples: [History.Sample]) -> Set<String> {
      Set(samples.map { LedgerOfHistory.text($0.shown.row) })
    }
    var differences = ledger.contradictions
    func compare<Value: Equatable>(_ name: String, _ found: Value, _ wanted: Value) {
      if found != wanted { differences.append("\(name): \(found), not \(wanted)") }
    }
    compare("present", ledger.present, Set(twin.files.map(\.id)))
    compare("visible", ledger.visible, texts(twin.rows))
    compare("out", ledger.out, texts(twin.out))
    // A name without a file has no words.
    compare("deleted", ledger.deleted.count, texts(twin.deleted).count)
    compare("standing", ledger.standing, Set(standing.winners.values.map(\.uuid)))
    compare("dead", ledger.dead, standing.dead)
    compare("elements", ledger.elements, twin.cells.values.flatMap(\.self).map { "\($0)" }.sorted())
    return differences
  }

  /// The twin, which compares itself with the ledger whenever it is asked.
  private final class ComparedStore: HistoryStore {
    override func answers() -> History.Answers {
      let differences = LawTests.differences(self)
      if !differences.isEmpty { Issue.record("\(differences)") }
      return super.answers()
    }
  }

  @Test("the ledger says what the vectors say", arguments: try HistoryVector.all())
  func vectors(_ vector: HistoryVector) throws {
    #expect(try vector.differences(ComparedStore.init) == [])
  }

  @Test("any history gives what the slow twin gives, of one store and of two that synchronise")
  func histories() throws {
    let seeds: Range<UInt64> = Soak.isLong ? 0..<20_000 : 0..<300
    var (steps, comparisons) = (0, 0)
    for seed in seeds {
      var maker = HistoryMaker(seed: seed, tellsEqualRows: seed.isMultiple(of: 5))
      let clock = HistoryClock()
      let stores = (seed.isMultiple(of: 3) ? ["a", "b"] : ["a"]).map { HistoryStore($0, clock) }
      var deletions: [[History.Names]] = stores.map { _ in [] }
      var names: [String] = []
      for _ in 0..<Int.random(in: 5...45, using: &maker.random) {
        clock.now += 1
        let place = Int.random(in: stores.indices, using: &maker.random)
        let store = stores[place]
        if stores.count > 1, Int.random(in: 0..<5, using: &maker.random) == 0 {
          store.synchronise(with: stores[1 - place])
          names.append("sync")
        } else {
          let step = maker.step(deletions: deletions[place].count, store.answers())
          names += step.names
          if let names = try store.perform(step, taking: deletions[place]) {
            deletions[place].append(names)
          }
        }
        steps += 1
        comparisons += 1
        let differences = Self.differences(store)
        guard differences.isEmpty else {
          Issue.record("seed \(seed): \(differences) after \(names)")
          break
        }
      }
    }
    print("\(seeds.count) histories of \(steps) steps, \(comparisons) comparisons")
    #expect(steps >= 15 * seeds.count)
  }

  /// A row of the smallest clusters: its span, the files that have it, and whether it is deleted before
  /// the files are told.
  private struct Small: CaseIterable {
    let span: (Double, Double)
    let files: Int
    let isDeleted: Bool

    static let allCases = [(0.0, 1.0), (1, 2), (0, 2), (1, 1)].flatMap { span in
      (1...3).flatMap { files in
        [false, true].map { Small(span: span, files: files, isDeleted: $0) }
      }
    }
  }

  @Test("all clusters of three rows in two files, each deleted or not, give what the twin gives")
  func smallClusters() {
    var count = 0
    for one in Small.allCases {
      for two in Small.allCases {
        for three in Small.allCases where two.files | three.files == 3 || one.isDeleted {
          let store = HistoryStore("s", HistoryClock())
          let rows = [one, two, three].enumerated().map { place, small in
            History.Row("steps", "Watch", small.span.0, small.span.1, Double(place + 1))
          }
          let small = [one, two, three]
          for (date, bit) in [(1.0, 1), (2.0, 2)] {
            store.importFiles(
              [
                History.File(
                  date: date,
                  rows: zip(small, rows).filter { $0.0.files & bit != 0 }.map(\.1))
              ], replacing: false, restoring: false)
            guard bit == 1 else { continue }
            for (small, row) in zip(small, rows) where small.isDeleted {
              var selection = History.Selection()
              selection.row = row.key
              _ = store.delete(selection)
            }
          }
          let differences = Self.differences(store)
          if !differences.isEmpty { Issue.record("\(small): \(differences)") }
          count += 1
        }
      }
    }
    #expect(count > 9_000)
  }
}
