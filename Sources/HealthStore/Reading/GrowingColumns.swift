import Foundation
import GRDB
import HealthLedger
import HealthSamples

/// The columns of an answer, to which blocks of chunks are appended.
struct GrowingColumns {
  private(set) var sources: [Source] = []
  private(set) var offsets = [0]
  private(set) var starts: [Double] = []
  private(set) var ends: [Double] = []
  private(set) var values: [Double] = []
  /// The recorded numbers, if requested.
  private var recorded: RecordedValues?
  /// The conversion of each label of the current chunk.
  private var conversions: [UInt32] = []

  /// The columns as samples of a type.
  func samples(of type: SampleType) -> SampleColumns {
    SampleColumns(
      type: type, sources: sources, offsets: offsets, starts: starts, ends: ends, values: values,
      recorded: recorded.flatMap { $0.conversions.count > 1 ? $0 : nil })
  }

  mutating func reserve(_ count: Int) {
    starts.reserveHugePages(count)
    ends.reserveHugePages(count)
    values.reserveHugePages(count)
  }

  /// Reads chunks source by source; with `keepsRecorded` the recorded numbers, too.
  ///
  /// - Complexity: O(*n*)
  mutating func read(
    _ groups: [SourceRows], of type: SampleType,
    in range: Range<Double>?, from database: Database, keepsRecorded: Bool = false,
    watch: ReadWatch? = nil
  ) throws -> SampleColumns {
    recorded = keepsRecorded ? RecordedValues() : nil
    var units = RecordedUnits(of: type)
    let block = RowBlock()
    var steps = ReadSteps(watch, of: groups.reduce(0) { $0 + $1.chunks.count })
    for group in groups {
      for chunk in group.chunks {
        try steps.begin()
        try Corruption.naming(chunk) {
          let selected = group.selected(of: chunk)
          var first = 0
          var reader = try CanonicalReader(try database.core(of: chunk), units: &units)
          reader.keepsRecorded = keepsRecorded
          conversions = keepsRecorded ? reader.conversions.map { recorded?.place(of: $0) ?? 0 } : []
          while case let count = try reader.next(into: block), count > 0 {
            append(
              block, try selected?.select(count, of: block, from: first) ?? count, in: range)
            first += count
          }
        }
      }
      endSource(group.source)
    }
    try steps.end()
    return samples(of: type)
  }

  /// Appends the rows of a block in a range.
  mutating func append(_ block: RowBlock, _ count: Int, in range: Range<Double>?) {
    guard let range else {
      starts.append(contentsOf: block.starts[..<count])
      ends.append(contentsOf: block.ends[..<count])
      values.append(contentsOf: block.values[..<count])
      for row in 0..<(recorded == nil ? 0 : count) { appendRecorded(block, row: row) }
      return
    }
    for row in 0..<count
    where range.hasSample(from: block.starts[row], to: block.ends[row]) {
      append(block, row: row)
    }
  }

  /// Appends one row of a block.
  mutating func append(_ block: RowBlock, row: Int) {
    starts.append(block.starts[row])
    ends.append(block.ends[row])
    values.append(block.values[row])
    if recorded != nil { appendRecorded(block, row: row) }
  }

  private mutating func appendRecorded(_ block: RowBlock, row: Int) {
    recorded?.append(block.recorded[row], unit: conversions[Int(block.labels[row])])
  }

  /// Ends the rows of a source, and sorts them if necessary.
  ///
  /// A source without rows is kept only with `keepsEmpty`.
  mutating func endSource(_ source: Source, keepsEmpty: Bool = false) {
    let first = offsets[offsets.count - 1]
    guard starts.count > first || keepsEmpty else { return }
    if starts.count > first { sort(first..<starts.count) }
    sources.append(source)
    offsets.append(starts.count)
  }

  /// Chunks are in the order of recorded ends and of values in the canonical unit at the time of
  /// import; clamping or a new catalogue may change the order.
  private mutating func sort(_ rows: Range<Int>) {
    func key(_ row: Int) -> RowKey {
      RowKey(start: starts[row], end: ends[row], canonical: values[row])
    }
    let isSorted = starts.withUnsafeBufferPointer { starts in
      ends.withUnsafeBufferPointer { ends in
        values.withUnsafeBufferPointer { values in
          (rows.lowerBound + 1..<rows.upperBound).allSatisfy { row in
            starts[row - 1] < starts[row]
              || !(RowKey(start: starts[row], end: ends[row], canonical: values[row])
                < RowKey(
                  start: starts[row - 1], end: ends[row - 1], canonical: values[row - 1]))
          }
        }
      }
    }
    if isSorted { return }
    let order = rows.sorted { key($0) < key($1) }
    let sorted = (
      order.map { starts[$0] }, order.map { ends[$0] }, order.map { values[$0] }
    )
    starts.replaceSubrange(rows, with: sorted.0)
    ends.replaceSubrange(rows, with: sorted.1)
    values.replaceSubrange(rows, with: sorted.2)
    recorded?.reorder(rows, by: order)
  }
}

extension [Double] {
  /// Reserves room, in huge pages where the system has them.
  ///
  /// Each page is a fault when it is first touched. Columns of millions of rows are new memory in
  /// each answer, and with pages of 4 kB the faults took a quarter to a third of the time of an answer
  /// (`Benchmarks/Columns/run`, "C on a thread").
  fileprivate mutating func reserveHugePages(_ count: Int) {
    reserveCapacity(count)
    #if os(Linux)
    // Below two huge pages of 2 MB a column may hold none that is aligned.
    guard capacity * MemoryLayout<Double>.stride >= 4 << 20 else { return }
    let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
    let room = capacity
    withUnsafeMutableBufferPointer { column in
      guard let base = column.baseAddress else { return }
      let first = (UInt(bitPattern: base) + page - 1) / page * page
      let last = UInt(bitPattern: base + room) / page * page
      // A system without huge pages refuses, and nothing is lost.
      _ = madvise(UnsafeMutableRawPointer(bitPattern: first), Int(last - first), MADV_HUGEPAGE)
    }
    #endif
  }
}
