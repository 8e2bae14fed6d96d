import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite struct ElementTextsTests {
  @Test("come back bit for bit, whichever repeat or begin alike", arguments: 0..<50)
  func roundTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let pieces = [
      "", "a", "kcal", "é", "e\u{301}", "caf\u{e9}", "cafe\u{301}", "HK",
      "HKQuantityTypeIdentifier", "HKQuantityTypeIdentifierStepCount", "HKWorkoutEventTypeLap",
      "HKQuantityTypeIdentifier\u{301}", "HKMetadataKeySyncVersion", "🍎",
      String(repeating: "long ", count: 60),
    ]
    let texts = (0..<40).map { _ in
      (pieces.randomElement(using: &random) ?? "")
        + (Bool.random(using: &random) ? pieces.randomElement(using: &random) ?? "" : "")
    }
    var writer = ByteWriter()
    var written = ElementTexts()
    for text in texts { written.append(text, to: &writer) }
    writer.seal()
    var reader = try ByteReader(sealed: writer.bytes)
    var read = ElementTexts()
    for text in texts {
      let back = try read.read(from: &reader)
      #expect(Array(back.utf8) == Array(text.utf8))
    }
    #expect(reader.isAtEnd)
  }

  @Test("refuse what names no earlier text, no beginning or more bytes than there are")
  func refusal() throws {
    for bytes: [UInt8] in [[1], [2, 200], [0x2], [40, 1], [3], [0xFF, 0xFF, 0xFF, 0x7F]] {
      var writer = ByteWriter(bytes: bytes)
      writer.seal()
      var reader = try ByteReader(sealed: writer.bytes)
      var texts = ElementTexts()
      #expect(throws: SegmentDamage.self) { try texts.read(from: &reader) }
    }
  }

  /// A blood pressure as the first version of the store wrote it.
  private static let older =
    "010c4bc3b67270657277616167650003362e33000200d6deafdc0500d4deafdc0500d4deafdc050028484b43"
    + "6f7272656c6174696f6e547970654964656e746966696572426c6f6f645072657373757265042d484b517561"
    + "6e74697479547970654964656e746966696572426c6f6f645072657373757265537973746f6c69630c4bc3b6"
    + "7270657277616167650000d4deafdc0500d4deafdc0500f001046d6d48672e484b5175616e74697479547970"
    + "654964656e746966696572426c6f6f64507265737375726544696173746f6c69630c4bc3b672706572776161"
    + "67650000d4deafdc0500d4deafdc05009801046d6d4867ee0a5cc150b15fe6"

  @Test("an element of an older store is read, and takes less room when it is written again")
  func olderForm() throws {
    let digits = Array(Self.older)
    let bytes = try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(digits[$0...$0 + 1]), radix: 16))
    }
    let row = try CorrelationColumns.decode(bytes)
    #expect(row.type == "HKCorrelationTypeIdentifierBloodPressure")
    #expect(row.facts.source.name == "Körperwaage" && row.facts.origin.sourceVersion == "6.3")
    #expect(row.members.map(\.value) == [120, 76])
    #expect(row.members.allSatisfy { $0.source == row.facts.source && $0.label == "mmHg" })
    let again = try CorrelationColumns.encode(row)
    #expect(again.count < bytes.count * 2 / 3)
    #expect(try CorrelationColumns.decode(again) == row)
    #expect(try CorrelationColumns.fields(again) == CorrelationColumns.fields(bytes))
  }

  @Test("the kinds of an older store are read as they were")
  func olderKinds() throws {
    let folder = try TemporaryFolder()
    var elements = RandomElements(seed: 4)
    var counts: [ElementKind: Int] = [:]
    do {
      let store = try SampleStore(path: folder.file(), mode: .readWrite)
      let session = try store.beginImport()
      for batch in elements.batches() { try session.add(batch) }
      _ = try session.finish()
      counts = try store.elementCounts()
      try store.queue.write { database in
        for kind in ElementKind.allCases {
          try database.execute(
            sql: "UPDATE elements SET kind = ? WHERE kind = ?",
            arguments: [kind.rawValue, kind.storedText])
        }
        try database.execute(
          sql: """
            UPDATE elements SET name = 'HKQuantityTypeIdentifierHeartRateVariabilitySDNN'
            WHERE kind = 'HeartRateVariabilityMetadataList'
            """)
        try database.execute(
          sql: "DELETE FROM grdb_migrations WHERE identifier = '4: short kinds'")
      }
    }
    let store = try SampleStore(path: folder.file(), mode: .readOnly)
    #expect(Set(counts.keys) == Set(ElementKind.allCases))
    #expect(try store.elementCounts() == counts)
    try store.verify()
  }
}
