import GRDB
public import HealthSamples

extension SampleStore {
  /// The samples of a type beside the dates at which they were made, for rules that ask when a
  /// sample was last changed; an export has no other date for that.
  ///
  /// A record that ends before it starts is left out.
  ///
  /// - Parameters:
  ///   - type: as for ``samples(of:in:)``
  ///   - range: as for ``samples(of:in:)``
  /// - Returns: columns, empty when the store has no such sample
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the segment
  /// - Complexity: O(*n* log *n*) for the *n* samples of the segments that are read
  public func datedSamples(
    of type: SampleType, in range: Range<Double>? = nil
  ) throws(StoreError) -> DatedSampleColumns {
    try read { database in
      let resolved = try database.resolved(type)
      var meanings = LabelMeanings(of: resolved)
      var rows: [DatedSampleColumns.Row] = []
      for group in try database.sources(of: type, in: range, among: selection) {
        for segment in group.segments {
          let cursor = try database.cursor(of: segment, meanings: &meanings)
          do {
            try cursor.appendDated(to: &rows, source: group.source, in: range)
          } catch let damage as SegmentDamage {
            throw SegmentDamage(segment: damage.segment ?? segment)
          }
        }
      }
      return DatedSampleColumns(type: resolved, rows: rows)
    }
  }
}

extension RowCursor {
  /// Appends the rest of the segment.
  fileprivate func appendDated(
    to rows: inout [DatedSampleColumns.Row], source: Source, in range: Range<Double>?
  ) throws(SegmentDamage) {
    while !isAtEnd {
      for row in 0..<rowCount {
        let (start, end) = (block.starts[row], block.ends[row])
        if let range, max(start, end) < range.lowerBound || start >= range.upperBound { continue }
        rows.append(
          .init(
            sample: .init(source: source, start: start, end: end, value: canonical[row]),
            lastModified: block.created[row]))
      }
      try advanceBlock()
    }
  }
}
