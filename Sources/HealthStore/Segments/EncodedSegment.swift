import HealthSamples

/// Rows of one type and one source in the form in which they are kept, in order of start, end and
/// value in the canonical unit.
///
/// What every question reads (times, values, labels) stands in ``core``, the rest (creation dates,
/// origins, metadata, copies) in ``detail``, so that a question leaves the latter on the disk.
struct EncodedSegment {
  /// The form of the bytes; another one is refused.
  static let version: UInt8 = 2
  /// The rows of a full segment.
  static let rowCount = 1 << 16
  /// No segment holds more rows.
  static let mostRows = 1 << 22

  var core: [UInt8]
  var detail: [UInt8]
  var facts: SegmentFacts
  var summary: SegmentSummary
  /// How many further copies the export held of its rows.
  var duplicates = 0
  /// Whether every row is a sample by itself, and none only stood inside other elements.
  var isWhole = true
}

/// What is known of a segment without decoding it.
struct SegmentFacts: Equatable {
  var count = 0
  var firstStart = Double.infinity
  var lastStart = -Double.infinity
  /// The latest end; one before its start counts as the start.
  var lastEnd = -Double.infinity
  /// Rows by label.
  var labels: [String: Int] = [:]
  /// Rows by device description.
  var devices: [String: Int] = [:]
}

extension SegmentFacts {
  /// The facts that times tell.
  init(of summary: SegmentSummary) {
    count = summary.count
    for block in summary.blocks {
      firstStart = min(firstStart, block.firstStart)
      lastStart = max(lastStart, block.lastStart)
      lastEnd = max(lastEnd, block.lastEnd)
    }
  }

  /// The bytes in which a run keeps them.
  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(variable: UInt64(count))
    for instant in [firstStart, lastStart, lastEnd] { writer.append(instant.bitPattern) }
    for table in [labels, devices] {
      writer.append(variable: UInt64(table.count))
      for (text, count) in table {
        writer.append(text)
        writer.append(variable: UInt64(count))
      }
    }
    writer.seal()
    return writer.bytes
  }

  /// Reads them back.
  init(_ bytes: [UInt8]) throws(SegmentDamage) {
    var reader = try ByteReader(sealed: bytes)
    count = Int(truncatingIfNeeded: try reader.variable())
    firstStart = Double(bitPattern: try reader.number())
    lastStart = Double(bitPattern: try reader.number())
    lastEnd = Double(bitPattern: try reader.number())
    labels = try reader.counts()
    devices = try reader.counts()
  }
}

extension ByteReader {
  fileprivate mutating func counts() throws(SegmentDamage) -> [String: Int] {
    var counts: [String: Int] = [:]
    for _ in 0..<(try count(ofSize: 2)) {
      let text = try text()
      counts[text] = Int(truncatingIfNeeded: try variable())
    }
    return counts
  }
}
