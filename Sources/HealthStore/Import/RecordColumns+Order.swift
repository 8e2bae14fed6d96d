import HealthSamples

/// The sort key of a row in a chunk: start, then end, then value in the canonical unit.
struct RowKey: Comparable {
  var start: Double
  var end: Double
  var canonical: Double

  /// Whether both rows have the same times.
  func isSimultaneous(with other: Self) -> Bool { start == other.start && end == other.end }

  /// Whether both rows have the same times and value.
  func isCopy(of other: Self) -> Bool {
    isSimultaneous(with: other) && canonical.bitPattern == other.canonical.bitPattern
  }

  /// Whether both rows may be the same one but for rounding; the unit of a temperature may have its
  /// zero elsewhere.
  func isTwin(of other: Self) -> Bool {
    isSimultaneous(with: other)
      && SeriesMerge.agree(canonical, other.canonical, isExact: false, zeroOffset: 500)
  }

  static func == (left: Self, right: Self) -> Bool {
    left.isSimultaneous(with: right) && left.canonical == right.canonical
      && left.canonical.sign == right.canonical.sign
  }

  static func < (left: Self, right: Self) -> Bool {
    if left.start != right.start { return left.start < right.start }
    if left.end != right.end { return left.end < right.end }
    if left.canonical != right.canonical { return left.canonical < right.canonical }
    return left.canonical.sign == .minus && right.canonical.sign == .plus
  }
}

extension RecordColumns {
  /// Sorts the indices of rows into the order of chunks.
  ///
  /// Exports write a type in ascending or descending order, row by row or day by day, with few
  /// exceptions: these cost only a few passes.
  ///
  /// - Complexity: O(*n* log *n*); O(*n*) for rows in few sorted ranges, or in descending order
  func putInChunkOrder(_ order: inout [UInt32], canonical: [Double]) {
    starts.withUnsafeBufferPointer { starts in
      ends.withUnsafeBufferPointer { ends in
        canonical.withUnsafeBufferPointer { canonical in
          func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
            let (left, right) = (Int(left), Int(right))
            if starts[left] != starts[right] { return starts[left] < starts[right] }
            return RowKey(start: starts[left], end: ends[left], canonical: canonical[left])
              < RowKey(start: starts[right], end: ends[right], canonical: canonical[right])
          }
          /// The positions at which a sorted range starts.
          func beginnings() -> [Int] {
            [0] + order.indices.dropFirst().filter { precedes(order[$0], order[$0 - 1]) }
          }
          /// Insertion sort, which gives up after too many long moves.
          func settle() -> Bool {
            order.withUnsafeMutableBufferPointer { order in
              var moves = 0
              for index in order.indices.dropFirst() {
                let row = order[index]
                var hole = index
                while hole > 0, precedes(row, order[hole - 1]) {
                  order[hole] = order[hole - 1]
                  hole -= 1
                }
                order[hole] = row
                moves += index - hole
                if moves > 4 * order.count { return false }
              }
              return true
            }
          }
          if beginnings().count * 2 > order.count { order.reverse() }
          if settle() { return }
          let edges = beginnings()
          let stretches = zip(edges, edges.dropFirst() + [order.count]).map { $0..<$1 }
            .sorted { precedes(order[$0.lowerBound], order[$1.lowerBound]) }
          order = stretches.flatMap { order[$0] }
          if !settle() { order.sort(by: precedes) }
        }
      }
    }
  }

  /// Keeps one of each group of copies among sorted indices, with the number of all copies.
  ///
  /// - Returns: the number of removed records that are inside other elements
  /// - Complexity: O(*n*)
  mutating func collapseCopies(
    _ order: inout [UInt32], canonical: [Double]
  ) -> (repeating: Int, hasTwins: Bool) {
    func key(_ position: Int) -> RowKey {
      let row = Int(order[position])
      return RowKey(start: starts[row], end: ends[row], canonical: canonical[row])
    }
    var (repeating, hasTwins) = (0, false)
    var kept = 0
    var position = 0
    while position < order.count {
      var row = Int(order[position])
      var end = position + 1
      if end < order.count, starts[row] == starts[Int(order[end])] {
        let first = key(position)
        while end < order.count, key(end).isCopy(of: first) { end += 1 }
      }
      if end > position + 1 {
        let group = order[position..<end].map(Int.init)
        let nested = group.count { copies[$0] == 0 }
        let total = group.reduce(0) { $0 + Int(copies[$1]) }
        repeating += total == 0 ? nested - 1 : nested
        row = group.dropFirst().reduce(row) { payload($1).isPreferred(to: payload($0)) ? $1 : $0 }
        copies[row] = UInt32(clamping: total)
      }
      order[kept] = UInt32(row)
      if kept > 0, key(kept).isTwin(of: key(kept - 1)) { hasTwins = true }
      kept += 1
      position = end
    }
    order.removeSubrange(kept...)
    return (repeating, hasTwins)
  }

  private func payload(_ row: Int) -> Payload {
    Payload(
      created: created[row], label: labelTable[Int(labels[row])],
      metadata: metadataTable[Int(metadata[row])], origin: originTable[Int(origins[row])])
  }

  /// The rows at `indices`, in this order.
  ///
  /// - Complexity: O(*n*)
  func rows(at indices: [Int]) -> RecordColumns {
    var rows = RecordColumns(type: type, source: source)
    rows.starts = indices.map { starts[$0] }
    rows.ends = indices.map { ends[$0] }
    rows.created = indices.map { created[$0] }
    rows.values = indices.map { values[$0] }
    rows.labels = indices.map { labels[$0] }
    rows.origins = indices.map { origins[$0] }
    rows.metadata = indices.map { metadata[$0] }
    rows.copies = indices.map { copies[$0] }
    if !serials.isEmpty { rows.serials = indices.map { serials[$0] } }
    rows.labelTable = labelTable
    rows.originTable = originTable
    rows.metadataTable = metadataTable
    return rows
  }
}

extension RecordColumns {
  /// Replaces negative zeros, so that equal instants have equal bits.
  mutating func normaliseZeros() {
    for row in 0..<count {
      starts[row] += 0
      ends[row] += 0
      created[row] += 0
    }
  }
}
