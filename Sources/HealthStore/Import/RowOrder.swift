import HealthSamples

/// The place of a row in a segment: by start, then end, then value in the canonical unit.
struct RowKey {
  var start: Double
  var end: Double
  var canonical: Double

  /// Whether both rows have the same times.
  func isSimultaneous(with other: Self) -> Bool { start == other.start && end == other.end }

  /// Whether both rows say the same.
  func isCopy(of other: Self) -> Bool {
    isSimultaneous(with: other) && canonical.bitPattern == other.canonical.bitPattern
  }

  static func < (left: Self, right: Self) -> Bool {
    if left.start != right.start { return left.start < right.start }
    if left.end != right.end { return left.end < right.end }
    if left.canonical != right.canonical { return left.canonical < right.canonical }
    return left.canonical.sign == .minus && right.canonical.sign == .plus
  }
}

extension RecordColumns {
  /// Puts places of rows into the order of segments.
  ///
  /// Exports write a type forwards or backwards, row by row or day by day, with few exceptions: all
  /// that costs a few passes.
  ///
  /// - Complexity: O(*n* log *n*); O(*n*) for rows in few sorted stretches, or backwards
  func putInSegmentOrder(_ places: inout [UInt32], canonical: [Double]) {
    starts.withUnsafeBufferPointer { starts in
      ends.withUnsafeBufferPointer { ends in
        canonical.withUnsafeBufferPointer { canonical in
          func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
            let (left, right) = (Int(left), Int(right))
            if starts[left] != starts[right] { return starts[left] < starts[right] }
            return RowKey(start: starts[left], end: ends[left], canonical: canonical[left])
              < RowKey(start: starts[right], end: ends[right], canonical: canonical[right])
          }
          /// The places at which a sorted stretch begins.
          func beginnings() -> [Int] {
            [0] + places.indices.dropFirst().filter { precedes(places[$0], places[$0 - 1]) }
          }
          /// Moves each place to where it belongs; gives up when that is far for many.
          func settle() -> Bool {
            places.withUnsafeMutableBufferPointer { places in
              var moves = 0
              for index in places.indices.dropFirst() {
                let place = places[index]
                var hole = index
                while hole > 0, precedes(place, places[hole - 1]) {
                  places[hole] = places[hole - 1]
                  hole -= 1
                }
                places[hole] = place
                moves += index - hole
                if moves > 4 * places.count { return false }
              }
              return true
            }
          }
          if beginnings().count * 2 > places.count { places.reverse() }
          if settle() { return }
          let edges = beginnings()
          let stretches = zip(edges, edges.dropFirst() + [places.count]).map { $0..<$1 }
            .sorted { precedes(places[$0.lowerBound], places[$1.lowerBound]) }
          places = stretches.flatMap { places[$0] }
          if !settle() { places.sort(by: precedes) }
        }
      }
    }
  }

  /// Leaves one place of each group of copies among sorted places, and gives the row there the
  /// copies of all.
  ///
  /// - Returns: how many records inside other elements are no longer among them
  /// - Complexity: O(*n*)
  mutating func collapseCopies(_ places: inout [UInt32], canonical: [Double]) -> Int {
    func key(_ place: Int) -> RowKey {
      let row = Int(places[place])
      return RowKey(start: starts[row], end: ends[row], canonical: canonical[row])
    }
    var repeating = 0
    var kept = 0
    var place = 0
    while place < places.count {
      var row = Int(places[place])
      var end = place + 1
      if end < places.count, starts[row] == starts[Int(places[end])] {
        let first = key(place)
        while end < places.count, key(end).isCopy(of: first) { end += 1 }
      }
      if end > place + 1 {
        let group = places[place..<end].map(Int.init)
        let nested = group.count { copies[$0] == 0 }
        let total = group.reduce(0) { $0 + Int(copies[$1]) }
        repeating += total == 0 ? nested - 1 : nested
        row = group.dropFirst().reduce(row) { wording($1).isPreferred(to: wording($0)) ? $1 : $0 }
        copies[row] = UInt32(clamping: total)
      }
      places[kept] = UInt32(row)
      kept += 1
      place = end
    }
    places.removeSubrange(kept...)
    return repeating
  }

  private func wording(_ row: Int) -> CopyWording {
    CopyWording(
      created: created[row], label: labelTable[Int(labels[row])],
      metadata: metadataTable[Int(metadata[row])], origin: originTable[Int(origins[row])])
  }

  /// The rows at `places`, in their order.
  ///
  /// - Complexity: O(*n*)
  func rows(at places: [Int]) -> RecordColumns {
    var rows = RecordColumns(type: type, source: source)
    rows.starts = places.map { starts[$0] }
    rows.ends = places.map { ends[$0] }
    rows.created = places.map { created[$0] }
    rows.values = places.map { values[$0] }
    rows.labels = places.map { labels[$0] }
    rows.origins = places.map { origins[$0] }
    rows.metadata = places.map { metadata[$0] }
    rows.copies = places.map { copies[$0] }
    rows.labelTable = labelTable
    rows.originTable = originTable
    rows.metadataTable = metadataTable
    return rows
  }
}
