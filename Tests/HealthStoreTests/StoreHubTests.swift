import Foundation
import HealthSamples
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthStore

/// The news of one listener.
private final class HeardNews: Sendable {
  private let items = Mutex<[StoreHub.News]>([])

  func add(_ item: StoreHub.News) { items.withLock { $0.append(item) } }

  var count: Int { items.withLock { $0.count } }
  /// The starts of changed spans, in order.
  var starts: [Double] {
    items.withLock { $0 }.flatMap { item -> [Double] in
      if case .changes(let changes) = item { changes.map(\.span.lowerBound) } else { [] }
    }
  }
  var units: [Set<String>] {
    items.withLock { $0 }.compactMap { item -> Set<String>? in
      if case .units(let types) = item { types } else { nil }
    }
  }
  var failures: Int {
    items.withLock { $0 }.count { item -> Bool in
      if case .failure = item { true } else { false }
    }
  }
}

@Suite("One hub for an open file tells its changes to all who listen") struct StoreHubTests {
  private func sample(_ start: Double) -> NewSample {
    NewSample(
      type: StoreRecords.steps, source: Source(name: "Phone"), start: start, end: start + 60,
      value: 1, label: "count")
  }

  /// Polls a condition, for at most some minutes: a machine may be busy with other tests.
  private func eventually(_ comment: Comment, _ condition: () -> Bool) async throws {
    for _ in 0..<30_000 {
      if condition() { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record(comment)
  }

  @Test("All views of a store have one hub, which is gone with the last who needs it")
  func oneHub() async throws {
    let folder = try TemporaryFolder()
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    weak var gone: StoreHub?
    do {
      let hub = try store.hub()
      #expect(try store.reading(as: "com.example.app").hub() === hub)
      let listening = try hub.listen { _ in }
      gone = hub
      listening.end()
    }
    try await eventually("the end of the hub") { gone == nil }
    #expect(throws: StoreError.self) { try SampleStore.temporary().hub() }
  }

  @Test("Listeners hear of changes of this and of other connections, in order, until they end")
  func changes() async throws {
    let folder = try TemporaryFolder()
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    let other = try SampleStore(path: folder.file(), mode: .readWrite)
    let heard = (0..<3).map { _ in HeardNews() }
    let listening = try heard.map { news in try store.hub().listen { news.add($0) } }
    let expected = (0..<20).map { Double($0) * 1000 }
    for (index, start) in expected.enumerated() {
      try (index % 2 == 0 ? store : other).save([sample(start)])
    }
    try await eventually("all changes") { heard.allSatisfy { $0.starts.last == expected.last } }
    for news in heard { #expect(news.starts == expected) }
    listening[0].end()
    try other.save([sample(1e6)])
    try await eventually("the next change") {
      heard[1...].allSatisfy { $0.starts == expected + [1e6] }
    }
    #expect(heard[0].starts == expected)
    for one in listening { one.end() }
  }

  @Test("A look tells every commit before it, before it returns")
  func look() throws {
    let folder = try TemporaryFolder()
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    let other = try SampleStore(path: folder.file(), mode: .readWrite)
    let news = HeardNews()
    let listening = try store.hub().listen { news.add($0) }
    for number in 0..<20 {
      try other.save([sample(Double(number) * 1000)])
      try store.hub().look()
      #expect(news.starts.count == number + 1)
    }
    listening.end()
  }

  @Test("Preferred units are news of the same hub, once for each change")
  func units() async throws {
    let folder = try TemporaryFolder()
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    let other = try SampleStore(path: folder.file(), mode: .readWrite)
    let news = HeardNews()
    let listening = try store.hub().listen { news.add($0) }
    try other.setPreferredUnit("count", of: StoreRecords.steps)
    try await eventually("the change") { news.units.count == 1 }
    try other.save([sample(0)])
    try await eventually("the sample") { news.starts == [0] }
    try other.setPreferredUnit(nil, of: StoreRecords.steps)
    try await eventually("the next change") { news.units.count == 2 }
    #expect(news.units.allSatisfy { $0 == [StoreRecords.steps.identifier] })
    listening.end()
  }

  @Test("When another file is at the path, each listener hears of it once, and then nothing")
  func replaced() async throws {
    let folder = try TemporaryFolder()
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    try store.save([sample(0)])
    #expect(!store.isReplaced)
    let hub = try store.hub()
    let heard = (0..<2).map { _ in HeardNews() }
    let listening = try heard.map { news in try hub.listen { news.add($0) } }
    try store.backUp(to: folder.file("copy.sqlite"))
    try #require(rename(folder.file("copy.sqlite"), folder.file()) == 0)
    try await eventually("the failure") { heard.allSatisfy { $0.failures == 1 } }
    #expect(store.isReplaced)
    #expect(throws: StoreError.self) { try hub.listen { _ in } }
    #expect(heard.allSatisfy { $0.count == 1 })
    for one in listening { one.end() }
  }

  @Test("A slow client of a stream gets what happened since, in one list")
  func slowStream() async throws {
    let folder = try TemporaryFolder()
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    var changes = try store.observeChanges().makeAsyncIterator()
    for number in 0..<10 { try store.save([sample(Double(number) * 1000)]) }
    let list = try await changes.next()
    #expect(list?.map(\.span.lowerBound) == (0..<10).map { Double($0) * 1000 })
  }
}
