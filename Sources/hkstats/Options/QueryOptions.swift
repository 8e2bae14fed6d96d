import ArgumentParser
import Foundation
import HealthExchange
import HealthImport
import HealthQuery
import HealthSamples
import HealthStore

/// The input of a query: the store, or an export that is read only for this query.
struct QueryOptions: ParsableArguments {
  @OptionGroup var storeOptions: StoreOptions

  @Option(
    help: ArgumentHelp(
      "Read this export (zip, folder or xml) directly, without a store.", valueName: "path"),
    completion: .file())
  var export: String?

  func validate() throws {
    if export != nil, storeOptions.store != nil {
      throw ValidationError("Give either --store or --export.")
    }
  }

  /// Refuses a destination that is a file of the store or an input, or where no file can be begun:
  /// all that can be refused before an export is read.
  ///
  /// - Parameters:
  ///   - destination: where the answer goes
  ///   - other: another input of the query
  /// - Throws: ``OutputError`` for a destination that is refused
  func check(_ destination: ExportDestination, besides other: String?) throws(OutputError) {
    // The store is no place even where an export is asked instead.
    try destination.checkApart(fromStore: storeOptions.path)
    let input = export == "-" ? "/dev/stdin" : export
    try destination.checkApart(from: [input, other].compactMap(\.self))
    try destination.checkPlace()
  }

  /// Runs a query and shows the answer; a truncated export fails after its answer has been shown.
  ///
  /// The query runs in one snapshot of the store, for which an import waits; showing the answer
  /// does not block it.
  func ask<Answer>(
    _ question: (OpenedStore) throws -> Answer, show: (Answer) throws -> Void
  ) throws {
    guard let export else {
      let store = try storeOptions.openForReading()
      return try show(
        try store.snapshot { try question(OpenedStore(store: store, exportOffset: nil)) })
    }
    let store = try SampleStore.temporary().at(ProgramClock.now)
    let outcome = try ImportPipeline(path: export).run(title: "Reading") { () throws(StoreError) in
      store
    }
    let skipped = outcome.each.reduce(0) { $0 + $1.summary.skipped.values.reduce(0, +) }
    if skipped > 0 {
      StandardError.note(
        "\(AmountText.count(skipped, "record")) skipped; hkstats import --dry-run says why.")
    }
    let offsets = outcome.summary.utcOffsets
    try show(
      try question(
        OpenedStore(
          store: store, isExport: true,
          exportOffset: offsets.count == 1 ? offsets.keys.first : nil)))
    if let offset = outcome.each.compactMap(\.summary.cutAt).first {
      throw Failure.cutExport(path: export, at: offset)
    }
  }

  /// Runs a query that shows its answer meanwhile, in one snapshot of the store.
  func withStore(_ body: (OpenedStore) throws -> Void) throws {
    try ask(body) { _ in }
  }
}

/// A store, and the facts about the export that has been read into it.
struct OpenedStore {
  let store: SampleStore
  /// Whether it was read from an export only for this query.
  var isExport = false
  /// The only offset from UTC in the export, in minutes; `nil` for a store, or if there are
  /// several.
  let exportOffset: Int?

  /// The type of a name, including those that are only in the store.
  func type(named name: String) throws -> SampleType {
    try Catalogue.type(named: name, besides: try store.types().map(\.type))
  }

  /// The selection of a name: samples of a type, or elements of a kind.
  func selection(named name: String) throws -> StoredSelection {
    try StoredSelection(named: name, besides: try store.types().map(\.type))
  }

  /// The same for queries of one or several types that see only some sources.
  func choosing(
    _ options: SourceOptions, of type: SampleType?, isQuestion: Bool = true
  ) throws -> OpenedStore {
    choosing(try sources(of: options, for: type, isQuestion: isQuestion))
  }

  /// The same for queries that see only some sources.
  func choosing(_ selection: SourceSelection) -> OpenedStore {
    guard !selection.isEverything else { return self }
    return OpenedStore(
      store: store.choosing(selection), isExport: isExport, exportOffset: exportOffset)
  }

  /// The sources that count, each of which must exist.
  ///
  /// A question that leaves out a source that is not there has its answer all the same, with a warning;
  /// what deletes or hands out data refuses the name, which may be a slip.
  func sources(
    of options: SourceOptions, for type: SampleType? = nil, isQuestion: Bool = true
  ) throws -> SourceSelection {
    let selection = options.selection
    guard !selection.isEverything else { return selection }
    let all = try store.allSources()
    let ofType = try store.sources(of: type).map(\.source)
    func isThere(_ name: String) throws(Failure) -> Bool {
      guard !ofType.contains(where: { $0.isNamed(name) }) else { return true }
      guard all.contains(where: { $0.isNamed(name) }) else {
        throw Failure.noSource(name, among: ofType + all)
      }
      if let type {
        StandardError.note(
          "\"\(name.printable)\" has no samples of \(TypeName.short(type.identifier)).")
      }
      return true
    }
    for name in selection.only { _ = try isThere(name) }
    let excluded = try selection.excluded.filter { name in
      do throws(Failure) {
        return try isThere(name)
      } catch {
        guard isQuestion else { throw error }
        StandardError.note("\(error.message) Nothing is left out for that name.")
        return false
      }
    }
    return SourceSelection(only: selection.only, excluding: excluded)
  }

  /// Warns of preferred names that no source of some types has.
  func checkPreferred(_ names: [String], of types: [SampleType]) throws {
    guard !names.isEmpty else { return }
    let known = try types.flatMap { try store.sources(of: $0).map(\.source) }
    for name in names where !known.contains(where: { $0.isNamed(name) }) {
      let advice = DidYouMean.advice(
        NearNames.of(Source.matchingName(of: name), among: known.map(\.description)),
        else: "hkstats sources lists them.")
      let place = types.count == 1 ? TypeName.short(types[0].identifier) : "these types"
      StandardError.note(
        "no source of \(place) is called \"\(name.printable)\", so it prefers nothing. \(advice)")
    }
  }

  /// A note on the assumed zone, if the data names another or the export's single offset cannot be
  /// right all year; `nil` otherwise.
  ///
  /// Apple writes the phone's offset at the time of export into every date, so the export does not
  /// define where a day started.
  func zoneNote(
    _ options: ZoneOptions, _ zones: ZoneTimeline, from first: Double, to last: Double
  ) throws -> String? {
    guard try options.isAssumed(in: store), zones == ZoneTimeline(.current) else { return nil }
    let instants =
      Array(stride(from: first, through: max(first, last), by: 30 * .secondsPerDay)) + [last]
    func offsets(_ zones: ZoneTimeline) -> [Int] {
      instants.map { LocalTime($0, in: zones).offset / 60 }
    }
    if let recorded = try store.latestRecordedZone().flatMap({ try? TimeZone.named($0) }),
      !recorded.isOffset
    {
      guard offsets(ZoneTimeline(recorded)) != offsets(zones) else { return nil }
      let remedy = isExport ? "" : ", or for good: hkstats zones set \(recorded.name)"
      return "the latest sleep or workout names the zone \(recorded.name), but days here are those "
        + "of \(zones.identifier), as on this machine. Give --timezone \(recorded.name)\(remedy)."
    }
    guard let exportOffset else { return nil }
    let found = Set(offsets(zones))
    guard found.count > 1 || !found.contains(exportOffset) else { return nil }
    return "all dates of this export are written with one UTC offset, so it does not say in which "
      + "zone its days began; days here are those of \(zones.identifier) (see --timezone)."
  }
}
