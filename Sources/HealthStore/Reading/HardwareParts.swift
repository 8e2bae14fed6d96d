import GRDB
import HealthSamples

/// The samples of one device of a source, where devices of one name recorded at one time.
///
/// A person wears one of two watches of one name, and the other counts the same steps on a desk:
/// merging ranks them as sources of their own. Devices of which one begins where the other ends are
/// one source.
struct HardwarePart {
  /// What tells the device from others of the name.
  let hardware: String
  /// Whether it has the rows without a hardware.
  let isMain: Bool
  /// The chunks with rows of it.
  fileprivate(set) var chunks: Set<Int64> = []
  /// Those that have rows of others.
  fileprivate(set) var mixed: Set<Int64> = []
  /// The samples by device description.
  fileprivate(set) var counts = RowCounts()
  fileprivate(set) var count = 0
  fileprivate(set) var firstStart = Double.infinity
  fileprivate(set) var lastStart = -Double.infinity
  fileprivate(set) var lastEnd = -Double.infinity

  /// The most devices that are told apart: a person has not so many of one name.
  fileprivate static let most = 16

  fileprivate init(_ hardware: String, isMain: Bool) {
    (self.hardware, self.isMain) = (hardware, isMain)
  }

  /// Whether a row with a hardware, perhaps none, is of the device.
  func contains(_ hardware: String) -> Bool {
    hardware == self.hardware || isMain && hardware.isEmpty
  }

  fileprivate mutating func add(_ count: Int, from first: Double, last: Double, to end: Double) {
    self.count += count
    (firstStart, lastStart) = (min(firstStart, first), max(lastStart, last))
    lastEnd = max(lastEnd, first, end)
  }
}

/// A source of an answer, and what is read of its chunks.
struct SourceRows {
  let source: Source
  let chunks: [Int64]
  /// Of these only the rows of ``part`` are read.
  var mixed: Set<Int64> = []
  var part: HardwarePart?
}

extension RowCounts {
  /// The number of rows by hardware; empty for those without.
  fileprivate var rowsByHardware: [String: Int] {
    var found: [String: Int] = [:]
    for (device, count) in devices { found[HardwarePart.hardware(of: device), default: 0] += count }
    return found
  }
}

extension HardwarePart {
  /// The hardware of a device description; empty for none.
  static func hardware(of device: String) -> String {
    Device.fields(in: device).first { $0.field == .hardwareVersion }?.value ?? ""
  }
}

extension Database {
  /// The devices of a source that recorded a cumulative type at one time, by their first samples;
  /// none if one device ends before the next one begins.
  ///
  /// - Complexity: O(devices) where all have one hardware; else O(chunks), and O(rows) of chunks
  ///   with several
  func hardwareParts(
    of type: SampleType, numbered number: Int64, source: Int64, counts: RowCounts
  ) throws -> [HardwarePart] {
    guard type.style?.isCumulative == true, counts.devices.count > 1 else { return [] }
    let known = counts.rowsByHardware.filter { !$0.key.isEmpty }
    guard (2...HardwarePart.most).contains(known.count),
      let main = known.min(by: { ($1.value, $0.key) < ($0.value, $1.key) })?.key
    else { return [] }
    var parts = known.mapValues { _ in HardwarePart("", isMain: false) }
    for hardware in known.keys {
      parts[hardware] = HardwarePart(hardware, isMain: hardware == main)
    }
    func part(of hardware: String) -> String { hardware.isEmpty ? main : hardware }
    for (device, count) in counts.devices {
      parts[part(of: HardwarePart.hardware(of: device))]?.counts.devices[device] = count
    }
    var units = RecordedUnits(of: type)
    let rows = try Row.fetchCursor(
      self,
      sql: """
        SELECT id, counts, count, firstStart, lastStart, lastEnd FROM chunks
        WHERE type = ? AND source = ?
        """, arguments: [number, source])
    while let row = try rows.next() {
      let chunk = try row.decode(Int64.self, atIndex: 0)
      let all = Set(try Self.counts(row).rowsByHardware.keys.map(part))
      for hardware in all {
        parts[hardware]?.chunks.insert(chunk)
        if all.count > 1 { parts[hardware]?.mixed.insert(chunk) }
      }
      if all.count == 1, let only = all.first {
        parts[only]?.add(
          try row.sampleCount(atIndex: 2, atMost: EncodedChunk.mostRows),
          from: try row.decode(atIndex: 3), last: try row.decode(atIndex: 4),
          to: try row.decode(atIndex: 5))
        continue
      }
      try forEachRow(of: chunk, &units) { hardware, start, end in
        parts[part(of: hardware)]?.add(1, from: start, last: start, to: end)
      }
    }
    let inOrder = parts.values.filter { $0.count > 0 }
      .sorted { ($0.firstStart, $0.hardware) < ($1.firstStart, $1.hardware) }
    var end = Double.infinity
    for part in inOrder {
      if part.firstStart < end, end.isFinite { return inOrder }
      end = end.isFinite ? max(end, part.lastEnd) : part.lastEnd
    }
    return []
  }

  /// Visits hardware, start and end of each row of a chunk.
  private func forEachRow(
    of chunk: Int64, _ units: inout RecordedUnits, _ body: (String, Double, Double) -> Void
  ) throws {
    do {
      let cursor = try cursor(of: chunk, units: &units)
      let hardware = cursor.originTable.map { HardwarePart.hardware(of: $0.device) }
      while !cursor.isAtEnd {
        for row in 0..<cursor.rowCount {
          let block = cursor.block
          body(hardware[Int(block.origins[row])], block.starts[row], block.ends[row])
        }
        try cursor.advanceBlock()
      }
    } catch let damage as Corruption {
      throw Corruption(chunk: damage.chunk ?? chunk)
    }
  }

  /// Which rows of a chunk are those of a part.
  func rows(of chunk: Int64, _ part: HardwarePart, _ units: inout RecordedUnits) throws -> [Bool] {
    var rows: [Bool] = []
    var known: [String: Bool] = [:]
    try forEachRow(of: chunk, &units) { hardware, _, _ in
      let isOfPart = known[hardware] ?? part.contains(hardware)
      known[hardware] = isOfPart
      rows.append(isOfPart)
    }
    return rows
  }

  /// Sources as merging ranks them, in the order of columns: those of several devices by device.
  func byHardware(
    _ groups: [(source: Source, chunks: [Int64])], of type: SampleType
  ) throws -> [SourceRows] {
    try groups.flatMap { group in
      guard let first = group.chunks.first, type.style?.isCumulative == true else {
        return [SourceRows(source: group.source, chunks: group.chunks)]
      }
      let row = try Row.fetchOne(
        cachedStatement(
          sql: """
            SELECT series.type, series.source, series.counts FROM chunks
              JOIN series ON series.type = chunks.type AND series.source = chunks.source
            WHERE chunks.id = ?
            """), arguments: [first])
      guard let row else { throw Corruption(chunk: first) }
      let parts = try hardwareParts(
        of: type, numbered: row.decode(atIndex: 0), source: row.decode(atIndex: 1),
        counts: Self.seriesCounts(row, from: 0))
      guard !parts.isEmpty else {
        return [SourceRows(source: group.source, chunks: group.chunks)]
      }
      return parts.compactMap { part -> SourceRows? in
        let chunks = group.chunks.filter(part.chunks.contains)
        guard !chunks.isEmpty else { return nil }
        return SourceRows(
          source: group.source.of(hardware: part.hardware), chunks: chunks, mixed: part.mixed,
          part: part)
      }.sorted { $0.source < $1.source }
    }
  }
}

/// The rows of a chunk that one device recorded, block by block.
struct SelectedRows {
  private let rows: [Bool]
  private var done = 0

  fileprivate init(_ rows: [Bool]) { self.rows = rows }

  /// Moves the rows of the device to the front of the next block, and returns their number.
  mutating func select(_ count: Int, of block: RowBlock) throws(Corruption) -> Int {
    defer { done += count }
    return try select(count, of: block, from: done)
  }

  /// The same for a block that begins with a row.
  func select(_ count: Int, of block: RowBlock, from first: Int) throws(Corruption) -> Int {
    guard first + count <= rows.count else { throw Corruption() }
    var kept = 0
    for row in 0..<count where rows[first + row] {
      block.starts[kept] = block.starts[row]
      block.ends[kept] = block.ends[row]
      block.values[kept] = block.values[row]
      block.recorded[kept] = block.recorded[row]
      block.labels[kept] = block.labels[row]
      kept += 1
    }
    return kept
  }
}

extension SourceRows {
  /// Which rows of a chunk are read; `nil` for all.
  func selected(
    of chunk: Int64, from database: Database, _ units: inout RecordedUnits
  ) throws -> SelectedRows? {
    guard let part, mixed.contains(chunk) else { return nil }
    return SelectedRows(try database.rows(of: chunk, part, &units))
  }
}
