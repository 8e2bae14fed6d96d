import Dispatch
import HealthSamples

/// Sweeps samples piece by piece on several threads, with reused memory.
///
/// A piece depends only on its samples and on the time that higher sources cover, so pieces are
/// swept in parallel; their parts are then written in parallel, each after those of the previous
/// pieces.
final class PieceSweep {
  private let work: MergeWork
  private let parts: [UnsafeUncoveredParts]

  /// Allocates memory for pieces of up to `count` samples.
  init(_ work: MergeWork, forSamples count: Int) {
    self.work = work
    let capacity = min(work.samplesPerPiece, count) + UncoveredSweep.batch
    parts = (0..<work.threads).map { _ in UnsafeUncoveredParts(capacity: capacity) }
  }

  /// Appends the uncovered parts of a source, and adds their time to `covered`, if given.
  ///
  /// Returns whether the number of segments is within the limit. `firstRow` is the row of the first
  /// of the samples, which belong to `source`.
  func append(
    _ samples: UnsafeSampleRows, of source: Int, firstRow: Int, uncoveredBy cover: CoveredTime,
    to segments: inout SegmentBuilder, covering covered: inout CoveredTime?
  ) -> Bool {
    let pieces = pieces(of: samples.count, atMost: work.samplesPerPiece)
    var others: [(start: Double, end: Double)] = []
    for first in stride(from: 0, to: pieces.count, by: parts.count) {
      let round = Array(pieces[first..<min(first + parts.count, pieces.count)])
      sweep(
        round.map { samples[$0] }, uncoveredBy: cover, limit: segments.limit - segments.count)
      let swept = parts.prefix(round.count)
      let total = swept.reduce(segments.count) { $0 + $1.totalCount }
      guard total <= segments.limit else { return false }
      let offsets = swept.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
      let parts = Unchecked(value: parts)
      let pieces = zip(swept, round).map {
        SegmentBuilder.PartsOfPiece(parts: $0, firstRow: firstRow + $1.lowerBound)
      }
      segments.append(pieces, of: source) { room in
        concurrently(round.count) { index in
          parts.value[index].write(
            to: room.dropFirst(offsets[index]), of: samples[round[index]],
            firstNumber: SegmentColumns.number(ofRow: round[index].lowerBound))
        }
      }
      for index in round.indices {
        self.parts[index].add(of: samples[round[index]], to: &covered, others: &others)
      }
    }
    if !others.isEmpty { covered?.formUnion(CoveredTime(unordered: others)) }
    return true
  }

  /// Finds the uncovered parts of some pieces.
  private func sweep(_ pieces: [UnsafeSampleRows], uncoveredBy cover: CoveredTime, limit: Int) {
    cover.withUnsafeEdges { spans in
      let parts = Unchecked(value: parts)
      concurrently(pieces.count) { index in
        var sweep = UncoveredSweep(pieces[index], covered: spans)
        parts.value[index].removeAll()
        sweep.run(into: parts.value[index], limit: limit)
      }
    }
  }

  private func pieces(of count: Int, atMost size: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: size).map { $0..<min($0 + size, count) }
  }

  /// Calls `body` with each index, on several threads when there are several indices.
  private func concurrently(_ count: Int, _ body: @Sendable (Int) -> Void) {
    if count > 1, work.threads > 1 {
      DispatchQueue.concurrentPerform(iterations: count, execute: body)
    } else {
      for index in 0..<count { body(index) }
    }
  }
}

/// Memory of which each thread writes its own part.
private struct Unchecked<Value>: @unchecked Sendable { let value: Value }
