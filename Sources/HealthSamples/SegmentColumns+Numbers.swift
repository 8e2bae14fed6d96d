extension SegmentColumns {
  /// The number in ``samples`` of the sample at index `row` within its source.
  @inlinable
  package static func number(ofRow row: Int) -> UInt32 {
    // A remainder, so that no number equals ``masked``; consecutive samples still have different
    // ones.
    UInt32(truncatingIfNeeded: row % Int(masked))
  }

  /// The number of the sample `rows` rows after the one with the number `first`.
  @inlinable
  package static func number(_ first: UInt32, plus rows: UInt32) -> UInt32 {
    let sum = UInt64(first) + UInt64(rows)
    return UInt32(truncatingIfNeeded: sum < UInt64(masked) ? sum : sum - UInt64(masked))
  }

  /// The index within its source of the first sample with a number at or after an index, which is
  /// that of the previous segment.
  package static func index(ofNumber number: UInt32, atOrAfter previous: Int) -> Int {
    let index = previous - previous % Int(masked) + Int(number)
    return index < previous ? index + Int(masked) : index
  }

  /// The row in ``sharedRows(ofSource:)`` of a masked instant.
  package static let noRow = -1

  /// The row in ``shared`` of the sample of each segment of a source, ``noRow`` for a masked
  /// instant, in order.
  ///
  /// - Precondition: the segments are parts of ``shared``.
  /// - Complexity: O(segments of the source + log pieces)
  package func sharedRows(ofSource source: Int) -> [Int] {
    guard !rows(ofSource: source).isEmpty else { return [] }
    guard let place = shared.sources.firstIndex(of: sources[source]) else {
      preconditionFailure("The segments are not parts of these samples.")
    }
    let first = shared.offsets[place]
    var found: [Int] = []
    found.reserveCapacity(rows(ofSource: source).count)
    var previous = 0
    var row = offsets[source]
    var index = piece(ofRow: row)
    while row < offsets[source + 1] {
      let piece = pieces[index]
      let end = min(piece.rows.upperBound, offsets[source + 1])
      let range = (row - piece.first..<end - piece.first)
      let start = piece.range.lowerBound
      if piece.number != nil {
        found += range.lazy.map { start + $0 }
        previous = start + range.upperBound - 1 - first
      } else {
        for number in own.samples[start + range.lowerBound..<start + range.upperBound] {
          guard number != Self.masked else {
            found.append(Self.noRow)
            continue
          }
          previous = Self.index(ofNumber: number, atOrAfter: previous)
          found.append(first + previous)
        }
      }
      (row, index) = (end, index + 1)
    }
    return found
  }
}
