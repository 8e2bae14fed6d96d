import Foundation
import HealthLedger
import HealthSamples
internal import _HealthNumerics

/// Encodes rows as sorted runs: on its own threads, and on the calling one when those are busy.
///
/// The result does not depend on the number of threads. The queue is short, so memory stays flat.
final class RunEncoder: @unchecked Sendable {
  /// The result of one call of ``add(_:)``.
  struct Outcome {
    var runs: [Run] = []
    /// The number of records inside other elements that repeat one of the rows.
    var repeating = 0
    /// Whether formats or apps may have given identities to rows.
    var mayHaveIdentities = false
  }

  private let file: SpillFile
  private let threadCount: Int
  /// Scratch memory of the calling thread.
  private let room = RowBlock()
  /// Guards everything below.
  private let condition = NSCondition()
  private var waiting: [(number: Int, rows: UnsortedRows)] = []
  private var outcomes: [Outcome] = []
  private var failure: StoreError?
  private var isClosed = false
  /// The number of running threads.
  private var running = 0

  /// Encodes with a number of threads, including the calling one.
  init(file: SpillFile, threads: Int) {
    self.file = file
    threadCount = max(0, threads - 1)
  }

  /// Adds rows, and returns the number of their outcome in ``finish()``.
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
      if running < threadCount {
        running += 1
        Thread { [self] in work() }.start()
      }
      condition.signal()
      condition.unlock()
    } else {
      condition.unlock()
      try encode(rows, as: number, room)
    }
    return number
  }

  /// Encodes the rest, ends the threads and returns the outcomes in the order of the calls.
  func finish() throws(StoreError) -> [Outcome] {
    while let (number, rows) = condition.withLock({ waiting.popLast() }) {
      try encode(rows, as: number, room)
    }
    close()
    if let failure { throw failure }
    defer { outcomes = [] }
    return outcomes
  }

  /// Drops queued rows and ends the threads.
  func close() {
    condition.withLock {
      isClosed = true
      waiting = []
      condition.broadcast()
      while running > 0 { condition.wait() }
    }
  }

  private func encode(_ rows: UnsortedRows, as number: Int, _ room: RowBlock) throws(StoreError) {
    let outcome = try rows.encoded(to: file, room: room)
    condition.withLock { outcomes[number] = outcome }
  }

  private func work() {
    let room = RowBlock()
    while let (number, rows) = next() {
      do throws(StoreError) { try encode(rows, as: number, room) } catch {
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

extension SpillFile {
  /// Appends an encoded chunk as a run.
  fileprivate func append(_ chunk: EncodedChunk) throws(StoreError) -> Run {
    Run(
      count: chunk.statistics.count, duplicates: chunk.duplicates,
      firstStart: chunk.statistics.firstStart, lastStart: chunk.statistics.lastStart,
      lastEnd: chunk.statistics.lastEnd, isWhole: chunk.isWhole, core: try append(chunk.core),
      detail: try append(chunk.detail), statistics: try append(chunk.statistics.bytes),
      zoneMap: try append(chunk.zoneMap.bytes))
  }
}

/// Rows of one type and one source in file order, to be sorted into runs.
struct UnsortedRows: Sendable {
  /// The type and the source, and rows of small batches.
  var buffered: RecordColumns.Builder
  /// A batch that follows them.
  var batch: RecordColumns?
  /// The values of ``batch`` in the canonical unit.
  var canonical: [Double] = []
  /// Rows beyond it are left out.
  var watermark: Watermark?
  /// Instants at which runs are split, ascending.
  var bounds: [Double] = []
  var sizes: RunSizes
  /// Whether they are rows of a store, which have their numbers.
  var keepsOrdinals = false

  /// Sorts the rows, merges copies and encodes the result into a file.
  ///
  /// - Complexity: O(*n* log *n*), O(*n*) when rows are in few sorted ranges
  fileprivate func encoded(
    to file: SpillFile, room: RowBlock
  ) throws(StoreError) -> RunEncoder.Outcome {
    var encoded = RunEncoder.Outcome()
    var (rows, canonical) = joined()
    encoded.mayHaveIdentities = GivenIdentity.mayBe(in: rows.metadataTable)
    var order = rows.starts.indices.map(UInt32.init)
    if let watermark { order.removeAll { watermark.defers(rows.starts[Int($0)]) } }
    rows.putInChunkOrder(&order, canonical: canonical)
    encoded.repeating = rows.collapseCopies(
      &order, canonical: canonical, agreement: ValueAgreement(of: buffered.rows.type),
      keepsOrdinals: keepsOrdinals)
    var start = 0
    while start < order.count {
      let end = end(ofRunFrom: start, in: order, starts: rows.starts)
      encoded.runs.append(
        try file.append(EncodedChunk(rows, at: order[start..<end], room: room)))
      start = end
    }
    return encoded
  }

  private func joined() -> (RecordColumns, [Double]) {
    guard let batch else { return (buffered.rows, buffered.canonical) }
    if buffered.count == 0 { return (batch, canonical) }
    var buffered = buffered
    buffered.append(batch, [0..<batch.count], canonical: canonical)
    return (buffered.rows, buffered.canonical)
  }

  /// Rows of one instant stay together unless they are unreasonably many.
  private func end(ofRunFrom start: Int, in order: [UInt32], starts: [Double]) -> Int {
    func instant(_ index: Int) -> Double { starts[Int(order[index])] }
    let end =
      bounds.first { $0 > instant(start) }.map { bound in
        (start..<order.count).partitioningIndex { instant($0) >= bound }
      } ?? order.count
    let parts = (end - start + sizes.full / 2) / sizes.full
    guard parts > 1 else { return end }
    let target = start + (end - start) / parts
    let distance = sizes.full / 2
    return EncodedChunk.boundary(
      near: target, between: max(start, target - distance), and: min(end, target + distance)
    ) { instant($0 - 1) < instant($0) } ?? target
  }
}
