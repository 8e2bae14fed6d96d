import ArgumentParser
import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthStore

/// `hkstats deliver`: starts apps for which changes wait.
struct DeliverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deliver",
    abstract: "Start apps that have changes to handle.",
    discussion: """
      An app asks for background delivery of a type, at most immediately after each change, hourly, \
      daily or weekly. While it runs it is notified at once; else its changes wait here. Run this from \
      cron or a timer of systemd, every minute if you like: it starts the command that you \
      registered for the app, if changes wait and the time of the frequency has passed. An app \
      without a command is notified when it starts next.

      The app has handled the changes when it calls the completion handler of its observer query. \
      If it does not, it is started again after one minute, then after ten, and after the third \
      time not any more, until it asks for delivery again. The command of an app that is no program \
      of HealthKit says hkstats deliver done instead.

      Commands are kept in the store: any program that can write the store can set them.

      EXAMPLES:
        hkstats deliver
        hkstats deliver --dry-run
        hkstats deliver list
        hkstats deliver command com.example.diary -- /bin/echo changed
        hkstats deliver command com.example.diary --reset
      """,
    subcommands: [Run.self, List.self, Command.self, Done.self],
    defaultSubcommand: Run.self)
}

extension DeliverCommand {
  /// `hkstats deliver`: runs what is due.
  struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run the commands of apps for which changes are due.",
      usage: "hkstats deliver [<options>]",
      discussion: """
        The command runs without a shell, with your environment except HKSTATS_PASSPHRASE, and with \
        HKSTATS_STORE, HKSTATS_APP and HKSTATS_TYPES, the changed types with commas between them. \
        Apps are started one after the \
        other. The exit code is 1 if an app did not handle its changes.
        """)

    @Flag(help: "Only say what would run.")
    var dryRun = false

    @Option(help: ArgumentHelp("Only this app.", valueName: "app"))
    var app: String?

    @Option(
      help: ArgumentHelp(
        "End a command that runs longer: a number of s, min or h.", valueName: "duration"),
      transform: QuestionWords.seconds)
    var timeLimit = 30.0

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var form: FormatOptions<ListFormat>

    func validate() throws {
      guard timeLimit > 0 else { throw ValidationError("--time-limit is longer than 0s.") }
    }

    func run() throws {
      let store = try storeOptions.openForChanging()
      let commands = try store.deliveryCommands()
      let now = store.now.instant
      let due = try store.pendingDeliveries(of: app).filter { $0.isDue(at: now) }
      Interruption.watch()
      var rows: [(app: String, types: [String], result: Result)] = []
      for (app, all) in Dictionary(grouping: due, by: \.delivery.app).sorted(by: { $0.key < $1.key }
      ) {
        guard let command = commands[app] else {
          rows.append((app, all.map(\.delivery.type), .waits))
          continue
        }
        let claimed = dryRun ? all : try store.claim(all, now: now)
        let types = claimed.map(\.delivery.type)
        guard !types.isEmpty, !Interruption.isRequested else { continue }
        rows.append(
          (app, types, dryRun ? .due : try start(command, of: app, for: claimed, in: store)))
      }
      try write(rows)
      if Interruption.isRequested { throw Failure("Stopped as you asked.", .interrupted) }
      guard !rows.contains(where: { $0.result.isFailure }) else { throw ExitCode(1) }
    }

    private func start(
      _ words: [String], of app: String, for claimed: [PendingDelivery], in store: SampleStore
    ) throws -> Result {
      let types = claimed.map(\.delivery.type)
      let path = URL(fileURLWithPath: storeOptions.path).path
      let end = StartedCommand.run(
        words,
        [
          "HKSTATS_STORE": path, "HKSTATS_APP": app,
          "HKSTATS_TYPES": types.joined(separator: ","),
        ], seconds: timeLimit)
      switch end {
      case .notStarted: return .notStarted
      case .tooLong: return .tooLong
      case .ended(let status):
        let left = try store.deliveries(of: app).filter { types.contains($0.type) }
        let isHandled = left.allSatisfy { delivery in
          claimed.contains { $0.delivery.type == delivery.type && $0.change <= delivery.completed }
        }
        return isHandled ? .handled : .notHandled(status)
      }
    }

    private func write(_ rows: [(app: String, types: [String], result: Result)]) throws {
      let lines = AnswerRows(rows)
      let table = AnswerTable(
        "deliveries", list: "deliveries", count: lines.count, zones: ZoneTimeline(.gmt), head: [],
        [
          lines.word("app", \.app),
          lines.text("types", about: "identifiers with spaces between") {
            $0.types.joined(separator: " ")
          },
          lines.word("result", \.result.text),
        ])
      var view = AnswerView(
        table,
        naming: [
          "types": { types in
            types.split(separator: " ").map { TypeName.short(String($0)) }.joined(separator: ", ")
          }
        ])
      view.emptySentence = "Nothing is due."
      try form.write(view)
    }

    /// What became of the changes of an app.
    private enum Result {
      case due
      case waits
      case handled
      case notHandled(Int32)
      case tooLong
      case notStarted

      var isFailure: Bool {
        switch self {
        case .due, .waits, .handled: false
        case .notHandled, .tooLong, .notStarted: true
        }
      }

      var text: String {
        switch self {
        case .due: "due"
        case .waits: "waits for its start"
        case .handled: "handled"
        case .notHandled(0): "not handled"
        case .notHandled(let status): "not handled (exit code \(status))"
        case .tooLong: "ended after the time limit"
        case .notStarted: "the command cannot be started"
        }
      }
    }
  }

  /// `hkstats deliver list`: the background deliveries that apps have enabled.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The background deliveries of apps, and how far they have come.",
      usage: "hkstats deliver list [<options>]")

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var form: FormatOptions<ListFormat>

    func run() throws {
      let store = try storeOptions.openForReading()
      let deliveries = try store.deliveries()
      let pending = Set(try store.pendingDeliveries().map(\.delivery))
      let commands = try store.deliveryCommands()
      let rows = AnswerRows(deliveries)
      let table = AnswerTable(
        "deliveries", list: "deliveries", count: rows.count, zones: ZoneTimeline(.gmt), head: [],
        [
          rows.word("app", \.app), rows.word("type", \.type),
          rows.word("frequency") { "\($0.frequency)" },
          rows.word("state") {
            $0.isStopped ? "stopped" : pending.contains($0) ? "changes wait" : "handled"
          },
          rows.count("failures", \.failures),
          rows.instant("notified", about: "null where it never was", \.attempted),
          rows.text("command") { commands[$0.app]?.joined(separator: " ") },
        ])
      var view = AnswerView(table, naming: ["type": TypeName.short])
      view.emptySentence = "No app has enabled background delivery."
      try form.write(view)
    }
  }

  /// `hkstats deliver command APP -- PROGRAM …`: sets the command of an app.
  struct Command: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set the command that starts an app.",
      usage: """
        hkstats deliver command <app> -- <program> [<argument> ...]
        hkstats deliver command <app> --reset
        """,
      discussion: """
        The program is a path from the root. It runs without a shell: each argument is passed on \
        as it is.

        EXAMPLES:
          hkstats deliver command com.example.diary -- /bin/echo changed
          hkstats deliver command com.example.diary --reset
        """)

    @Argument(help: "The app: its bundle identifier.")
    var app: String

    @Argument(parsing: .postTerminator, help: "The path of a program, then its arguments.")
    var command: [String] = []

    @Flag(help: "Forget the command: changes wait until the app starts.")
    var reset = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var form: ChangeFormatOptions

    func validate() throws {
      if app.isEmpty || !reset { try AppName.check(app) }
      guard command.isEmpty == reset else {
        throw ValidationError("Give a command after --, or --reset.")
      }
      guard command.first?.hasPrefix("/") ?? true else {
        throw ValidationError("The program is a path from the root, such as /usr/local/bin/diary.")
      }
    }

    func run() throws {
      if let program = command.first, !FileManager.default.isExecutableFile(atPath: program) {
        throw Failure("\(program.printable) is no program that can be run.", .noInput)
      }
      try storeOptions.openForChanging().setDeliveryCommand(reset ? nil : command, of: app)
      try form.write(
        saying: [
          reset ? "\(app) has no command any more." : "\(app) is notified by \(command[0])."
        ],
        [
          .init("app", .string(app)),
          .init("command", reset ? .null : .array(command.map(JSON.string))),
        ])
    }
  }

  /// `hkstats deliver done APP`: for commands that have no completion handler.
  struct Done: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Say that an app has handled all changes of which it was notified.",
      usage: "hkstats deliver done <app> [<options>]",
      discussion: """
        For a command that is no program of HealthKit, and so has no completion handler to call: \
        its last line is hkstats deliver done "$HKSTATS_APP".
        """)

    @Argument(help: "The app: its bundle identifier.")
    var app: String

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var form: ChangeFormatOptions

    func run() throws {
      let store = try storeOptions.openForChanging()
      let deliveries = try store.deliveries(of: app)
      guard !deliveries.isEmpty else {
        throw Failure("\(app.printable) has not enabled background delivery.", .usage)
      }
      for delivery in deliveries {
        try store.completeDelivery(of: [delivery.type], to: app, upTo: delivery.notified)
      }
      try form.write(
        saying: ["\(app) has handled all changes of which it was notified."],
        [
          .init("app", .string(app)),
          .init("types", .array(deliveries.map { .string($0.type) })),
        ])
    }
  }
}

/// A program that this one starts and waits for.
enum StartedCommand {
  /// How it ended.
  enum End: Equatable {
    case notStarted
    case tooLong
    case ended(Int32)
  }

  /// The seconds between SIGTERM and SIGKILL.
  private static let lastSeconds = 5.0

  /// Runs a program with arguments to its end, at most for some seconds; without a shell.
  ///
  /// - Parameters:
  ///   - words: the path of the program, then its arguments
  ///   - more: variables besides those of the environment
  ///   - seconds: after them it gets SIGTERM, and SIGKILL if it does not end
  ///   - isSilent: whether what it writes is of no interest
  /// - Returns: how it ended; a signal counts as 128 more than its number, as in shells
  static func run(
    _ words: [String], _ more: [String: String], seconds: Double, isSilent: Bool = false
  ) -> End {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: words.first ?? "")
    process.arguments = Array(words.dropFirst())
    var environment = ProcessInfo.processInfo.environment.merging(more) { $1 }
    environment[PassphraseOptions.variable] = nil
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    // The answer of this program goes to its output.
    process.standardOutput = isSilent ? FileHandle.nullDevice : FileHandle.standardError
    if isSilent { process.standardError = FileHandle.nullDevice }
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    guard (try? process.run()) != nil else { return .notStarted }
    var deadline = DispatchTime.now() + seconds
    var isTerminating = false
    while ended.wait(timeout: .now() + 0.1) == .timedOut {
      if !isTerminating, .now() >= deadline || Interruption.isRequested {
        isTerminating = true
        deadline = min(deadline, .now())
        signal(SIGTERM, to: process)
      }
      if .now() >= deadline + lastSeconds { signal(SIGKILL, to: process) }
    }
    if isTerminating, !Interruption.isRequested { return .tooLong }
    let status = process.terminationStatus
    return .ended(process.terminationReason == .exit ? status : 128 + status)
  }

  /// Sends a signal to the program, and to its process group where it leads one.
  private static func signal(_ number: Int32, to process: Process) {
    let id = process.processIdentifier
    kill(getpgid(id) == id ? -id : id, number)
  }
}
