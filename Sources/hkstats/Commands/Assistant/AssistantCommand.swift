import ArgumentParser
import Foundation
import HealthExchange
import HealthReport

/// `hkstats mcp`: a server of the Model Context Protocol for assistants.
struct AssistantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Let an assistant ask: Model Context Protocol.",
    discussion: """
      An assistant starts this program by itself and speaks with it over standard input and output; \
      it reads the store, changes nothing and uses no network. What the assistant asks, and what it \
      is answered, goes to the maker of the assistant as all else that you tell it.

      The answers are statistics, nights and workouts. Without --with-samples no sample is given: \
      the newest and the oldest value of an interval and intervals shorter than an hour are refused. \
      With --app it sees what that app may read (hkstats permissions). While the store is locked, \
      each question is answered with what to do: hkstats unlock.

      Most assistants take a configuration like this one; the program needs its whole path where \
      the assistant does not know yours:
        {"mcpServers": {"health": {"command": "hkstats", "args": ["mcp"]}}}

      EXAMPLES:
        hkstats mcp
        hkstats mcp --app com.example.assistant
        hkstats mcp --with-samples
      """)

  @Flag(help: "Gives single samples, too: the tool samples, and what is refused without it.")
  var withSamples = false

  @Option(
    help: ArgumentHelp("Shows only what this app may read, and its own.", valueName: "app"))
  var app: String?

  @OptionGroup var storeOptions: StoreOptions

  func validate() throws {
    try AppName.check(app)
  }

  func run() throws {
    if isatty(STDIN_FILENO) == 1 {
      StandardError.note("an assistant starts this by itself; end it with Control-D.")
    }
    let server = AssistantServer(
      tools: AssistantTools(storeOptions: storeOptions, app: app, givesSamples: withSamples))
    var lines = MessageLines(descriptor: STDIN_FILENO)
    let output = TextOutput(.standardOutput)
    while let line = try lines.next() {
      let reply = ShownLanguage.speaking(.english) { server.answer(to: line) }
      guard let answer = reply else { continue }
      try output.line(answer)
      try output.flush()
    }
  }
}
