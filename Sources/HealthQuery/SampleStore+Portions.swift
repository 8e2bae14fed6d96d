import HealthSamples
import HealthStatistics
import HealthStore
internal import _HealthNumerics

extension SampleStore {
  /// Answers portion by portion of time, so that not all samples are in memory at once.
  ///
  /// Portions end at edges of intervals that no sample crosses, or at any edge if sources do not
  /// interact. So each interval gets the same samples in the same order as in one pass, and the
  /// size of portions does not change a bit.
  ///
  /// - Complexity: that of all samples at once; where long samples leave few such edges, portions
  ///   double until they are large enough, and samples are read a few times
  func inPortions(
    _ question: ResolvedPlan, over boundaries: Boundaries, portion: Int
  ) throws(QueryError) -> StatisticsAnswer {
    let edges = boundaries.edges
    let ends = try portionEnds(of: question, edges: edges, portion: portion)
    var totals: [StatisticsColumns] = []
    var first = 0
    while first < boundaries.count {
      var last = ends.first { $0 > first } ?? boundaries.count
      var found = try samples(of: question, boundaries, first..<last)
      while question.sourcesInteract, last < boundaries.count {
        if let seam = found.samples.lastSeam(of: edges, in: first + 1...last) {
          last = seam
          break
        }
        last = min(2 * last - first, boundaries.count)
        found = try samples(of: question, boundaries, first..<last)
      }
      let tables = try question.tables(
        samples: found.samples, adding: found.aggregates, over: boundaries[first..<last])
      totals.append(tables.total)
      first = last
    }
    return question.answer(AnswerTables(joining: totals))
  }

  /// The indices of edges at which portions of about `portion` samples may end, ascending.
  private func portionEnds(
    of question: ResolvedPlan, edges: [Double], portion: Int
  ) throws(QueryError) -> [Int] {
    do {
      var ends: [Int] = []
      var count = 0
      var edge = 0
      for part in try sampleCounts(of: question.plan.type, in: question.intervals.sampleRange) {
        if count >= portion {
          while edge < edges.count - 1, edges[edge] < part.firstStart { edge += 1 }
          ends.append(edge)
          count = 0
        }
        count += part.count
      }
      return ends
    } catch {
      throw QueryError(.store(error))
    }
  }

  /// The relevant samples of some intervals; before the first edge and after the last one those of
  /// the whole query.
  private func samples(
    of question: ResolvedPlan, _ boundaries: Boundaries, _ part: Range<Int>
  ) throws(QueryError) -> PreaggregatedSamples {
    let (range, edges) = (question.intervals.sampleRange, boundaries.edges)
    let lower = part.lowerBound == 0 ? range.lowerBound : edges[part.lowerBound]
    let upper = part.upperBound == edges.count - 1 ? range.upperBound : edges[part.upperBound]
    do {
      return try self.part(part, of: edges.count - 1).samples(
        for: question, in: lower..<upper,
        by: question.groups(over: boundaries[part]))
    } catch {
      throw QueryError(.store(error))
    }
  }
}

extension SampleColumns {
  /// The index of the last edge that no sample crosses, and at which no sample ends where another
  /// has zero length.
  ///
  /// - Complexity: O(*n* log edges + edges)
  func lastSeam(of edges: [Double], in indices: ClosedRange<Int>) -> Int? {
    // By how many the samples that cross an edge exceed those that cross the previous one.
    var changes = Array(repeating: 0, count: indices.count + 1)
    var isEnd = Array(repeating: false, count: indices.count)
    var isInstant = isEnd
    let edges = edges[indices]
    for row in 0..<count {
      let (start, end) = (starts[row], ends[row])
      let last = edges.partitioningIndex { $0 >= end }
      let isOnEdge = last <= indices.upperBound && edges[last] == end
      if isOnEdge, start < end { isEnd[last - indices.lowerBound] = true }
      if isOnEdge, start == end { isInstant[last - indices.lowerBound] = true }
      var first = edges.partitioningIndex { $0 >= start }
      if first < last, edges[first] == start { first += 1 }
      guard first < last else { continue }
      changes[first - indices.lowerBound] += 1
      changes[last - indices.lowerBound] -= 1
    }
    var open = 0
    var seam: Int?
    for index in 0..<indices.count {
      open += changes[index]
      if open == 0, !(isEnd[index] && isInstant[index]) { seam = indices.lowerBound + index }
    }
    return seam
  }
}
