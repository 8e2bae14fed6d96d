import GRDB
import HealthSamples

/// What one device of a source recorded, where devices of one name recorded at one time.
///
/// A person wears one of two watches of one name, and the other counts the same steps on a desk:
/// merging ranks them as sources of their own. Devices of which one begins where the other ends are
/// one source.
struct HardwarePart {
  /// What tells the device from others of the name.
  let hardware: String
  /// Whether it has the rows without a hardware.
  let isMain: Bool
  /// The chunks with rows of it, in order of time.
  fileprivate(set) var chunks: [Int64] = []
  /// Those that have rows of others.
  fileprivate(set) var mixed: Set<Int64> = []
  fileprivate var start = Double.infinity
  fileprivate var end = -Double.infinity

  /// The most devices that are told apart: a person has not so many of one name.
  fileprivate static let most = 16

  fileprivate init(_ hardware: String, isMain: Bool) {
    (self.hardware, self.isMain) = (hardware, isMain)
  }

  /// Whether a row with a hardware, perhaps none, is of the device.
  func contains(_ hardware: String) -> Bool {
    hardware == self.hardware || isMain && hardware.isEmpty
  }

  fileprivate mutating func add(from start: Double, to end: Double) {
    self.start = min(self.start, start)
    self.end = max(self.end, start, end)
  }
}

/// A source of an answer, and what is read of its chunks.
struct SourceRows {
  let source: Source
  let chunks: [Int64]
  /// The device whose rows are read; `nil` for all.
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
  /// The devices of a source that recorded at one time in some chunks; none if each ends before the
  /// next one begins.
  ///
  /// - Complexity: O(devices) where all have one hardware; else O(chunks), and O(rows) of chunks
  ///   with several
  private func hardwareParts(
    _ chunks: [Int64], of type: SampleType, counts: RowCounts
  ) throws -> [HardwarePart] {
    guard counts.devices.count > 1 else { return [] }
    let known = counts.rowsByHardware.filter { !$0.key.isEmpty }
    guard (2...HardwarePart.most).contains(known.count),
      let main = known.min(by: { ($1.value, $0.key) < ($0.value, $1.key) })?.key
    else { return [] }
    var parts: [String: HardwarePart] = [:]
    for hardware in known.keys {
      parts[hardware] = HardwarePart(hardware, isMain: hardware == main)
    }
    func part(of hardware: String) -> String { hardware.isEmpty ? main : hardware }
    var units = RecordedUnits(of: type)
    for chunk in chunks {
      let row = try Row.fetchOne(
        cachedStatement(
          sql: "SELECT id, counts, firstStart, lastEnd FROM chunks WHERE id = ?"),
        arguments: [chunk])
      guard let row else { throw Corruption(chunk: chunk) }
      let all = Set(try Self.counts(row).rowsByHardware.keys.map(part))
      for hardware in all {
        parts[hardware]?.chunks.append(chunk)
        if all.count > 1 { parts[hardware]?.mixed.insert(chunk) }
      }
      if all.count == 1, let only = all.first {
        parts[only]?.add(from: try row.decode(atIndex: 2), to: try row.decode(atIndex: 3))
      } else {
        try forEachRow(of: chunk, &units) { hardware, start, end in
          parts[part(of: hardware)]?.add(from: start, to: end)
        }
      }
    }
    let inOrder = parts.values.filter { !$0.chunks.isEmpty }.sorted { $0.start < $1.start }
    var end = -Double.infinity
    for part in inOrder {
      if part.start < end { return inOrder }
      end = max(end, part.end)
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

  /// What is read of sources, in the order of columns; with `byHardware` that of devices of one name
  /// apart, as merging ranks them.
  func rows(
    of groups: [(source: Source, chunks: [Int64])], _ type: SampleType, byHardware: Bool
  ) throws -> [SourceRows] {
    try groups.flatMap { group in
      let all = [SourceRows(source: group.source, chunks: group.chunks)]
      guard byHardware, let first = group.chunks.first, type.style?.isCumulative == true else {
        return all
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
        group.chunks, of: type, counts: Self.seriesCounts(row, from: 0))
      guard !parts.isEmpty else { return all }
      return parts.map { part in
        SourceRows(
          source: group.source.of(hardware: part.hardware), chunks: part.chunks, part: part)
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
    guard let part, part.mixed.contains(chunk) else { return nil }
    return SelectedRows(try database.rows(of: chunk, part, &units))
  }
}
