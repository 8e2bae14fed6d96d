extension SleepRegularityIndex {
  /// The index of sleep given by its spans.
  ///
  /// Day *d* goes from boundary *d* to the next one; noon to noon keeps a night in one day. Its
  /// epochs follow one another from its start, and a last one that is not whole is left out. An epoch
  /// is asleep when its start lies in a span, which includes its start and not its end. Spans may be
  /// in any order and overlap.
  ///
  /// A day without any sleep is in most cases one without a record, so it is not known and not
  /// compared, unless `emptyDaysAreAwake` says that it was spent awake.
  ///
  /// - Parameters:
  ///   - starts: the starts of the spans of sleep, in seconds from any origin
  ///   - ends: their ends, none before its start
  ///   - dayBoundaries: the starts of the days and the end of the last one, in order: each day has
  ///     from one epoch to 48 hours
  ///   - epoch: the length of an epoch in seconds, from 1 to 3,600
  ///   - emptyDaysAreAwake: whether a day without any sleep counts as awake
  /// - Throws: `AnalysisError` when there are fewer than two days, when no epoch can be compared,
  ///   when a number is not finite, a span ends before it starts, boundaries are not in order or too
  ///   far apart, or a parameter is outside of its range
  /// - Complexity: O(epochs + *n* log *n*) time, O(*n* + epochs of a day) memory
  public init(
    starts: [Double], ends: [Double], dayBoundaries: [Double], epoch: Double = 30,
    emptyDaysAreAwake: Bool = false
  ) throws(AnalysisError) {
    guard (1...3600).contains(epoch) else {
      throw AnalysisError(.parameter(name: "length of an epoch", range: "from 1 to 3600 seconds"))
    }
    try Self.check(dayBoundaries, epoch: epoch)
    let spans = try SleepSpans(starts: starts, ends: ends)
    var tally = Tally()
    var last: [Bool?] = []
    var next = 0
    for (start, end) in zip(dayBoundaries, dayBoundaries.dropFirst()) {
      // No day after this one needs a span that ends before it.
      while next < spans.ends.count, spans.ends[next] <= start { next += 1 }
      let asleep = spans.states(from: start, to: end, epoch: epoch, first: next)
      let isKnown = emptyDaysAreAwake || asleep.contains(true)
      let day = isKnown ? asleep.map(Optional.some) : []
      tally.compare(last, day)
      last = day
    }
    try self.init(tally)
  }

  private static func check(_ boundaries: [Double], epoch: Double) throws(AnalysisError) {
    guard boundaries.count >= 3 else {
      throw AnalysisError(.tooFewPoints(count: max(0, boundaries.count - 1), needed: 2))
    }
    if let row = boundaries.firstIndex(where: { !$0.isFinite }) {
      throw AnalysisError(.notFinite, row: row)
    }
    for row in 1..<boundaries.count {
      guard boundaries[row] > boundaries[row - 1] else {
        throw AnalysisError(.notOrdered, row: row)
      }
      guard (epoch...172_800).contains(boundaries[row] - boundaries[row - 1]) else {
        throw AnalysisError(.outOfRange, row: row)
      }
    }
  }
}

/// Spans of sleep in order, none of which touch.
private struct SleepSpans {
  var starts: [Double] = []
  var ends: [Double] = []

  init(starts: [Double], ends: [Double]) throws(AnalysisError) {
    guard starts.count == ends.count else {
      throw AnalysisError(.lengthsDiffer(x: starts.count, y: ends.count))
    }
    for row in starts.indices {
      guard starts[row].isFinite, ends[row].isFinite else {
        throw AnalysisError(.notFinite, row: row)
      }
      guard starts[row] <= ends[row] else { throw AnalysisError(.outOfRange, row: row) }
    }
    for row in starts.indices.sorted(by: { starts[$0] < starts[$1] }) {
      if let end = self.ends.last, starts[row] <= end {
        self.ends[self.ends.count - 1] = max(end, ends[row])
      } else {
        self.starts.append(starts[row])
        self.ends.append(ends[row])
      }
    }
  }

  /// Whether each whole epoch of a day starts asleep, from the span `first` on.
  func states(from start: Double, to end: Double, epoch: Double, first: Int) -> [Bool] {
    let count = Int(((end - start) / epoch).rounded(.down))
    var states = [Bool](repeating: false, count: count)
    var span = first
    while span < starts.count, starts[span] < end {
      let begin = index(of: starts[span])
      for epoch in begin..<max(begin, index(of: ends[span])) { states[epoch] = true }
      span += 1
    }
    return states

    /// The first epoch that starts at an instant or after it.
    func index(of instant: Double) -> Int {
      let estimate = ((instant - start) / epoch).rounded(.up)
      var index = Int(max(0, min(Double(count), estimate)))
      while index > 0, start + Double(index - 1) * epoch >= instant { index -= 1 }
      while index < count, start + Double(index) * epoch < instant { index += 1 }
      return index
    }
  }
}
