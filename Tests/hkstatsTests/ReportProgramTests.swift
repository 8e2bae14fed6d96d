import Foundation
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("hkstats report, as a program")
struct ReportProgramTests {
  private let made: GeneratedStore

  init() throws { made = try GeneratedStore(seed: 11, version: "14") }

  private func report(_ name: String, _ arguments: String...) throws -> ProgramRun {
    try ProgramRun.hkstats(
      ["report", "--store", made.path, "--timezone", "Europe/Paris", "--out", path(name)]
        + arguments)
  }

  private func path(_ name: String) -> String { made.scratch.path(name) }

  private func page(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  @Test("It writes one private file, which no second run replaces unasked")
  func file() throws {
    let run = try report("page.html")
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.output.isEmpty)
    let facts = try FileManager.default.attributesOfItem(atPath: path("page.html"))
    #expect(facts[.posixPermissions] as? Int == 0o600)
    let text = try page("page.html")
    #expect(text.hasPrefix("<!doctype html>") && text.hasSuffix("</html>\n"))
    let again = try report("page.html")
    #expect(again.exitCode == 64 && again.errors.contains("--force"))
    #expect(try page("page.html") == text)
    #expect(try report("page.html", "--force", "--title", "Other").exitCode == 0)
    #expect(try page("page.html").contains("<title>Other</title>"))
  }

  @Test("The same store gives the same page")
  func repeats() throws {
    #expect(try report("one.html").exitCode == 0)
    #expect(try report("two.html").exitCode == 0)
    #expect(try page("one.html") == page("two.html"))
  }

  @Test("The page names nothing outside of itself, and its policy lets nothing in")
  func closed() throws {
    #expect(try report("page.html").exitCode == 0)
    let text = try page("page.html")
    let policy = try #require(text.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)).1
    #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
    #expect(!policy.contains("unsafe"))
    for match in text.matches(of: /\s(?:src|href|action|srcset|poster)="([^"]*)"/) {
      #expect(match.1.hasPrefix("#"))
    }
    #expect(!text.contains("@import") && !text.contains("url("))
    #expect(text.firstMatch(of: /<[^>]+\sstyle="/) == nil)
  }

  @Test(
    "What cannot be reported is refused, with its exit code",
    arguments: [
      (["--language", "tlh"], "language tlh"), (["--sections", "hart"], "heart"),
      (["--types", "stepz"], "stepz"), (["--from", "2024-02-31"], "2024-02-31"),
      (["--for", "radio"], "radio"), (["--unit", "bodyMass"], "bodyMass:lb, not bodyMass"),
      (["--unit", "bodyMass:m"], "to m"), (["--unit", "steps:km"], "to km"),
      (["--types", "steps.count"], "leave .count out"), (["--types", "sleep.deep"], ".deep out"),
      (["--unit", "sleep:hr"], "no unit"), (["--unit", "stepz:count"], "stepz"),
      (["--types", ""], "--types has names"), (["--types", ","], "--types has names"),
      (["--types", "sleep:h"], "write sleep, not sleep:h"),
      (["--types", "bodyMass:"], "bodyMass: lacks its unit"),
      (["--sections", ""], "--sections has names"), (["--sections", ","], "--sections has names"),
      (["--out", "-"], "name of a file"), (["--out", "/dev/null"], "name of a file"),
    ])
  func refusals(arguments: [String], word: String) throws {
    let out = arguments.contains("--out") ? [] : ["--out", path("refused.html")]
    let run = try ProgramRun.hkstats(["report", "--store", made.path] + out + arguments)
    #expect(run.exitCode == 64 && run.errors.contains(word), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: path("refused.html")))
  }

  @Test("Units are those asked for, in questions, too, and the others stay")
  func units() throws {
    #expect(try report("page.html", "--unit", "bodyMass:lbs,walkingSpeed:mph").exitCode == 0)
    let text = try page("page.html")
    let asks = Set(numbers(of: text).map(\.ask))
    for unit in ["bodyMass:lb ", "walkingSpeed:mi/hr "] {
      #expect(asks.contains { $0.contains(unit) }, "\(unit) of \(asks)")
    }
    #expect(!asks.contains { $0.contains("stepCount:") })
    #expect(text.contains(">lb<") && text.contains(">mph<") && !text.contains(">kg<"))
  }

  @Test("A page never takes the place of the store or of the list of zones")
  func ownFiles() throws {
    let zones = path("zones.txt")
    try "2020-01-01 Europe/Paris\n".write(toFile: zones, atomically: true, encoding: .utf8)
    let before = try Data(contentsOf: URL(filePath: made.path))
    for (out, more) in [(made.path, []), (zones, ["--timezone-file", zones])] {
      let run = try ProgramRun.hkstats(
        ["report", "--store", made.path, "--out", out, "--force"] + more)
      #expect(run.exitCode == 64 && run.errors.contains("not touched"), "\(run.errors)")
    }
    #expect(try Data(contentsOf: URL(filePath: made.path)) == before)
    #expect(try String(contentsOfFile: zones, encoding: .utf8).hasPrefix("2020"))
  }

  @Test("A time after all data has an empty page, an end before its beginning none")
  func otherTimes() throws {
    #expect(try report("after.html", "--from", "2040-01-01").exitCode == 0)
    #expect(try !page("after.html").contains("<article"))
    let run = try report("never.html", "--from", "2024-02-01", "--to", "2024-01-01")
    #expect(run.exitCode == 64 && run.errors.contains("--to must come after"))
  }

  @Test("A period without data has a page that says so")
  func empty() throws {
    #expect(try report("empty.html", "--from", "1990-01-01", "--to", "1990-02-01").exitCode == 0)
    let text = try page("empty.html")
    #expect(text.contains("There is nothing to show for this time."))
    #expect(text.contains("Asked for: 1 Jan 1990 – 31 Jan 1990.") && !text.contains("<article"))
    #expect(!text.contains("--types"))
    #expect(try report("to.html", "--to", "1990-02-01").exitCode == 0)
    #expect(try page("to.html").contains("Asked for: to 31 Jan 1990."))
    #expect(try report("from.html", "--from", "2040-02-01").exitCode == 0)
    #expect(try page("from.html").contains("Asked for: from 1 Feb 2040 on."))
  }

  @Test("A page for nothing names the options that chose it")
  func nothingChosen() throws {
    #expect(try report("chosen.html", "--types", "uvExposure", "--sections", "diary").exitCode == 0)
    let text = try page("chosen.html")
    #expect(text.contains("There is nothing to show of what was asked for."))
    for words in ["--types</code> asks for", ">uvExposure<", "--sections</code>", ">diary<"] {
      #expect(text.contains(words), "\(words)")
    }
    #expect(!text.contains("Choose another time") && !text.contains("Asked for:"))
  }

  // MARK: - Numbers

  /// A number of the page with the question that it answers.
  private struct Asked: Hashable {
    let ask: String
    let place: String
    let text: String
  }

  /// The numbers of the markup that carry their question.
  private func numbers(of text: String) -> [Asked] {
    text.matches(of: /data-ask="([^"]*)" data-at="([^"]*)">([^<]*)</).map { match in
      func plain(_ text: Substring) -> String {
        String(text).replacing("&quot;", with: "\"").replacing("&lt;", with: "<")
          .replacing("&amp;", with: "&")
      }
      return Asked(ask: plain(match.1), place: plain(match.2), text: plain(match.3))
    }
  }

  /// Follows `list[key=value].member` in JSON.
  private func value(at place: String, in json: Any) -> Any? {
    var value: Any? = json
    for step in place.matches(of: /([A-Za-z][^.\[\]#]*)|\[([^\]]*)\]/) {
      if let name = step.1 {
        value = (value as? [String: Any])?[String(name)]
      } else if let choice = step.2, let list = value as? [Any] {
        if let index = Int(choice) {
          let place = index < 0 ? list.count + index : index
          value = list.indices.contains(place) ? list[place] : nil
        } else {
          let parts = choice.split(separator: "=", maxSplits: 1)
          value = list.first {
            "\(($0 as? [String: Any])?[String(parts[0])] ?? "")".hasPrefix(parts[1])
          }
        }
      }
    }
    return value
  }

  /// Whether a text is a number of an answer at the digits that it shows, also as minutes or percent.
  private func shows(_ text: String, _ value: Double) -> Bool {
    if let match = text.wholeMatch(of: /[+]?(?:(\d+)\u{A0}h\u{A0})?(\d+)(?:\u{A0}min)?/),
      text.contains("h") || text.contains("min")
    {
      let minutes = (Double(match.1 ?? "0") ?? 0) * 60 + (Double(match.2) ?? 0)
      return abs(value / 60 - minutes) <= 0.5 + 1e-6 || abs(value - minutes) <= 0.5 + 1e-6
    }
    if let match = text.wholeMatch(of: /(?:(\d+):)?(\d+):(\d\d)/) {
      let parts = [match.1 ?? "0", match.2, match.3].compactMap { Double($0) }
      return abs(parts.reduce(0) { $0 * 60 + $1 } - value) <= 0.5 + 1e-6
    }
    let digits = text.replacing(",", with: "").replacing("\u{2212}", with: "-")
    guard let number = digits.firstMatch(of: /-?\d+(?:\.(\d+))?/), let shown = Double(number.0)
    else { return false }
    let slack = 0.5 * pow(10, -Double(number.1?.count ?? 0)) * (1 + 1e-9)
    return abs(value * (text.contains("%") ? 100 : 1) - shown) <= slack
  }

  @Test(
    "Every number of the page and of the sheets is the answer of the command that it names",
    arguments: ["page", "print"])
  func answers(form: String) throws {
    #expect(try report("page.html", "--for", form).exitCode == 0)
    let asked = Set(numbers(of: try page("page.html")))
    for command in form == "print" ? ["profile", "stats electrocardiograms", "stats labs"] : [] {
      #expect(asked.contains { $0.ask.hasPrefix(command) }, "\(command)")
    }
    #expect(asked.count > 40)
    for (ask, numbers) in Dictionary(grouping: asked, by: \.ask) {
      let words = ask.split(separator: " ").map { String($0).replacing("'", with: "") }
      let run = try ProgramRun.hkstats(
        words + ["--store", made.path, "--timezone", "Europe/Paris", "--format", "json"])
      #expect(run.exitCode == 0, "\(ask): \(run.errors)")
      let json = try run.json()
      for number in numbers {
        let found = value(at: number.place, in: json)
        let isShown =
          switch found {
          case let text as String: number.text == text
          case let list as [Any]: number.place.hasSuffix("#") && number.text == "\(list.count)"
          // The table of the sheets has the sign of percent beside the name.
          case let value as NSNumber:
            shows(number.text, value.doubleValue)
              || (form == "print" && shows(number.text, value.doubleValue * 100))
          default: false
          }
        #expect(isShown, "\(ask), \(number.place): \(number.text) for \(found ?? "nothing")")
      }
    }
  }

  @Test("A store that is locked gives no page")
  func locked() throws {
    let key = ["HKSTATS_PASSPHRASE": "a passphrase of tests"]
    let sealed = try ProgramRun.hkstats(
      ["encrypt", "--store", made.path, "--key-file", path("key")], environment: key)
    #expect(sealed.exitCode == 0, "\(sealed.errors)")
    let refused = try report("locked.html")
    #expect(refused.exitCode == 77)
    #expect(!FileManager.default.fileExists(atPath: path("locked.html")))
    let open = try ProgramRun.hkstats(
      ["report", "--store", made.path, "--out", path("open.html"), "--types", "steps"],
      environment: key)
    #expect(open.exitCode == 0 && open.errors.contains("clear text"), "\(open.errors)")
  }
}
