package import HealthSamples

/// The samples of one question: what must be seen one by one, and what is known summed up.
package struct SummarisedSamples: Sendable {
  /// Samples that an edge of an interval cuts, that others may mask, or of which no sum is known.
  package let samples: SampleColumns
  /// All others; its sources are among those of ``samples``.
  package let summaries: SummaryColumns

  init(samples: SampleColumns, summaries: SummaryColumns) {
    self.samples = samples
    self.summaries = summaries
  }

  /// Samples of which none is summed up.
  package init(_ samples: SampleColumns) {
    self.init(samples: samples, summaries: SummaryColumns())
  }
}

/// Which samples of a question are counted together.
package struct SampleGroups: Sendable {
  /// Ascending; group *i* holds what starts in `edges[i]..<edges[i + 1]`.
  let edges: [Double]
  /// Whether a sample that ends after its group is cut.
  let cutsEnds: Bool

  /// One group for each interval.
  package init(_ boundaries: Boundaries) {
    edges = boundaries.edges
    cutsEnds = true
  }

  /// One group of all samples that end at or after the lower bound of a range and start before its
  /// upper one, each whole.
  package init(wholeIn range: Range<Double>) {
    edges = [range.lowerBound, range.upperBound]
    cutsEnds = false
  }

  /// The group that an instant lies in; -1 before all, `edges.count - 1` after all.
  ///
  /// - Complexity: O(log *d*) in the distance from the hint, which is -1 or a group
  func index(of instant: Double, near hint: Int = -1) -> Int {
    edges.lastEdge(notAfter: instant, near: hint)
  }

  /// Whether the samples of a block are all of one group, and whole.
  ///
  /// The hint is a group near by, and afterwards that of the block.
  ///
  /// - Complexity: O(1) for the group of the hint, else O(log *d*) in the distance from it
  func holdsWhole(_ block: BlockSummary, near hint: inout Int) -> Bool {
    let group = index(of: block.firstStart, near: hint)
    hint = group
    guard group >= 0, group < edges.count - 1 else { return false }
    return block.lastStart < edges[group + 1] && (!cutsEnds || block.lastEnd <= edges[group + 1])
  }

  /// Whether no sample of a block is of any group.
  func misses(_ block: BlockSummary) -> Bool {
    guard let first = edges.first, let last = edges.last else { return true }
    return block.firstStart >= last || block.lastEnd < first
  }
}
