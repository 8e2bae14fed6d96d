public import ArgumentParser
import Foundation
import HealthAnswers
import HealthExchange
public import HealthReport
import HealthSamples
import HealthStore

/// `hkstats report`: one page that a person looks at.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "A page to look at, to print and to show to a doctor.",
    discussion: """
      Reads an export for this page alone, as it came from the phone; without one the page is of the \
      store.

      Writes one HTML file that opens from disk in any browser and needs nothing else: no network, no \
      server, no other file. It holds the totals of days, weeks, months and years without double \
      counting, what is usual for you, nights, heart, workouts and where the numbers come from.

      The page is clear text, even beside a sealed store: whoever has the file can read it. It has mode \
      0600. Single samples, such as routes, are in it only with --with-samples.

      --for print writes two sheets for a visit instead, with the single samples that a doctor needs: \
      the last height and weight, findings and days of ECGs, the last result of each lab test. They \
      have no name and no date of birth, but the age.

      Without --from the page is about all data.

      A name that ends in .pdf gets a PDF, printed by the Chromium or Chrome of this machine: the first \
      of chromium, google-chrome and chrome in PATH, or the one that HKSTATS_CHROMIUM names. Its paper \
      is A4, or Letter where the region of --language uses it.

      EXAMPLES:
        hkstats report export.zip
        hkstats report --force
        hkstats report --out steps.html --types steps
        hkstats report --out miles.html --unit bodyMass:lb,distanceWalkingRunning:mi
        hkstats report --out bericht.html --language de --title "Annas Bericht"
        hkstats report --out visit.pdf --for print
        hkstats report export.zip --for print
      """)

  @Argument(
    help: ArgumentHelp(
      "An export (zip, folder or xml, - for a pipe), without a store: the same as --export.",
      valueName: "export"),
    completion: .file())
  var given: String?

  @OptionGroup var period: PeriodOptions

  @Option(
    help: ArgumentHelp(
      "The types with commas between, also with a unit: steps,bodyMass:lb. All without.",
      valueName: "types"),
    completion: .types)
  var types: String?

  @Option(
    help: ArgumentHelp(
      "The units of types with commas between: bodyMass:lb,walkingSpeed:mi/hr. The others have those that hkstats units prefer set, else those of most samples.",
      valueName: "unit"),
    completion: .units)
  var unit: String?

  @Option(
    help: ArgumentHelp(
      "The sections with commas between: \(ReportSection.allCases.map(\.rawValue).joined(separator: ", ")). All without.",
      valueName: "sections"))
  var sections: String?

  @Option(help: ArgumentHelp("The title.", valueName: "text"))
  var title: String?

  @Option(
    help: ArgumentHelp(
      "The language of words, numbers and dates: en, de, fr, es, ja, also with a region such as en-US, or by its name: deutsch. Else that of --locale, LC_ALL, LC_MESSAGES or LANG.",
      valueName: "language"),
    transform: ShownLanguage.named)
  var language: ReportLanguage?

  @Option(
    help: ArgumentHelp("The language where --language gives none.", valueName: "language"),
    transform: ShownLanguage.named)
  var locale: ReportLanguage?

  @Flag(help: "Also draws single samples: routes, splits, the stages of one night.")
  var withSamples = false

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("page, or print: two sheets for a visit.", valueName: "form"))
  var form = ReportForm.page

  @Option(
    help: ArgumentHelp(
      "The new file: .html, or .pdf. Else report.html in this folder, with --for print visit.html.",
      valueName: "path"),
    completion: .file())
  var out: String?

  @Flag(help: "Replaces a file that is there already.")
  var force = false

  @OptionGroup var query: QueryOptions

  /// The path of the new file.
  private var path: String { out ?? (form == .print ? "visit.html" : "report.html") }

  mutating func validate() throws {
    guard !path.isEmpty, path != "-" else {
      throw ValidationError("--out needs the name of a file: a page is no text of a terminal.")
    }
    if let given {
      guard query.export == nil else {
        throw ValidationError(
          "The export is named twice, as \(given.printable) and with --export. Give it once.")
      }
      guard query.storeOptions.store == nil else {
        throw ValidationError(
          "\(given.printable) is reported without a store. Give either it or --store.")
      }
      query.export = given
    }
    _ = try chosenSections()
    for text in types.map(AnalysisTypes.names) ?? [] { try Self.check(type: text) }
    for text in unit.map(AnalysisTypes.names) ?? [] {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts.contains("") else {
        throw ValidationError("--unit has a type and its unit, bodyMass:lb, not \(text.printable).")
      }
    }
  }

  /// Refuses what names no type, or a unit that is none.
  private static func check(type text: String) throws {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first ?? ""
    guard !name.isEmpty else {
      throw ValidationError("--types has names of types with commas between: steps,bodyMass:lb.")
    }
    if let question = try? TypeQuestion(text), let part = question.part, part != "asleep" {
      throw ValidationError(
        "A report shows \(question.name.printable) with all that fits it; leave .\(part.printable) out."
      )
    }
    guard parts.count == 2 else { return }
    guard name.lowercased() != "sleep" else {
      throw ValidationError("sleep has no unit: write sleep, not \(text.printable).")
    }
    guard !parts[1].isEmpty else {
      throw ValidationError("\(text.printable) lacks its unit: bodyMass:lb, or bodyMass alone.")
    }
  }

  private func chosenSections() throws -> Set<ReportSection> {
    guard let sections else { return [] }
    var chosen: Set<ReportSection> = []
    for name in sections.split(separator: ",", omittingEmptySubsequences: false) {
      let name = name.trimmingCharacters(in: .whitespaces)
      guard !name.isEmpty else {
        throw ValidationError("--sections has names of sections with commas between: sleep,heart.")
      }
      guard let section = ReportSection(rawValue: name) else {
        let known = ReportSection.allCases.map(\.rawValue)
        let near = NearNames.of(name, among: known)
        let help = near.first.map { "did you mean \($0)?" } ?? known.joined(separator: ", ")
        throw ValidationError("There is no section \(name.printable): \(help)")
      }
      chosen.insert(section)
    }
    return chosen
  }

  func run() throws {
    var plan = ReportPlan()
    (plan.from, plan.to, plan.title) = (period.from, period.to, title)
    plan.types = types.map(AnalysisTypes.names) ?? []
    plan.units = unit.map(AnalysisTypes.names) ?? []
    plan.sections = try chosenSections()
    plan.language =
      language ?? locale ?? ReportLanguage(environment: ProcessInfo.processInfo.environment)
    plan.includesSamples = withSamples
    plan.form = form
    // All that can be refused at once is refused before an export is read.
    if let export = query.export, export != "-", Self.isMissing(export) {
      throw Failure.noExport(export)
    }
    let printer = PagePrinter.prints(path) ? try PagePrinter.found() : nil
    if printer != nil { plan.paper = plan.language.paper }
    let store = query.export == nil ? query.storeOptions.path : nil
    if let store, Self.isMissing(store) {
      throw Failure.noStore(path: store, without: "Or without a store: hkstats report export.zip")
    }
    try query.check(
      .file(path: path, replacing: force), besides: period.zone.timezoneFile)
    Interruption.watch()
    do {
      try write(plan, with: printer)
    } catch let error as ImportError {
      guard case .cancelled = error.reason else { throw error }
      throw OutputError(.cancelled)
    }
  }

  /// Whether there is nothing at a path.
  private static func isMissing(_ path: String) -> Bool {
    access(path, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno)
  }

  private func write(_ plan: ReportPlan, with printer: PagePrinter?) throws {
    try query.withStore { opened in
      var plan = plan
      plan.zones = try period.zone.zones(in: opened.store)
      let output = try TextOutput(path: path, replacing: force)
      var bar = ProgressBar(title: "Asking", isOfBytes: false)
      defer { bar.clear() }
      let text = try opened.store.report(plan) { share in
        bar.update(done: Int(share * 1000), of: 1000)
        return !Interruption.isRequested
      }
      if let printer {
        let printed = try printer.print(text, beside: path)
        try output.append { $0 += printed }
      } else {
        try output.write(text)
      }
      try output.finish()
      bar.clear()
      noteSuccess()
      try note(opened.store)
    }
  }

  /// Says to people what was written, and how to open it.
  private func noteSuccess() {
    guard Terminal.isTerminal(STDERR_FILENO) else { return }
    let whole = SampleStore.resolvingLinks(path)
    let facts = try? FileManager.default.attributesOfItem(atPath: whole)
    let size = (facts?[.size] as? Int).map { ", \(AmountText.bytes($0))" } ?? ""
    StandardError.note(
      "wrote \(whole.printable)\(size); "
        + (PagePrinter.prints(path) ? "to open it:" : "it opens in any browser:"))
    // Each on one line, so that it can be clicked or copied.
    for line in OpeningLines.of(whole) { StandardError.write("  \(line)\n") }
  }

  /// Says that the page is clear text where the store is not.
  private func note(_ store: SampleStore) throws {
    guard query.export == nil, try SampleStore.protection(path: query.storeOptions.path) != .clear
    else { return }
    StandardError.note("\(path.printable) is clear text, although the store is sealed.")
  }
}

extension ReportForm: ExpressibleByArgument {}
