import Foundation
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("The window on the text")
struct WindowTests {
  /// Walks along a text with a window, keeping at each step a random part of what is shown, and
  /// checks that what is shown is the text.
  private func walk(
    _ text: [UInt8], mostAtOnce: Int, limit: Int, isAhead: Bool, mostKept: Int, seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let reader = BlockReader(
      MemoryBytes(text, mostAtOnce: mostAtOnce), limit: limit, isAhead: isAhead)
    var window = Window(reader: reader, limit: limit)
    var kept = 0
    while true {
      let isFull = kept >= limit
      let result = try window.refill(keepingFrom: window.end - kept)
      if isFull {
        #expect(result == .full)
        kept = limit / 2
        continue
      }
      if result == .atEnd { break }
      let shown = window.end - window.start
      #expect(shown > kept)
      #expect(shown <= limit)
      let isSame = text.withUnsafeBufferPointer { all in
        all.baseAddress.map { memcmp($0 + window.offset, window.start, shown) == 0 } ?? false
      }
      #expect(isSame)
      #expect((0..<TextBlock.padding).allSatisfy { window.end[$0] == 0 })
      kept = min(shown, Int.random(in: 0...mostKept, using: &random))
    }
    #expect(window.offset + (window.end - window.start) == text.count)
    #expect(try window.refill(keepingFrom: window.start) == .atEnd)
  }

  @Test(
    "shows the text without gaps, whatever is kept of it",
    arguments: [false, true], [(100, 60), (5000, 200), (1 << 20, 1 << 16), (1 << 20, 1 << 20)])
  func walks(isAhead: Bool, sizes: (limit: Int, kept: Int)) throws {
    var random = SplitMix64(seed: 3)
    let text = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    for (round, mostAtOnce) in [1000, 40_000, Int.max].enumerated() {
      try walk(
        text, mostAtOnce: mostAtOnce, limit: sizes.limit, isAhead: isAhead, mostKept: sizes.kept,
        seed: UInt64(round))
    }
  }

  @Test("an empty text is an empty window", arguments: [false, true])
  func empty(isAhead: Bool) throws {
    try walk([], mostAtOnce: 1, limit: 100, isAhead: isAhead, mostKept: 1, seed: 0)
  }

  /// Bytes without end, or an error in their place; it tells who still asks for more.
  private final class Endless: ByteSource, @unchecked Sendable {
    let failure: ExportError?
    private(set) var isStopped = false
    let byteCount = 0
    let endedEarly = false

    init(failure: ExportError? = nil) { self.failure = failure }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
      if let failure { throw failure }
      buffer.initializeMemory(as: UInt8.self, repeating: 0x20)
      return buffer.count
    }

    func stop() { isStopped = true }
  }

  @Test("a reader that is dropped in the middle stops its thread", arguments: 0..<20)
  func dropped(blocks: Int) async throws {
    weak var weakly: Endless?
    do {
      let source = Endless()
      weakly = source
      let reader = BlockReader(source, limit: 1 << 12, isAhead: true)
      for _ in 0..<blocks {
        let block = try #require(try reader.next())
        reader.recycle(block)
      }
    }
    for _ in 0..<200 where weakly != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(weakly == nil)
  }

  @Test("an error comes once, and then there is nothing more", arguments: [false, true])
  func error(isAhead: Bool) throws {
    let failure = ExportError(.damagedArchive, path: "x", offset: 7)
    let reader = BlockReader(Endless(failure: failure), limit: 100, isAhead: isAhead)
    #expect(throws: failure) { try reader.next() }
    #expect(try reader.next() == nil)
  }
}

@Suite("Queues between two threads")
struct BoundedQueueTests {
  @Test("all elements come, in order, however fast either side is")
  func order() {
    let queue = BoundedQueue<Int>(capacity: 3)
    Thread {
      for number in 0..<1000 { _ = queue.put(number) }
      queue.close()
    }.start()
    var taken: [Int] = []
    while let number = queue.take() { taken.append(number) }
    #expect(taken == Array(0..<1000))
  }

  @Test("a closed queue takes nothing more and gives what it has")
  func closed() {
    let queue = BoundedQueue<Int>(capacity: 2)
    #expect(queue.put(1))
    queue.close()
    #expect(!queue.put(2))
    #expect(queue.take() == 1)
    #expect(queue.take() == nil)
  }

  @Test("who waits with patience gives up, who waits for a place goes on when the other one leaves")
  func waiting() {
    let queue = BoundedQueue<Int>(capacity: 1)
    #expect(queue.take(within: 0.01) == nil)
    #expect(queue.put(1))
    let answers = BoundedQueue<Bool>(capacity: 1)
    Thread { _ = answers.put(queue.put(2)) }.start()
    Thread.sleep(forTimeInterval: 0.02)
    queue.close()
    #expect(answers.take() == false)
  }
}
