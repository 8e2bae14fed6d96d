import ArgumentParser
import Foundation
import HealthExchange
import HealthImport
import HealthStore

/// `hkstats import`: imports exports into the store.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Bring an export of the Health app into the store.",
    discussion: """
      Takes the zip as it came from the phone, the unzipped folder, or the bare xml of any name, \
      also packed with gzip or through a pipe; also what Health Auto Export (json) and Simple \
      Health Export (csv) write, a folder or a zip of such files, and a backup of Google's Health \
      Connect (zip or db). What a file is tells its content, not its name. Of a folder, such as that \
      of downloads, the one export in it is read. Files of Health Auto Export, or tables, in one \
      folder or zip that tell one time differently are several exports, each imported as if it were \
      named. \
      Samples that the store already has are recognised and stay as they are, so import newer \
      exports into the same store, in any order. Where the phone has joined old samples, those of \
      the newer export take their place. What a newer export says of a workout and the like \
      replaces what an older one said. Nothing is deleted without --replace. An export that is \
      damaged, and one whose import is stopped, leaves the store as it was. Of an xml that ends too \
      early all complete records stay, and the exit code is 65.

      EXAMPLES:
        hkstats import export.zip
        hkstats import ~/Downloads/apple_health_export --dry-run
        hkstats import export.zip --replace --dry-run
        hkstats import export.zip --store health.sqlite --format json
        zstd -dc export.xml.zst | hkstats import -
      """)

  @Argument(
    help: "A zip, a folder or a file, - for a pipe; each is imported by itself, in order.",
    completion: .file())
  var paths: [String]

  @OptionGroup var storeOptions: StoreOptions

  @Flag(
    help: "Say what would be new; change nothing. Each export is compared with the store as it is.")
  var dryRun = false

  @Flag(
    help: """
      Delete what earlier exports told and this one lacks. What other programs told stays, and what \
      the other exports of this command tell. One that ends too early replaces nothing.
      """)
  var replace = false

  @Flag(help: "Bring back what you deleted and the export has.")
  var restore = false

  @Flag(help: ArgumentHelp("The same as --format json.", visibility: .hidden))
  var json = false

  @Option(
    help: ArgumentHelp(
      "How many threads work at a time; 1 does everything in turn. The store is the same.",
      valueName: "count"))
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Option(
    help: ArgumentHelp(
      "How far it is, on stderr: bar, on a terminal; ndjson, one object a second and a last one; none.",
      valueName: "form"))
  var progress = ProgressForm.bar

  @OptionGroup var form: ChangeFormatOptions

  func validate() throws {
    guard (1...Self.mostJobs).contains(jobs) else {
      throw ValidationError("--jobs takes a number from 1 to \(Self.mostJobs).")
    }
  }

  private static let mostJobs = 1024

  func run() throws {
    Interruption.watch()
    let started = ContinuousClock.now
    var totals = ImportTotals()
    var problems: [any Error] = []
    // What a later file has must be known before an earlier one would replace it.
    var imports = replace ? numbers(of: paths.dropFirst()) : []
    for path in paths {
      do {
        let pipeline = ImportPipeline(
          path: path, jobs: jobs, isDryRun: dryRun, isReplacing: replace,
          sparing: imports, isRestoring: restore)
        let outcome = try pipeline.run(
          title: "Importing \(Self.name(of: path))", progress: progress, into: openStore)
        totals.add(outcome)
        for outcome in outcome.each {
          if let number = outcome.report.number { imports.insert(number) }
          if let offset = outcome.summary.cutAt {
            problems.append(Failure.cutExport(path: path, at: offset, isReplacing: replace))
          }
          if outcome.summary.otherRoots > 0 {
            problems.append(Failure.severalRoots(path: path, count: outcome.summary.otherRoots))
          }
          if let first = outcome.summary.unreadFiles.first(where: { $0.reason == .unreadable }) {
            problems.append(
              Failure.unreadableFiles(
                outcome.summary.unreadableFiles, first: first.place, in: path))
          }
        }
      } catch {
        problems.append(error)
        break
      }
    }
    // Exports imported before a failure stay in the store, so they are still reported.
    if !totals.summaries.isEmpty {
      try report(totals, seconds: (ContinuousClock.now - started) / .seconds(1))
    }
    for problem in problems.dropLast() {
      if let failure = Failure(problem) { StandardError.note(failure.message) }
    }
    if let last = problems.last { throw last }
  }

  /// The numbers under which the store knows files; of what cannot be read twice, or not at all, none.
  private func numbers(of paths: some Sequence<String>) -> Set<Int64> {
    let numbers = paths.flatMap { path -> [Int64] in
      var facts = stat()
      guard path != "-", stat(path, &facts) == 0,
        [S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT)
      else { return [] }
      let looking = ImportPipeline(path: path, jobs: jobs, isDryRun: true)
      let outcome = try? looking.run(
        title: "Reading \(Self.name(of: path))", progress: progress == .bar ? .bar : .none,
        into: openForDryRun)
      return outcome?.each.compactMap(\.report.number) ?? []
    }
    return Set(numbers)
  }

  private func report(_ totals: ImportTotals, seconds: Double) throws {
    let output = TextOutput(.standardOutput)
    if json || form.format == .json {
      let time = JSON.Member("seconds", .number((seconds * 1000).rounded() / 1000))
      try output.line(JSON.object(totals.json + [time]).text)
    } else {
      let text = ImportSummaryText(totals: totals, isDryRun: dryRun, style: form.display.style)
      let store = storeOptions.path.printable
      let title = "\(dryRun ? "Would import" : "Imported") into \(store)"
      for line in text.lines(title: title, seconds: seconds) { try output.line(line) }
    }
    try output.flush()
  }

  private func openStore() throws(StoreError) -> SampleStore {
    try dryRun ? openForDryRun() : storeOptions.openForWriting()
  }

  /// A dry run without a store compares with an empty one, and creates no file; one with a store opens
  /// it for reading, since opening for writing may change a byte.
  private func openForDryRun() throws(StoreError) -> SampleStore {
    if let store = try storeOptions.openIfThere() { return store }
    return try SampleStore.temporary().at(ProgramClock.now)
  }

  private static func name(of path: String) -> String {
    URL(fileURLWithPath: path).lastPathComponent.printable.truncated(to: 24)
  }
}
