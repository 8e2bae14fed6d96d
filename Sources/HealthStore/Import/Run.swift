/// Sorted rows of one type and one source, packed as a segment in a run file.
struct Run {
  /// The number of rows.
  var count: Int
  /// How many further copies the export held of its rows.
  var duplicates: Int
  /// The start of the first row.
  var firstStart: Double
  /// The start of the last row.
  var lastStart: Double
  /// Whether every row is a sample by itself: none only stood inside other elements so far.
  var isWhole: Bool
  /// Where the bytes of the segment are.
  var core: Range<Int>
  var detail: Range<Int>
  /// Where what is known of the segment is.
  var facts: Range<Int>
  var summary: Range<Int>
}

/// How many rows make a run.
struct RunSizes {
  /// The rows of a full one.
  var full = EncodedSegment.rowCount
  /// Runs that nothing else comes between become segments as they are when they have so many rows.
  var fewestAdopted = EncodedSegment.rowCount / 4
  /// How many of the last rows tell where the next batch goes on.
  var edge = 4_096
  /// What gathered rows may take before they become runs.
  var mostGatheredBytes = 24 << 20
}

/// Where the rows of a stream go on: those beyond wait for the next batch, so that runs do not
/// overlap although neighbours in the file are not quite in order.
struct RunEdge {
  /// Rows of a later batch are expected from here on, or before it.
  let bound: Double
  /// Whether the file goes forwards in time.
  let isForwards: Bool

  /// Finds the edge among the last rows; none when there are too few, or they are in no order.
  ///
  /// A quarter of the last rows may be strays.
  ///
  /// - Complexity: O(*n*)
  init?(_ starts: [Double], last count: Int) {
    guard starts.count >= 4 * count else { return nil }
    func some(_ rows: Range<Int>) -> [Double] {
      stride(from: rows.lowerBound, to: rows.upperBound, by: max(1, count / 64))
        .map { starts[$0] }.sorted()
    }
    let (first, last) = (some(0..<count), some(starts.count - count..<starts.count))
    isForwards = first[first.count / 2] <= last[last.count / 2]
    bound = isForwards ? last[last.count / 4] : last[last.count - 1 - last.count / 4].nextUp
    let (bound, isForwards) = (bound, isForwards)
    let held = starts.reduce(0) { $0 + (($1 >= bound) == isForwards ? 1 : 0) }
    guard held <= starts.count / 2 else { return nil }
  }

  /// Whether a row waits for the next batch.
  func holds(_ start: Double) -> Bool { (start >= bound) == isForwards }
}
