import Foundation

/// Makes runs of rows: on threads of its own, and on the calling one when those fall behind.
///
/// What comes out does not depend on the number of threads. Few rows wait at a time, so memory
/// stays flat however fast they come.
final class RunPacker: @unchecked Sendable {
  /// What became of the rows of one call of ``add(_:)``.
  struct Outcome {
    var runs: [Run] = []
    var repeating = 0
  }

  private let file: RunFile
  private let threadCount: Int
  /// Room of the calling thread.
  private let room = RowBlock()
  /// Guards all below.
  private let condition = NSCondition()
  private var waiting: [(number: Int, rows: UnsortedRows)] = []
  private var outcomes: [Outcome] = []
  private var failure: StoreError?
  private var isClosed = false
  /// The threads that have begun and not ended.
  private var running = 0

  /// Packs with so many threads, the calling one included.
  init(file: RunFile, threads: Int) {
    self.file = file
    threadCount = max(0, threads - 1)
  }

  /// Takes rows, and gives the number under which ``finish()`` has their runs.
  func add(_ rows: consuming UnsortedRows) throws(StoreError) -> Int {
    condition.lock()
    if let failure {
      condition.unlock()
      throw failure
    }
    let number = outcomes.count
    outcomes.append(Outcome())
    if waiting.count < threadCount {
      waiting.append((number, rows))
      if running < threadCount { start() }
      condition.signal()
      condition.unlock()
    } else {
      condition.unlock()
      let outcome = try file.append(rows.packed(room: room))
      condition.withLock { outcomes[number] = outcome }
    }
    return number
  }

  /// Packs what is left, ends the threads and gives the outcomes in the order of the calls.
  func finish() throws(StoreError) -> [Outcome] {
    while let (number, rows) = condition.withLock({ waiting.popLast() }) {
      let outcome = try file.append(rows.packed(room: room))
      condition.withLock { outcomes[number] = outcome }
    }
    close()
    if let failure { throw failure }
    defer { outcomes = [] }
    return outcomes
  }

  /// Drops what waits and ends the threads.
  func close() {
    condition.withLock {
      isClosed = true
      waiting = []
      condition.broadcast()
      while running > 0 { condition.wait() }
    }
  }

  private func start() {
    running += 1
    let thread = Thread { [self] in work() }
    thread.start()
  }

  private func work() {
    let room = RowBlock()
    while let (number, rows) = next() {
      do throws(StoreError) {
        let outcome = try file.append(rows.packed(room: room))
        condition.withLock { outcomes[number] = outcome }
      } catch {
        condition.withLock { failure = failure ?? error }
      }
    }
    condition.withLock {
      running -= 1
      condition.broadcast()
    }
  }

  private func next() -> (number: Int, rows: UnsortedRows)? {
    condition.withLock {
      while waiting.isEmpty, !isClosed { condition.wait() }
      return waiting.isEmpty ? nil : waiting.removeFirst()
    }
  }
}

extension RunFile {
  /// Appends packed rows and gives their runs.
  fileprivate func append(_ packed: UnsortedRows.Packed) throws(StoreError) -> RunPacker.Outcome {
    var outcome = RunPacker.Outcome(repeating: packed.repeating)
    for segment in packed.segments {
      outcome.runs.append(
        Run(
          count: segment.facts.count, duplicates: segment.duplicates,
          firstStart: segment.facts.firstStart, lastStart: segment.facts.lastStart,
          isWhole: segment.isWhole, core: try append(segment.core),
          detail: try append(segment.detail), facts: try append(segment.facts.bytes),
          summary: try append(segment.summary.bytes)))
    }
    return outcome
  }
}
