extension SampleColumns {
  /// Makes the columns of one source from plain arrays, whose rows may be in any order.
  ///
  /// ```swift
  /// let watch = try SampleColumns(
  ///   type: SampleType(.stepCount), source: Source(name: "Watch"),
  ///   starts: [600, 0], ends: [1200, 600], values: [80, 100])
  /// watch.values  // [100, 80]
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type of every sample
  ///   - source: the source of every sample
  ///   - starts: start instants, in seconds since 2001-01-01 UTC
  ///   - ends: end instants, none before its start
  ///   - values: values in the canonical unit of the type
  /// - Throws: ``ColumnError`` for columns of different lengths, for a number that is not finite and
  ///   for an end before its start
  /// - Complexity: O(*n*) for rows that ascend by start, end and value, else O(*n* log *n*)
  public init(
    type: SampleType, source: Source, starts: [Double], ends: [Double], values: [Double]
  ) throws(ColumnError) {
    guard starts.count == ends.count, starts.count == values.count else {
      throw ColumnError(.lengthsDiffer([starts.count, ends.count, values.count]))
    }
    for row in starts.indices { try checkRow(row, starts[row], ends[row], values[row]) }
    let order = RowOrder(starts: starts, ends: ends, values: values)
    self.init(
      type: type, source: source, uncheckedStarts: order.sorted(starts),
      ends: order.sorted(ends), values: order.sorted(values))
  }

  /// Makes the columns of one source from columns that are known to be sorted.
  ///
  /// A debug build traps where they are not; in a release build results are then undefined, but
  /// memory safe.
  ///
  /// - Precondition: the columns have the same length, every number is finite, no end lies before
  ///   its start, and rows ascend by start, end and value.
  /// - Complexity: O(1)
  public init(
    type: SampleType, source: Source, uncheckedStarts starts: [Double], ends: [Double],
    values: [Double]
  ) {
    assert((starts + ends + values).allSatisfy(\.isFinite), "A number is not finite.")
    self.init(
      type: type, sources: starts.isEmpty ? [] : [source],
      offsets: starts.isEmpty ? [0] : [0, starts.count], starts: starts, ends: ends,
      values: values)
    assert(RowOrder(starts: starts, ends: ends, values: values).isSorted, "Rows do not ascend.")
  }
}

extension SampleColumns {
  /// Joins the samples of several tables, such as those of two devices.
  ///
  /// ```swift
  /// let steps = try SampleColumns(joining: [phone, watch])
  /// ```
  ///
  /// Every sample is kept: one that is in two tables occurs twice in the result.
  ///
  /// - Throws: ``ColumnError`` for tables of different types, units or styles, with the index of
  ///   the first table that differs, and for no table
  /// - Complexity: O(*n*), and O(*n* log *n*) for sources that are in several tables
  public init(joining tables: [SampleColumns]) throws(ColumnError) {
    guard let type = tables.first?.type else { throw ColumnError(.nothingToJoin) }
    for (index, table) in tables.enumerated()
    where table.type != type || table.type.kind != type.kind {
      throw ColumnError(.typesDiffer(type, table.type), index: index)
    }
    let sources = Set(tables.lazy.flatMap(\.sources)).sorted()
    var joined = (starts: [Double](), ends: [Double](), values: [Double](), offsets: [0])
    var recorded = tables.contains { $0.recorded != nil } ? RecordedValues() : nil
    for source in sources {
      let first = joined.starts.count
      for table in tables {
        guard let index = table.sources.firstIndex(of: source) else { continue }
        let rows = table.rows(ofSource: index)
        joined.starts += table.starts[rows]
        joined.ends += table.ends[rows]
        joined.values += table.values[rows]
        recorded?.append(rows, of: table)
      }
      let rows = first..<joined.starts.count
      let order = RowOrder(
        starts: Array(joined.starts[rows]), ends: Array(joined.ends[rows]),
        values: Array(joined.values[rows]))
      joined.starts.replaceSubrange(rows, with: order.sorted(Array(joined.starts[rows])))
      joined.ends.replaceSubrange(rows, with: order.sorted(Array(joined.ends[rows])))
      joined.values.replaceSubrange(rows, with: order.sorted(Array(joined.values[rows])))
      if let order = order.rows { recorded?.reorder(rows, by: order.map { first + $0 }) }
      joined.offsets.append(joined.starts.count)
    }
    self.init(
      type: type, sources: sources, offsets: joined.offsets, starts: joined.starts,
      ends: joined.ends, values: joined.values, recorded: recorded)
  }
}

extension SampleColumns {
  /// Makes the columns of several sources from plain arrays, whose rows may be in any order.
  ///
  /// - Parameters:
  ///   - type: the type of every sample
  ///   - sources: the sources, each once
  ///   - indices: the index of each row's source
  ///   - starts: start instants, in seconds since 2001-01-01 UTC
  ///   - ends: end instants, none before its start
  ///   - values: values in the canonical unit of the type
  /// - Returns: the columns, and the row in which each sample was given
  /// - Throws: ``ColumnError`` as ``init(type:source:starts:ends:values:)``, and for an index that is
  ///   none of the sources
  /// - Complexity: O(*n*) where the rows of each source ascend, else O(*n* log *n*)
  package static func sorting(
    type: SampleType, sources: [Source], indices: [Int32], starts: [Double], ends: [Double],
    values: [Double]
  ) throws(ColumnError) -> (columns: SampleColumns, rows: [Int]) {
    let count = indices.count
    guard starts.count == count, ends.count == count, values.count == count else {
      throw ColumnError(.lengthsDiffer([count, starts.count, ends.count, values.count]))
    }
    var counts = Array(repeating: 0, count: sources.count)
    for row in 0..<count {
      try checkRow(row, starts[row], ends[row], values[row])
      guard sources.indices.contains(Int(indices[row])) else {
        throw ColumnError(.noSuchEntry(table: "table of sources"), index: row)
      }
      counts[Int(indices[row])] += 1
    }
    // The rows of each source in the order in which they were given, then sorted where they do not
    // ascend.
    let order = sources.indices.sorted { sources[$0] < sources[$1] }.filter { counts[$0] > 0 }
    var offsets = [0]
    var next = counts
    for source in order {
      next[source] = offsets[offsets.count - 1]
      offsets.append(next[source] + counts[source])
    }
    var rows = Array(repeating: 0, count: count)
    for row in 0..<count {
      rows[next[Int(indices[row])]] = row
      next[Int(indices[row])] += 1
    }
    func precedes(_ row: Int, _ other: Int) -> Bool {
      (starts[row], ends[row], values[row]) < (starts[other], ends[other], values[other])
    }
    for place in order.indices {
      let range = offsets[place]..<offsets[place + 1]
      let isSorted = range.dropFirst().allSatisfy { !precedes(rows[$0], rows[$0 - 1]) }
      if !isSorted {
        rows[range].sort { ($0 != $1) && (precedes($0, $1) || !precedes($1, $0) && $0 < $1) }
      }
    }
    return (
      SampleColumns(
        type: type, sources: order.map { sources[$0] }, offsets: offsets,
        starts: rows.map { starts[$0] }, ends: rows.map { ends[$0] },
        values: rows.map { values[$0] }), rows
    )
  }
}

/// Throws for a row that no columns have.
private func checkRow(
  _ row: Int, _ start: Double, _ end: Double, _ value: Double
) throws(ColumnError) {
  guard start.isFinite, end.isFinite, value.isFinite else {
    throw ColumnError(.rowNotFinite, index: row)
  }
  guard SampleTime.isInOrder(from: start, to: end) else {
    throw ColumnError(.endBeforeStart, index: row)
  }
}

/// The order of rows by start, end and value.
private struct RowOrder {
  /// The rows in order; `nil` where they are already in order.
  let rows: [Int]?

  var isSorted: Bool { rows == nil }

  init(starts: [Double], ends: [Double], values: [Double]) {
    func precedes(_ row: Int, _ other: Int) -> Bool {
      (starts[row], ends[row], values[row]) < (starts[other], ends[other], values[other])
    }
    let isSorted = starts.indices.dropFirst().allSatisfy { !precedes($0, $0 - 1) }
    rows = isSorted ? nil : starts.indices.sorted(by: precedes)
  }

  func sorted(_ column: [Double]) -> [Double] { rows.map { $0.map { column[$0] } } ?? column }
}
