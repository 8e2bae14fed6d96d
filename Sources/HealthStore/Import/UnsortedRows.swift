import HealthSamples

/// Rows of one type and one source on their way into runs, in the order of the file.
struct UnsortedRows: Sendable {
  /// The type and the source, and rows of small batches.
  var gathered: RowGatherer
  /// A batch that follows them.
  var batch: RecordColumns?
  /// The values of ``batch`` in the canonical unit.
  var canonical: [Double] = []
  /// Rows beyond it are left out.
  var edge: RunEdge?
  /// Instants at which a run ends and another begins, ascending.
  var bounds: [Double] = []
  var sizes: RunSizes

  /// What comes out.
  struct Packed {
    var segments: [EncodedSegment] = []
    /// How many records inside other elements repeated one of the rows.
    var repeating = 0
  }

  /// Sorts the rows, puts copies together and packs what is left.
  ///
  /// - Complexity: O(*n* log *n*), O(*n*) when rows stand in few sorted stretches
  func packed(room: RowBlock) -> Packed {
    var packed = Packed()
    var (rows, canonical) = joined()
    var places = rows.starts.indices.map(UInt32.init)
    if let edge { places.removeAll { edge.holds(rows.starts[Int($0)]) } }
    rows.putInSegmentOrder(&places, canonical: canonical)
    packed.repeating = rows.collapseCopies(&places, canonical: canonical)
    var start = 0
    while start < places.count {
      let end = end(ofRunFrom: start, in: places, starts: rows.starts)
      packed.segments.append(EncodedSegment(rows, at: places[start..<end], room: room))
      start = end
    }
    return packed
  }

  private func joined() -> (RecordColumns, [Double]) {
    guard let batch else { return (gathered.rows, gathered.canonical) }
    if gathered.count == 0 { return (batch, canonical) }
    var gathered = gathered
    gathered.append(batch, 0..<batch.count, canonical: canonical)
    return (gathered.rows, gathered.canonical)
  }

  /// Rows of one instant stay together unless they are unreasonably many.
  private func end(ofRunFrom start: Int, in places: [UInt32], starts: [Double]) -> Int {
    func instant(_ place: Int) -> Double { starts[Int(places[place])] }
    func firstPlace(notBelow bound: Double) -> Int {
      var (low, high) = (start, places.count)
      while low < high {
        let middle = (low + high) / 2
        if instant(middle) < bound { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let bound = bounds.first { $0 > instant(start) }
    let end = bound.map(firstPlace) ?? places.count
    let parts = (end - start + sizes.full / 2) / sizes.full
    guard parts > 1 else { return end }
    let target = start + (end - start) / parts
    let reach = sizes.full / 2
    func isBoundary(_ place: Int) -> Bool { instant(place - 1) < instant(place) }
    return stride(from: target, to: max(start, target - reach), by: -1).first(where: isBoundary)
      ?? (target..<min(end, target + reach)).first(where: isBoundary) ?? target
  }
}
