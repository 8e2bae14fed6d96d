import HealthSamples

extension ReferenceMerge {
  /// A rule for overlapping sources.
  public enum Policy: String, CaseIterable, Sendable {
    case healthKit = "hk"
    case healthConnect = "hc"
    case subtractive, drop, highest
    case unmerged = "none"
  }

  /// A part of a sample that counts, with its exact amount.
  public struct Part: Sendable {
    public let row: Int
    public let start: Double
    public let end: Double
    public let value: ReferenceFraction

    public init(row: Int, start: Double, end: Double, value: ReferenceFraction) {
      (self.row, self.start, self.end, self.value) = (row, start, end, value)
    }
  }

  /// What counts by a policy, cut wherever a sample starts or ends, in no order.
  ///
  /// `lastModified` has one instant for each row; only `hc` asks for it.
  public func parts(policy: Policy, lastModified: [Double] = []) -> [Part] {
    switch policy {
    case .healthKit: uncovered()
    case .healthConnect: topRecords(lastModified)
    case .subtractive: remainders()
    case .drop: notDropped()
    case .highest, .unmerged: rows.indices.map(whole)
    }
  }

  private func whole(_ row: Int) -> Part {
    Part(
      row: row, start: rows[row].start, end: rows[row].end,
      value: ReferenceFraction(exactly: rows[row].value))
  }

  private func uncovered() -> [Part] {
    rows.indices.flatMap { row -> [Part] in
      let sample = rows[row]
      let higher = rows.filter { rank(of: $0) < rank(of: sample) }
      if sample.start == sample.end {
        let isMasked = higher.contains { $0.start <= sample.start && sample.start <= $0.end }
        return isMasked ? [] : [whole(row)]
      }
      return zip(cuts, cuts.dropFirst()).filter { from, to in
        sample.start <= from && to <= sample.end
          && !higher.contains { $0.start <= from && to <= $0.end }
      }.map { from, to in
        let share =
          ReferenceFraction(exactly: to - from)
          / ReferenceFraction(exactly: sample.end - sample.start)
        return Part(
          row: row, start: from, end: to, value: ReferenceFraction(exactly: sample.value) * share)
      }
    }
  }

  /// The interval `[start, end)` of a cumulative type by a policy.
  ///
  /// `lastModified` has one instant for each row; only `hc` asks for it.
  public func interval(
    from start: Double, to end: Double, policy: Policy, lastModified: [Double] = []
  ) -> Interval {
    switch policy {
    case .healthKit: return interval(from: start, to: end, masks: true)
    case .unmerged: return interval(from: start, to: end, masks: false)
    case .highest:
      let alone = order.map { source in
        ReferenceMerge(rows: rows.filter { $0.source == source }, order: [source])
          .interval(from: start, to: end, masks: false)
      }.filter(\.hasData)
      return alone.reduce(nil) { best, next -> Interval? in
        guard let best else { return next }
        return best.sum < next.sum ? next : best
      } ?? Interval()
    case .healthConnect:
      return interval(
        from: start, to: end, parts: topRecords(lastModified),
        taking: rows.indices.filter { order.contains(rows[$0].source) })
    case .subtractive:
      return interval(from: start, to: end, parts: remainders(), taking: Array(rows.indices))
    case .drop:
      return interval(from: start, to: end, parts: notDropped(), taking: Array(rows.indices))
    }
  }

  private func interval(
    from start: Double, to end: Double, parts: [Part], taking taken: [Int]
  ) -> Interval {
    var result = Interval()
    result.hasData = taken.contains { isMet(rows[$0].start, rows[$0].end, start, end) }
    result.count = Set(parts.filter { isMet($0.start, $0.end, start, end) }.map(\.row)).count
    for part in parts where isMet(part.start, part.end, start, end) {
      let share = amount(of: part, from: start, to: end)
      result.sum = result.sum + share
      result.magnitude += abs(Double(share.numerator) / Double(share.denominator))
    }
    return result
  }

  /// The amount of a part that falls to `[start, end)`.
  private func amount(of part: Part, from start: Double, to end: Double) -> ReferenceFraction {
    guard part.start < part.end else { return part.value }
    let shared = max(0, min(part.end, end) - max(part.start, start))
    return part.value * ReferenceFraction(exactly: shared)
      / ReferenceFraction(exactly: part.end - part.start)
  }

  private func isMet(_ from: Double, _ to: Double, _ start: Double, _ end: Double) -> Bool {
    from == to ? start <= from && from < end : from < end && to > start
  }

  private var cuts: [Double] { Set(rows.flatMap { [$0.start, $0.end] }).sorted() }

  private func topRecords(_ lastModified: [Double]) -> [Part] {
    func key(_ row: Int) -> (Int, Double, Double, Double, Double) {
      let sample = rows[row]
      return (
        -rank(of: sample), lastModified.isEmpty ? 0 : lastModified[row], sample.start, sample.end,
        sample.value
      )
    }
    let listed = rows.indices.filter { order.contains(rows[$0].source) }
    func top(_ isOpen: (SampleColumns.Row) -> Bool) -> Int? {
      listed.filter { isOpen(rows[$0]) }.max { key($0) < key($1) }
    }
    var parts: [Part] = []
    for (from, to) in zip(cuts, cuts.dropFirst()) {
      guard let row = top({ $0.start <= from && to <= $0.end }) else { continue }
      let share =
        ReferenceFraction(exactly: rows[row].value) * ReferenceFraction(exactly: to - from)
        / ReferenceFraction(exactly: rows[row].end - rows[row].start)
      parts.append(Part(row: row, start: from, end: to, value: share))
    }
    for time in cuts {
      guard let row = top({ $0.start <= time && time <= $0.end }),
        rows[row].start == rows[row].end
      else { continue }
      parts.append(
        Part(row: row, start: time, end: time, value: ReferenceFraction(exactly: rows[row].value)))
    }
    return parts
  }

  private func notDropped() -> [Part] {
    var kept: [Int] = []
    for source in order {
      kept += rows.indices.filter { row in
        let sample = rows[row]
        return sample.source == source
          && !kept.contains { other in
            let higher = rows[other]
            guard higher.source != source else { return false }
            return sample.start == sample.end || higher.start == higher.end
              ? higher.start <= sample.end && sample.start <= higher.end
              : higher.start < sample.end && sample.start < higher.end
          }
      }
    }
    return kept.map(whole)
  }

  private func remainders() -> [Part] {
    var counted: [Part] = []
    for source in order {
      let higher = counted
      for row in rows.indices where rows[row].source == source {
        let sample = rows[row]
        let inside = higher.filter { part in
          part.value != ReferenceFraction(0)
            && (part.start == part.end
              ? sample.start <= part.start && part.start <= sample.end
              : max(part.start, sample.start) < min(part.end, sample.end))
        }
        var rest = ReferenceFraction(exactly: sample.value)
        for part in inside {
          rest = rest - amount(of: part, from: sample.start, to: sample.end)
        }
        if !inside.isEmpty, !(ReferenceFraction(0) < rest) { continue }
        let open = zip(cuts, cuts.dropFirst()).filter { from, to in
          sample.start <= from && to <= sample.end
            && !rows.contains {
              rank(of: $0) < rank(of: sample) && $0.start <= from && to <= $0.end
            }
        }
        guard !open.isEmpty else {
          counted.append(Part(row: row, start: sample.start, end: sample.end, value: rest))
          continue
        }
        let total = ReferenceFraction(exactly: open.reduce(0) { $0 + ($1.1 - $1.0) })
        for (from, to) in open {
          counted.append(
            Part(
              row: row, start: from, end: to,
              value: rest * ReferenceFraction(exactly: to - from) / total))
        }
      }
    }
    return counted
  }
}
