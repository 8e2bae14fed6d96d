/// Time that samples cover, as a union of closed spans and single instants.
///
/// ``starts`` and ``ends`` hold spans that are longer than zero, ascending, with time between any
/// two of them; ``instants`` holds the places of zero-length samples, ascending and distinct, which
/// may lie inside a span. Merging masks with it; statistics measure it.
package struct CoveredTime: Sendable, Equatable {
  /// Where each span starts.
  package private(set) var starts: [Double] = []
  /// Where each span ends; always after its start.
  package private(set) var ends: [Double] = []
  /// The places of zero-length samples.
  package private(set) var instants: [Double] = []

  /// Covers nothing.
  package init() {}

  /// Adds the time that rows cover.
  ///
  /// - Parameters:
  ///   - rowStarts: starts of the rows, ascending
  ///   - rowEnds: ends of the rows, each at or after its start
  ///   - rows: which rows to add
  /// - Complexity: O(spans + rows)
  package mutating func formUnion(
    starts rowStarts: [Double], ends rowEnds: [Double], rows: Range<Int>
  ) {
    let old = self
    var ends: [Double] = []
    starts = Array(unsafeUninitializedCapacity: old.starts.count + rows.count) { starts, count in
      ends = Array(unsafeUninitializedCapacity: old.starts.count + rows.count) { ends, endCount in
        var union = SpanWriter(starts: starts, ends: ends)
        old.writeUnion(starts: rowStarts, ends: rowEnds, rows: rows, to: &union)
        (count, endCount) = (union.count, union.count)
      }
    }
    self.ends = ends
    formUnion(instants: rows.lazy.filter { rowStarts[$0] == rowEnds[$0] }.map { rowStarts[$0] })
  }

  private func writeUnion(
    starts rowStarts: [Double], ends rowEnds: [Double], rows: Range<Int>,
    to union: inout SpanWriter
  ) {
    var span = 0
    for row in rows {
      let start = rowStarts[row]
      let end = rowEnds[row]
      guard start < end else { continue }
      while span < starts.count, starts[span] <= start {
        union.write(start: starts[span], end: ends[span])
        span += 1
      }
      union.write(start: start, end: end)
    }
    for span in span..<starts.count { union.write(start: starts[span], end: ends[span]) }
  }

  private mutating func formUnion(instants added: some Sequence<Double>) {
    var union: [Double] = []
    var old = instants[...]
    for instant in added {
      while let first = old.first, first < instant { union.append(old.removeFirst()) }
      if union.last != instant, old.first != instant { union.append(instant) }
    }
    instants = union + old
  }

  /// Room for spans that come in the order of their starts, joined where they meet.
  private struct SpanWriter {
    let starts: UnsafeMutableBufferPointer<Double>
    let ends: UnsafeMutableBufferPointer<Double>
    var count = 0

    init(starts: UnsafeMutableBufferPointer<Double>, ends: UnsafeMutableBufferPointer<Double>) {
      (self.starts, self.ends) = (starts, ends)
    }

    mutating func write(start: Double, end: Double) {
      if count > 0, start <= ends[count - 1] {
        ends[count - 1] = max(ends[count - 1], end)
      } else {
        precondition(count < starts.count)
        starts.initializeElement(at: count, to: start)
        ends.initializeElement(at: count, to: end)
        count += 1
      }
    }
  }
}
