/// The column and row that sealed bytes belong to.
///
/// It is mixed into their checksum where they are stored, so that bytes that have come to another row
/// do not pass for its own.
enum ValueOwner {
  case core(segment: Int64)
  case detail(segment: Int64)
  case summary(segment: Int64)
  case element(Int64)
  case supersededCore(Int64)
  case supersededDetail(Int64)

  private var mark: UInt64 {
    let (column, row): (UInt8, Int64) =
      switch self {
      case .core(let segment): (1, segment)
      case .detail(let segment): (2, segment)
      case .summary(let segment): (3, segment)
      case .element(let id): (4, id)
      case .supersededCore(let segment): (5, segment)
      case .supersededDetail(let segment): (6, segment)
      }
    var writer = ByteWriter()
    writer.append(column)
    writer.append(UInt64(bitPattern: row))
    return Checksum.of(writer.bytes[...])
  }

  /// The bytes as they are stored.
  func bound(_ bytes: [UInt8]) -> [UInt8] { adding(mark, to: bytes) }

  /// Stored bytes as they were sealed; if they belong to another row, their checksum does not fit.
  func released(_ bytes: [UInt8]) -> [UInt8] { adding(0 &- mark, to: bytes) }

  private func adding(_ number: UInt64, to bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 8 else { return bytes }
    var bytes = bytes
    bytes.withUnsafeMutableBytes { bytes in
      let end = bytes.count - 8
      let sum = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self))
      bytes.storeBytes(of: (sum &+ number).littleEndian, toByteOffset: end, as: UInt64.self)
    }
    return bytes
  }
}
