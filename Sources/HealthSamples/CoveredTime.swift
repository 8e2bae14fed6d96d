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
    let (oldStarts, oldEnds, oldInstants) = (starts, ends, instants)
    starts = []
    ends = []
    instants = []
    starts.reserveCapacity(oldStarts.count + rows.count)
    ends.reserveCapacity(oldStarts.count + rows.count)
    var old = 0
    var oldInstant = 0
    for row in rows {
      let start = rowStarts[row]
      let end = rowEnds[row]
      if start == end {
        while oldInstant < oldInstants.count, oldInstants[oldInstant] < start {
          add(instant: oldInstants[oldInstant])
          oldInstant += 1
        }
        add(instant: start)
      } else {
        while old < oldStarts.count, oldStarts[old] <= start {
          add(start: oldStarts[old], end: oldEnds[old])
          old += 1
        }
        add(start: start, end: end)
      }
    }
    for old in old..<oldStarts.count { add(start: oldStarts[old], end: oldEnds[old]) }
    for oldInstant in oldInstant..<oldInstants.count { add(instant: oldInstants[oldInstant]) }
  }

  private mutating func add(instant: Double) {
    if instants.last != instant { instants.append(instant) }
  }

  private mutating func add(start: Double, end: Double) {
    let last = ends.count - 1
    if last >= 0, start <= ends[last] {
      if end > ends[last] { ends[last] = end }
    } else {
      starts.append(start)
      ends.append(end)
    }
  }
}
