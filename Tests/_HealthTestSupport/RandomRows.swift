public import HealthSamples

/// Rows of random samples of one type, for stores.
public enum RandomRows {
  /// The sources of the rows.
  public static let sources = [
    Source(name: "Anna’s Apple Watch"), Source(name: "Anna’s iPhone"),
    Source(name: "Anna’s iPhone", isUserEntered: true),
  ]

  /// What a random store is filled with.
  public enum Kind: Int, CaseIterable, Sendable {
    /// Sources one after the other, with some time between.
    case turns
    /// One source.
    case alone
    /// All sources all the time.
    case together
  }

  /// Rows of a kind.
  public static func rows(
    _ kind: Kind, using random: inout SplitMix64
  ) -> [SampleColumns.Row] {
    let count = 2_600
    let origin = 7e8 + Double(Int.random(in: 0...86_400, using: &random))
    let isDecimal = Bool.random(using: &random)
    let step = Int.random(in: 1...2_400, using: &random)
    var clocks = Array(repeating: origin, count: sources.count)
    return (0..<count).map { index in
      let source =
        switch kind {
        case .turns: index * 5 / count % 2
        case .alone: 0
        case .together: Int.random(in: 0..<3, using: &random)
        }
      var start = clocks[source] + Double(Int.random(in: 0...step, using: &random))
      if kind == .turns, index * 5 % count < 5 { start = (clocks.max() ?? start) + 90_000 }
      let hasLength = Int.random(in: 0...3, using: &random) > 0
      let length = hasLength ? Double(Int.random(in: 0...step, using: &random)) : 0
      // Now and then samples of one source overlap, and some last for days.
      let isLong = Int.random(in: 0...700, using: &random) == 0
      let end = start + (isLong ? 200_000 : length)
      clocks[source] = Int.random(in: 0...9, using: &random) == 0 ? start : start + length
      let number = Double(Int.random(in: -20...4_000, using: &random))
      return SampleColumns.Row(
        source: sources[source], start: start, end: end,
        value: isDecimal ? number / 1_000 : number)
    }
  }
}

extension RecordColumns {
  /// Rows of a type, each as it was recorded in a unit, in batches for an import.
  public static func batches(
    of rows: [(label: String, row: SampleColumns.Row)], of type: SampleType
  ) -> [RecordColumns] {
    Dictionary(grouping: rows, by: \.row.source).flatMap { source, rows in
      Dictionary(grouping: rows, by: \.label).map { label, rows in
        var batch = RecordColumns(type: type, source: source)
        batch.labelTable = [label]
        batch.originTable = [Origin(sourceVersion: "", device: "")]
        batch.starts = rows.map(\.row.start)
        batch.ends = rows.map(\.row.end)
        batch.values = rows.map(\.row.value)
        batch.created = rows.map { _ in RecordColumns.notRecorded }
        batch.labels = rows.map { _ in 0 }
        batch.origins = rows.map { _ in 0 }
        batch.metadata = rows.map { _ in 0 }
        batch.copies = rows.map { _ in 1 }
        return batch
      }
    }
  }
}
