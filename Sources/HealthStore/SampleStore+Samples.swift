import Foundation
import GRDB
public import HealthSamples

extension SampleStore {
  /// The samples of a type, in its canonical unit and in the order of columns.
  ///
  /// Only segments that can overlap the range are read. An end before its start counts as the
  /// start.
  ///
  /// - Parameters:
  ///   - type: a type of the catalogue, or one that ``types()`` gives
  ///   - range: keeps samples that end at or after its lower bound and start before its upper one
  /// - Returns: columns, empty when the store has no such sample
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the segment
  /// - Complexity: O(*n*) for the *n* samples of the segments that are read
  public func samples(
    of type: SampleType, in range: Range<Double>? = nil
  ) throws(StoreError) -> SampleColumns {
    try read { database in
      let groups = try database.sources(of: type, in: range)
      let resolved = try database.resolved(type)
      var meanings = LabelMeanings(of: resolved)
      var columns = GrowingColumns()
      columns.reserve(groups.reduce(0) { $0 + $1.mostRows })
      let block = RowBlock()
      for group in groups {
        for segment in group.segments {
          do {
            try columns.append(
              try database.core(of: segment), of: resolved, in: range, meanings: &meanings,
              room: block)
          } catch let damage as SegmentDamage {
            throw SegmentDamage(segment: damage.segment ?? segment)
          }
        }
        columns.endSource(group.source)
      }
      return SampleColumns(
        type: resolved, sources: columns.sources, offsets: columns.offsets,
        starts: columns.starts, ends: columns.ends, values: columns.values)
    }
  }

  /// The records of a type as they were recorded, with labels, origins and metadata.
  ///
  /// - Parameters:
  ///   - type: as for ``samples(of:in:)``
  ///   - range: as for ``samples(of:in:)``
  /// - Returns: one batch for each segment, in the order of source and time
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the segment
  /// - Complexity: O(*n*) for the *n* samples of the segments that are read
  public func records(
    of type: SampleType, in range: Range<Double>? = nil
  ) throws(StoreError) -> [RecordColumns] {
    var batches: [RecordColumns] = []
    do {
      try forEachBatch(of: type, in: range) { batches.append($0) }
    } catch {
      throw StoreError(error, path: path)
    }
    return batches
  }
}

/// The columns of an answer while segments are appended.
private struct GrowingColumns {
  var sources: [Source] = []
  var offsets = [0]
  var starts: [Double] = []
  var ends: [Double] = []
  var values: [Double] = []

  mutating func reserve(_ count: Int) {
    starts.reserveCapacity(count)
    ends.reserveCapacity(count)
    values.reserveCapacity(count)
  }

  mutating func append(
    _ core: [UInt8], of type: SampleType, in range: Range<Double>?,
    meanings: inout LabelMeanings, room block: RowBlock
  ) throws {
    var reader = try CoreReader(core)
    var resolved: [LabelMeaning] = []
    for label in reader.labelTable {
      guard let meaning = meanings.meaning(of: label) else {
        throw StoreError(.unknownUnit(label), path: "")
      }
      resolved.append(meaning)
    }
    let isCanonical = resolved.areCanonical
    while case let count = try reader.next(into: block), count > 0 {
      for row in 0..<count where block.ends[row] < block.starts[row] {
        block.ends[row] = block.starts[row]
      }
      if !isCanonical {
        let converted = LabelMeaning.convert(
          Array(block.values[..<count]), labels: block.labels[..<count].lazy.map(Int.init),
          meanings: resolved)
        for row in 0..<count { block.values[row] = converted[row] }
      }
      append(block, count, in: range)
    }
  }

  private mutating func append(_ block: RowBlock, _ count: Int, in range: Range<Double>?) {
    guard let range else {
      starts.append(contentsOf: block.starts[..<count])
      ends.append(contentsOf: block.ends[..<count])
      values.append(contentsOf: block.values[..<count])
      return
    }
    for row in 0..<count
    where block.ends[row] >= range.lowerBound && block.starts[row] < range.upperBound {
      starts.append(block.starts[row])
      ends.append(block.ends[row])
      values.append(block.values[row])
    }
  }

  /// Ends the rows of a source, and puts them in order if they are not.
  mutating func endSource(_ source: Source) {
    let first = offsets[offsets.count - 1]
    guard starts.count > first else { return }
    sort(first..<starts.count)
    sources.append(source)
    offsets.append(starts.count)
  }

  /// Segments keep the order of ends as recorded and of values in the unit of their time; where
  /// clamping or another catalogue changed it, rows move.
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
  }
}

extension RowCursor {
  /// The rest of the segment as a batch.
  func records(
    of type: SampleType, source: Source, in range: Range<Double>?
  ) throws(SegmentDamage) -> RecordColumns {
    var gatherer = RowGatherer(type: type, source: source)
    while !isAtEnd {
      if let range {
        for row in 0..<rowCount
        where max(block.starts[row], block.ends[row]) >= range.lowerBound
          && block.starts[row] < range.upperBound
        {
          try gatherer.append(row..<row + 1, of: self)
        }
      } else {
        try gatherer.append(0..<rowCount, of: self)
      }
      try advanceBlock()
    }
    return gatherer.rows
  }
}

extension Database {
  /// A type as the store reads it: of the catalogue, else as it was first imported.
  func resolved(_ type: SampleType) throws -> SampleType {
    if let known = Catalogue.type(type.identifier) { return known }
    let row = try Row.fetchOne(
      self, sql: "SELECT identifier, unit, style FROM types WHERE identifier = ?",
      arguments: [type.identifier])
    return try row.map { try SampleType($0) } ?? type
  }

  /// The sources of a type in the order of columns, each with the segments that can overlap a
  /// range, in the order of time.
  func sources(
    of type: SampleType, in range: Range<Double>?
  ) throws -> [(source: Source, segments: [Int64], mostRows: Int)] {
    let rows = try Row.fetchAll(
      self,
      sql: """
        SELECT sources.id, sources.name, sources.isUserEntered, segments.id, count, length(core)
        FROM segments JOIN sources ON sources.id = segments.source
        WHERE segments.type = (SELECT id FROM types WHERE identifier = ?)
          AND segments.firstStart < ? AND segments.lastEnd >= ?
        ORDER BY sources.id, firstStart, lastStart, segments.id
        """,
      arguments: [
        type.identifier, range?.upperBound ?? .infinity, range?.lowerBound ?? -.infinity,
      ])
    var groups: [(source: Source, segments: [Int64], mostRows: Int)] = []
    var last: Int64?
    for row in rows {
      let number = try row.decode(Int64.self, atIndex: 0)
      if number != last {
        let source = Source(
          name: try row.decode(atIndex: 1), isUserEntered: try row.decode(atIndex: 2))
        groups.append((source, [], 0))
        last = number
      }
      groups[groups.count - 1].segments.append(try row.decode(atIndex: 3))
      // A wrong count must not make the answer take more room than its bytes can hold.
      let rows = try row.decode(Int.self, atIndex: 4)
      let bytes = try row.decode(Int.self, atIndex: 5)
      groups[groups.count - 1].mostRows += max(0, min(rows, 64 * bytes, EncodedSegment.mostRows))
    }
    return groups.sorted { $0.source.sortKey < $1.source.sortKey }
  }

  fileprivate func core(of segment: Int64) throws -> [UInt8] {
    guard
      let bytes = try Data.fetchOne(
        self, sql: "SELECT core FROM segments WHERE id = ?", arguments: [segment])
    else { throw SegmentDamage() }
    return [UInt8](bytes)
  }
}
