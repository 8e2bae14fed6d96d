extension SegmentColumns {
  /// Every sample whole, of every source: nothing is merged.
  ///
  /// Overlaps of sources of a cumulative type are counted once for each source, as by the merge
  /// policy `none`.
  ///
  /// - Complexity: O(sources); columns are shared
  public init(whole samples: SampleColumns) {
    let pieces = samples.sources.indices.map { samples.rows(ofSource: $0) }
      .filter { !$0.isEmpty }
      .map { Piece(first: $0.lowerBound, range: $0, number: 0) }
    self.init(
      of: samples, sources: samples.sources, offsets: samples.offsets, pieces: pieces, own: Rows())
  }
}
