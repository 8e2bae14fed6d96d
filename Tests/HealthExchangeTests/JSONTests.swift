import Foundation
import HealthExchange
import Testing
import _HealthTestSupport

@Suite("JSON and comma-separated text")
struct JSONTests {
  @Test("Keys keep the order in which they were given")
  func keyOrder() {
    let value = JSON.object([
      .init("z", .integer(1)), .init("a", .array([.null, .bool(true), .number(0.5)])),
      .init("m", .optional(nil as Double?)),
    ])
    #expect(value.text == #"{"z":1,"a":[null,true,0.5],"m":null}"#)
  }

  @Test("Any string reads back through another JSON reader")
  func stringsReadBack() throws {
    var generator = SplitMix64(seed: 3)
    let pool: [Unicode.Scalar] = [
      "\"", "\\", "/", "\n", "\r", "\t", "\u{0}", "\u{1F}", "\u{7F}", "\u{A0}", "’", "é", "\u{301}",
      "🔜", "\u{2028}", "a", "·",
    ]
    for _ in 0..<300 {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<generator.next() % 12 {
        scalars.append(pool[Int(generator.next() % UInt64(pool.count))])
      }
      let text = String(scalars)
      let data = Data(JSON.array([.string(text)]).text.utf8)
      let read = try #require(try JSONSerialization.jsonObject(with: data) as? [String])
      #expect(read.first.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
    }
  }

  @Test("Control characters never stand as they are, so a line stays a line")
  func noRawControlCharacters() {
    for value in UInt32(0)...0x1F {
      let scalar = Unicode.Scalar(value).map(String.init) ?? ""
      #expect(JSON.string(scalar).text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
  }

  @Test("Whether a text has controls is known from its bytes")
  func controlsByBytes() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.isControl else { continue }
      #expect(String(scalar).hasControls, "U+\(String(value, radix: 16))")
    }
    #expect(!"Anna’s Apple\u{A0}Watch – é, 导出".hasControls)
  }

  @Test(
    "A field is quoted only when a reader needs it",
    arguments: [
      (["a", "b"], "a,b\n"), (["a,b", "c"], "\"a,b\",c\n"),
      (["say \"hi\""], "\"say \"\"hi\"\"\"\n"),
      (["two\nlines", ""], "\"two\nlines\",\n"), (["Apple Watch "], "\"Apple Watch \"\n"),
      (["crlf\r\nhere"], "\"crlf\r\nhere\"\n"), (["lone\rreturn"], "\"lone\rreturn\"\n"),
    ])
  func fields(fields: [String], line: String) { #expect(CommaSeparated().line(fields) == line) }

  @Test("A reader of RFC 4180 gets back every text")
  func fieldsComeBack() {
    var texts = [""]
    for _ in 0..<4 {
      texts = [""] + texts.flatMap { text in ["a", ",", "\"", "\r", "\n", " "].map { $0 + text } }
    }
    for text in texts {
      #expect(CommaSeparatedRows.rows(of: CommaSeparated().line([text])) == [[text]])
    }
    let record = CommaSeparated().line(texts)
    #expect(CommaSeparatedRows.rows(of: record + record) == [texts, texts])
  }

  @Test("Spreadsheets get texts that they do not run, and numbers as numbers")
  func spreadsheets() {
    let csv = CommaSeparated(isSafe: true)
    let cells = ["=1+1", "+x", "-y", "@z", "\tt", "\rr", "-5", "+1e-7", "-0.25", "a=b", "", "-"]
    let expected =
      ["'=1+1", "'+x", "'-y", "'@z", "'\tt", "'\rr"] + ["-5", "+1e-7", "-0.25", "a=b", "", "'-"]
    #expect(CommaSeparatedRows.rows(of: csv.line(cells)) == [expected])
    #expect(CommaSeparatedRows.rows(of: CommaSeparated().line(cells)) == [cells])
  }

  @Test("Names cannot steer a terminal, in csv and in JSON")
  func controls() throws {
    let name = "a\u{1B}[31m\u{9B}31m\u{7}\u{202E}\u{85}b"
    let line = CommaSeparated(isForTerminal: true).line([name])
    #expect(line.dropLast().unicodeScalars.allSatisfy { !$0.isControl })
    #expect(CommaSeparated().line([name]) == name + "\n")
    let text = JSON.string(name).text
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !$0.isControl })
    let back = try JSONSerialization.jsonObject(
      with: Data(text.utf8), options: .fragmentsAllowed)
    #expect(back as? String == name)
    let document = try #require(JSON(document: Array("[\"x\u{9B}\u{7F}\"]".utf8)))
    #expect(document.text == #"["x\u009b\u007f"]"#)
  }
}

extension CommaSeparated {
  /// One record as text.
  func line(_ fields: [String]) -> String {
    var bytes: [UInt8] = []
    append(record: fields, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
