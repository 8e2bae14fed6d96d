import HealthSamples

/// What sources counted, as amounts over time: pieces that do not overlap, and instants.
struct CountedAmount {
  private(set) var starts: [Double] = []
  private(set) var ends: [Double] = []
  private(set) var values: [Double] = []
  private(set) var instants: [Double] = []
  private(set) var instantValues: [Double] = []

  /// Adds what segments of one source count; the answer is whether their spans fall into no more
  /// parts than `limit`.
  ///
  /// - Complexity: O((pieces + rows) log (pieces + rows) + parts)
  mutating func add(
    starts addedStarts: ArraySlice<Double>, ends addedEnds: ArraySlice<Double>,
    values addedValues: ArraySlice<Double>, limit: Int
  ) -> Bool {
    let rows = addedStarts.indices.filter { addedValues[$0] != 0 }
    let spans = rows.filter { addedStarts[$0] < addedEnds[$0] }
    addInstants(
      rows.filter { addedStarts[$0] == addedEnds[$0] }.map { (addedStarts[$0], addedValues[$0]) })
    guard !spans.isEmpty else { return true }
    let all = self.spans + spans.map { (addedStarts[$0], addedEnds[$0], addedValues[$0]) }
    return cut(all.sorted { $0.0 < $1.0 }, limit: limit)
  }

  /// Adds what other sources count.
  ///
  /// - Complexity: O((pieces of both) log (pieces of both)); those of one do not overlap
  mutating func add(_ other: CountedAmount) {
    addInstants(zip(other.instants, other.instantValues).map { ($0, $1) })
    _ = cut((spans + other.spans).sorted { $0.0 < $1.0 }, limit: .max)
  }

  /// How many pieces and instants there are.
  var count: Int { starts.count + instants.count }

  private var spans: [(Double, Double, Double)] {
    zip(zip(starts, ends), values).map { ($0.0, $0.1, $1) }
  }

  /// Adds the amount inside a span, ends included, to a total.
  ///
  /// - Complexity: O(log pieces + pieces met); `steps` grows by those that are met
  func add(to total: inout AmountTotal, from start: Double, to end: Double, steps: inout Int) {
    // An instant shares no time with a piece: nothing of one lies inside.
    var piece = start < end ? ends.firstIndex(after: start) : starts.count
    while piece < starts.count, starts[piece] < end {
      let from = max(start, starts[piece])
      let to = min(end, ends[piece])
      let isWhole = from == starts[piece] && to == ends[piece]
      total.add(
        isWhole
          ? values[piece]
          : ProRata.share(
            of: values[piece], start: starts[piece], end: ends[piece], partStart: from,
            partEnd: to))
      piece += 1
      steps += 1
    }
    var instant = instants.firstIndex(after: start.nextDown)
    while instant < instants.count, instants[instant] <= end {
      total.add(instantValues[instant])
      instant += 1
      steps += 1
    }
  }

  private mutating func addInstants(_ added: [(Double, Double)]) {
    guard !added.isEmpty else { return }
    let all = (zip(instants, instantValues) + added).sorted { $0.0 < $1.0 }
    (instants, instantValues) = ([], [])
    for (instant, value) in all {
      if instants.last == instant {
        instantValues[instantValues.count - 1] += value
      } else {
        instants.append(instant)
        instantValues.append(value)
      }
    }
  }

  /// Makes pieces of spans, which are sorted by start, with a cut at every end of any of them.
  private mutating func cut(_ spans: [(Double, Double, Double)], limit: Int) -> Bool {
    var cuts: [Double] = []
    for cut in (spans.map(\.0) + spans.map(\.1)).sorted() where cuts.last != cut {
      cuts.append(cut)
    }
    var amounts = [Double](repeating: 0, count: cuts.count)
    var isCovered = [Bool](repeating: false, count: cuts.count)
    var first = 0
    var parts = 0
    for (start, end, value) in spans {
      while cuts[first] < start { first += 1 }
      var place = first
      while cuts[place] < end {
        let isWhole = cuts[place] == start && cuts[place + 1] == end
        amounts[place] +=
          isWhole
          ? value
          : ProRata.share(
            of: value, start: start, end: end, partStart: cuts[place], partEnd: cuts[place + 1])
        isCovered[place] = true
        place += 1
        parts += 1
      }
      guard parts <= limit else { return false }
    }
    let pieces = isCovered.indices.filter { isCovered[$0] }
    starts = pieces.map { cuts[$0] }
    ends = pieces.map { cuts[$0 + 1] }
    values = pieces.map { amounts[$0] }
    return true
  }
}

extension [Double] {
  /// The first place of an ascending column that lies after `instant`.
  ///
  /// - Complexity: O(log *n*)
  func firstIndex(after instant: Double) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
