import CPage
import Crypto
import Foundation

/// The document around the sections: head, policy, style, script and the numbers behind the figures.
struct PageDocument {
  let title: String
  let language: ReportLanguage
  /// The navigation, the head, the sections and the foot.
  let body: Markup
  /// The block of numbers; `nil` for a document without a script.
  let payload: String?
  /// What stands in place of tables in a browser that cannot read the block.
  let oldBrowser: String
  /// The paper on which it is printed; `nil` for any.
  let paper: ReportPaper?

  /// The whole document.
  ///
  /// The policy allows this style and this script, and nothing else: no connection, no image, no frame,
  /// no form.
  var text: String {
    let style =
      Self.withoutComments(hk_page_style())
      + (paper.map { "\n@page { size: \($0.rawValue); }" } ?? "")
    let script = Self.withoutComments(hk_page_script())
    var policy = "default-src 'none'; style-src \(Self.hash(of: style)); "
    policy += payload == nil ? "" : "script-src \(Self.hash(of: script)); "
    policy += "base-uri 'none'; form-action 'none'"
    var markup = Markup()
    markup.raw("<!doctype html>\n")
    markup.open("html", ["lang": language.identifier, "dir": language.direction])
    markup.element("head") { markup in
      markup.raw("<meta charset=\"utf-8\">")
      markup.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">")
      markup.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
      markup.raw("<meta name=\"referrer\" content=\"no-referrer\">")
      markup.raw("<meta name=\"color-scheme\" content=\"light dark\">")
      markup.element("title", [:], title)
      markup.raw("<style>\(style)</style>")
    }
    markup.element("body", ["class": payload == nil ? "print" : "report"]) { markup in
      markup.append(body)
      guard let payload else { return }
      markup.element("dialog", ["id": "why", "class": "why", "aria-labelledby": "why-head"], "")
      markup.element(
        "div", ["id": "live", "class": "hidden", "role": "status", "aria-live": "polite"], "")
      markup.element(
        "script",
        ["type": "application/octet-stream", "id": "payload", "data-old": oldBrowser]
      ) { $0.raw(payload) }
      markup.raw("<script>\(script)</script>")
    }
    markup.close("html")
    return markup.text + "\n"
  }

  /// A style or a script without its margin and the lines that are comments, which a page need not
  /// carry.
  private static func withoutComments(_ text: UnsafePointer<CChar>) -> String {
    String(cString: text).split(separator: "\n")
      .map { line in line.drop { $0 == " " } }
      .filter { !$0.hasPrefix("//") && !($0.hasPrefix("/*") && $0.hasSuffix("*/")) }
      .joined(separator: "\n")
  }

  private static func hash(of text: String) -> String {
    "'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
  }
}
