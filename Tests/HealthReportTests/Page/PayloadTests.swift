import Foundation
import Testing
import _HealthTestSupport

@testable import HealthReport

@Suite("The numbers behind the figures")
struct PayloadTests {
  /// What `gzip -dc` makes of bytes.
  private func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/gzip")
    process.arguments = ["-dc"]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    let writer = Thread {
      try? input.fileHandleForWriting.write(contentsOf: bytes)
      try? input.fileHandleForWriting.close()
    }
    writer.start()
    let read = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return Array(read)
  }

  @Test("What is compressed comes back, whatever it is", arguments: [0, 1, 100, 70_000, 300_000])
  func compresses(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    let noise = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let text = Array(repeating: UInt8(ascii: "7"), count: count)
    for bytes in [noise, text] {
      let packed = try #require(Gzip.compressed(bytes))
      #expect(try unpacked(packed) == bytes)
    }
  }

  @Test("JSON is what Foundation reads, with any text")
  func json() throws {
    let texts = ["", "\"\\/", "\u{0}\n\t\u{1F}", "ü😀\u{202E}", "</script>"]
    var writer = JSONText.Writer()
    writer.object { json in
      json.member("texts", .texts(texts))
      json.member("numbers", .numbers([1, nil, -20, Int.max]))
      json.member("nested") { json in
        json.object { json in
          json.member("yes", .flag(true))
          json.member("words", .words([("a", "b"), ("c", "d")]))
        }
      }
      json.member("empty") { $0.object { _ in } }
      json.member("last", .number(3))
    }
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any])
    #expect(object["texts"] as? [String] == texts)
    let numbers = try #require(object["numbers"] as? [Any])
    #expect(numbers[0] as? Int == 1 && numbers[1] is NSNull && numbers[3] as? Int == .max)
    let nested = try #require(object["nested"] as? [String: Any])
    #expect(nested["words"] as? [String: String] == ["a": "b", "c": "d"])
    #expect(object["last"] as? Int == 3)
  }
}
