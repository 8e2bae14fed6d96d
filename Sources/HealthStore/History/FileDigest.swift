import Crypto
import Foundation
import HealthSamples

/// The identity of a file: a digest of what was read of it, whatever the order of its rows.
///
/// It is a sum of two hashes of each row and element, so it costs some nanoseconds a row. Whoever
/// forges two files with one identity only makes the second one known.
struct FileDigest {
  private var sums: (UInt64, UInt64) = (0, 0)
  /// The latest end of a sample; an end before its start is taken as the start.
  private(set) var lastEnd = -Double.infinity

  /// Odd numbers with many changes of bits.
  private static let factors: [UInt64] = [
    0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5,
    0xFF51_AFD7_ED55_8CCD, 0xC4CE_B9FE_1A85_EC53,
  ]

  private static func mix(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: other)
    return product.high ^ product.low
  }

  private static func hash(_ texts: [String]) -> UInt64 {
    var writer = ByteWriter()
    for text in texts { writer.append(text) }
    return Checksum.of(writer.bytes[...])
  }

  /// Adds the rows of a batch, as they were read.
  ///
  /// - Complexity: O(*n* + texts of the tables)
  mutating func add(_ batch: RecordColumns) {
    let series = Self.hash([
      batch.type.identifier, batch.source.name, batch.source.bundleIdentifier,
      batch.source.isUserEntered ? "1" : "",
    ])
    let labels = batch.labelTable.map { Self.hash([$0]) }
    let origins = batch.originTable.map { Self.hash([$0.storedVersion, $0.device]) }
    let metadata = batch.metadataTable.map { metadata in
      Self.hash(metadata.entries.flatMap { [$0.key, $0.value, "\($0.kind.rawValue)"] })
    }
    let factors = Self.factors
    for row in 0..<batch.count {
      let (start, end) = (batch.starts[row], batch.ends[row])
      lastEnd = max(lastEnd, SampleTime.end(from: start, to: end))
      let words = (
        labels[Int(batch.labels[row])] &+ origins[Int(batch.origins[row])] &* factors[4]
          &+ metadata[Int(batch.metadata[row])] &* factors[5],
        series &+ UInt64(batch.copies[row])
      )
      let one = Self.mix(start.bitPattern ^ factors[0], end.bitPattern ^ factors[1])
      let two = Self.mix(
        batch.values[row].bitPattern ^ factors[2], batch.created[row].bitPattern ^ factors[3])
      let three = Self.mix(words.0 ^ factors[4], words.1 ^ factors[5])
      sums.0 &+= Self.mix(Self.mix(one ^ factors[2], two ^ factors[0]), three ^ factors[1])
      sums.1 &+= Self.mix(Self.mix(two ^ factors[4], three ^ factors[3]), one ^ factors[5])
    }
  }

  /// Adds an element, as it is stored.
  mutating func add(_ kind: ElementKind, _ content: [UInt8]) {
    var writer = ByteWriter()
    writer.append(kind.storedText)
    writer.bytes += content
    let hash = Checksum.of(writer.bytes[...])
    writer.append(hash)
    sums.0 &+= Self.mix(hash ^ Self.factors[0], Self.factors[1])
    sums.1 &+= Self.mix(Checksum.of(writer.bytes[...]) ^ Self.factors[2], Self.factors[3])
  }

  /// The identity of a file of a format and a date with these rows and elements.
  func identity(_ format: ImportFormat, exportedAt: Double?) -> Data {
    var writer = ByteWriter()
    writer.append(format.rawValue)
    writer.append(UInt8(exportedAt == nil ? 0 : 1))
    writer.append((exportedAt ?? 0).bitPattern)
    writer.append(sums.0)
    writer.append(sums.1)
    return Data(SHA256.hash(data: Data(writer.bytes)).prefix(16))
  }
}
