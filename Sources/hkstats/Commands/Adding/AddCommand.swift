import ArgumentParser
import Foundation
import HealthExchange
import HealthImport
import HealthQuery
import HealthSamples
import HealthStore

/// The output of commands that save samples.
enum SavedFormat: String, ExpressibleByArgument, CaseIterable {
  case uuid, json
}

/// Options of commands that save what a person types.
struct SavingOptions: ParsableArguments {
  @Flag(help: "Save values beyond what is plausible, too; else a terminal asks.")
  var yes = false

  @Option(
    help:
      "uuid for the UUID of the sample and a note on stderr, or json: an object with uuid, type, value, unit, start, end and source."
  )
  var format = SavedFormat.uuid

  @OptionGroup var zone: ZoneOptions
  @OptionGroup var storeOptions: StoreOptions

  /// The zones of the dates, of the machine for a locked store.
  func zones(in store: SampleStore?) throws -> ZoneTimeline {
    try store.map { try zone.zones(in: $0) } ?? zone.requestedZones() ?? ZoneTimeline(.current)
  }

  /// Asks about implausible values; throws if they are declined, or without a terminal to ask.
  ///
  /// - Parameters:
  ///   - samples: what was typed
  ///   - place: where a sample was typed, `line 3: ` in a file
  /// - Throws: ``Failure``
  func check(_ samples: [SpokenSample], at place: (Int) -> String = { _ in "" }) throws {
    guard !yes else { return }
    let doubts = samples.enumerated().compactMap { index, sample in
      Doubt(sample).map { (place: place(index), doubt: $0) }
    }
    guard let first = doubts.first else { return }
    guard Terminal.isInteractive else {
      throw Failure(first.place + first.doubt.refusal, .usage)
    }
    for (place, doubt) in doubts.prefix(Self.mostQuestions) {
      StandardError.write("\(place)\(doubt.question)\n")
    }
    if doubts.count > Self.mostQuestions {
      StandardError.write("And \(NumberText.grouped(doubts.count - Self.mostQuestions)) more.\n")
    }
    guard Terminal.confirms("Save \(doubts.count == 1 ? "it" : "them") all the same") else {
      throw Failure("Nothing was saved.", .usage)
    }
  }

  private static let mostQuestions = 10

  /// Says what was saved: to scripts on stdout, to people on stderr.
  func report(_ entries: [(entry: SpokenEntry, uuids: [UUID])], in zones: ZoneTimeline) throws {
    let output = TextOutput(.standardOutput)
    for (entry, uuids) in entries {
      switch format {
      case .uuid: try output.line(uuids[0].uuidString)
      case .json: try output.line(entry.object(uuids: uuids, in: zones).text)
      }
    }
    try output.flush()
    guard format == .uuid else { return }
    if entries.count == 1 {
      StandardError.note("saved \(entries[0].entry.text(in: zones))")
    } else {
      let count = entries.reduce(0) { $0 + $1.entry.samples.count }
      StandardError.note("saved \(AmountText.count(count, "sample"))")
    }
  }
}

/// `hkstats add`: saves samples.
struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Save samples of your own, as if entered by hand.",
    usage: """
      hkstats add <type> <value> [<unit>] [--at <date>] [--to <date>] [<options>]
      hkstats add --csv <file> [<options>]
      """,
    discussion: """
      A number is understood as it is shown: in the unit that you name, else in the one that you \
      prefer (hkstats units prefer), else in the one of most samples, else in the everyday unit of \
      the type. So 97 % is 97 %, which HealthKit stores as 0.97. Units are written as people do: \
      lbs, bpm, °C, mmol/L; 71,4 is 71.4, and 1,200 is 1200. A blood pressure has both numbers, \
      the upper one first; its UUID stands for both samples.

      Prints the UUID of the sample, by which hkstats edit changes it and hkstats delete --uuid \
      takes it away again, and on stderr what was saved, and why the total of the day is not what \
      one expects. Without --at it is of this moment; with --to it lasts from one moment to the \
      other. A locked store takes it, too: hkstats unlock then moves it into the store.

      A value that hardly anybody has is saved after a question, or with --yes.

      --csv reads samples from a file, or from standard input for -. Its first line names the \
      columns in any order: type, value and start, and where wanted unit, end and source. All are \
      saved, or none.

      EXAMPLES:
        hkstats add bodyMass 71.4 kg
        hkstats add oxygenSaturation 97 %
        hkstats add bloodGlucose 5.5 mmol/L
        hkstats add bloodPressure 120/80 --at 2024-03-09T08:00
        hkstats add steps 1200 --at yesterday
        hkstats add sleepAnalysis asleepREM --at 2024-03-09T02:10 --to 2024-03-09T02:40
        printf 'type,value,start\\nbodyMass,71.4,2024-03-09\\n' | hkstats add --csv -
      """)

  @Argument(
    help: "The type: bodyMass, steps, HKQuantityTypeIdentifierStepCount.",
    completion: .list(["bloodPressure"] + Catalogue.types.map { TypeName.short($0.identifier) }))
  var name: String?

  @Argument(help: "The number, or the value of a category.")
  var value: String?

  @Argument(
    help: "The unit; without it the one in which values of the type are shown.",
    completion: .units)
  var unit: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("When it starts: now, yesterday, 2024-03-09T10:00.", valueName: "date"))
  var at: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("When it ends; without it when it starts.", valueName: "date"))
  var to: String?

  @Option(
    help: ArgumentHelp("The source that it is from.", valueName: "source"), completion: .sources)
  var source = "hkstats"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Samples from this file of comma-separated text.", valueName: "file"),
    completion: .file())
  var csv: String?

  @OptionGroup var saving: SavingOptions

  func validate() throws {
    if csv != nil, name != nil || at != nil || to != nil {
      throw ValidationError("--csv goes without type, value, unit, --at and --to.")
    }
    if csv == nil, value == nil {
      throw ValidationError("Give a type and a value: hkstats add bodyMass 71.4 kg.")
    }
  }

  func run() throws {
    let store = try openUnlessLocked()
    let zones = try saving.zones(in: store)
    let listener = SampleListener(store: store, zones: zones, source: source)
    let entries: [SpokenEntry]
    if let csv {
      let file = try SampleFile(path: csv)
      entries = try file.entries(by: listener)
      let places = entries.enumerated().flatMap { place, entry in entry.samples.map { _ in place } }
      try saving.check(entries.flatMap(\.samples)) { file.place(of: places[$0]) }
    } else {
      try TypedNumber.check(value: value ?? "")
      entries = [
        try listener.entry(
          SampleWords(type: name ?? "", value: value ?? "", unit: unit, start: at, end: to))
      ]
      try saving.check(entries[0].samples)
    }
    let only =
      entries.count == 1 && entries[0].samples.count == 1 ? entries[0].samples.first : nil
    let before = try store.flatMap { store in
      try only.flatMap { try DayTotal(of: $0.sample, in: store, zones) }
    }
    var all = NewObjects()
    let saved = entries.map { entry in
      let (objects, uuids) = entry.objects()
      all.samples += objects.samples
      all.elements += objects.elements
      all.associations += objects.associations
      return (entry: entry, uuids: uuids)
    }
    if let store {
      try store.save(all)
    } else {
      try SampleStore.saveLocked(all, path: saving.storeOptions.path)
    }
    try saving.report(saved, in: zones)
    if let store, let only, let before,
      let after = try DayTotal(of: only.sample, in: store, zones),
      let surprise = before.surprise(after: after, of: only)
    {
      StandardError.note(surprise)
    }
  }

  /// The store; `nil` for a locked one, into which samples are saved without reading it.
  private func openUnlessLocked() throws -> SampleStore? {
    do throws(StoreError) {
      return try saving.storeOptions.openForWriting()
    } catch {
      guard error.reason == .locked else { throw error }
      return nil
    }
  }
}

/// Samples in comma-separated text with a line of names.
private struct SampleFile {
  private static let columns = ["type", "value", "unit", "start", "end", "source"]
  private static let needed = ["type", "value", "start"]
  /// More than anyone types.
  private static let largestFile = 1 << 26

  private let name: String
  private var rows: [(line: Int, words: SampleWords)] = []

  /// Reads a file; standard input for `-`.
  init(path: String) throws {
    name = path == "-" ? "standard input" : path
    let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
    let data = try BoundedInput.bytes(
      of: file, named: name, limit: Self.largestFile, kind: "list of samples of one's own")
    var text = SeparatedText(Array(data))
    let titles = (try text.next() ?? []).map {
      $0.trimmingCharacters(in: .whitespaces).lowercased()
    }
    let known = Self.columns
    if let missing = Self.needed.first(where: { !titles.contains($0) }) {
      throw Failure(
        "\(name.printable): the first line does not name the column \(missing). It names, in any "
          + "order: \(known.joined(separator: ", ")).", .badData)
    }
    if let other = titles.first(where: { !known.contains($0) }) ?? Self.repeated(titles) {
      throw Failure(
        "\(name.printable): the first line names the column \"\(other.printable.truncated(to: 80))\" "
          + "\(known.contains(other) ? "twice" : ", which add does not know"). It names: "
          + "\(known.joined(separator: ", ")); exports of health data are for hkstats import.",
        .badData)
    }
    while let fields = try text.next() {
      let line = text.lineNumber
      guard fields.count == titles.count else {
        throw Failure(
          "\(name.printable), line \(line): there are \(AmountText.count(fields.count, "field")), "
            + "and \(AmountText.count(titles.count, "column")). Nothing was saved.", .badData)
      }
      var words = SampleWords()
      for (title, field) in zip(titles, fields) {
        let field = field.trimmingCharacters(in: .whitespaces)
        switch title {
        case "type": words.type = field
        case "value": words.value = field
        case "unit" where !field.isEmpty: words.unit = field
        case "start" where !field.isEmpty: words.start = field
        case "end" where !field.isEmpty: words.end = field
        case "source" where !field.isEmpty: words.source = field
        default: break
        }
      }
      rows.append((line, words))
    }
    guard !rows.isEmpty else {
      throw Failure("\(name.printable) has no samples after its first line.", .badData)
    }
  }

  /// The name that stands twice.
  private static func repeated(_ titles: [String]) -> String? {
    var seen: Set<String> = []
    return titles.first { !seen.insert($0).inserted }
  }

  /// Where a sample stands.
  func place(of index: Int) -> String { "\(name.printable), line \(rows[index].line): " }

  /// What the lines mean; throws for the first that means nothing.
  func entries(by listener: SampleListener) throws -> [SpokenEntry] {
    try rows.enumerated().map { index, row in
      do {
        guard row.words.start != nil else { throw Failure("there is no start.", .badData) }
        return try listener.entry(row.words)
      } catch {
        guard let failure = Failure(error, of: ["add"]) else { throw error }
        throw Failure("\(place(of: index))\(failure.message) Nothing was saved.", .badData)
      }
    }
  }
}
