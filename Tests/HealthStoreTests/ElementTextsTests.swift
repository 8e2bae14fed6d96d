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
    writer.appendChecksum()
    var reader = try ByteReader(checked: writer.bytes)
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
      writer.appendChecksum()
      var reader = try ByteReader(checked: writer.bytes)
      var texts = ElementTexts()
      #expect(throws: Corruption.self) { try texts.read(from: &reader) }
    }
  }
}
