import ArgumentParser
import Foundation
import HealthExchange
import HealthSamples
import HealthStore

/// `hkstats imports`: what was imported, and taking it back.
struct ImportsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "imports",
    abstract: "What was imported, and how to take an import back.",
    discussion: """
      EXAMPLES:
        hkstats imports
        hkstats imports undo 2
      """,
    subcommands: [List.self, Undo.self], defaultSubcommand: List.self)

  /// `hkstats imports`: lists them.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The imports that changed the store, the earliest first.",
      usage: "hkstats imports [<options>]")

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var list: ListOptions

    func run() throws {
      let store = try storeOptions.openForReading()
      let imports = try store.imports()
      let zones = try list.zone.zones(in: store)
      let rows = AnswerRows(imports)
      let table = AnswerTable(
        "imports", list: "imports", count: rows.count, zones: zones, head: HeadMember.zones(zones),
        [
          rows.count("id") { Int($0.id) }, rows.instant("imported", \.importedAt),
          rows.instant("exported", about: "null where the file does not say", \.exportedAt),
          rows.word("format", \.format.rawValue), rows.text("file", \.file),
          rows.count("read", about: "how many samples the file has", \.read),
          rows.count("new", about: "how many the store did not have", \.new),
          rows.word("replaced", about: "yes where it replaced samples") {
            $0.isReplaced ? "yes" : ""
          },
        ])
      try list.form.write(AnswerView(table, naming: [:]))
    }
  }

  /// `hkstats imports undo N`: takes one back.
  struct Undo: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take an import back: the store is as if it had never been imported.",
      discussion: """
        What the import superseded or replaced counts again. Importing the file again brings \
        everything back.

        EXAMPLES:
          hkstats imports undo 2 --dry-run
        """)

    @Argument(
      help: ArgumentHelp("The number of the import, from hkstats imports.", valueName: "number"))
    var id: Int

    @OptionGroup var change: ChangeOptions

    func run() throws {
      try change.perform(
        "Take import \(id) back",
        ifNothing: "What it has counts as before: other imports have it, too.",
        facts: [.init("import", .integer(id))]
      ) { store, isDryRun in
        guard let change = try store.undoImport(Int64(id), dryRun: isDryRun) else {
          throw Failure("There is no import \(id); hkstats imports lists them.", .usage)
        }
        return change
      }
    }
  }
}

/// `hkstats sync`: makes two stores equal.
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Make two stores equal: both have what either had.",
    discussion: """
      Imports, what apps and you saved, deletions, restorations, undone imports, associations, \
      attachments and settings are exchanged; of two acts about one thing the later holds. Sync \
      any number of stores in any order and as often as you like: only what is new is read.

      Permissions, passphrases, the commands that start apps, anchors, the numbers of imports and \
      deletions, and the UUIDs of imported samples stay each store's own.

      EXAMPLES:
        hkstats sync /media/stick/health.sqlite
        hkstats sync /media/stick/health.sqlite --dry-run
        hkstats sync /media/stick/new.sqlite --create
      """)

  @Argument(help: "The file of the other store.", completion: .file())
  var other: String

  @Flag(help: "Create the other store if it does not exist; else a terminal asks.")
  var create = false

  @Flag(help: "Say what each would take over; change nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp("Take a key file for the other store.", valueName: "file"),
    completion: .file())
  var otherKeyFile: String?

  @Option(
    help: ArgumentHelp(
      "Read the passphrase of the other store from an open file descriptor. Else "
        + "$HKSTATS_PASSPHRASE, else a prompt.", valueName: "descriptor"))
  var otherPassphraseFd: Int32?

  private static let passphraseOption = "--other-passphrase-fd"

  @OptionGroup var storeOptions: StoreOptions
  @OptionGroup var form: ChangeFormatOptions

  func validate() throws {
    try PassphraseOptions.check(otherPassphraseFd, Self.passphraseOption)
  }

  func run() throws {
    let store = try dryRun ? storeOptions.openForReading() : storeOptions.openForChanging()
    let other = try openOther()
    guard other.path != store.path else {
      throw Failure("This is the store itself.", .usage)
    }
    for (path, opened) in [(store.path, store), (self.other, other)] {
      let days = try Int(opened.secondsAhead() / .secondsPerDay)
      if days >= 1 {
        StandardError.note(
          "\(path.printable): its last change is dated \(AmountText.count(days, "day")) from now. "
            + "Until then it decides against later ones of other machines: check their clocks.")
      }
    }
    let (received, sent) = try store.synchronise(with: other, dryRun: dryRun)
    let both = [(store.path, received), (self.other, sent)]
    try form.write(
      saying: both.map { "\($0): \(dryRun ? $1.plan : $1.result)" },
      [
        .init("dryRun", .bool(dryRun)),
        .init(
          "stores",
          .array(
            both.map { path, sync in
              .object(
                [.init("path", .string(path))] + (dryRun ? sync.planMembers : sync.resultMembers))
            })),
      ])
  }

  /// Opens the other store, with its key if it is locked.
  private func openOther() throws -> SampleStore {
    let isMissing = access(other, F_OK) != 0
    if isMissing {
      guard !dryRun else { throw Failure.noStore(path: other) }
      guard create || Terminal.confirms("\(other.printable) does not exist. Create it") else {
        throw Failure(
          "\(other.printable): there is no store. Give --create to make one.", .noInput)
      }
    }
    var key: StoreKey?
    if !isMissing, try SampleStore.protection(path: other) == .locked {
      if let otherKeyFile {
        key = .keyFile(otherKeyFile)
      } else {
        key = .passphrase(
          try PassphraseOptions.passphrase(
            otherPassphraseFd, Self.passphraseOption,
            prompt: "Passphrase of \(other.printable): "))
      }
    }
    if !isMissing {
      let opened = try SampleStore(path: other, mode: .readOnly, key: key)
      if dryRun {
        ProtectionNotes.note(opened.waitingSaves)
      } else if let saves = try SampleStore.mergeWaitingSaves(path: other, key: key) {
        ProtectionNotes.note(saves)
      }
    }
    return try SampleStore(path: other, mode: dryRun ? .readOnly : .readWrite, key: key)
      .at(ProgramClock.now)
  }
}

extension StoreSync {
  /// What changed, for programs.
  fileprivate var resultMembers: [JSON.Member] {
    [
      .init("added", .integer(added)), .init("deleted", .integer(deleted)),
      .init("relations", .integer(relations)),
    ]
  }

  /// What would be taken over, for programs.
  fileprivate var planMembers: [JSON.Member] {
    [
      .init("saved", .integer(saved)), .init("imports", .integer(imports)),
      .init("deletions", .integer(deletions)), .init("relations", .integer(relations)),
    ]
  }

  /// What changed.
  fileprivate var result: String {
    var parts = ["\(NumberText.grouped(added)) added", "\(NumberText.grouped(deleted)) deleted"]
    if relations > 0 { parts.append(Self.registers(relations)) }
    return parts.joined(separator: ", ") + "."
  }

  /// What would be taken over.
  fileprivate var plan: String {
    var parts: [String] = []
    if saved > 0 { parts.append(AmountText.count(saved, "saved object")) }
    if imports > 0 {
      parts.append(
        AmountText.count(imports, "import or undone import", plural: "imports or undone imports"))
    }
    if deletions > 0 {
      parts.append(
        AmountText.count(
          deletions, "deletion or restoration", plural: "deletions or restorations"))
    }
    if relations > 0 { parts.append(Self.registers(relations)) }
    return parts.isEmpty
      ? "knows all that the other has." : "would take over " + parts.joined(separator: ", ") + "."
  }

  private static func registers(_ count: Int) -> String {
    AmountText.count(
      count, "association, attachment or setting", plural: "associations, attachments or settings")
  }
}
