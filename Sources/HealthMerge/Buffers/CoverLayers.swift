import HealthSamples

/// The time covered by sources, to which one source after another is added.
///
/// It is kept in layers, each at least twice as large as the next, as in a log-structured merge
/// tree: adding a small source never copies everything. Before a large source the layers are
/// joined.
struct CoverLayers {
  private var layers: [CoveredTime] = []
  /// How many spans small sources overlapped since the layers were last joined.
  private var met = 0

  /// The most spans per sample of a source for which the layers are joined.
  static let spansPerSample = 8

  var isEmpty: Bool { layers.isEmpty }

  /// Adds the time covered by a source.
  ///
  /// - Complexity: O(log all) for each span, amortised
  mutating func add(_ layer: CoveredTime) {
    guard layer.count > 0 else { return }
    layers.append(layer)
    while layers.count > 1, layers[layers.count - 2].count < 2 * layers[layers.count - 1].count {
      mergeLast()
    }
  }

  /// The covered time that can mask samples of one source, as one layer.
  ///
  /// - Parameters:
  ///   - starts: starts of all samples, ascending in the rows
  ///   - ends: their ends
  ///   - rows: the samples
  /// - Returns: time that masks the samples exactly as all covered time does
  /// - Complexity: O(rows × layers × log spans + spans that overlap), amortised
  mutating func cover(
    meeting starts: [Double], _ ends: [Double], rows: Range<Int>
  ) -> CoveredTime {
    let count = layers.reduce(0) { $0 + $1.count }
    if count > Self.spansPerSample * rows.count, met <= count {
      let samples = CoveredTime(starts: starts, ends: ends, rows: rows)
      var spans: [(start: Double, end: Double)] = []
      for layer in layers { layer.appendSpans(meeting: samples, to: &spans) }
      met += spans.count
      return CoveredTime(unordered: spans)
    }
    met = 0
    while layers.count > 1 { mergeLast() }
    return layers.first ?? CoveredTime()
  }

  private mutating func mergeLast() {
    let last = layers.removeLast()
    layers[layers.count - 1].formUnion(last)
  }
}

extension CoveredTime {
  /// Appends the spans and instants that overlap or touch other time.
  ///
  /// - Complexity: O(spans of `other` × log spans + what is appended)
  fileprivate func appendSpans(
    meeting other: CoveredTime, to met: inout [(start: Double, end: Double)]
  ) {
    withUnsafeEdges { spans in
      other.withUnsafeEdges { others in
        var (span, instant) = (0, 0)
        func meet(_ start: Double, _ end: Double) {
          span = spans.firstSpan(endingAtOrAfter: start, from: span)
          while spans.start(ofSpan: span) <= end {
            met.append((spans.start(ofSpan: span), spans.end(ofSpan: span)))
            span += 1
          }
          instant = spans.instants.firstIndex(notBelow: start, from: instant)
          while instant < spans.instants.count, spans.instants[instant] <= end {
            met.append((spans.instants[instant], spans.instants[instant]))
            instant += 1
          }
        }
        // Spans ascend and instants ascend, so each list needs its own search.
        for place in 0..<others.count {
          meet(others.start(ofSpan: place), others.end(ofSpan: place))
        }
        (span, instant) = (0, 0)
        for time in others.instants { meet(time, time) }
      }
    }
  }
}
