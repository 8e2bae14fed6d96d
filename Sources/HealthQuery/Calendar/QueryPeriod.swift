/// The period of a question, from its two texts.
///
/// A period that is told back from now ends with today: `-7d` are the last seven days, whatever an
/// export has of tomorrow. Any other without an end ends with the data, those that are later than
/// now included: a clock may be wrong, and a journey over the date line is a day ahead.
///
/// ```swift
/// try QueryPeriod(from: "-7d", to: nil, in: zones, now: now)      // seven days, today the last
/// try QueryPeriod(from: "2024-03", to: nil, in: zones, now: now)  // all data from March on
/// ```
public struct QueryPeriod: Sendable, Hashable {
  /// The beginning; the first of the data when `nil`.
  public let from: QueryDate?
  /// The end, which does not belong to it; the last of the data when `nil`.
  public let to: QueryDate?

  /// Reads two edges.
  ///
  /// - Parameters:
  ///   - from: the beginning, as ``QueryDate`` reads an edge
  ///   - to: the end
  ///   - zones: the zones of the wall clock
  ///   - now: the moment of `today`, in seconds since 2001-01-01 UTC
  /// - Throws: ``QueryError`` for a text that is no date; an end before the beginning is refused
  ///   where the period is used
  public init(
    from: String?, to: String?, in zones: ZoneTimeline, now: Double
  ) throws(QueryError) {
    func edge(_ text: String) throws(QueryError) -> QueryDate {
      try QueryDate(text, in: zones, now: now, boundsPeriod: true)
    }
    let first: QueryDate? = if let from { try edge(from) } else { nil }
    self.from = first
    if let to {
      self.to = try edge(to)
    } else if let from, let first, QueryDate.looksBack(from) {
      let end = try QueryDate.endOfToday(in: zones, now: now)
      self.to = first.instant < end.instant ? end : nil
    } else {
      self.to = nil
    }
  }

  /// The instants, all of them without an edge.
  package var range: Range<Double> {
    get throws(QueryError) {
      let (first, last) = (from?.instant ?? -.infinity, to?.instant ?? .infinity)
      guard first < last else { throw QueryError(.emptyPeriod(from: first, to: last)) }
      return first..<last
    }
  }
}

extension QueryDate {
  /// Whether a text that begins a period tells it back from now: `today`, `yesterday`, `-7d`,
  /// `7 days ago`, `this week`.
  fileprivate static func looksBack(_ text: String) -> Bool {
    let words = LooseDate(text).words
    return ["today", "yesterday"].contains(words)
      || ["-", "this ", "last "].contains { words.hasPrefix($0) }
  }

  /// The midnight after today, as the implied end of a period; data that end earlier end it.
  package static func endOfToday(
    in zones: ZoneTimeline, now: Double
  ) throws(QueryError) -> QueryDate {
    let tomorrow = try QueryDate("tomorrow", in: zones, now: now)
    return QueryDate(
      instant: tomorrow.instant, alignsIntervals: tomorrow.alignsIntervals, isLimit: true)
  }

  /// The end of a period whose data end at an instant; `nil` where they end it.
  package func end(ofDataEnding last: Double?) -> QueryDate? {
    endsWithData && last ?? -.infinity <= instant ? nil : self
  }
}
