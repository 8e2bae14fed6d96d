import GRDB
import HealthSamples

/// A source of an answer, and what is read of its chunks.
///
/// A person wears one of two watches of one name, and the other counts the same steps on a desk:
/// merging ranks devices of one name that recorded at one time as sources of their own. Devices of
/// which one begins where the other ends are one source.
struct SourceRows {
  let source: Source
  let chunks: [Int64]
  /// The device of each row, of chunks with rows of several.
  fileprivate(set) var devices: [Int64: [UInt8]] = [:]
  /// The device whose rows are read of these.
  fileprivate(set) var device: UInt8 = 0

  /// Which rows of a chunk are read; `nil` for all.
  func selected(of chunk: Int64) -> SelectedRows? {
    devices[chunk].map { SelectedRows(devices: $0, device: device) }
  }
}

/// The rows of a chunk that one device recorded.
struct SelectedRows {
  fileprivate let devices: [UInt8]
  fileprivate let device: UInt8

  func contains(_ row: Int) -> Bool { devices[row] == device }

  /// Moves the rows of the device to the front of a block, and returns their number.
  ///
  /// - Parameters:
  ///   - count: the rows of the block
  ///   - block: the block
  ///   - first: the place of its first row in the chunk
  /// - Returns: the number of rows of the device
  /// - Throws: ``Corruption`` if the chunk has fewer rows
  func select(_ count: Int, of block: RowBlock, from first: Int) throws(Corruption) -> Int {
    guard first + count <= devices.count else { throw Corruption() }
    return block.keep(count) { contains(first + $0) }
  }
}

extension RowBlock {
  /// Moves times, values and labels of some of the first `count` rows to the front, and returns how
  /// many these are.
  func keep(_ count: Int, where isKept: (Int) -> Bool) -> Int {
    var kept = 0
    for row in 0..<count where isKept(row) {
      starts[kept] = starts[row]
      ends[kept] = ends[row]
      values[kept] = values[row]
      recorded[kept] = recorded[row]
      labels[kept] = labels[row]
      kept += 1
    }
    return kept
  }
}

/// The devices of a source, told apart by their hardware.
private struct Devices {
  /// Ascending; the number of a device is its place.
  let hardware: [String]
  private var numbers: [String: UInt8] = [:]
  /// The device with most rows: those without a known hardware are taken for its own.
  private var main: UInt8 = 0

  /// The most devices of one name that are told apart.
  private static let most = 16

  /// The devices of rows; `nil` if they are one, or too many.
  init?(_ counts: RowCounts) {
    guard counts.devices.count > 1 else { return nil }
    var rows: [String: Int] = [:]
    for (device, count) in counts.devices { rows[Self.hardware(of: device), default: 0] += count }
    rows[""] = nil
    guard (2...Self.most).contains(rows.count) else { return nil }
    hardware = rows.keys.sorted()
    for (place, hardware) in hardware.enumerated() { numbers[hardware] = UInt8(place) }
    let largest = rows.min { ($1.value, $0.key) < ($0.value, $1.key) }
    main = largest.flatMap { numbers[$0.key] } ?? 0
  }

  /// The number of the device of a description.
  func number(of device: String) -> UInt8 { numbers[Self.hardware(of: device)] ?? main }

  private static func hardware(of device: String) -> String {
    Device.fields(in: device).first { $0.field == .hardwareVersion }?.value ?? ""
  }
}

extension Database {
  /// What is read of sources, in the order of columns; with `byHardware` that of devices of one name
  /// apart, as merging ranks them.
  ///
  /// - Complexity: O(devices) for sources of one hardware; else O(chunks), and O(rows) of chunks with
  ///   several
  func rows(
    of groups: [(source: Source, chunks: [Int64])], _ type: SampleType, byHardware: Bool
  ) throws -> [SourceRows] {
    try groups.flatMap { group in
      let all = [SourceRows(source: group.source, chunks: group.chunks)]
      guard byHardware, type.style?.isCumulative == true, let first = group.chunks.first,
        let devices = try devices(ofSeriesWith: first)
      else { return all }
      let parts = try parts(of: group, type, devices)
      return parts.isEmpty ? all : parts
    }
  }

  private func devices(ofSeriesWith chunk: Int64) throws -> Devices? {
    let row = try Row.fetchOne(
      cachedStatement(
        sql: """
          SELECT series.type, series.source, series.counts FROM chunks
            JOIN series ON series.type = chunks.type AND series.source = chunks.source
          WHERE chunks.id = ?
          """), arguments: [chunk])
    guard let row else { throw Corruption(chunk: chunk) }
    return Devices(try Self.seriesCounts(row, from: 0))
  }

  /// A source in parts by device; none if each device ends before the next one begins.
  private func parts(
    of group: (source: Source, chunks: [Int64]), _ type: SampleType, _ devices: Devices
  ) throws -> [SourceRows] {
    var chunks = [[Int64]](repeating: [], count: devices.hardware.count)
    var spans = [ClosedRange<Double>?](repeating: nil, count: devices.hardware.count)
    var ofRows: [Int64: [UInt8]] = [:]
    func add(_ device: UInt8, from start: Double, to end: Double) {
      let span = SampleTime.closed(from: start, to: end)
      spans[Int(device)] = spans[Int(device)]?.union(span) ?? span
    }
    var units = RecordedUnits(of: type)
    for chunk in group.chunks {
      let row = try Row.fetchOne(
        cachedStatement(sql: "SELECT id, counts, firstStart, lastEnd FROM chunks WHERE id = ?"),
        arguments: [chunk])
      guard let row else { throw Corruption(chunk: chunk) }
      let own = Set(try Self.counts(row).devices.keys.map(devices.number))
      for device in own { chunks[Int(device)].append(chunk) }
      if own.count == 1, let device = own.first {
        let (start, end): (Double, Double) = try row.values(from: 2)
        add(device, from: start, to: end)
        continue
      }
      let cursor = try cursor(of: chunk, units: &units)
      let numbers = cursor.originTable.map { devices.number(of: $0.device) }
      var rows: [UInt8] = []
      rows.reserveCapacity(cursor.count)
      try Corruption.naming(chunk) {
        try cursor.forEachRow { row in
          let device = numbers[Int(cursor.block.origins[row])]
          rows.append(device)
          add(device, from: cursor.block.starts[row], to: cursor.block.ends[row])
        }
      }
      ofRows[chunk] = rows
    }
    let inOrder = spans.compactMap(\.self).sorted { $0.lowerBound < $1.lowerBound }
    var end = -Double.infinity
    var overlap = false
    for span in inOrder {
      overlap = overlap || span.lowerBound < end
      end = max(end, span.upperBound)
    }
    guard overlap else { return [] }
    return chunks.indices.filter { !chunks[$0].isEmpty }.map { device in
      SourceRows(
        source: group.source.of(hardware: devices.hardware[device]), chunks: chunks[device],
        devices: ofRows, device: UInt8(device))
    }
  }
}
