import HealthSamples
import _HealthNumerics

/// Correctly rounded sums and means, computed from the samples of the segments.
///
/// Memory is proportional to the segments, not to the parts: intervals are computed one at a time,
/// and samples that extend into the next one are carried over.
struct ExactTable {
  private let segments: SegmentColumns
  // The spans of all segments.
  private let starts: [Double]
  private let ends: [Double]
  private let samples: SampleColumns
  private let values: ExactValues
  private let edges: IntervalEdges
  // The terms whose first interval is i are the entries offsets[i]..<offsets[i + 1].
  private var offsets: [Int]
  private var terms: [Term]

  /// A segment and its sample.
  private struct Term {
    let segment: Int
    let sample: Int
  }

  /// Sorts the segments by the first interval that each overlaps.
  ///
  /// - Complexity: O(*n* + intervals)
  /// - Precondition: the segments are shares of their samples by time.
  init(segments: SegmentColumns, sources: Range<Int>, edges: IntervalEdges) {
    let samples = segments.shared
    self.segments = segments
    (starts, ends) = (segments.starts, segments.ends)
    self.samples = samples
    self.edges = edges
    values = ExactValues(samples)
    var offsets = Array(repeating: 0, count: edges.count + 1)
    var found: [(interval: Int, term: Term)] = []
    for source in sources {
      var hint = 0
      for (row, sample) in zip(
        segments.rows(ofSource: source), segments.sharedRows(ofSource: source))
      {
        guard sample != SegmentColumns.noRow,
          let interval = edges.firstInterval(from: starts[row], to: ends[row], near: hint)
        else { continue }
        hint = interval
        offsets[interval + 1] += 1
        found.append((interval, Term(segment: row, sample: sample)))
      }
    }
    for interval in 0..<edges.count { offsets[interval + 1] += offsets[interval] }
    self.offsets = offsets
    terms = Array(repeating: Term(segment: 0, sample: 0), count: found.count)
    for (interval, term) in found {
      terms[offsets[interval]] = term
      offsets[interval] += 1
    }
  }

  /// The sum of each interval, a sample divided by time where it is not whole inside; `nil` when
  /// more than `limit` shares, besides the first of each sample, would have to be added.
  ///
  /// - Complexity: O(parts)
  func sums(limit: Int) -> [Double]? {
    var sums: [Double] = []
    sums.reserveCapacity(edges.count)
    var carried: [Term] = []
    var sharesLeft = limit
    for interval in 0..<edges.count {
      let started = terms[offsets[interval]..<offsets[interval + 1]]
      guard !started.isEmpty || !carried.isEmpty else {
        sums.append(0)
        continue
      }
      sharesLeft -= carried.count
      guard sharesLeft >= 0 else { return nil }
      var total = ExactTotal(values)
      for term in carried { add(term, in: interval, to: &total) }
      for term in started { add(term, in: interval, to: &total) }
      sums.append(total.quotient(by: Dyadic(1), of: values))
      carried.removeAll { !reachesOut($0, of: interval) }
      carried += started.filter { reachesOut($0, of: interval) }
    }
    return sums
  }

  private func reachesOut(_ term: Term, of interval: Int) -> Bool {
    ends[term.segment] > edges.edges[interval + 1]
  }

  private func add(_ term: Term, in interval: Int, to total: inout ExactTotal) {
    let (start, end) = (samples.starts[term.sample], samples.ends[term.sample])
    let segmentStart = starts[term.segment]
    let segmentEnd = ends[term.segment]
    let partStart = max(segmentStart, edges.edges[interval])
    let partEnd = min(segmentEnd, edges.edges[interval + 1])
    if segmentStart == segmentEnd || (start == partStart && end == partEnd) {
      total.add(term.sample, of: values)
    } else {
      total.add(
        values.value(term.sample) * (Dyadic(partEnd) - Dyadic(partStart)),
        over: Dyadic(end) - Dyadic(start))
    }
  }

  /// The mean of each interval over whole samples; 0 without any.
  ///
  /// - Complexity: O(*n* + parts), but parts need no exact additions
  func means() -> [Double] {
    var means: [Double] = []
    means.reserveCapacity(edges.count)
    var carried: [Term] = []
    var carriedTotal = ExactTotal(values)
    for interval in 0..<edges.count {
      let started = terms[offsets[interval]..<offsets[interval + 1]]
      var total = carriedTotal
      for term in started { total.add(term.sample, of: values) }
      let count = carried.count + started.count
      means.append(
        count == 0
          ? 0 : total.quotient(by: Dyadic(magnitude: Natural(UInt(count))), of: values))
      carried.removeAll { term in
        guard !reachesOut(term, of: interval) else { return false }
        carriedTotal.add(term.sample, of: values, sign: -1)
        return true
      }
      for term in started where reachesOut(term, of: interval) {
        carriedTotal.add(term.sample, of: values)
        carried.append(term)
      }
    }
    return means
  }

  /// The values of some segments, each a whole sample.
  func values(ofSegments rows: [Int]?) -> ExactValues {
    // Samples of types with a mean are never masked.
    let order = segments.sources.indices.flatMap { segments.sharedRows(ofSource: $0) }
    return ExactValues(values, of: rows.map { $0.map { order[$0] } } ?? order)
  }
}
