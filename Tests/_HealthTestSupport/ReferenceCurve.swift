public import HealthSamples

/// The slow twin of the temporally weighted mean: it cuts time at every instant where anything can
/// change, and asks of each piece what the curve is there, in exact fractions.
public struct ReferenceCurve: Sendable {
  /// Samples with times that are small whole numbers and values that are multiples of 1/8.
  public let rows: [SampleColumns.Row]
  /// For how long a lone value stands; a small whole number.
  public let hold: Double

  public init(rows: [SampleColumns.Row], hold: Double) {
    self.rows = rows
    self.hold = hold
  }

  /// The integral over an interval with whole edges, and for how long the curve is defined: drawn
  /// from the samples that meet the interval, clipped to it.
  public func integral(
    from start: Double, to end: Double
  ) -> (area: ReferenceFraction, length: ReferenceFraction) {
    pieces(from: start, to: end).reduce((ReferenceFraction(0), ReferenceFraction(0))) {
      ($0.0 + ($1.first + $1.last) / ReferenceFraction(2) * $1.seconds, $0.1 + $1.seconds)
    }
  }

  /// For how many seconds of an interval the curve is at a height or below it.
  public func seconds(from start: Double, to end: Double, upTo height: Double) -> Double {
    pieces(from: start, to: end).reduce(0) { sum, piece in
      let ends = [piece.first.nearestDouble, piece.last.nearestDouble]
      let (low, high, seconds) = (
        ends.min() ?? 0, ends.max() ?? 0, piece.seconds.nearestDouble
      )
      if high <= height { return sum + seconds }
      return low < height ? sum + seconds * (height - low) / (high - low) : sum
    }
  }

  /// The straight pieces of the curve of an interval, with the heights at which they begin and end.
  private func pieces(
    from start: Double, to end: Double
  ) -> [(first: ReferenceFraction, last: ReferenceFraction, seconds: ReferenceFraction)] {
    let own = rows.filter { row in
      row.start == row.end
        ? start <= row.start && row.start < end : row.start < end && start < row.end
    }.map { row in
      var row = row
      (row.start, row.end) = (max(row.start, start), min(row.end, end))
      return row
    }
    let instants = own.flatMap { row in
      [row.start, row.end].flatMap { [$0 - hold, $0, $0 + hold] }
    }
    let cuts = Set(instants + [start, end]).filter { start <= $0 && $0 <= end }.sorted()
    return zip(cuts, cuts.dropFirst()).compactMap { from, to in
      guard let first = height(of: own, from: from, to: to, at: from),
        let last = height(of: own, from: from, to: to, at: to)
      else { return nil }
      return (first, last, ReferenceFraction(exactly: to - from))
    }
  }

  /// The height at an end of a piece in which nothing begins or ends.
  private func height(
    of rows: [SampleColumns.Row], from: Double, to: Double, at instant: Double
  ) -> ReferenceFraction? {
    let open = rows.filter { $0.start < $0.end && $0.start <= from && to <= $0.end }
    if !open.isEmpty { return mean(open) }
    let before = rows.map(\.end).filter { $0 <= from }.max()
    let after = rows.map(\.start).filter { $0 >= to }.min()
    let left = before.map { instant in mean(rows.filter { $0.end == instant }) }
    let right = after.map { instant in mean(rows.filter { $0.start == instant }) }
    if let before, let after, let left, let right, after - before <= 2 * hold {
      let share =
        ReferenceFraction(exactly: instant - before) / ReferenceFraction(exactly: after - before)
      return left + (right - left) * share
    }
    if let before, from < before + hold { return left }
    if let after, to > after - hold { return right }
    return nil
  }

  private func mean(_ rows: [SampleColumns.Row]) -> ReferenceFraction {
    rows.reduce(ReferenceFraction(0)) { $0 + ReferenceFraction(exactly: $1.value) }
      / ReferenceFraction(Int128(rows.count))
  }
}
