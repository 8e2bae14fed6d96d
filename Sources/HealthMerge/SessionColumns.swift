public import HealthSamples

/// Sessions of several sources, each with excluded parts: sleep with time awake, a workout with
/// pauses.
///
/// ```swift
/// let asleep = SessionColumns(type: type, rows: nights).merged(by: priority)
/// try asleep.statistics(over: days)[.sum]  // seconds asleep
/// ```
public struct SessionColumns: Sendable, Hashable {
  /// One session.
  public struct Row: Sendable, Hashable {
    /// The source that wrote it.
    public var source: Source
    /// Start instant, in seconds since 2001-01-01 UTC.
    public var start: Double
    /// End instant.
    public var end: Double
    /// When it was last modified; a date that is no number counts as unknown, before all others.
    public var lastModified: Double
    /// The factor for each second; 2 for vigorous activity, which counts double.
    public var weight: Double
    /// Parts that do not count, in any order; they may overlap and extend beyond the session.
    public var excluded: [Range<Double>]

    /// Makes a session.
    public init(
      source: Source, start: Double, end: Double, lastModified: Double = 0, weight: Double = 1,
      excluded: [Range<Double>] = []
    ) {
      self.source = source
      self.start = start
      self.end = end
      self.lastModified = lastModified
      self.weight = weight
      self.excluded = excluded
    }
  }

  /// The type of the amounts; its values are in seconds and add up.
  public let type: SampleType
  /// The sessions with finite times that do not end before they start, in an order that does not
  /// depend on the input order.
  public let rows: [Row]

  /// Makes columns from rows in any order; a row whose times or weight are not finite, or that ends
  /// before it starts, is left out.
  ///
  /// - Complexity: O(*n* log *n*)
  public init(type: SampleType, rows: some Sequence<Row>) {
    self.type = type
    self.rows = rows.filter { row in
      row.start.isFinite && row.end.isFinite && row.weight.isFinite
        && SampleTime.isInOrder(from: row.start, to: row.end)
    }.sorted { left, right in
      (left.modified, left.start, left.end, left.weight, left.excludedKey)
        > (right.modified, right.start, right.end, right.weight, right.excludedKey)
    }
  }

  /// The counted seconds: each moment belongs to the one top-ranked session that is open.
  ///
  /// Sessions rank by source, then by later modification, start and end. Excluded parts count
  /// nothing and still mask lower sessions: they become segments with value 0. Sources that the
  /// order does not list are ignored. This is the rule of the policy `hc`.
  ///
  /// - Complexity: O(*n* log *n* + excluded parts)
  public func merged(by priority: SourcePriority) -> SegmentColumns {
    let bySource = Dictionary(grouping: rows.indices, by: { rows[$0].source })
    let listed = priority.order.filter { bySource[$0] != nil }
    let order = listed.map { bySource[$0] ?? [] }
    let sweep = TopRecordSweep(
      rows: order.flatMap { $0 }, starts: rows.map(\.start), ends: rows.map(\.end))
    let slices = Dictionary(grouping: sweep.slices, by: \.row)
    var segments = SessionSegments()
    for sessions in order {
      for (index, session) in sessions.sorted(by: { rows[$0].start < rows[$1].start }).enumerated()
      {
        for slice in slices[session] ?? [] {
          segments.append(
            slice, of: rows[session], number: SegmentColumns.number(ofRow: index))
        }
      }
      segments.offsets.append(segments.starts.count)
    }
    return SegmentColumns(
      type: type, sources: listed, offsets: segments.offsets, starts: segments.starts,
      ends: segments.ends, values: segments.values, samples: segments.numbers)
  }
}

extension SessionColumns.Row {
  /// When it was last modified, with an order.
  fileprivate var modified: Double { DatedSampleColumns.ordered(lastModified) }

  /// A tie breaker for sessions with equal times.
  fileprivate var excludedKey: Double {
    excluded.reduce(0) { $1.isEmpty ? $0 : $0 + ($1.upperBound - $1.lowerBound) }
  }

  /// The excluded parts between two instants, ascending and not touching.
  fileprivate func excluded(from start: Double, to end: Double) -> [Range<Double>] {
    var parts: [Range<Double>] = []
    for part in excluded.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let lower = max(part.lowerBound, start)
      let upper = min(part.upperBound, end)
      guard lower < upper else { continue }
      if let last = parts.last, lower <= last.upperBound {
        parts[parts.count - 1] = last.lowerBound..<max(last.upperBound, upper)
      } else {
        parts.append(lower..<upper)
      }
    }
    return parts
  }
}

/// The segments of sessions, as growing columns.
private struct SessionSegments {
  var offsets = [0]
  var starts: [Double] = []
  var ends: [Double] = []
  var values: [Double] = []
  var numbers: [UInt32] = []

  mutating func append(
    _ slice: TopRecordSweep.Slice, of session: SessionColumns.Row, number: UInt32
  ) {
    var open = slice.start
    for part in session.excluded(from: slice.start, to: slice.end) {
      append(open, part.lowerBound, session.weight, number)
      append(part.lowerBound, part.upperBound, 0, SegmentColumns.masked)
      open = part.upperBound
    }
    if open < slice.end {
      append(open, slice.end, session.weight, number)
    } else if slice.start == slice.end {
      append(slice.start, slice.end, 0, slice.isMasked ? SegmentColumns.masked : number)
    }
  }

  private mutating func append(
    _ start: Double, _ end: Double, _ weight: Double, _ number: UInt32
  ) {
    guard start < end || weight == 0 else { return }
    starts.append(start)
    ends.append(end)
    values.append((end - start) * weight)
    numbers.append(number)
  }
}
