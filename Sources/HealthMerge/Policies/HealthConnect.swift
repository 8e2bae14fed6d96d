import HealthSamples
internal import _HealthNumerics

extension SampleColumns {
  /// The policy `hc`: each moment belongs to one record, that of the highest source, then the one
  /// modified last, then the larger start, end, value.
  ///
  /// - Complexity: O(*n* log *n*)
  func topRecords(_ order: [Int], lastModified: [Double]?) -> SegmentColumns {
    var rows: [Int] = []
    let lastModified = lastModified?.map(DatedSampleColumns.ordered)
    for source in order {
      rows += self.rows(ofSource: source).sorted { left, right in
        let changes = lastModified.map { ($0[left], $0[right]) } ?? (0, 0)
        return (changes.0, starts[left], ends[left], values[left], left)
          > (changes.1, starts[right], ends[right], values[right], right)
      }
    }
    let sweep = TopRecordSweep(rows: rows, starts: starts, ends: ends)
    let slices = sweep.slices.sorted { ($0.row, $0.start) < ($1.row, $1.start) }
    var segments = SegmentBuilder(samples: self)
    for source in order {
      let owned = self.rows(ofSource: source)
      var slice = slices.partitioningIndex { $0.row >= owned.lowerBound }
      while slice < slices.count, slices[slice].row < owned.upperBound {
        let part = slices[slice]
        if part.isMasked {
          segments.appendMasked(row: part.row)
        } else {
          segments.append(row: part.row, of: source, start: part.start, end: part.end)
        }
        slice += 1
      }
      segments.endSource(source)
    }
    return segments.columns
  }

  /// The policy `hc` for types that Health Connect sums without priorities: every sample counts at
  /// its start instant.
  ///
  /// - Complexity: O(*n*)
  func atStarts(_ order: [Int]) -> SegmentColumns {
    var segments = SegmentBuilder(samples: self)
    for source in order {
      for row in rows(ofSource: source) {
        segments.append(row: row, of: source, start: starts[row], end: starts[row])
      }
      segments.endSource(source)
    }
    return segments.columns
  }
}
