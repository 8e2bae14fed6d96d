import HealthMerge
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

/// Merges and counts samples by one policy, as the engine does below the calendar.
struct LawRun {
  let policy: MergePolicy
  var type = SampleType(.distanceWalkingRunning)

  func segments(
    _ rows: [SampleColumns.Row], dates: [Double], order: [Source]
  ) throws -> SegmentColumns {
    let dated = dated(rows, dates: dates)
    return try dated.samples.merged(
      by: SourcePriority(order: order), policy: policy, lastModified: dated.lastModified)
  }

  func dated(_ rows: [SampleColumns.Row], dates: [Double]) -> DatedSampleColumns {
    DatedSampleColumns(
      type: type, rows: zip(rows, dates).map { .init(sample: $0, lastModified: $1) })
  }

  /// Sum and count of each interval.
  func table(
    _ rows: [SampleColumns.Row], dates: [Double], order: [Source], edges: [Double]
  ) throws -> StatisticsColumns {
    let segments = try segments(rows, dates: dates, order: order)
    let boundaries = try Boundaries(edges: edges)
    return policy.choosesSourceOfInterval(of: type)
      ? try segments.highestStatistics(over: boundaries).table
      : try segments.statistics(over: boundaries)
  }

  func sums(
    _ rows: [SampleColumns.Row], dates: [Double], order: [Source], edges: [Double]
  ) throws -> [Double] {
    try #require(try table(rows, dates: dates, order: order, edges: edges)[raw: .sum])
  }

  /// What one source contributes to each interval.
  func contribution(
    of source: Source, _ rows: [SampleColumns.Row], dates: [Double], order: [Source],
    edges: [Double]
  ) throws -> [Double] {
    let segments = try segments(rows, dates: dates, order: order)
    let boundaries = try Boundaries(edges: edges)
    guard let rank = segments.sources.firstIndex(of: source) else {
      return Array(repeating: 0, count: boundaries.count)
    }
    let sums = try #require(try segments.statisticsBySource(over: boundaries)[rank][raw: .sum])
    guard policy.choosesSourceOfInterval(of: type) else { return sums }
    let chosen = try segments.highestStatistics(over: boundaries).chosen
    return zip(sums, chosen).map { $1 == rank ? $0 : 0 }
  }

  /// The parts that count as samples of their own, in one order, each with its sample's date.
  func counted(
    _ rows: [SampleColumns.Row], dates: [Double], order: [Source]
  ) throws -> [DatedSampleColumns.Row] {
    let dated = dated(rows, dates: dates)
    let segments = try segments(rows, dates: dates, order: order)
    var parts: [DatedSampleColumns.Row] = []
    for (rank, source) in segments.sources.enumerated() {
      let place = try #require(dated.samples.sources.firstIndex(of: source))
      for row in segments.rows(ofSource: rank) where segments.samples[row] != SegmentColumns.masked
      {
        let sample = dated.samples.offsets[place] + Int(segments.samples[row])
        parts.append(
          .init(
            sample: .init(
              source: source, start: segments.starts[row], end: segments.ends[row],
              value: segments.values[row]), lastModified: dated.lastModified[sample]))
      }
    }
    func key(_ part: DatedSampleColumns.Row) -> (String, Double, Double, Double, Double) {
      let sample = part.sample
      return (sample.source.name, sample.start, sample.end, sample.value, part.lastModified ?? 0)
    }
    return parts.sorted { key($0) < key($1) }
  }
}
