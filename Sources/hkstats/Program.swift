import ArgumentParser
import Foundation
import HealthExchange
import HealthReport
import HealthSamples

/// Runs the program `hkstats` with the arguments of this process.
package func runProgram() { Program.main() }

/// The program `hkstats`: statistics of health data on any machine, without a network.
struct Program: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hkstats",
    abstract: "Statistics over Apple Health data, merged as HealthKit merges it.",
    discussion: """
      Reads the export of the Health app, keeps it in one file of yours, and answers how much, \
      how often and since when, per hour, day or year. Nothing is ever sent anywhere.

      EXAMPLES:
        hkstats report ~/Downloads/export.zip
        hkstats import ~/Downloads/export.zip
        hkstats stats steps --by day --from -14d
        hkstats stats steps --by month --per day
        hkstats stats restingHeartRate --by week --format chart
        hkstats sources steps
        hkstats stats steps --by month --export export.zip --format csv
      """,
    version: EngineVersion.text,
    subcommands: [OptionsCommand.self, AnalysesCommand.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Bring data in, get them out",
        subcommands: [
          ImportCommand.self, ImportsCommand.self, ExportCommand.self, SyncCommand.self,
          AddCommand.self, EditCommand.self, DeleteCommand.self, DeletionsCommand.self,
          RestoreCommand.self,
        ]),
      CommandGroup(
        name: "Ask",
        subcommands: [
          StatsCommand.self, SleepCommand.self, WorkoutsCommand.self, SummaryCommand.self,
          SamplesCommand.self, TypesCommand.self, SourcesCommand.self, WatchCommand.self,
        ]),
      CommandGroup(
        name: "Analyse",
        subcommands: [
          TrendCommand.self, ChangesCommand.self, CourseCommand.self, TypicalCommand.self,
          AnomaliesCommand.self, CorrelateCommand.self, ComponentsCommand.self,
          RhythmCommand.self, TrainingCommand.self, GlucoseCommand.self, PressureCommand.self,
          HRVCommand.self, CyclesCommand.self, MissingCommand.self,
        ]),
      CommandGroup(name: "Show", subcommands: [ReportCommand.self, AssistantCommand.self]),
      CommandGroup(
        name: "Set",
        subcommands: [
          ProfileCommand.self, ZonesCommand.self, UnitsCommand.self, PermissionsCommand.self,
          DeliverCommand.self,
        ]),
      CommandGroup(
        name: "Keep the store",
        subcommands: [
          StoreCommand.self, VerifyCommand.self, EncryptCommand.self, DecryptCommand.self,
          UnlockCommand.self, LockCommand.self,
        ]),
    ]
  )

  /// The arguments; rejects any that is not valid text: two of them could mean the same file.
  private static func arguments() throws -> [String] {
    var arguments: [String] = []
    arguments.reserveCapacity(Int(CommandLine.argc))
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = CommandLine.unsafeArgv[index] else { break }
      let units = UnsafeRawBufferPointer(start: bytes, count: strlen(bytes))
      do {
        arguments.append(
          String(copying: try UTF8Span(validating: units.bindMemory(to: UInt8.self).span)))
      } catch {
        throw Failure.notText("Argument \(index)", String(cString: bytes))
      }
    }
    return arguments
  }

  static func main() {
    // Exceeding the file size limit fails like a full disk, with an error message.
    signal(SIGXFSZ, SIG_IGN)
    // A crash prints no memory contents unless SWIFT_BACKTRACE requests a backtrace.
    if getenv("SWIFT_BACKTRACE") == nil {
      for crash in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] { signal(crash, SIG_DFL) }
    }
    // OpenBLAS starts a thread for each core when it is loaded, and each waits in a loop.
    setenv("OPENBLAS_NUM_THREADS", "1", 0)
    var arguments: [String] = []
    do {
      try ProgramClock.check()
      try Catalogue.$spokenNames.withValue(SpokenTypeNames.forCommands) {
        arguments = try meant(try Self.arguments())
        guard !arguments.isEmpty || !Terminal.isTerminal(STDOUT_FILENO) else {
          return Welcome.show()
        }
        guard let command = try command(of: arguments) as? any ManyTextsCommand.Type else {
          return try run(arguments)
        }
        try command.gathering(arguments, run)
      }
    } catch {
      Failure.end(after: error, of: arguments)
    }
  }

  /// The arguments with a command: those typed, or those of the command that they mean.
  private static func meant(_ arguments: [String]) throws(Failure) -> [String] {
    func isCommand(_ word: String) -> Bool {
      configuration.subcommands.contains { isNamed($0, word) }
    }
    func refusal(of word: String, _ hint: String) -> Failure {
      Failure(
        "There is no command \"hkstats \(word.printable.truncated(to: 80))\". \(hint)", .usage)
    }
    let words = FirstWords.spelled(arguments)
    guard let first = words.first, !first.hasPrefix("-") else { return words }
    guard first != "help" else {
      if words.count == 2, !isCommand(words[1]),
        let hint = FirstWords.hint(forType: words[1], in: [])
      {
        throw refusal(of: words[1], hint)
      }
      return words
    }
    let isCommand = isCommand(first)
    guard !isCommand || FirstWords.commands.contains(first) else { return words }
    switch FirstWords.meaning(of: arguments, least: isCommand ? 2 : 1) {
    case nil:
      // Last, because a unit has slashes, too.
      if let hint = FirstWords.hint(forFile: first) { throw refusal(of: first, hint) }
      return words
    case .command(let meant):
      let text = meant.map { $0.contains(" ") ? "\"\($0.printable)\"" : $0.printable }
        .joined(separator: " ")
      StandardError.note("\"\(first.printable)\" is read as: hkstats \(text)")
      return meant
    case .hint(let hint): throw refusal(of: first, hint)
    }
  }

  /// Prints what the parser answers by itself: help, the version, a script of completions.
  static func show(_ text: String) -> Never {
    if text.hasPrefix("OVERVIEW: "), let arguments = try? arguments(),
      !arguments.contains("--help-hidden"), let command = try? command(of: arguments)
    {
      print(HelpText.brief(text, of: command))
    } else {
      print(text)
    }
    exit()
  }

  private static func run(_ arguments: [String]) throws {
    let words = arguments.prefix { $0 != "--" }
    let isASCII =
      words.contains(DisplayOptions.asciiOption) || Terminal.isASCII(STDOUT_FILENO)
    // The words of other languages than English are not of ASCII.
    let language = isASCII ? .english : ShownLanguage.of(words)
    try Marks.$isASCII.withValue(isASCII) {
      try ShownLanguage.speaking(language) {
        var command = try parseAsRoot(arguments)
        try command.run()
      }
    }
  }

  /// The command that arguments name; rejects an unknown one, with similar names.
  ///
  /// The parser would only report too many arguments.
  private static func command(
    of arguments: [String]
  ) throws(Failure) -> any ParsableCommand.Type {
    let isHelp = arguments.first == "help"
    var command: any ParsableCommand.Type = Program.self
    var path = ["hkstats"]
    for argument in isHelp ? arguments.dropFirst() : arguments[...] {
      guard !argument.hasPrefix("-") else { return command }
      let children = command.configuration.subcommands
      guard !children.isEmpty else { return command }
      if let child = children.first(where: { isNamed($0, argument) }) {
        command = child
        path.append(argument)
        continue
      }
      let known = children.filter { $0.configuration.shouldDisplay }.map(name)
      // A word that may also be the argument of the default subcommand.
      let isArgument =
        command.configuration.defaultSubcommand != nil && !isHelp
        && (NearNames.of(argument, among: known).isEmpty
          || (try? Catalogue.type(named: argument)) != nil)
      guard !isArgument else { return command }
      throw Failure.noCommand(argument, of: path, among: known)
    }
    return command
  }

  private static func isNamed(_ command: any ParsableCommand.Type, _ word: String) -> Bool {
    name(of: command) == word || command.configuration.aliases.contains(word)
  }

  private static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? String(describing: command).lowercased()
  }
}
