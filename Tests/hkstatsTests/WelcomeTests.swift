import ArgumentParser
import Foundation
import HealthExchange
import Testing

@testable import hkstats

@Suite("hkstats without a command")
struct WelcomeTests {
  private static let terminal = ["TERM": "xterm", "LANG": "C.UTF-8"]

  /// The commands that stand on lines of their own.
  private static func commands(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("  hkstats ") }.map {
      String($0.dropFirst("  hkstats ".count))
    }
  }

  @Test("A newcomer at a terminal gets three commands, in the order in which they are of use")
  func newcomer() throws {
    let text = try ProgramRun.onTerminal([], columns: 80, environment: Self.terminal)
    #expect(
      Self.commands(text) == [
        "report export.zip", "import export.zip", "stats steps --by day --from -14d",
      ], "\(text)")
    #expect(text.contains("Export All Health Data") && text.contains("hkstats --help"))
    #expect(text.split(separator: "\n").count <= 20)
  }

  @Test("Who has a store gets commands that ask it, and how to import again")
  func withStore() throws {
    let scratch = try Scratch()
    let store = try scratch.file("store.sqlite", Data())
    let text = try ProgramRun.onTerminal(
      [], columns: 500, environment: Self.terminal.merging(["HKSTATS_STORE": store]) { $1 })
    #expect(text.contains("Your store is \(store)."), "\(text)")
    #expect(
      Self.commands(text) == [
        "stats steps --by day --from -14d", "types", "report", "import export.zip",
      ], "\(text)")
    #expect(try Data(contentsOf: scratch.url("store.sqlite")).isEmpty)
  }

  @Test("Every command of it is one, and its lines fit", arguments: [nil, "/data/store.sqlite"])
  func lines(store: String?) throws {
    for width in [20, 45, 60, 80, 200] {
      let lines = Welcome.lines(store: store, width: width)
      for line in lines where !line.hasPrefix("  hkstats ") {
        #expect(line.displayWidth <= width, "\(width): \(line)")
      }
      for command in Self.commands(lines.joined(separator: "\n")) {
        #expect(throws: Never.self, "\(command)") {
          try Program.parseAsRoot(command.split(separator: " ").map(String.init))
        }
      }
    }
  }

  @Test("A pipe gets the help, and so does who asks for it; each ends with success")
  func piped() throws {
    let (bare, help) = (try ProgramRun.hkstats([]), try ProgramRun.hkstats(["--help"]))
    #expect(bare.exitCode == 0 && bare.output == help.output && bare.errors.isEmpty)
    let asked = try ProgramRun.onTerminal(["--help"], columns: 80, environment: Self.terminal)
    #expect(asked == help.output)
    let scratch = try Scratch()
    let terminal = try PseudoTerminal(columns: 80)
    let process = try ProgramRun.start("hkstats", [], in: scratch, output: terminal.path)
    _ = terminal.text(of: process)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    #expect(try scratch.text("errors").isEmpty)
  }
}
