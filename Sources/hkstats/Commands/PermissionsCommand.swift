import ArgumentParser
import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// `hkstats permissions`: what apps may read and save.
struct PermissionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "permissions",
    abstract: "What apps may read and save, type by type.",
    usage: "hkstats permissions [<app>] [<options>]",
    discussion: """
      An app is a bundle identifier, as programs that use the store name themselves. Where nothing \
      is allowed it sees its own samples only, as if there were no others, and may save none. You, \
      on the command line, see everything.

      EXAMPLES:
        hkstats permissions
        hkstats permissions com.example.run --allow-read steps --allow-share workout
        hkstats permissions com.example.run --allow-read heartRate --since 2026-01-01
        hkstats permissions com.example.run --deny-read heartRate
        hkstats permissions com.example.run --name "Example Run"
      """)

  @Argument(help: "The app; without one, all that anything was set for.")
  var app: String?

  @Option(
    help: ArgumentHelp("Let it read this type; repeat it for more.", valueName: "type"),
    completion: .selections)
  var allowRead: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --allow-read: only what ends at this moment or later, such as 2024-03-09 or -30d; without it, all.",
      valueName: "date"))
  var since: String?

  @Option(
    help: ArgumentHelp("Do not let it read this type.", valueName: "type"),
    completion: .selections)
  var denyRead: [String] = []

  @Option(
    help: ArgumentHelp("Let it save and delete its own samples.", valueName: "type"),
    completion: .selections)
  var allowShare: [String] = []

  @Option(
    help: ArgumentHelp("Do not let it save samples of this type.", valueName: "type"),
    completion: .selections)
  var denyShare: [String] = []

  @Option(help: "The name under which it saves; the identifier if it has none.")
  var name: String?

  @OptionGroup var zone: ZoneOptions
  @OptionGroup var storeOptions: StoreOptions
  @OptionGroup var form: FormatOptions<ListFormat>

  func validate() throws {
    let changes = allowRead + denyRead + allowShare + denyShare
    if app == nil, !changes.isEmpty || name != nil {
      throw ValidationError("Give the app whose permissions these are.")
    }
    if app == "" || name != nil || !(allowRead + allowShare).isEmpty { try AppName.check(app) }
    if since != nil, allowRead.isEmpty {
      throw ValidationError("--since goes with --allow-read.")
    }
    if name == "" {
      throw ValidationError("Give the name under which it saves, or leave --name out.")
    }
  }

  func run() throws {
    let changes = [
      (allowRead, nil, Authorisation.authorised), (denyRead, nil, .denied),
      (allowShare, Authorisation.authorised, nil), (denyShare, .denied, nil),
    ].flatMap { names, share, read in names.map { ($0, share, read) } }
    if let app, !changes.isEmpty || name != nil {
      let store = try storeOptions.openForChanging()
      let opened = OpenedStore(store: store, exportOffset: nil)
      let named = try changes.map { (try Self.identifier(of: $0.0, in: opened), $0.1, $0.2) }
      let readable = Set(named.filter { $0.2 == .authorised }.map(\.0))
      if since != nil, let type = readable.sorted().first(where: { !Self.hasDates($0) }) {
        throw Failure("--since limits samples; \(TypeName.short(type)) has none.", .usage)
      }
      let date = try since.map {
        let zones = try zone.zones(in: store)
        return Date(
          timeIntervalSinceReferenceDate: try QueryDate($0, in: zones, now: store.now.instant)
            .instant)
      }
      // A limit holds before the permission does. What is allowed here without one is allowed in full.
      let limited =
        try date == nil ? readable.intersection(store.historyLimits(of: app).keys) : readable
      if !limited.isEmpty { try store.limitHistory(of: app, types: limited, from: date) }
      for (type, share, read) in named {
        try store.authorise(app, type: type, share: share, read: read)
      }
      if let name { try store.authorise(app, share: [:], read: [:], named: name) }
    }
    try write(storeOptions.openForReading())
  }

  /// A type of an app for which anything was set.
  private struct Row {
    var app: String
    var type: String
    var read = Authorisation.undetermined
    var share = Authorisation.undetermined
    /// When the history begins to which it is limited.
    var limit: Date?
  }

  /// What was set, by app and type: permissions, and limits that wait for one.
  private func rows(of store: SampleStore) throws -> [Row] {
    var rows: [[String]: Row] = [:]
    for permission in try store.authorisations(of: app) {
      rows[[permission.app, permission.type]] = Row(
        app: permission.app, type: permission.type, read: permission.read, share: permission.share)
    }
    let limits =
      try app.map { [$0: try store.historyLimits(of: $0)] } ?? store.historyLimitsOfApps()
    for (app, limits) in limits {
      for (type, date) in limits {
        rows[[app, type], default: Row(app: app, type: type)].limit = date
      }
    }
    return rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }

  private func write(_ store: SampleStore) throws {
    let rows = try rows(of: store)
    let known = try app.flatMap { try store.appNames()[$0] }
    let lines = AnswerRows(rows)
    /// A column of the limits in some rows, where there are any.
    func limits(
      _ key: String, about: String, where isShown: @escaping (Row) -> Bool
    ) -> [AnswerColumn] {
      guard rows.contains(where: { $0.limit != nil && isShown($0) }) else { return [] }
      return [
        lines.instant(key, about: about) {
          isShown($0) ? $0.limit?.timeIntervalSinceReferenceDate : nil
        }
      ]
    }
    var columns = app == nil ? [lines.word("app", \.app)] : []
    columns += [
      lines.word("type", about: "the identifier", \.type),
      lines.word("read") { Self.word($0.read) }, lines.word("share") { Self.word($0.share) },
    ]
    columns += limits("readFrom", about: "from when on it may read") { $0.read == .authorised }
    columns += limits("readFromOnceAllowed", about: "from when on it may read once it is allowed") {
      $0.read != .authorised
    }
    let table = AnswerTable(
      "permissions", list: "permissions", count: lines.count,
      zones: rows.contains { $0.limit != nil } ? try zone.zones(in: store) : ZoneTimeline(.gmt),
      head: (app.map { [HeadMember("app", .string($0))] } ?? [])
        + (known.map { [HeadMember("name", .string($0))] } ?? []), columns)
    var view = AnswerView(table, naming: ["type": TypeName.short])
    view.title = known.map { "It saves as \($0.printable)." }
    view.emptySentence = "Nothing was set: apps see their own samples only, and save none."
    try form.write(view)
  }

  /// Whether there are samples of a type, which a limit of history is about.
  private static func hasDates(_ type: String) -> Bool {
    type != ElementKind.activitySummary.typeIdentifier
      && !Characteristic.all.contains { $0.identifier == type }
  }

  private static func word(_ authorisation: Authorisation) -> String {
    switch authorisation {
    case .undetermined: "not asked"
    case .denied: "denied"
    case .authorised: "allowed"
    }
  }

  /// The identifier that permits a named type or kind.
  private static func identifier(of name: String, in opened: OpenedStore) throws -> String {
    if let characteristic = Characteristic.all.first(where: { $0.name == name }) {
      return characteristic.identifier
    }
    switch try opened.selection(named: name) {
    case .samples(let type): return type.identifier
    case .elements(.clinicalRecord, .some(let type)): return type
    case .elements(let kind, _):
      guard let identifier = kind.typeIdentifier else {
        throw Failure(
          "\(name.printable) is permitted by the types within it; name those.", .usage)
      }
      return identifier
    }
  }
}

/// The app that a command names.
enum AppName {
  /// Throws for a bundle identifier that no app has.
  static func check(_ app: String?) throws {
    guard let app else { return }
    guard !app.isEmpty else { throw ValidationError("The app needs a name.") }
    do throws(StoreError) {
      try SampleStore.checkBundleIdentifier(app)
    } catch {
      throw ValidationError("\(error.explanation).")
    }
  }
}
