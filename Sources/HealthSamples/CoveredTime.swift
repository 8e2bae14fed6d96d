/// Time covered by samples, as a union of closed spans and single instants.
///
/// The spans are longer than zero, ascending and do not touch. Merging masks with them; statistics
/// measure them.
package struct CoveredTime: Sendable, Equatable {
  /// The edges of the spans in one column: span *i* goes from edge 2*i* + 1 to edge 2*i* + 2.
  ///
  /// The first edge is minus infinity, the last two are a span at infinity: sentinels, so that a
  /// sweep needs no bounds checks.
  package private(set) var edges: [Double] = [-.infinity, .infinity, .infinity]
  /// The instants of zero-length samples, ascending and distinct; they may lie inside a span.
  package private(set) var instants: [Double] = []

  /// Covers nothing.
  package init() {}

  /// The time that rows cover.
  ///
  /// - Parameters:
  ///   - rowStarts: starts of the rows, ascending
  ///   - rowEnds: ends of the rows, each at or after its start
  ///   - rows: which rows to take
  /// - Complexity: O(rows)
  package init(starts rowStarts: [Double], ends rowEnds: [Double], rows: Range<Int>) {
    _ = rowStarts.withUnsafeBufferPointer { starts in
      rowEnds.withUnsafeBufferPointer { ends in
        append(starts: .init(rebasing: starts[rows]), ends: .init(rebasing: ends[rows]))
      }
    }
  }

  /// The time that spans and instants in any order cover.
  ///
  /// - Complexity: O(*n* log *n*)
  package init(unordered spans: [(start: Double, end: Double)]) {
    let ordered = spans.sorted { $0.start < $1.start }
    self.init(
      starts: ordered.map(\.start), ends: ordered.map(\.end), rows: ordered.indices)
  }

  /// The number of spans. - Complexity: O(1)
  package var spanCount: Int { edges.count / 2 - 1 }
  /// How many spans and instants there are. - Complexity: O(1)
  package var count: Int { spanCount + instants.count }
  /// The start of each span. - Complexity: O(spans)
  package var starts: [Double] { (0..<spanCount).map { edges[2 * $0 + 1] } }
  /// The end of each span, always after its start. - Complexity: O(spans)
  package var ends: [Double] { (0..<spanCount).map { edges[2 * $0 + 2] } }

  /// Adds the time that rows cover; parameters as in ``init(starts:ends:rows:)``.
  ///
  /// - Complexity: O(spans + rows)
  package mutating func formUnion(
    starts rowStarts: [Double], ends rowEnds: [Double], rows: Range<Int>
  ) {
    formUnion(CoveredTime(starts: rowStarts, ends: rowEnds, rows: rows))
  }

  /// Adds other covered time.
  ///
  /// - Complexity: O(spans of both)
  package mutating func formUnion(_ other: CoveredTime) {
    guard count > 0 else {
      self = other
      return
    }
    formUnion(instants: other.instants)
    guard other.spanCount > 0 else { return }
    let spans = spanCount + other.spanCount
    let old = edges
    edges = []
    write(atMost: spans) { writer in
      old.withUnsafeBufferPointer { mine in
        other.edges.withUnsafeBufferPointer { others in
          var (writer, here, there) = (writer, 1, 1)
          // Branch-free: which span comes next depends on the data. The sentinels of both come
          // last.
          for _ in 0..<spans {
            let isMine = mine[here] <= others[there]
            writer.write(
              start: isMine ? mine[here] : others[there],
              end: isMine ? mine[here &+ 1] : others[there &+ 1])
            here &+= isMine ? 2 : 0
            there &+= isMine ? 0 : 2
          }
          return writer.count
        }
      }
    }
  }

  /// Adds the time of rows in ascending order of start; returns `false` and adds nothing when the
  /// first starts before the last span or instant.
  ///
  /// - Complexity: O(rows)
  package mutating func append(
    starts: UnsafeBufferPointer<Double>, ends: UnsafeBufferPointer<Double>
  ) -> Bool {
    guard let first = starts.first else { return true }
    guard edges[max(0, edges.count - 4)] <= first, instants.last ?? first <= first else {
      return false
    }
    var instants = instants
    self.instants = []
    write(atMost: starts.count) { writer in
      var writer = writer
      for row in starts.indices {
        let (start, end) = (starts[row], ends[row])
        if start < end {
          writer.write(start: start, end: end)
        } else if instants.last != start {
          instants.append(start)
        }
      }
      return writer.count
    }
    self.instants = instants
    return true
  }

  private mutating func formUnion(instants added: [Double]) {
    var union: [Double] = []
    var old = instants[...]
    for instant in added {
      while let first = old.first, first < instant { union.append(old.removeFirst()) }
      if union.last != instant, old.first != instant { union.append(instant) }
    }
    instants = union + old
  }

  /// Writes spans after the existing ones; `body` returns the new number of spans.
  private mutating func write(atMost count: Int, _ body: (SpanWriter) -> Int) {
    let old = max(0, spanCount)
    if edges.isEmpty { edges = [-.infinity] } else { edges.removeLast(2) }
    // Room for the sentinel, and for a start that is written speculatively.
    edges.append(addingCapacity: 2 * count + 3) { room in
      room.withUnsafeMutableBufferPointer { room, written in
        guard let first = room.baseAddress else { return }
        let spans = body(SpanWriter(room: first, capacity: count, spansBefore: old))
        for edge in 2 * (spans - old)..<2 * (spans - old) + 2 { room[edge] = .infinity }
        written = 2 * (spans - old) + 2
      }
    }
  }

  /// Writes spans in ascending order of start, and joins those that touch or overlap, the first of
  /// them with the last existing span.
  private struct SpanWriter {
    /// The start of span 0.
    private let edges: UnsafeMutablePointer<Double>
    private let limit: Int
    private(set) var count: Int
    private var last: Double

    init(room: UnsafeMutablePointer<Double>, capacity: Int, spansBefore: Int) {
      edges = room - 2 * spansBefore
      count = spansBefore
      limit = spansBefore + capacity
      last = spansBefore == 0 ? -.infinity : room[-1]
    }

    mutating func write(start: Double, end: Double) {
      precondition(count < limit)
      // The start is always written; if it does not begin a new span, the next one overwrites it.
      edges[2 &* count] = start
      count &+= start > last ? 1 : 0
      last = end > last ? end : last
      edges[2 &* count &- 1] = last
    }
  }
}
