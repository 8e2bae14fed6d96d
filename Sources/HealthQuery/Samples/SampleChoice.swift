import HealthSamples
import HealthStore

/// A condition on times and sources alone, which statistics can follow without reading records.
struct SampleChoice: Equatable {
  private(set) var period = SamplePeriod()
  /// The sources of which samples must be, each list with any of its own; all for none.
  private var sources: [Set<SamplePredicate.SourceName>] = []

  /// The condition of a predicate that is a conjunction of such conditions; `nil` for any other.
  init?(_ predicate: SamplePredicate) {
    guard add(predicate) else { return nil }
  }

  private mutating func add(_ predicate: SamplePredicate) -> Bool {
    switch predicate {
    case .all(let parts): return parts.allSatisfy { add($0) }
    case .sources(let sources):
      self.sources.append(sources)
      return true
    case .start(let compares, let instant):
      return Self.narrow(&period.firstStart, &period.startLimit, compares, instant)
    case .end(let compares, let instant):
      return Self.narrow(&period.firstEnd, &period.endLimit, compares, instant)
    default: return false
    }
  }

  private static func narrow(
    _ first: inout Double, _ limit: inout Double, _ compares: Comparison, _ instant: Double
  ) -> Bool {
    guard instant.isFinite, compares != .notEqual else { return false }
    switch compares {
    case .greaterOrEqual, .equal: first = max(first, instant)
    case .greater: first = max(first, instant.nextUp)
    default: break
    }
    switch compares {
    case .less: limit = min(limit, instant)
    case .lessOrEqual, .equal: limit = min(limit, instant.nextUp)
    default: break
    }
    return true
  }

  /// Whether samples of a source may be in it.
  func contains(_ source: Source) -> Bool {
    sources.allSatisfy { $0.contains(SamplePredicate.SourceName(source)) }
  }

  /// The samples of the period, and the sources that have any.
  func keeping(_ samples: SampleColumns) -> SampleColumns {
    let rows = samples.starts.indices.filter {
      period.contains(start: samples.starts[$0], end: samples.ends[$0])
    }
    guard rows.count < samples.count else { return samples }
    let kept = samples.keeping(rows: rows)
    let sources = kept.sources.indices.filter { !kept.rows(ofSource: $0).isEmpty }
    return SampleColumns(
      type: kept.type, sources: sources.map { kept.sources[$0] },
      offsets: [0] + sources.map { kept.offsets[$0 + 1] }, starts: kept.starts, ends: kept.ends,
      values: kept.values, recorded: kept.recorded)
  }
}
