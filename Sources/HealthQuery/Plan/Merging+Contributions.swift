import HealthMerge
import HealthSamples
import HealthStatistics

extension Merging {
  /// The most samples to merge, and sums to compute, for an explanation: some seconds of work.
  private static let workLimit = 1 << 28

  /// The contribution of each source to a total.
  ///
  /// A source is merged with the first of the higher ones, then with the first two, and so on: its
  /// loss at each step was masked by the source that was added. This is valid for every policy,
  /// because a source never depends on lower ones.
  ///
  /// - Throws: ``QueryError/Reason/tooMuchToExplain`` for very many sources
  /// - Complexity: O(*k*² × (*n* + intervals)) for *k* sources
  func contributions(
    of samples: SampleColumns, over boundaries: Boundaries?, to total: StatisticsColumns
  ) throws(QueryError) -> [SourceContribution] {
    let ranking = priority.ranking(of: samples)
    let ignored = policy.ignoresUnlistedSources(of: samples.type) ? ranking.unlisted.count : 0
    let order = Array(ranking.order.dropLast(ignored))
    let pairs = order.count * (order.count - 1) / 2
    let work = pairs.multipliedReportingOverflow(by: samples.count + total.count)
    guard !work.overflow, work.partialValue <= Self.workLimit else {
      throw QueryError(.tooMuchToExplain)
    }

    let raw = try Self.tables(try unmerged(samples), over: boundaries)
    let counted = try contributedSums(of: samples, over: boundaries, rows: total.count)
    var contributions: [SourceContribution] = []
    for (rank, source) in order.enumerated() {
      let alone = Column(raw[rank], rows: total.count)
      let sums = counted[rank]
      let maskedBy =
        policy.choosesSourceOfInterval(of: samples.type)
        ? losses(of: rank, alone: alone.sums, counted: counted, order: order, in: samples)
        : try losses(
          of: rank, alone: alone.sums, counted: sums, order: order, in: samples, over: boundaries)
      contributions.append(
        SourceContribution(
          source: samples.sources[source], hasData: alone.hasData, sums: sums,
          masked: Self.difference(alone.sums, sums), maskedBy: maskedBy))
    }
    return contributions
  }

  /// The contribution of each source, by rank.
  private func contributedSums(
    of samples: SampleColumns, over boundaries: Boundaries?, rows: Int
  ) throws(QueryError) -> [[Double]] {
    let segments = try merged(samples)
    let tables = try Self.tables(segments, over: boundaries).map { Column($0, rows: rows).sums }
    guard policy.choosesSourceOfInterval(of: samples.type) else { return tables }
    let chosen = try Self.run {
      () throws(StatisticsError) in try segments.highestStatistics(over: boundaries).chosen
    }
    return tables.indices.map { rank in
      zip(tables[rank], chosen).map { $1 == rank ? $0 : 0 }
    }
  }

  /// The losses of a source to each higher source, from the highest rank down.
  private func losses(
    of rank: Int, alone: [Double], counted: [Double], order: [Int], in samples: SampleColumns,
    over boundaries: Boundaries?
  ) throws(QueryError) -> [SourceContribution.MaskedAmount] {
    guard alone != counted else { return [] }
    var losses: [SourceContribution.MaskedAmount] = []
    var left = alone
    func record(_ rank: Int, _ now: [Double]) {
      let amounts = Self.difference(left, now)
      if amounts.contains(where: { $0 != 0 }) {
        losses.append(.init(source: samples.sources[order[rank]], amounts: amounts))
      }
      left = now
    }
    func amounts(with higher: ArraySlice<Int>) throws(QueryError) -> [Double] {
      let taken = (higher + [order[rank]]).sorted()
      let rows = taken.flatMap { samples.rows(ofSource: $0) }
      let part = dated(by: lastModified.map { dates in rows.map { dates[$0] } })
      let segments = try part.merged(samples.keeping(rows: rows))
      guard let index = segments.sources.firstIndex(of: samples.sources[order[rank]]) else {
        return left
      }
      let table = try Self.run {
        () throws(StatisticsError) in
        try segments.table(over: boundaries, of: [.sum], sources: index..<index + 1)
      }
      return Column(table, rows: alone.count).sums
    }
    // Overlaps of its own samples are removed first, but rank last.
    let own = try amounts(with: [])
    let ownLoss = Self.difference(alone, own)
    left = own
    for higher in 0..<rank where samples.mayOverlap(order[higher], order[rank]) {
      record(higher, try amounts(with: order[...higher]))
    }
    if ownLoss.contains(where: { $0 != 0 }) {
      losses.append(.init(source: samples.sources[order[rank]], amounts: ownLoss))
    }
    return losses
  }

  /// The sources that were chosen instead of a source, and what it lost by that.
  private func losses(
    of rank: Int, alone: [Double], counted: [[Double]], order: [Int], in samples: SampleColumns
  ) -> [SourceContribution.MaskedAmount] {
    counted.indices.filter { $0 != rank }.compactMap { other in
      let amounts = alone.indices.map { counted[other][$0] != 0 ? alone[$0] : 0 }
      guard amounts.contains(where: { $0 != 0 }) else { return nil }
      return .init(source: samples.sources[order[other]], amounts: amounts)
    }
  }

  private static func tables(
    _ segments: SegmentColumns, over boundaries: Boundaries?
  ) throws(QueryError) -> [StatisticsColumns] {
    try run {
      () throws(StatisticsError) in try segments.tables(over: boundaries, of: [.sum])
    }
  }

  /// The difference of two sums, 0 if it is within their rounding errors.
  private static func difference(_ left: [Double], _ right: [Double]) -> [Double] {
    zip(left, right).map { left, right in
      abs(left - right) <= 0x1p-48 * max(abs(left), abs(right)) ? 0 : left - right
    }
  }
}

/// Sums with the same rows as the total; zeros for a source without segments.
private struct Column {
  let sums: [Double]
  let hasData: [Bool]

  init(_ table: StatisticsColumns, rows: Int) {
    let isEmpty = table.count < rows
    sums = isEmpty ? Array(repeating: 0, count: rows) : table[raw: .sum] ?? []
    hasData = isEmpty ? Array(repeating: false, count: rows) : table.hasData
  }
}

extension SampleColumns {
  /// Whether samples of two sources can be open at the same time.
  fileprivate func mayOverlap(_ first: Int, _ second: Int) -> Bool {
    guard let one = span(ofSource: first), let other = span(ofSource: second) else { return false }
    return one.overlaps(other)
  }

  private func span(ofSource source: Int) -> ClosedRange<Double>? {
    let rows = rows(ofSource: source)
    guard let first = rows.first, let last = ends[rows].max() else { return nil }
    return starts[first]...last
  }
}
