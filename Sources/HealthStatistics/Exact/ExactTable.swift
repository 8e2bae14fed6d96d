import HealthSamples

/// Correctly rounded sums and means, computed from the samples that segments are parts of.
struct ExactTable {
  private let segments: SegmentColumns
  private let samples: SampleColumns
  private let edges: IntervalEdges
  // The terms of interval i are the entries offsets[i]..<offsets[i + 1] of both columns.
  private var offsets: [Int]
  private var segmentRows: [Int]
  private var sampleRows: [Int]

  /// Gathers the terms of every interval.
  ///
  /// - Complexity: O(*n* + intervals met)
  init(
    segments: SegmentColumns, sources: Range<Int>, samples: SampleColumns, edges: IntervalEdges
  ) {
    self.segments = segments
    self.samples = samples
    self.edges = edges
    offsets = Array(repeating: 0, count: edges.count + 1)
    let places = Dictionary(
      uniqueKeysWithValues: zip(samples.sources, samples.sources.indices))
    var terms: [(interval: Int, segment: Int, sample: Int)] = []
    for source in sources {
      guard let place = places[segments.sources[source]] else {
        preconditionFailure("The segments are not parts of these samples.")
      }
      var hint = 0
      for row in segments.rows(ofSource: source)
      where segments.samples[row] != SegmentColumns.masked {
        let met = edges.intervals(
          from: segments.starts[row], to: segments.ends[row], near: hint)
        hint = met.isEmpty ? hint : met.lowerBound
        for interval in met {
          offsets[interval + 1] += 1
          terms.append((interval, row, samples.offsets[place] + Int(segments.samples[row])))
        }
      }
    }
    for interval in 0..<edges.count { offsets[interval + 1] += offsets[interval] }
    segmentRows = Array(repeating: 0, count: terms.count)
    sampleRows = segmentRows
    var next = offsets
    for term in terms {
      segmentRows[next[term.interval]] = term.segment
      sampleRows[next[term.interval]] = term.sample
      next[term.interval] += 1
    }
  }

  /// The sum of an interval, each sample shared out by time when it is not whole inside.
  func sum(interval: Int) -> Double {
    var sum = ExactSum()
    for term in offsets[interval]..<offsets[interval + 1] {
      let (segment, sample) = (segmentRows[term], sampleRows[term])
      let (start, end) = (samples.starts[sample], samples.ends[sample])
      let partStart = max(segments.starts[segment], edges.edges[interval])
      let partEnd = min(segments.ends[segment], edges.edges[interval + 1])
      let isInstant = segments.starts[segment] == segments.ends[segment]
      if isInstant || (start == partStart && end == partEnd) {
        sum.add(samples.values[sample])
      } else {
        sum.add(
          samples.values[sample], start: start, end: end, partStart: partStart, partEnd: partEnd)
      }
    }
    return sum.result
  }

  /// The mean of an interval over whole samples; 0 without any.
  func mean(interval: Int) -> Double {
    let terms = offsets[interval]..<offsets[interval + 1]
    guard !terms.isEmpty else { return 0 }
    var sum = ExactSum()
    for term in terms { sum.add(samples.values[sampleRows[term]]) }
    return sum.mean(count: terms.count)
  }
}
