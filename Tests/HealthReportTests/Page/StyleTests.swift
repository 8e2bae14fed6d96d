import CPage
import Testing

@Suite("The style of pages")
struct StyleTests {
  /// A rule: what it applies in, from outside, its selector, and its declarations.
  private struct Rule {
    let conditions: [String]
    let selector: String
    let declarations: String
  }

  private static func rules(_ style: String) -> [Rule] {
    var rules: [Rule] = []
    var (open, text): ([String], String) = ([], "")
    for character in style.replacing(/\/\*.*?\*\//.dotMatchesNewlines(), with: "") {
      switch character {
      case "{":
        open.append(text.trimming())
        text = ""
      case "}":
        let selector = open.popLast() ?? ""
        if !selector.hasPrefix("@media"), !selector.hasPrefix("@container") {
          rules.append(Rule(conditions: open, selector: selector, declarations: text))
        }
        text = ""
      default: text.append(character)
      }
    }
    return rules
  }

  private static func defined(_ rules: [Rule]) -> Set<Substring> {
    Set(
      rules.flatMap { rule in
        rule.declarations.split(separator: ";").compactMap { declaration in
          declaration.firstMatch(of: /^\s*(--[a-z0-9-]+)\s*:/)?.1
        }
      })
  }

  private static let style = String(cString: hk_page_style())

  @Test("Every property that a rule or the script reads is defined whatever the theme")
  func properties() {
    let rules = Self.rules(Self.style)
    let always = Self.defined(rules.filter(\.conditions.isEmpty))
    let read = (Self.style + String(cString: hk_page_script())).matches(of: /var\((--[a-z0-9-]+)/)
    #expect(read.count > 100)
    for name in Set(read.map(\.1)) { #expect(always.contains(name), "\(name)") }
  }

  @Test("The dark theme has a colour of its own for every colour of the light one")
  func colours() throws {
    let rules = Self.rules(Self.style)
    let light = try #require(rules.first { $0.conditions.isEmpty && $0.selector == ":root" })
    let dark = try #require(
      rules.first { $0.conditions.contains { $0.contains("prefers-color-scheme: dark") } })
    let colours = light.declarations.matches(of: /(--[a-z0-9-]+):\s*(?:#|rgb)/).map(\.1)
    #expect(colours.count > 30)
    for name in colours { #expect(Self.defined([dark]).contains(name), "\(name)") }
  }
}

extension String {
  fileprivate func trimming() -> String {
    let rest = drop(while: \.isWhitespace)
    return String(rest.reversed().drop(while: \.isWhitespace).reversed())
  }
}
