import HealthLedger
import HealthSamples

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
            if ends[left] != ends[right] { return ends[left] < ends[right] }
            return key(left, canonical[left]) < key(right, canonical[right])
          }
          /// The positions at which a sorted range starts.
          func beginnings() -> [Int] {
            [0] + order.indices.dropFirst().filter { precedes(order[$0], order[$0 - 1]) }
          }
          /// Insertion sort, which gives up after too many long moves.
          func insertionSort() -> Bool {
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
          if insertionSort() { return }
          let edges = beginnings()
          let stretches = zip(edges, edges.dropFirst() + [order.count]).map { $0..<$1 }
            .sorted { precedes(order[$0.lowerBound], order[$1.lowerBound]) }
          order = stretches.flatMap { order[$0] }
          if !insertionSort() { order.sort(by: precedes) }
        }
      }
    }
  }

  /// The sort key of a row with a value in the canonical unit.
  func key(_ row: Int, _ canonical: Double) -> RowKey {
    RowKey(
      start: starts[row], end: ends[row], canonical: canonical,
      ordinal: originTable[Int(origins[row])].ordinal)
  }

  /// Keeps one of each group of copies among sorted indices, with the number of all copies, and
  /// numbers the rows of one time and value.
  ///
  /// - Parameters:
  ///   - order: the rows in the order of chunks
  ///   - canonical: the values in the canonical unit
  ///   - agreement: says which values are one but for rounding
  ///   - keepsOrdinals: whether the rows are those of a store, which have their numbers
  /// - Returns: the number of removed records that are inside other elements
  /// - Complexity: O(*n*), O(*n* log *n*) for *n* rows of one time and value
  mutating func collapseCopies(
    _ order: inout [UInt32], canonical: [Double], agreement: ValueAgreement, keepsOrdinals: Bool
  ) -> Int {
    func key(_ position: Int) -> RowKey {
      let row = Int(order[position])
      return self.key(row, canonical[row])
    }
    var numbered = NumberedOrigins(originTable)
    var repeating = 0
    var kept = 0
    var position = 0
    while position < order.count {
      let row = Int(order[position])
      var end = position + 1
      if end < order.count, starts[row] == starts[Int(order[end])] {
        while end < order.count, agreement(key(end - 1), key(end)) { end += 1 }
      }
      if end == position + 1 {
        order[kept] = UInt32(row)
        kept += 1
      } else {
        var next: UInt32 = 0
        while position < end {
          var equal = EqualRows<Int>(keepsOrdinals: keepsOrdinals, from: next)
          while position < end, !equal.isFull {
            let row = Int(order[position])
            equal.add(row, key(position), payload(row), copies: RunCopies(column: copies[row]))
            position += 1
          }
          next = equal.next
          for sample in equal.ordered(areAll: false) {
            copies[sample.row] = RunCopies(sample.copies, isRepeated: sample.isRepeated).column
            origins[sample.row] = numbered.index(of: origins[sample.row], ordinal: sample.ordinal)
            repeating += sample.copies == 0 ? sample.nested - 1 : sample.nested
            order[kept] = UInt32(sample.row)
            kept += 1
          }
        }
      }
      position = end
    }
    order.removeSubrange(kept...)
    originTable = numbered.table
    return repeating
  }

  private func payload(_ row: Int) -> Payload {
    Payload(
      value: values[row], created: created[row], label: labelTable[Int(labels[row])],
      metadata: metadataTable[Int(metadata[row])], origin: originTable[Int(origins[row])])
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
