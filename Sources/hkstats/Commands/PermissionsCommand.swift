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

  @OptionGroup var storeOptions: StoreOptions
  @OptionGroup var form: ReportOptions<ListFormat>

  func validate() throws {
    let changes = allowRead + denyRead + allowShare + denyShare
    if app == nil, !changes.isEmpty || name != nil {
      throw ValidationError("Give the app whose permissions these are.")
    }
    if app == "" { throw ValidationError("The app needs a name.") }
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
      for (type, share, read) in named {
        try store.authorise(app, type: type, share: share, read: read)
        // What is allowed here is allowed in full.
        if read == .authorised, try store.historyLimits(of: app)[type] != nil {
          try store.limitHistory(of: app, types: [type], from: nil)
        }
      }
      if let name { try store.authorise(app, share: [:], read: [:], named: name) }
    }
    let store = try storeOptions.openForReading()
    let permissions = try store.authorisations(of: app)
    let known = try app.flatMap { try store.appNames()[$0] }
    let limits = try Dictionary(
      uniqueKeysWithValues: Set(permissions.map(\.app)).map {
        ($0, try store.historyLimits(of: $0))
      })
    func limit(_ row: Int) -> Date? { limits[permissions[row].app]?[permissions[row].type] }
    var report = Report(
      head: (app.map { [.init("app", .string($0))] } ?? [])
        + (known.map { [.init("name", .string($0))] } ?? []),
      list: "permissions",
      count: permissions.count, zones: ZoneTimeline(.gmt),
      columns: (app == nil ? [.init("app") { .text(permissions[$0].app) }] : []) + [
        .init("type") {
          let type = permissions[$0].type
          return .name(type, short: TypeName.short(type))
        },
        .init("read") { .text(Self.word(permissions[$0].read)) },
        .init("share") { .text(Self.word(permissions[$0].share)) },
      ]
        + (permissions.indices.contains { limit($0) != nil }
          ? [
            .init("readFrom") {
              limit($0).map { .instant($0.timeIntervalSinceReferenceDate) } ?? .none
            }
          ] : []))
    report.title = known.map { "It saves as \($0.printable)." }
    report.emptySentence = "Nothing was set: apps see their own samples only, and save none."
    try form.write(report)
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
