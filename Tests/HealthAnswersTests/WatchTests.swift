import Foundation
import HealthAnswers
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

/// Progress and cancellation of questions.
@Suite("Watched questions")
struct WatchTests {
  /// What a watched store says, and when it is to stop.
  private final class Watcher: Sendable {
    private let state = Mutex<(shares: [Double], asked: Int)>(([], 0))
    let end: Int

    init(endingAfter end: Int = .max) { self.end = end }

    var shares: [Double] { state.withLock(\.shares) }
    var asked: Int { state.withLock(\.asked) }

    func watch(_ store: SampleStore) -> SampleStore {
      store.watching(
        isCancelled: {
          self.state.withLock { state in
            state.asked += 1
            return state.asked > self.end
          }
        },
        progress: { share in self.state.withLock { $0.shares.append(share) } })
    }
  }

  /// What an answer says of a type.
  private struct Told: Equatable {
    let series: IntervalSeries
    let whole: IntervalSeries
    let derived: String
  }

  private func told(_ answer: QuestionAnswer) -> [Told] {
    answer.columns.map {
      Told(series: $0.series, whole: $0.whole, derived: String(describing: $0.derived))
    }
  }

  private func store(_ seed: Int) throws -> SampleStore {
    var random = SplitMix64(seed: UInt64(seed))
    let kind = try #require(RandomRows.Kind(rawValue: seed % 3))
    return try SampleStore.holding(
      RandomRows.rows(kind, using: &random), of: StoreRecords.steps, label: "count")
  }

  @Test(
    "answer as others do, say how far they are, and stop wherever they are told to",
    arguments: 0..<6,
    [
      #"{"type": "steps", "by": "day"}"#, #"{"type": "steps"}"#,
      #"{"type": "steps", "by": "month", "per": "day", "from": "2023-03-08"}"#,
      #"{"type": "steps", "by": "week", "compare": "previous", "from": "2023-03-08"}"#,
      #"{"type": "steps,steps.count", "by": "day", "rolling": 7, "merge": "drop"}"#,
      #"{"type": "steps", "by": "day", "exact": true, "merge": "hc"}"#,
    ])
  func watched(seed: Int, json: String) throws {
    guard let question = try? Question(json: Data(json.utf8)) else {
      Issue.record("\(json) is no question")
      return
    }
    let store = try store(seed)
    let expected = try told(store.answer(question))
    let watcher = Watcher()
    let answer = try watcher.watch(store).answer(question)
    #expect(told(answer) == expected)
    let shares = watcher.shares
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 < $1 })
    #expect(shares.allSatisfy { 0 < $0 && $0 <= 1 } && shares.last == 1)
    #expect(watcher.asked > 0)
    for end in Set([0, watcher.asked / 2, watcher.asked - 1]) {
      let error = #expect(throws: QueryError.self) {
        try Watcher(endingAfter: end).watch(store).answer(question)
      }
      #expect(error?.reasonCode == "store.cancelled")
    }
    // Nothing is left behind: the store answers, and takes samples.
    #expect(try told(store.answer(question)) == expected)
    _ = try store.beginImport().finish()
  }

  @Test("the shares of what is read whole go up to the last chunk")
  func reaches() throws {
    let store = try store(0)
    let watcher = Watcher()
    _ = try watcher.watch(store).mergedSamples(
      of: StoreRecords.steps, in: -1e10..<1e10, policy: .healthKit)
    #expect(watcher.asked > 1 && watcher.shares.last == 1)
    #expect(throws: QueryError.self) {
      try Watcher(endingAfter: 1).watch(store).mergedSamples(
        of: StoreRecords.steps, in: -1e10..<1e10, policy: .healthKit)
    }
    #expect(throws: StoreError.self) {
      try Watcher(endingAfter: 0).watch(store).records(of: StoreRecords.steps)
    }
    let query = SampleQuery(types: [StoreRecords.steps])
    for end in 0..<2 {
      #expect(throws: StoreError.self) {
        try Watcher(endingAfter: end).watch(store).forEachSample(query) { _, _ in true }
      }
    }
  }

  @Test("whoever asks in a task ends the question by cancelling the task")
  func tasks() async throws {
    let store = try store(1).watching()
    var question = try Question(types: ["steps"], by: CalendarInterval(.day))
    question.from = "2020"
    let asked = question
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try store.answer(asked)
    }
    task.cancel()
    await #expect(throws: QueryError(.store(try cancellation()))) { try await task.value }
    #expect(throws: Never.self) { try store.answer(asked) }
  }

  /// The error of a read that is told to stop.
  private func cancellation() throws -> StoreError {
    try #require(throws: StoreError.self) {
      try store(1).watching(isCancelled: { true }).samples(of: StoreRecords.steps)
    }
  }
}

extension SampleStore {
  /// A store of samples of a type, all recorded in one unit.
  static func holding(
    _ rows: [SampleColumns.Row], of type: SampleType, label: String
  ) throws -> SampleStore {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    for batch in RecordColumns.batches(of: rows.map { (label, $0) }, of: type) {
      try session.add(batch)
    }
    _ = try session.finish()
    return store
  }
}
