import ArgumentParser
import Foundation
import HealthExport
import HealthQuery
import HealthSamples
import HealthStore

/// Where a query finds its samples: the store, or an export read for this one query.
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

  /// Runs a query; an export that was cut short fails after the answer that it can give.
  func withStore(_ body: (OpenedStore) throws -> Void) throws {
    guard let export else {
      try body(OpenedStore(store: try storeOptions.openForReading(), exportOffset: nil))
      return
    }
    let store = try SampleStore.temporary()
    let outcome = try ImportPipeline(path: export, title: "Reading").run { store }
    let skipped = outcome.summary.skipped.values.reduce(0, +)
    if skipped > 0 {
      StandardError.note(
        "\(AmountText.count(skipped, "record")) skipped; hkstats import --dry-run says why.")
    }
    let offsets = outcome.summary.utcOffsets
    try body(
      OpenedStore(store: store, exportOffset: offsets.count == 1 ? offsets.keys.first : nil))
    if let offset = outcome.summary.cutAt { throw Failure.cutExport(path: export, at: offset) }
  }
}

/// A store, and what a query must know of the export that was just read into it.
struct OpenedStore {
  let store: SampleStore
  /// The only offset from UTC in the export, in minutes; `nil` for a store, or when there are more.
  let exportOffset: Int?

  /// The type of a name, those that only the store knows included.
  func type(named name: String) throws -> SampleType {
    try Catalogue.type(named: name, besides: try store.types().map(\.type))
  }

  /// What is meant by a name: samples of a type, or another kind of things that are stored.
  func selection(named name: String) throws -> StoredSelection {
    try StoredSelection(named: name, besides: try store.types().map(\.type))
  }

  /// Says which zone was assumed, when the export's one offset cannot be right all year.
  ///
  /// Apple writes the phone's offset at the moment of export into every date, so the export does
  /// not say where a day began.
  func noteAssumedZone(_ zone: ZoneTimeline, from first: Double, to last: Double) {
    guard let exportOffset else { return }
    let offsets = Set(
      stride(from: first, through: max(first, last), by: 30 * 86_400)
        .map { LocalTime($0, in: zone).offset / 60 } + [LocalTime(last, in: zone).offset / 60])
    guard offsets.count > 1 || !offsets.contains(exportOffset) else { return }
    StandardError.note(
      "all dates of this export are written with one UTC offset, so it does not say in which "
        + "zone its days began; days here are those of \(zone.identifier) (see --timezone).")
  }
}
