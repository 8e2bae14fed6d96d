public import HealthMerge
public import HealthQuery
public import HealthSamples
import HealthStatistics
import HealthUnits

extension StatisticsPlan {
  /// The most different values of one category type.
  public static let categoryValueLimit = 256

  /// Answers for a category type from columns.
  ///
  /// The plan's statistics, style, hold time, unit and exactness are ignored.
  ///
  /// - Parameters:
  ///   - samples: the samples of the type, at least those of `sampleRange(firstSample:)`
  ///   - facts: one entry for each source that the type has, for the default order
  ///   - preferred: the user's stored order, which ranks below the plan's own
  /// - Returns: the answer, with a row for each interval as for a quantity
  /// - Throws: `QueryError`
  /// - Complexity: O(values × (*n* log *n* + intervals)), times sources if they are separated
  public func categoryAnswer(
    samples: SampleColumns, facts: [SourceFacts], preferred: [String] = []
  ) throws(QueryError) -> CategoryAnswer {
    guard case .category = type.kind else { throw QueryError(.notACategory(type)) }
    guard policy == .healthKit || policy == .unmerged else {
      throw QueryError(.policyDoesNotFit(policy, type))
    }
    let priority = SourcePriority.standard(for: facts, preferred: preferredSources + preferred)
    let intervals = try IntervalResolver(self, firstSample: facts.map(\.firstStart).min())
    let isSingle = self.isSingle
    let matching =
      isSingle
      ? samples.rows(matching: intervals.sampleRange).map(samples.keeping) ?? samples : samples
    let boundaries =
      isSingle
      ? matching.isEmpty ? emptyPeriod : nil
      : try intervals.boundaries(for: matching.span, sourceCount: matching.sources.count)
    let rows = Rows(boundaries, of: isSingle ? matching : SampleColumns(type: type))
    // Without intervals a collection has no row.
    let taken = rows.starts.isEmpty ? SampleColumns(type: type) : matching
    let order = SourcePriority(
      order: priority.order + priority.ranking(of: taken).unlisted)
    let kernel = try CategoryKernel(
      samples: taken, boundaries: boundaries, rowCount: rows.starts.count, priority: order,
      isMerged: policy != .unmerged,
      sourceCount: separatesSources || explains ? order.order.count : 1)
    return CategoryAnswer(
      type: type, timeZone: timeZone, policy: policy, rule: isSingle ? .single : .collection,
      priority: order.order,
      unmatchedPreferredSources: SourcePriority.unmatched(preferredSources, in: facts),
      starts: rows.starts, ends: rows.ends, hasData: try kernel.hasData(),
      values: try kernel.values(),
      sources: separatesSources || explains ? try kernel.sourcesAlone() : [],
      contributions: explains ? try kernel.contributions() : [])
  }

  /// The starts and ends of the intervals of an answer.
  private struct Rows {
    var starts: [Double] = []
    var ends: [Double] = []

    init(_ boundaries: Boundaries?, of samples: SampleColumns) {
      if let boundaries {
        (starts, ends) = (Array(boundaries.edges.dropLast()), Array(boundaries.edges.dropFirst()))
      } else if let first = samples.starts.min(), let last = samples.ends.max() {
        (starts, ends) = ([first], [last])
      }
    }
  }
}
