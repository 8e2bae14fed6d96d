import HealthSamples
import _HealthNumerics

/// The amounts that sources counted over time: pieces that do not overlap, and instants.
struct CountedAmount {
  private(set) var starts: [Double] = []
  private(set) var ends: [Double] = []
  private(set) var values: [Double] = []
  private(set) var instants: [Double] = []
  private(set) var instantValues: [Double] = []

  /// Adds the amounts of segments of one source; returns whether their spans split into at most
  /// `limit` parts.
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

  /// Adds the amounts of other sources.
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
  /// - Complexity: O(log pieces + pieces that overlap); `steps` grows by the latter
  func add(to total: inout CompensatedSum, from start: Double, to end: Double, steps: inout Int) {
    // An instant overlaps no piece, so only instants count towards it.
    var piece = start < end ? ends.partitioningIndex { $0 > start } : starts.count
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
    var instant = instants.partitioningIndex { $0 >= start }
    while instant < instants.count,
      ZeroLengthRule.span(from: start, to: end, holds: instants[instant])
    {
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

  /// Splits spans, which are sorted by start, at every start and end of any of them.
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
      var index = first
      while cuts[index] < end {
        let isWhole = cuts[index] == start && cuts[index + 1] == end
        amounts[index] +=
          isWhole
          ? value
          : ProRata.share(
            of: value, start: start, end: end, partStart: cuts[index], partEnd: cuts[index + 1])
        isCovered[index] = true
        index += 1
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

/// The amounts that sources counted, to which one source after another is added.
///
/// They are kept in layers for the same reason as ``CoverLayers``.
struct AmountLayers {
  private var layers: [CountedAmount] = []

  /// Adds the amounts of segments of one source; returns whether their spans split into at most
  /// `limit` parts.
  ///
  /// - Complexity: O(log all) for each piece, amortised
  mutating func add(
    starts: ArraySlice<Double>, ends: ArraySlice<Double>, values: ArraySlice<Double>, limit: Int
  ) -> Bool {
    var layer = CountedAmount()
    guard layer.add(starts: starts, ends: ends, values: values, limit: limit) else { return false }
    guard layer.count > 0 else { return true }
    layers.append(layer)
    while layers.count > 1, layers[layers.count - 2].count < 2 * layers[layers.count - 1].count {
      joinLast()
    }
    return true
  }

  /// Joins all layers if the next source has enough rows for this to pay off.
  ///
  /// - Complexity: O(rows × log rows × layers)
  mutating func join(forRows rows: Int) {
    let count = layers.reduce(0) { $0 + $1.count }
    guard count <= CoverLayers.spansPerSample * rows else { return }
    while layers.count > 1 { joinLast() }
  }

  private mutating func joinLast() {
    let last = layers.removeLast()
    layers[layers.count - 1].add(last)
  }

  /// The amount inside a span, ends included; `nil` when nothing was counted there.
  ///
  /// - Complexity: O(layers × log pieces + pieces that overlap); `steps` grows by the latter
  func amount(from start: Double, to end: Double, steps: inout Int) -> Double? {
    var total = CompensatedSum()
    let stepsBefore = steps
    for layer in layers { layer.add(to: &total, from: start, to: end, steps: &steps) }
    return steps > stepsBefore ? total.result : nil
  }
}
