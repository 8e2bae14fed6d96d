import ArgumentParser
import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// `hkstats edit`: replaces a sample of one's own by a corrected one.
struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Correct the value or the time of a sample you added.",
    discussion: """
      The corrected sample takes the place of the old one at once, and gets a UUID of its own, which \
      is printed as hkstats add does. What is not named stays: with --at alone the sample lasts as \
      long as before. Numbers are understood as in hkstats add.

      Imported samples, and those of apps, are as their makers have them: delete one with hkstats \
      delete --uuid, and add another.

      EXAMPLES:
        hkstats edit "$(hkstats add bodyMass 71.4 kg)" 71.2 kg
        hkstats edit "$(hkstats add bodyMass 71.4 kg)" --at 2024-03-09T10:00
      """)

  @Argument(help: "The UUID, from hkstats add, or hkstats samples --uuid --format csv.")
  var uuid: String

  @Argument(help: "The number, or the value of a category; without it as before.")
  var value: String?

  @Argument(help: "The unit; without it the one in which values of the type are shown.")
  var unit: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("When it starts; without it as before.", valueName: "date"))
  var at: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "When it ends; without it as long after its start as before.", valueName: "date"))
  var to: String?

  @OptionGroup var saving: SavingOptions

  func validate() throws {
    if value == nil, at == nil, to == nil {
      throw ValidationError("Say what is to change: a value, --at or --to.")
    }
  }

  func run() throws {
    guard let uuid = UUID(text: uuid) else {
      throw Failure(
        "\"\(uuid.printable.truncated(to: 80))\" is no UUID; hkstats add prints those of samples.",
        .usage)
    }
    let store = try saving.storeOptions.openForChanging()
    let zones = try saving.zones(in: store)
    let old = try Self.sample(uuid, in: store)
    let listener = SampleListener(store: store, zones: zones, source: old.source.name)
    var new = old
    if let at { new.start = try listener.instant(at) }
    new.end = try to.map(listener.instant) ?? new.start + (old.end - old.start)
    guard new.start <= new.end else {
      throw QueryError(.emptyPeriod(from: new.start, to: new.end))
    }
    var spoken = try store.displayUnit(of: old.type, named: old.label)
    if let value {
      try TypedNumber.check(value: value)
      (new.value, new.label, spoken) = try listener.content(of: old.type, value, unit: unit)
    }
    new.created = store.now.instant
    let sample = SpokenSample(sample: new, unit: spoken)
    if value != nil { try saving.check([sample]) }
    guard let saved = try store.replace(uuid, with: new) else { throw Self.notThere(uuid) }
    try saving.report([(SpokenEntry(samples: [sample]), [saved])], in: zones)
  }

  /// The sample of a UUID, if the owner saved it.
  private static func sample(_ uuid: UUID, in store: SampleStore) throws -> NewSample {
    switch try store.saver(of: uuid) {
    case nil: throw notThere(uuid)
    case .imports?: throw notOwn("comes from an import", uuid)
    case .app(let app)?: throw notOwn("was saved by \(app.printable)", uuid)
    case .owner?: break
    }
    guard try store.associations(.correlation, of: [uuid]).isEmpty,
      try store.associations(.correlation, ofMembers: [uuid]).isEmpty
    else {
      let pair = try store.associations(.correlation, ofMembers: [uuid]).first?.owner ?? uuid
      throw Failure(
        "The numbers of a blood pressure belong together. Delete both with hkstats delete --uuid "
          + "\(pair.uuidString), and add the right ones.", .usage)
    }
    var found: NewSample?
    let query = SampleQuery(types: try store.types().map(\.type), predicate: .uuid([uuid]))
    try store.forEachSample(query) { batch, rows in
      guard let row = rows.first else { return true }
      found = NewSample(
        type: batch.type, source: batch.source, start: batch.starts[row], end: batch.ends[row],
        value: batch.values[row], label: batch.labelTable[Int(batch.labels[row])],
        created: batch.creation(row: row), origin: batch.originTable[Int(batch.origins[row])],
        metadata: batch.metadataTable[Int(batch.metadata[row])])
      return false
    }
    guard let found else { throw notThere(uuid) }
    return found
  }

  private static func notThere(_ uuid: UUID) -> Failure {
    Failure(
      "There is no sample \(uuid.uuidString): it was deleted or edited since, or never there.",
      .usage)
  }

  private static func notOwn(_ origin: String, _ uuid: UUID) -> Failure {
    Failure(
      "That sample \(origin), and you can edit only what you added. Delete it with hkstats delete "
        + "--uuid \(uuid.uuidString), and add the right one.", .usage)
  }
}
