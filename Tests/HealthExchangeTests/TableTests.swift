import Testing

@testable import HealthExchange

@Suite("Tables for people")
struct TableTests {
  @Test(
    "Width counts terminal columns, not characters",
    arguments: [
      ("abc", 3), ("Anna’s Apple\u{A0}Watch", 18), ("导出", 4), ("e\u{301}", 1), ("🔜", 2),
      ("❤️", 2), ("한국", 4), ("", 0), ("👨‍👩‍👧", 2),
    ])
  func width(text: String, width: Int) { #expect(text.displayWidth == width) }

  @Test("Columns line up whatever characters the cells hold")
  func alignment() throws {
    var table = Table(columns: [.words("source"), .numbers("count")])
    table.add(["导出", "5"])
    table.add(["Anna", "12,345"])
    table.add(["e\u{301}", "7"])
    let lines = table.lines(style: .plain)
    #expect(lines.count == 4)
    #expect(Set(lines.map(\.displayWidth)).count == 1)
    #expect(try #require(lines.last).hasSuffix(" 7"))
  }

  @Test("A name from a file cannot steer the terminal")
  func controlCharactersAreReplaced() {
    var table = Table(columns: [.words("source")])
    table.add(["\u{1B}[31mred\u{7}\u{202E}"])
    #expect(table.lines(style: .plain)[1].unicodeScalars.allSatisfy { $0.value >= 0x20 })
    #expect(!table.lines(style: .plain)[1].contains("\u{202E}"))
  }

  @Test("Colour marks do not change what the lines say")
  func colourAddsOnlyMarks() {
    var table = Table(columns: [.words("type")])
    table.add(["steps"])
    let colored = table.lines(style: TextStyle(isColored: true))
    #expect(colored[0] == "\u{1B}[1mtype\u{1B}[0m")
    #expect(colored[1] == "steps")
  }

  @Test("Text is cut by columns, with an ellipsis", arguments: 1...12)
  func truncation(width: Int) {
    for text in ["Anna’s iPhone", "导出导出导出导出", "🔜🔜🔜🔜🔜🔜🔜"] {
      #expect(text.truncated(to: width).displayWidth <= width)
    }
    #expect("abc".truncated(to: 3) == "abc")
  }

  @Test("A table keeps to its width; numbers and dates are never cut", arguments: 20...120)
  func tableWidths(width: Int) {
    var table = Table(columns: [
      .words("source"), .numbers("number of all"), .words("device"), .words("last"),
    ])
    table.add(["Anna’s Apple Watch, the second of them", "1,234,567", "Watch7,2", "2024-03-09"])
    table.add(["导出导出导出导出导出", "7", "–", "2024-03-10"])
    table.add(["Phone"])
    for isASCII in [false, true] {
      Marks.$isASCII.withValue(isASCII) {
        let lines = table.lines(style: TextStyle(isColored: false, width: width))
        #expect(lines.allSatisfy { $0.displayWidth <= width })
        for exact in ["1,234,567", "Watch7,2", "2024-03-09", "2024-03-10"] {
          #expect(lines.contains { $0.contains(exact) })
        }
      }
    }
  }
}
