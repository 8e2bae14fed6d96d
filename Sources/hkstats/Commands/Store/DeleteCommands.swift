import ArgumentParser
import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// The store of a command that changes what counts, and whether it asks before.
struct ChangeOptions: ParsableArguments {
  @Flag(help: "Say what would change; change nothing.")
  var dryRun = false

  @Flag(help: "Do not ask; a script is never asked.")
  var yes = false

  @OptionGroup var storeOptions: StoreOptions
  @OptionGroup var form: ChangeFormatOptions

  /// Changes the store, on a terminal after a question, and says what changed.
  ///
  /// - Parameters:
  ///   - what: what is to be done, for the question
  ///   - nothing: what is said if nothing counts otherwise
  ///   - facts: what json says beside the counts
  ///   - change: changes the store, or says what it would change
  /// - Throws: what `change` throws, and ``Failure`` after a no
  func perform(
    _ what: String, ifNothing nothing: String = "Nothing to change.", facts: [JSON.Member] = [],
    _ change: (SampleStore, _ isDryRun: Bool) throws -> HistoryChange
  ) throws {
    let store = try dryRun ? storeOptions.openForReading() : storeOptions.openForChanging()
    if !dryRun, !yes, Terminal.isInteractive {
      let planned = try change(store, true)
      for line in planned.lines(isDryRun: true, ifNothing: nothing) {
        StandardError.write(line + "\n")
      }
      guard Terminal.confirms(what) else { throw Failure("Nothing was changed.", .usage) }
    }
    let known = try latestDeletion(in: store)
    let changed = try change(store, dryRun)
    let deletion = try latestDeletion(in: store).flatMap { $0 == known ? nil : $0 }
    try form.write(
      saying: changed.lines(isDryRun: dryRun, ifNothing: nothing),
      [.init("dryRun", .bool(dryRun))] + facts
        + (deletion.map { [.init("deletion", .integer(Int($0)))] } ?? []) + changed.members)
  }

  /// The number of the latest deletion, for programs.
  private func latestDeletion(in store: SampleStore) throws -> Int64? {
    try form.format == .json ? store.deletions().map(\.id).max() : nil
  }
}

extension HistoryChange {
  /// The counts, for programs.
  fileprivate var members: [JSON.Member] {
    [
      .init("deletedSamples", .integer(deletedSamples)),
      .init("deletedElements", .integer(deletedElements)),
      .init("returnedSamples", .integer(returnedSamples)),
      .init("returnedElements", .integer(returnedElements)),
    ]
  }

  /// What goes and what comes back.
  fileprivate func lines(isDryRun: Bool, ifNothing nothing: String) -> [String] {
    func amount(_ samples: Int, _ elements: Int) -> String? {
      let amounts =
        (samples > 0 ? [AmountText.count(samples, "sample")] : [])
        + (elements > 0 ? [AmountText.count(elements, "other item")] : [])
      return amounts.isEmpty ? nil : amounts.joined(separator: " and ")
    }
    var lines: [String] = []
    if let gone = amount(deletedSamples, deletedElements) {
      lines.append("\(gone) \(isDryRun ? "to delete" : "deleted").")
    }
    if let back = amount(returnedSamples, returnedElements) {
      lines.append("\(back) \(isDryRun ? "to count" : "counted") again.")
    }
    return lines.isEmpty ? [nothing] : lines
  }
}

/// What a deletion or a restoration is of.
struct ObjectOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The type or kind: steps, bloodPressure, workout, ecg; without it all.", valueName: "type"),
    completion: .selections)
  var name: String?

  @Option(
    help: ArgumentHelp(
      "What has this UUID. Repeat it, or give - to read UUIDs from standard input, one a line.",
      valueName: "uuid"))
  var uuid: [ManyTexts] = []

  @OptionGroup var sources: SourceOptions
  @OptionGroup var period: PeriodOptions

  /// Whether a type, a source or the begin of a time is given.
  var isLimited: Bool {
    name != nil || !sources.selection.isEverything || period.from != nil
  }

  func validate() throws {
    if !uuid.isEmpty, isLimited || period.to != nil {
      throw ValidationError("--uuid goes alone.")
    }
  }

  /// The UUIDs.
  func uuids() throws(Failure) -> [UUID] {
    try uuid.texts().map { text throws(Failure) in
      guard let uuid = UUID(text: text) else {
        throw Failure("\"\(text.printable)\" is no UUID.", .usage)
      }
      return uuid
    }
  }

  /// What is selected in a store, and the store as it sees it.
  func selection(
    in store: SampleStore
  ) throws -> (store: SampleStore, objects: ObjectSelection, range: Range<Double>?) {
    let opened = OpenedStore(store: store, exportOffset: nil)
    let selection = try name.map { try opened.selection(named: $0) }
    let type = if case .samples(let type)? = selection { type } else { SampleType?.none }
    let chosen = try opened.choosing(sources, of: type, isQuestion: false).store
    let zones = try period.zone.zones(in: store)
    let isLimited = period.from != nil || period.to != nil
    let objects: ObjectSelection =
      switch selection {
      case .samples(let type): .samples(type)
      case .elements(let kind, let type): .elements(kind, type: type)
      case nil: .all
      }
    return (chosen, objects, try isLimited ? period.period(in: zones, of: chosen).range : nil)
  }
}

/// `hkstats delete`: deletes samples and elements.
struct DeleteCommand: ManyTextsCommand {
  static let optionsOfManyTexts = ["--uuid", "--where"]

  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete by type, source, time or UUID.",
    discussion: """
      Says how much goes, and on a terminal asks before. What starts in the time is deleted. No \
      later import brings it back, also when the phone has joined it with others by then: the \
      import says how much your deletion keeps out. hkstats restore takes a deletion back. \
      Everything goes at once, or nothing.

      EXAMPLES:
        hkstats delete steps --source Strava --dry-run
        hkstats delete heartRate --from 2024-03-09 --to 2024-03-10
        hkstats delete heartRate --where "value>220 count/min" --yes
        hkstats delete workout --from today
        hkstats delete --uuid 6B29FC40-CA47-8067-B31D-00DD010662DA
      """)

  @OptionGroup var objects: ObjectOptions

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only samples of which this is true, as in hkstats samples. Repeat it to narrow.",
      valueName: "condition"))
  var conditions: [ManyTexts] = []

  @OptionGroup var change: ChangeOptions

  func validate() throws {
    if objects.uuid.isEmpty, !objects.isLimited {
      throw ValidationError(
        "Say what to delete: a type, --source, --from or --uuid. To delete everything, delete the "
          + "file of the store.")
    }
    if !conditions.isEmpty, objects.name == nil {
      throw ValidationError("--where needs a type.")
    }
  }

  func run() throws {
    let uuids = try objects.uuids()
    try change.perform("Delete this") { store, isDryRun in
      if !uuids.isEmpty {
        // With a blood pressure go both of its samples, as in the Health app.
        let members = try store.associations(.correlation, of: uuids).map(\.member)
        return try store.delete(uuids + members, dryRun: isDryRun)
      }
      let (chosen, objects, range) = try self.objects.selection(in: store)
      let chooser = try chooser(of: objects, in: range, of: chosen)
      return try chosen.delete(
        objects, in: range, dryRun: isDryRun, where: chooser, saying: conditions.texts())
    }
  }

  /// Tells the rows that meet the conditions; `nil` without any.
  private func chooser(
    of objects: ObjectSelection, in range: Range<Double>?, of store: SampleStore
  ) throws -> ((RecordColumns, Int) throws -> Bool)? {
    guard !conditions.isEmpty else { return nil }
    guard case .samples(let type?) = objects else {
      throw Failure("--where is for quantities and categories.", .usage)
    }
    let query = SampleQuery(
      types: [type],
      predicate: .all([
        .overlaps(range ?? -.infinity ..< .infinity),
        try SampleCondition.predicate(
          of: conditions.typed().map { try SampleCondition($0) }, for: type, in: store, unit: nil),
      ]))
    var serials: Set<Int64> = []
    try store.forEachSample(query) { batch, rows in
      for row in rows { serials.insert(batch.serials[row]) }
      return true
    }
    return { batch, row in serials.contains(batch.serials[row]) }
  }
}

/// `hkstats restore`: takes deletions back.
struct RestoreCommand: ManyTextsCommand {
  static let optionsOfManyTexts = ["--uuid"]

  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Take a deletion back, by its number or its words.",
    discussion: """
      hkstats deletions lists the numbers. With the words of a deletion everything that it keeps \
      out counts again, also what the phone has joined since. What was undone with its import \
      comes back with the next import of the file.

      EXAMPLES:
        hkstats restore 3 --dry-run
        hkstats restore steps --from 2024-03-09 --to 2024-03-10
        hkstats restore --uuid 6B29FC40-CA47-8067-B31D-00DD010662DA
      """)

  @OptionGroup var objects: ObjectOptions

  @OptionGroup var change: ChangeOptions

  func validate() throws {
    if objects.uuid.isEmpty, !objects.isLimited, objects.period.to == nil {
      throw ValidationError(
        "Say what to restore: the number of a deletion, a type, --source, --from or --uuid.")
    }
  }

  /// The number of a deletion: no type is a number.
  private var number: Int64? { objects.name.flatMap { Int64($0) } }

  func run() throws {
    let uuids = try objects.uuids()
    let facts = number.map { [JSON.Member("restored", .integer(Int($0)))] } ?? []
    try change.perform("Restore this", facts: facts) { store, isDryRun in
      if !uuids.isEmpty { return try store.restore(uuids, dryRun: isDryRun) }
      if let number {
        guard let change = try store.restoreDeletion(number, dryRun: isDryRun) else {
          throw Failure(
            "There is no deletion \(number); hkstats deletions lists them.", .usage)
        }
        return change
      }
      let (chosen, objects, range) = try objects.selection(in: store)
      return try chosen.restore(objects, in: range, dryRun: isDryRun)
    }
  }
}

/// `hkstats deletions`: what was deleted.
struct DeletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deletions",
    abstract: "Your deletions: what they keep out and took.",
    discussion: """
      Says of each its types and kinds, sources, time and conditions. Where it names no time, it is \
      that of what it took. A deletion that was taken back keeps its number and is called restored.

      EXAMPLES:
        hkstats deletions
        hkstats deletions --format json
      """)

  @OptionGroup var storeOptions: StoreOptions
  @OptionGroup var list: ListOptions

  func run() throws {
    let store = try storeOptions.openForReading()
    let deletions = try store.deletions()
    let zones = try list.zone.zones(in: store)
    let samples = deletions.map { $0.keptOut.merging($0.saved, uniquingKeysWith: +) }
    let others = deletions.map { $0.keptOutElements.merging($0.savedElements, uniquingKeysWith: +) }
    func text(_ place: Int) -> String {
      let types = samples[place].map { (TypeName.short($0.key.identifier), $0.value) }
      let kinds = others[place].map { ($0.key.word, $0.value) }
      return (types + kinds).sorted { $0 < $1 }
        .map { "\($0.0) \(NumberText.grouped($0.1))" }.joined(separator: ", ")
    }
    // What it was of, also where nothing of it is there.
    func words(_ place: Int) -> String {
      let deletion = deletions[place]
      let kept = text(place)
      guard kept.isEmpty else { return kept }
      let names =
        deletion.types.map { TypeName.short($0.identifier) }.sorted()
        + deletion.kinds.map(\.word).sorted()
      return [
        names.joined(separator: ", "), deletion.isRestored ? "restored" : "nothing at present",
      ]
      .filter { !$0.isEmpty }.joined(separator: ": ")
    }
    func sources(_ place: Int) -> String {
      Set(deletions[place].sources.map(\.shortName)).sorted().joined(separator: ", ")
    }
    func day(_ instant: Double) -> String { LocalTime(instant, in: zones).dateText }
    func time(_ place: Int) -> String {
      guard let span = deletions[place].span else { return "" }
      let ends = (day(span.lowerBound), day(max(span.lowerBound, span.upperBound.nextDown)))
      return ends.0 == ends.1 ? ends.0 : "\(ends.0) to \(ends.1)"
    }
    let rows = AnswerRows(Array(deletions.indices))
    var view = AnswerView(
      AnswerTable(
        "deletions", list: "deletions", count: rows.count, zones: zones,
        head: HeadMember.zones(zones),
        [
          rows.count("id") { Int(deletions[$0].id) },
          rows.instant("deleted") { deletions[$0].deletedAt },
          rows.count("samples", about: "how many") { samples[$0].values.reduce(0, +) },
          rows.count("others", about: "how many elements") { others[$0].values.reduce(0, +) },
          rows.text("kept", about: "what of it is there", text),
          rows.text("types", about: "identifiers with commas between") {
            let (types, kinds) = (deletions[$0].types, deletions[$0].kinds)
            return (types.map(\.identifier).sorted() + kinds.map(\.rawValue).sorted())
              .joined(separator: ", ")
          },
          rows.text("sources", sources),
          rows.instant("from", about: "null of all time") { deletions[$0].span?.lowerBound },
          rows.instant("to") { deletions[$0].span?.upperBound },
          rows.text("where", about: "conditions") {
            deletions[$0].conditions.joined(separator: ", ")
          },
          rows.truth("restored") { deletions[$0].isRestored },
        ]))
    view.page = {
      var table = Table(columns: [
        .numbers("id"), .words("deleted"), .words("what"), .words("of"), .words("time"),
        .words("where"),
      ])
      for (row, deletion) in deletions.enumerated() {
        table.add([
          NumberText.grouped(Int(deletion.id)),
          LocalTime(deletion.deletedAt, in: zones).momentText, words(row), sources(row), time(row),
          deletion.conditions.joined(separator: ", "),
        ])
      }
      return AnswerView.Page(table: table)
    }
    view.emptySentence = "Nothing was deleted."
    try list.form.write(view)
  }
}
