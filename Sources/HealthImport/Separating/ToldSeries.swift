import HealthSamples

/// What files tell of one series, in order of time: the rows of one type and one source, or the
/// elements of one identity.
struct ToldSeries {
  /// A row, and a digest of all that identifies it.
  struct Row: Comparable, Hashable {
    let start: Double
    /// Not before ``start``.
    let end: Double
    let digest: Int

    init(start: Double, end: Double, digest: Int) {
      (self.start, self.end, self.digest) = (start, SampleTime.end(from: start, to: end), digest)
    }

    static func < (left: Self, right: Self) -> Bool {
      (left.start, left.end, left.digest) < (right.start, right.end, right.digest)
    }
  }

  /// The different rows in their order; empty unless ``areRowsKnown``.
  private(set) var rows: [Row] = []
  /// Whether the rows were kept, and not only their span.
  private(set) var areRowsKnown = true
  private var first = Double.infinity
  private var last = -Double.infinity
  /// The length of the longest row.
  private var longest = 0.0

  /// Notes a row, whose order ``sort()`` makes.
  mutating func append(_ row: Row) {
    note(row)
    rows.append(row)
  }

  /// Notes a row without keeping it: from then on only the span is known.
  mutating func note(_ row: Row) {
    (first, last) = (min(first, row.start), max(last, row.end))
    longest = max(longest, row.end - row.start)
  }

  /// Drops the rows.
  mutating func forgetRows() { (rows, areRowsKnown) = ([], false) }

  /// Orders the rows that were appended, and leaves out repeated ones.
  mutating func sort() {
    rows.sort()
    rows = Self.union(rows[...], [])
  }

  /// Whether two files tell one time differently: a row that only one of them has overlaps one that
  /// only the other has.
  ///
  /// Without rows the spans decide.
  func contradicts(_ other: ToldSeries) -> Bool {
    guard first <= other.last, other.first <= last else { return false }
    guard areRowsKnown, other.areRowsKnown else { return true }
    let own = rows[place(of: other.first - longest)...].prefix { $0.start <= other.last }
    let (ours, theirs) = Self.differences(own, other.rows[...])
    return Self.overlap(ours, theirs)
  }

  /// Whether two files do not tell the same.
  func differs(from other: ToldSeries) -> Bool { rows != other.rows }

  /// Adds what another file tells.
  mutating func formUnion(_ other: ToldSeries) {
    (first, last) = (min(first, other.first), max(last, other.last))
    longest = max(longest, other.longest)
    guard areRowsKnown, other.areRowsKnown else { return forgetRows() }
    guard let start = other.rows.first?.start else { return }
    // Mostly the other file goes on where this one ends.
    let place = place(of: start)
    let union = Self.union(rows[place...], other.rows[...])
    rows.replaceSubrange(place..., with: union)
  }

  /// The place of the first row that does not start before an instant.
  private func place(of start: Double) -> Int {
    var range = 0..<rows.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        rows[middle].start < start ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// The different rows of two ordered lists, in order.
  private static func union(_ left: ArraySlice<Row>, _ right: ArraySlice<Row>) -> [Row] {
    var (left, right) = (left, right)
    var union: [Row] = []
    union.reserveCapacity(left.count + right.count)
    func add(_ row: Row) { if union.last != row { union.append(row) } }
    while let one = left.first, let other = right.first {
      if one <= other { left.removeFirst() } else { right.removeFirst() }
      add(min(one, other))
    }
    left.forEach(add)
    right.forEach(add)
    return union
  }

  /// The rows of each of two ordered lists that the other one does not have.
  private static func differences(
    _ left: ArraySlice<Row>, _ right: ArraySlice<Row>
  ) -> (left: [Row], right: [Row]) {
    var (left, right) = (left, right)
    var differences: (left: [Row], right: [Row]) = ([], [])
    while let one = left.first, let other = right.first {
      if one <= other { left.removeFirst() }
      if other <= one { right.removeFirst() }
      if one < other { differences.left.append(one) }
      if other < one { differences.right.append(other) }
    }
    return (differences.left + left, differences.right + right)
  }

  /// Whether a row of one ordered list shares more than an instant with one of the other, or an
  /// instant equals one or lies in a span.
  private static func overlap(_ left: [Row], _ right: [Row]) -> Bool {
    var (left, right) = (left[...], right[...])
    /// The last start, and the latest end, of the rows of each list so far.
    var seen = (
      left: (start: -Double.infinity, end: -Double.infinity),
      right: (start: -Double.infinity, end: -Double.infinity)
    )
    while !left.isEmpty || !right.isEmpty {
      if let row = left.first, right.first.map({ row.start <= $0.start }) ?? true {
        if row.start < seen.right.end || row.start == seen.right.start { return true }
        seen.left = (row.start, max(seen.left.end, row.end))
        left.removeFirst()
      } else if let row = right.first {
        if row.start < seen.left.end || row.start == seen.left.start { return true }
        seen.right = (row.start, max(seen.right.end, row.end))
        right.removeFirst()
      }
    }
    return false
  }
}
