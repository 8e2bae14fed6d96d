import HealthSamples

/// The rule by which rows of a later export supersede those of an earlier one.
///
/// iOS joins old samples: a later export has one where an earlier one had several. The rule
/// compares the rows of one type and one source that only the store has with those that only the
/// later export has. Spans that overlap or touch form a group, which is split at instants where
/// both sides have an edge and no span continues. In a part where both sides cover the same span
/// and agree, the old rows are superseded. Otherwise both stay.
struct Superseding {
  /// The times and the canonical value of a row.
  struct Span {
    var start: Double
    var end: Double
    var value: Double

    init(start: Double, end: Double, value: Double) {
      self.start = start
      // An end before the start is treated as the start.
      self.end = max(start, end)
      self.value = value
    }
  }

  /// The result for an old row.
  enum Fate {
    /// The later export lacks it.
    case lacking
    case superseded
    /// The later export contradicts it.
    case disagreeing
  }

  private enum Kind {
    case cumulative
    case discrete
    case category
  }

  private let kind: Kind
  private let zeroOffset: Double

  /// The tolerance for sums, relative to the larger one.
  private static let sumTolerance = 1e-4
  /// Half a unit of the sixth digit of a number with a leading 1, relative to the number.
  private static let printedTolerance = 5e-6

  init(_ type: SampleType, zeroOffset: Double) {
    kind =
      type.canonicalUnit == nil ? .category : type.style == .cumulative ? .cumulative : .discrete
    self.zeroOffset = zeroOffset
  }

  /// The fates of old rows, given the date of the earlier export; both sides are in ascending order
  /// of start.
  ///
  /// - Complexity: O(*n* log *n*)
  func fates(of old: [Span], after new: [Span], earlierDate: Double) -> [Fate] {
    var fates = [Fate](repeating: .lacking, count: old.count)
    var (oldFirst, newFirst) = (0, 0)
    var (oldNext, newNext) = (0, 0)
    var (oldEnd, newEnd) = (-Double.infinity, -Double.infinity)
    var start = Double.infinity
    func close() {
      let (olds, news) = (oldFirst..<oldNext, newFirst..<newNext)
      if !olds.isEmpty, !news.isEmpty {
        judge(old, olds, new, news, earlierDate: earlierDate, &fates)
      }
      (oldFirst, newFirst) = (oldNext, newNext)
      (oldEnd, newEnd, start) = (-.infinity, -.infinity, .infinity)
    }
    while oldNext < old.count || newNext < new.count {
      let oldStart = oldNext < old.count ? old[oldNext].start : .infinity
      let newStart = newNext < new.count ? new[newNext].start : .infinity
      let next = min(oldStart, newStart)
      let end = max(oldEnd, newEnd)
      let isCut =
        next == end && start < next && (oldEnd == next || oldStart == next)
        && (newEnd == next || newStart == next)
      if next > end || isCut { close() }
      start = min(start, next)
      if oldStart == next {
        oldEnd = max(oldEnd, old[oldNext].end)
        oldNext += 1
      } else {
        newEnd = max(newEnd, new[newNext].end)
        newNext += 1
      }
    }
    close()
    return fates
  }

  /// Decides one part, in which both sides have rows.
  private func judge(
    _ old: [Span], _ olds: Range<Int>, _ new: [Span], _ news: Range<Int>, earlierDate: Double,
    _ fates: inout [Fate]
  ) {
    let (oldSpan, newSpan) = (Self.span(old[olds]), Self.span(new[news]))
    if oldSpan == newSpan, agree(old[olds], new[news]) {
      for row in olds { fates[row] = .superseded }
      return
    }
    for row in olds { fates[row] = .disagreeing }
    guard earlierDate.isFinite, newSpan.upperBound > earlierDate else { return }
    let inside = olds.filter {
      old[$0].start >= newSpan.lowerBound && old[$0].end <= newSpan.upperBound
    }
    for row in continued(inside, of: old, by: new[news], earlierDate: earlierDate) {
      fates[row] = .superseded
    }
  }

  /// Which old rows inside the span of new ones, which extends past the earlier export, had not
  /// ended then.
  private func continued(
    _ inside: [Int], of old: [Span], by new: ArraySlice<Span>, earlierDate: Double
  ) -> [Int] {
    guard kind == .cumulative else {
      // A mean of more measurements, or a longer time in the same state.
      var rest = new.filter { $0.end > earlierDate }[...]
      var ends: [Double: Double] = [:]
      func key(_ span: Span) -> Double { kind == .category ? span.value : 0 }
      return inside.filter { row in
        while let next = rest.first, next.start <= old[row].start {
          ends[key(next)] = max(ends[key(next)] ?? -.infinity, next.end)
          rest.removeFirst()
        }
        return old[row].end <= ends[key(old[row])] ?? -.infinity
      }
    }
    let end = inside.map { old[$0].end }.max() ?? -.infinity
    let rows = new.filter { $0.start < end || $0.start == $0.end && $0.start == end }
    let (before, after) = (Self.sum(inside.map { old[$0] }), Self.sum(rows))
    return before.sum <= after.sum + Self.tolerance(before, after) ? inside : []
  }

  private func agree(_ old: ArraySlice<Span>, _ new: ArraySlice<Span>) -> Bool {
    switch kind {
    case .cumulative:
      let (before, after) = (Self.sum(old), Self.sum(new))
      return (before.sum - after.sum).magnitude <= Self.tolerance(before, after)
    case .discrete:
      let values = old.map(\.value)
      guard let lowest = values.min(), let highest = values.max() else { return false }
      let scale = max(lowest.magnitude, highest.magnitude) + zeroOffset
      let tolerance = SeriesMerge.tolerance * scale
      return new.allSatisfy {
        lowest - tolerance <= $0.value && $0.value <= highest + tolerance
      }
    case .category: return Self.coverage(old) == Self.coverage(new)
    }
  }

  private static func span(_ rows: ArraySlice<Span>) -> ClosedRange<Double> {
    var (start, end) = (Double.infinity, -Double.infinity)
    for row in rows {
      start = min(start, row.start)
      end = max(end, row.end)
    }
    return start...end
  }

  private static func sum(_ rows: some Sequence<Span>) -> (sum: Double, magnitude: Double) {
    rows.reduce((0, 0)) { ($0.0 + $1.value, $0.1 + $1.value.magnitude) }
  }

  private static func tolerance(
    _ one: (sum: Double, magnitude: Double), _ other: (sum: Double, magnitude: Double)
  ) -> Double {
    max(
      sumTolerance * max(one.sum.magnitude, other.sum.magnitude),
      printedTolerance * (one.magnitude + other.magnitude))
  }

  /// How long each value holds: spans of one value that overlap or touch are joined.
  private static func coverage(_ rows: ArraySlice<Span>) -> [[Double]] {
    var coverage: [[Double]] = []
    for row in rows.sorted(by: { ($0.value, $0.start) < ($1.value, $1.start) }) {
      if let last = coverage.last, last[0] == row.value, row.start <= last[2] {
        coverage[coverage.count - 1][2] = max(last[2], row.end)
      } else {
        coverage.append([row.value, row.start, row.end])
      }
    }
    return coverage
  }
}
