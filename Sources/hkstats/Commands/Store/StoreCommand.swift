import ArgumentParser
import Foundation
import HealthExchange
import HealthImport
import HealthQuery
import HealthSamples
import HealthStore

/// `hkstats store`: the file of the store.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "The store at a glance: its copy, its compaction.",
    discussion: """
      EXAMPLES:
        hkstats store
        hkstats store --store health.sqlite --format json
        hkstats store backup /media/stick/health.sqlite
        hkstats store restore /media/stick/kept.sqlite
        hkstats store compact
      """,
    subcommands: [
      StoreSummaryCommand.self, StoreBackupCommand.self, StoreRestoreCommand.self,
      StoreIdentityCommand.self, StoreCompactCommand.self,
    ],
    defaultSubcommand: StoreSummaryCommand.self)
}

/// `hkstats store backup FILE`: copies the store.
struct StoreBackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the store to another file, also while others use it.",
    discussion: """
      The copy is complete, or there is none. Of an encrypted store it is encrypted with the same \
      passphrase.

      EXAMPLES:
        hkstats store backup /media/stick/health.sqlite
      """)

  @Argument(help: "The new file.", completion: .file())
  var file: String

  @Flag(help: "Replace an existing file.")
  var force = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var form: ChangeFormatOptions

  func run() throws {
    let opened = try store.openForChanging()
    if let failure = Failure.noFolder(of: file) { throw failure }
    try opened.backUp(to: file, replacing: force)
    try form.write(
      saying: ["\(file) is a copy of \(opened.path)."],
      [.init("path", .string(opened.path)), .init("copy", .string(file))])
  }
}

/// `hkstats store restore FILE`: puts a copy in the place of the store.
struct StoreRestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a copy of the store back in its place.",
    discussion: """
      The copy is verified before, as far as it can be read. What was there stays beside it. \
      The restored store is another one for apps that asked the one before for what is new: they \
      begin anew.

      EXAMPLES:
        hkstats store restore /media/stick/kept.sqlite
      """)

  @Argument(help: "The copy.", completion: .file())
  var file: String

  @OptionGroup var store: StoreOptions
  @OptionGroup var form: ChangeFormatOptions

  func run() throws {
    let key = PassphraseOptions.fromEnvironment.map { StoreKey.passphrase($0) }
    let isSealed = (try? SampleStore.protection(path: file)) == .locked
    let replaced = try SampleStore.restore(
      path: store.path, from: file, key: isSealed ? key : nil)
    try form.write(
      saying: ["\(store.path) is as it was in \(file)."]
        + (replaced.map { ["What was there before: \($0)"] } ?? []),
      [
        .init("path", .string(store.path)), .init("copy", .string(file)),
        .init("replaced", .optional(replaced)),
      ])
  }
}

/// `hkstats store new-identity`: tells a cloned store apart.
struct StoreIdentityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new-identity",
    abstract: "Tell this store apart from one of which it is a clone.",
    discussion: """
      A copy of the file takes an identity of its own by itself. Do this once after the machine or \
      its disk was cloned: that cannot be seen. UUIDs and anchors up to now stay valid.

      EXAMPLES:
        hkstats store new-identity
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var form: ChangeFormatOptions

  func run() throws {
    let opened = try store.openForChanging()
    try opened.takeNewIdentity()
    try form.write(
      saying: ["\(opened.path) has an identity of its own."], [.init("path", .string(opened.path))])
  }
}

/// `hkstats store compact`: makes the store as small as after a first import.
struct StoreCompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Make the file as small and as fast as after a first import.",
    discussion: """
      Many single saves and deletes leave samples in small pieces. Answers stay the same.

      EXAMPLES:
        hkstats store compact
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var form: ChangeFormatOptions

  func run() throws {
    let opened = try store.openForChanging()
    let before = try opened.overview().bytes
    try opened.compact()
    let after = try opened.overview().bytes
    try form.write(
      saying: ["\(AmountText.bytes(before)) before, \(AmountText.bytes(after)) after."],
      [
        .init("path", .string(opened.path)), .init("bytesBefore", .integer(before)),
        .init("bytesAfter", .integer(after)),
      ])
  }
}

/// `hkstats store`: a summary of the store.
struct StoreSummaryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Where the store is, how large, and what is in it.",
    usage: "hkstats store [<options>]")

  @OptionGroup var store: StoreOptions

  @OptionGroup var zone: ZoneOptions

  @OptionGroup var form: ChangeFormatOptions

  func run() throws {
    do {
      let opened = try store.openForReading()
      let overview = try opened.overview()
      let zones = try zone.zones(in: opened)
      let protection = opened.isSealed ? SampleStore.Protection.unlocked : .clear
      try write(
        path: opened.path, bytes: overview.bytes, protection, Self.lines(overview, zones),
        Self.members(overview, zones))
    } catch let error as StoreError where error.reason == .locked {
      // What anyone can see of the file.
      let bytes = try FileManager.default.attributesOfItem(atPath: error.path)[.size] as? Int
      try write(path: error.path, bytes: bytes ?? 0, .locked, [], [])
    }
  }

  private func write(
    path: String, bytes: Int, _ protection: SampleStore.Protection, _ lines: [(String, String)],
    _ members: [JSON.Member]
  ) throws {
    guard form.format == .table else {
      let facts: [JSON.Member] = [
        .init("path", .string(path)), .init("bytes", .integer(bytes)),
        .init("encryption", .string(protection.word)),
      ]
      return try form.write(saying: [], facts + members)
    }
    var table = Table(columns: [.words("store"), .words(path)])
    table.add(["size", AmountText.bytes(bytes)])
    table.add(["encryption", protection.word])
    for (title, text) in lines { table.add([title, text]) }
    let output = TextOutput(.standardOutput)
    for line in table.lines(style: form.display.style) { try output.line(line) }
    try output.flush()
  }

  /// The kinds in the store, the most frequent first.
  private static func kinds(_ overview: StoreOverview) -> [(kind: ElementKind, count: Int)] {
    overview.elements.map { (kind: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.kind.rawValue) < ($0.count, $1.kind.rawValue) }
  }

  /// The date of the latest file of each program, the latest first.
  private static func exports(
    _ overview: StoreOverview
  ) -> [(format: ImportFormat, date: Double)] {
    overview.latestExports.map { (format: $0.key, date: $0.value) }
      .sorted { ($1.date, $0.format.rawValue) < ($0.date, $1.format.rawValue) }
  }

  private static func lines(
    _ overview: StoreOverview, _ zones: ZoneTimeline
  ) -> [(String, String)] {
    var lines: [(String, String)] = []
    let types = AmountText.count(overview.typeCount, "type")
    let sources = AmountText.count(overview.sourceCount, "source")
    lines.append(
      ("samples", "\(NumberText.grouped(overview.sampleCount)) of \(types) from \(sources)"))
    if let first = overview.firstStart, let last = overview.lastEnd {
      lines.append(("first", LocalTime(first, in: zones).dateText))
      lines.append(("last", LocalTime(last, in: zones).dateText))
    }
    for (kind, count) in kinds(overview) {
      lines.append((kind.rawValue, NumberText.grouped(count)))
    }
    for (format, date) in exports(overview) {
      lines.append(
        ("latest export", "\(LocalTime(date, in: zones).dateText) of \(format.programName)"))
    }
    return lines
  }

  private static func members(
    _ overview: StoreOverview, _ zones: ZoneTimeline
  ) -> [JSON.Member] {
    func text(_ instant: Double?) -> JSON {
      .optional(instant.map { LocalTime($0, in: zones).isoText })
    }
    return [
      .init("samples", .integer(overview.sampleCount)),
      .init("types", .integer(overview.typeCount)),
      .init("sources", .integer(overview.sourceCount)),
      .init("first", text(overview.firstStart)), .init("last", text(overview.lastEnd)),
      .init(
        "elements",
        .object(kinds(overview).map { .init($0.kind.rawValue, .integer($0.count)) })),
      .init(
        "latestExports",
        .array(
          exports(overview).map {
            .object([
              .init("format", .string($0.format.rawValue)), .init("date", text($0.date)),
            ])
          })),
    ]
  }
}
