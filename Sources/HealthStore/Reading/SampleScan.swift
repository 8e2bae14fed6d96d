import GRDB
package import HealthSamples

/// What a query reads of one type, and how it tells what it need not read.
package struct SampleScan {
  /// The type of the catalogue or of the store.
  package let type: SampleType
  /// Keeps samples that end at or after its lower bound and start before its upper one.
  package let range: Range<Double>?
  /// Keeps samples that were added after it.
  package var serial: Int64
  /// Whether any row within bounds may be wanted; `nil` for a scan of everything.
  ///
  /// Asked of each source, then of each chunk.
  package var mayContain: ((ChunkBounds) -> Bool)?
  /// Whether ``mayContain`` asks for labels and values, which cost a read of the zone map.
  package var asksForValues = false
  /// The wanted rows of a batch, ascending; all for `nil`.
  package var rows: ((RecordColumns) -> [Int])?

  /// A scan of everything in a range.
  package init(of type: SampleType, in range: Range<Double>? = nil, after serial: Int64 = 0) {
    (self.type, self.range, self.serial) = (type, range, serial)
  }
}

/// Bounds of all rows of a source, or of one of its chunks; what is not known is unlimited.
package struct ChunkBounds: Sendable {
  /// The type of all rows, as the store uses it.
  package let type: SampleType
  /// The source of all rows.
  package let source: Source
  /// Where rows start.
  package var starts = -Double.infinity...Double.infinity
  /// The latest end of a row; none is before the row's start.
  package var lastEnd = Double.infinity
  /// The unit or constant of all rows; `nil` when not known or when there are several.
  package var label: String?
  /// The recorded numbers.
  package var values = -Double.infinity...Double.infinity
  /// The serials of the rows.
  package var serials = Int64.min...Int64.max

  /// Bounds of all rows of a source.
  package init(type: SampleType, source: Source) { (self.type, self.source) = (type, source) }
}

extension SampleScan {
  /// Whether any row of a source may be wanted.
  func mayContain(_ source: Source, of type: SampleType) -> Bool {
    mayContain?(ChunkBounds(type: type, source: source)) ?? true
  }
}

extension Database {
  /// The bounds of a chunk without those of its values.
  func bounds(of chunk: Int64, of type: SampleType, _ source: Source) throws -> ChunkBounds {
    typealias Values = (Double, Double, Double, Int64, Int64)
    let (first, last, lastEnd, firstSerial, lastSerial): Values = try values(
      """
      SELECT zoneMaps.firstStart, zoneMaps.lastStart, zoneMaps.lastEnd, firstSerial, lastSerial
      FROM zoneMaps JOIN chunks ON chunks.id = chunk WHERE chunk = ?
      """, [chunk], chunk: chunk)
    guard first <= last, firstSerial <= lastSerial else { throw Corruption(chunk: chunk) }
    var bounds = ChunkBounds(type: type, source: source)
    bounds.starts = first...last
    bounds.lastEnd = lastEnd
    bounds.serials = firstSerial...lastSerial
    return bounds
  }

  /// Whether a scan needs a chunk; its values are looked at last.
  func mayContain(_ chunk: Int64, _ bounds: ChunkBounds, by scan: SampleScan) throws -> Bool {
    guard let mayContain = scan.mayContain else { return true }
    guard mayContain(bounds) else { return false }
    guard scan.asksForValues else { return true }
    let map = try zoneMap(of: chunk)
    var bounds = bounds
    bounds.label = map.label
    if let first = map.blocks.first {
      bounds.values = map.blocks.reduce(first.minimum...first.maximum) { range, block in
        min(range.lowerBound, block.minimum)...max(range.upperBound, block.maximum)
      }
    }
    return mayContain(bounds)
  }

  /// The records of a chunk that a scan wants, as they were recorded.
  func records(
    of chunk: Int64, _ type: SampleType, source: Source, by scan: SampleScan,
    units: inout RecordedUnits
  ) throws -> RecordColumns {
    let batch = try Corruption.naming(chunk) {
      try cursor(of: chunk, units: &units)
        .records(of: type, source: source, in: scan.range, after: scan.serial)
    }
    guard let rows = scan.rows?(batch), rows.count < batch.count else { return batch }
    return batch.selecting(rows)
  }
}
