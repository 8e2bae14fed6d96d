/// Which runs of a stream become segments as they are, and which must be merged.
///
/// A run that nothing else comes between holds what a segment would: decoding and encoding it
/// again changes nothing.
struct RunPlan {
  /// What merged rows come before, between or into.
  enum Place {
    /// A stored segment, which rows may meet.
    case stored(StoredSegment)
    /// A run that becomes a segment and begins here.
    case adopted(firstStart: Double)

    /// The start of the first row.
    var firstStart: Double {
      switch self {
      case .stored(let segment): segment.firstStart
      case .adopted(let firstStart): firstStart
      }
    }
  }

  /// The runs that become segments.
  private(set) var adopted: [Run] = []
  /// The rest.
  private(set) var merged: [Run] = []
  /// The stored segments and the adopted runs in the order of time.
  let places: [Place]

  /// Looks for runs that are alone in their time.
  ///
  /// Small ones are merged with each other or with the segment before them, so that no stream falls
  /// into many small segments.
  ///
  /// - Complexity: O(*n* log *n*) for *n* runs and segments
  init(_ runs: [Run], among segments: [StoredSegment], fewestAdopted: Int) {
    let spans =
      (runs.map { Span(first: $0.firstStart, last: $0.lastStart) }
      + segments.map { Span(first: $0.firstStart, last: $0.lastStart) })
      .sorted { $0.first < $1.first }
    var lonely: Set<Double> = []
    var end = -Double.infinity
    for (place, span) in spans.enumerated() {
      let isAloneBefore = end < span.first
      let isAloneAfter = place + 1 == spans.count || span.last < spans[place + 1].first
      if isAloneBefore, isAloneAfter { lonely.insert(span.first) }
      end = max(end, span.last)
    }
    for run in runs {
      let isLarge = run.count >= fewestAdopted || spans.count == 1
      if isLarge, run.isWhole, lonely.contains(run.firstStart) {
        adopted.append(run)
      } else {
        merged.append(run)
      }
    }
    places = (segments.map(Place.stored) + adopted.map { .adopted(firstStart: $0.firstStart) })
      .sorted { $0.firstStart < $1.firstStart }
  }

  private struct Span {
    var first: Double
    var last: Double
  }
}
