import Testing

@testable import HealthReport

@Suite("Names from elsewhere")
struct ShownNameTests {
  @Test(
    "that are plain stay as they are", arguments: ["Anna’s Apple Watch", "Körperwaage", "", "歩数計"])
  func plain(name: String) {
    #expect(ShownName(name).short == name && ShownName(name).whole == name)
  }

  @Test("hold no controls and nothing that turns the direction")
  func marks() {
    #expect(ShownName("a\u{0}b\nc\u{85}d\u{7F}").short == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}")
    #expect(ShownName("\u{202E}abc\u{2066}\u{2069}\u{202A}").short == "abc")
    #expect(ShownName("<b>&\"'</b>").short == "<b>&\"'</b>")
    #expect(ShownName("👨‍👩‍👧‍👦").short == "👨‍👩‍👧‍👦")
  }

  @Test("are cut by characters", arguments: [59, 60, 61, 499, 500, 501, 100_000])
  func length(count: Int) {
    let name = ShownName(String(repeating: "é", count: count))
    #expect(name.short.count == min(count, 60) && name.whole.count == min(count, 500))
    #expect(name.short.hasSuffix("…") == (count > 60))
    #expect(name.whole.hasSuffix("…") == (count > 500))
  }

  @Test("are cut by bytes, too, as a character may have any number of marks")
  func bytes() {
    let name = ShownName("a" + String(repeating: "\u{301}", count: 100_000) + "b")
    #expect(name.short.utf8.count <= 60 * 16 + 3 && name.short.hasSuffix("…"))
    #expect(name.whole.utf8.count <= 500 * 16 + 3 && name.whole.hasSuffix("…"))
    let flood = ShownName(String(repeating: "\u{202E}", count: 1_000_000) + "x")
    #expect(flood.short == "x")
  }
}
