import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Files packed with gzip")
struct GzipTests {
  private let text: [UInt8]

  init() {
    var source = RandomExport(seed: 12)
    text = source.document(300)
  }

  /// What the bytes unpack to, read in pieces, and whether they broke off.
  private func unpack(
    _ packed: [UInt8], packedAtOnce: Int = .max, atOnce: Int = 1 << 16, limit: Int = .max
  ) throws -> (bytes: [UInt8], endedEarly: Bool) {
    let source = GunzippedBytes(
      MemoryBytes(packed, mostAtOnce: packedAtOnce), path: "export.xml.gz", limit: limit)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: atOnce, alignment: 1)
    defer { buffer.deallocate() }
    var bytes: [UInt8] = []
    while case let count = try source.read(into: buffer), count > 0 {
      bytes += buffer.prefix(count)
    }
    return (bytes, source.endedEarly)
  }

  @Test("every part of a header that may be there is passed over", arguments: [0, 2, 4, 8, 16, 30])
  func headers(flags: UInt8) throws {
    var member = GzipMember(text)
    member.flags = flags
    let (bytes, endedEarly) = try unpack(member.bytes)
    #expect(bytes == text)
    #expect(!endedEarly)
  }

  @Test("members follow one another, cut into pieces of any size", arguments: [1, 2, 3, 7, 97])
  func members(atOnce: Int) throws {
    let parts = [text[..<5], text[5..<5], text[5..<4000], text[4000...]].map(Array.init)
    let packed = parts.flatMap { GzipMember($0).bytes }
    for unpackedAtOnce in [5, 4000, 1 << 20] {
      let (bytes, endedEarly) = try unpack(packed, packedAtOnce: atOnce, atOnce: unpackedAtOnce)
      #expect(bytes == text)
      #expect(!endedEarly)
    }
  }

  @Test("zeros behind the last member are no data, other bytes are damage")
  func trailing() throws {
    let packed = GzipMember(text).bytes
    #expect(try unpack(packed + Array(repeating: 0, count: 1000)).bytes == text)
    for rest in [[1], [0, 0, 7], [0x1F, 0x8C], Array("PK".utf8)] as [[UInt8]] {
      let error = #expect(throws: ExportError.self) { try unpack(packed + rest) }
      #expect(error?.reason == .damagedArchive)
      #expect(try #require(error?.offset) > packed.count)
    }
  }

  @Test("cut anywhere, the file gives a beginning of its text and says that it broke off")
  func cut() throws {
    let part = Array(text[..<3000])
    let first = GzipMember(Array(part[..<1000])).bytes
    let packed = first + GzipMember(Array(part[1000...])).bytes
    for length in 1..<packed.count {
      let (bytes, endedEarly) = try unpack(Array(packed[..<length]))
      #expect(part.starts(with: bytes))
      #expect(endedEarly == (length != first.count))
    }
  }

  @Test("a wrong checksum and a wrong length are errors")
  func checks() throws {
    var member = GzipMember(text)
    member.checksumError = 1
    #expect(
      #expect(throws: ExportError.self) { try unpack(member.bytes) }?.reason == .checksumMismatch)
    member.checksumError = 0
    member.lengthError = 1 << 20
    #expect(
      #expect(throws: ExportError.self) { try unpack(member.bytes) }?.reason == .checksumMismatch)
  }

  @Test(
    "with any byte changed the text is the same, or there is an error or a cut",
    arguments: 0..<3)
  func damage(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let part = Array(text[..<2000])
    let packed = GzipMember(part).bytes
    for place in packed.indices where place % 3 == Int(seed) {
      var damaged = packed
      damaged[place] ^= UInt8.random(in: 1...255, using: &random)
      do {
        let (bytes, endedEarly) = try unpack(damaged)
        #expect(bytes == part || endedEarly)
      } catch is ExportError {}
    }
  }

  @Test("a file that unpacks to more than is allowed is stopped there")
  func bomb() throws {
    let packed = GzipMember(Array(repeating: 0x20, count: 1 << 20)).bytes
    let error = #expect(throws: ExportError.self) { try unpack(packed, limit: 100_000) }
    #expect(error?.reason == .tooLarge(limit: 100_000))
  }

  @Test("an export is read as from the bare file, whole or cut", arguments: [true, false])
  func export(isConcurrent: Bool) throws {
    let folder = try TemporaryFolder()
    let bare = try Reading(text)
    let packed = GzipMember(text).bytes
    let whole = try Reading(
      path: try folder.write(packed, to: "export.xml.gz"), isConcurrent: isConcurrent)
    #expect(whole.records == bare.records)
    #expect(whole.summary.cutAt == nil)
    let half = try Reading(
      path: try folder.write(Array(packed.dropLast(packed.count / 2)), to: "cut"),
      isConcurrent: isConcurrent)
    #expect(half.records.count < bare.records.count)
    #expect(half.summary.cutAt != nil)
  }

  @Test(
    "other ways of packing are named",
    arguments: [
      ("(\u{B5}/\u{FD}", ExportError.Packing.zstandard), ("\u{FD}7zXZ\0", .xz), ("BZh91AY", .bzip2),
      ("Rar!", .rar),
    ])
  func otherPackings(head: String, packing: ExportError.Packing) throws {
    let folder = try TemporaryFolder()
    // One byte a character.
    let bytes = head.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + [1, 2, 3]
    let path = try folder.write(bytes, to: "export.xml.packed")
    let error = #expect(throws: ExportError.self) { try Reading(path: path) }
    #expect(error?.reason == .unsupportedPacking(packing))
  }
}
