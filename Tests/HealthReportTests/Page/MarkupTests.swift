import Testing

@testable import HealthReport

@Suite("Markup")
struct MarkupTests {
  @Test(
    "Texts and attributes keep their characters, and none of them opens a tag or ends a value",
    arguments: [
      "<script>alert(1)</script>", "\" onclick=\"x", "a & b &amp; c", "</style></script>", "'\"<>&",
      "\u{202E}rtl", "\u{0}\u{1}", "",
    ])
  func escapes(text: String) {
    var markup = Markup()
    markup.element("p", ["title": text], text)
    let written = markup.text
    let inside = written.dropFirst("<p".count).dropLast("</p>".count)
    #expect(!inside.contains("<"))
    let tag = written.prefix { $0 != ">" }
    #expect(text.contains(">") || tag.filter { $0 == "\"" }.count == (text.isEmpty ? 0 : 2))
    let unescaped = written.replacing("&lt;", with: "<").replacing("&quot;", with: "\"")
      .replacing("&amp;", with: "&")
    let title = text.isEmpty ? " title" : " title=\"\(text)\""
    #expect(unescaped == "<p\(title)>\(text)</p>")
  }

  @Test("A phrase has its places filled and its bold parts in bold, also where a place is bold")
  func phrases() {
    var markup = Markup()
    markup.write("*{0}* from {1}", [{ $0.write("−3") }, { $0.write("61 < 62") }])
    #expect(markup.text == "<b>−3</b> from 61 &lt; 62")
  }

  @Test("An attribute without a value is left out, one with an empty value is a name")
  func attributes() {
    var markup = Markup()
    markup.empty("br", ["hidden": "", "id": nil, "class": "a"])
    #expect(markup.text == "<br hidden class=\"a\"/>")
  }
}
