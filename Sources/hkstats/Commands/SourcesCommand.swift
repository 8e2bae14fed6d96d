import ArgumentParser
import HealthExchange
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStore

/// `hkstats sources`: lists and ranks sources.
struct SourcesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources",
    abstract: "Who measured, and whose measurement counts.",
    discussion: """
      Where sources of a cumulative type overlap, the highest rank counts. By itself the order is \
      what was entered by hand, then Apple Watch, then iPhone, then others. The column preferred \
      shows the order that you set; a name with "(entered by hand)" means that part alone.

      EXAMPLES:
        hkstats sources
        hkstats sources steps
        hkstats sources compare steps --from -14d
        hkstats sources prefer steps "Anna's iPhone"
        hkstats sources reset steps
      """,
    subcommands: [List.self, Compare.self, Prefer.self, Reset.self],
    defaultSubcommand: List.self)
}

extension SourcesCommand {
  /// `hkstats sources [TYPE]`: lists them.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Every source, or those of a type with their ranks.",
      usage: "hkstats sources [<type>] [<options>]")

    @Argument(help: "A type; without one, the sources of all types.", completion: .types)
    var type: String?

    @OptionGroup var query: QueryOptions
    @OptionGroup var list: ListOptions

    func run() throws {
      try query.ask { opened in
        if let type {
          try ranked(try opened.type(named: type), in: opened.store)
        } else {
          try all(in: opened.store)
        }
      } show: {
        try list.form.write($0)
      }
    }

    /// The sources of one type, the highest rank first.
    private func ranked(_ type: SampleType, in store: SampleStore) throws -> Report {
      let zone = try list.zone.zones(in: store)
      let summaries = try store.sources(of: type)
      let facts = summaries.map {
        SourceFacts(source: $0.source, deviceKind: $0.deviceKind, firstStart: $0.firstStart)
      }
      let preferred = try store.preferredSources(of: type)
      let priority = SourcePriority.standard(for: facts, preferred: preferred)
      for name in SourcePriority.unmatched(preferred, in: facts) {
        StandardError.note(
          "the stored order names \"\(name.printable)\", which no source of this type is called.")
      }
      let total = max(1, summaries.reduce(0) { $0 + $1.count })
      let bySource = Dictionary(grouping: summaries, by: \.source)
      let rows = priority.order.compactMap { bySource[$0]?.first }
      return Report(
        head: [.type(type)] + Report.Member.zones(zone), list: "sources", count: rows.count,
        zones: zone,
        columns: [
          .init("rank", isNumber: true) { .count($0 + 1) },
          // Its position in the stored order, if listed.
          .init("preferred", isNumber: true) { row in
            preferred.firstIndex { rows[row].source.isNamed($0) }.map { .count($0 + 1) } ?? .none
          },
        ]
          + columns(rows.compactMap { Entry(summaries: [$0]) }, total: total))
    }

    /// Every source with its data of all types.
    private func all(in store: SampleStore) throws -> Report {
      let zone = try list.zone.zones(in: store)
      let groups = Dictionary(grouping: try store.sources(of: nil), by: \.source)
      let total = max(1, groups.values.joined().reduce(0) { $0 + $1.count })
      let entries = groups.values.compactMap { Entry(summaries: $0) }
        .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
      return Report(
        head: Report.Member.zones(zone), list: "sources", count: entries.count, zones: zone,
        columns: columns(entries, total: total, hasTypes: true))
    }

    /// The data of a source, of one or several types.
    private struct Entry {
      let summaries: [SourceSummary]
      let largest: SourceSummary
      let count: Int

      init?(summaries: [SourceSummary]) {
        guard let largest = summaries.max(by: { $0.count < $1.count }) else { return nil }
        self.summaries = summaries
        self.largest = largest
        count = summaries.reduce(0) { $0 + $1.count }
      }

      var name: String { largest.source.description }
    }

    private func columns(
      _ entries: [Entry], total: Int, hasTypes: Bool = false
    ) -> [Report.Column] {
      let names: [Report.Column] = [
        .init("source") { .name(entries[$0].name, short: entries[$0].largest.source.shortName) },
        .init("kind") { row in
          let largest = entries[row].largest
          return .text(largest.source.isUserEntered ? "by hand" : largest.deviceKind.rawValue)
        },
        .init("device") {
          DeviceName.text(entries[$0].largest.device).map { .text($0) } ?? .none
        },
      ]
      let types = Report.Column("types", isNumber: true) { .count(entries[$0].summaries.count) }
      return names + (hasTypes ? [types] : []) + [
        .init("count", "samples", isNumber: true) { .count(entries[$0].count) },
        .init("share", isNumber: true) { .share(Double(entries[$0].count) / Double(total)) },
        .init("first") { row in
          entries[row].summaries.map(\.firstStart).min().map { .instant($0) } ?? .none
        },
        .init("last") { row in
          entries[row].summaries.map(\.lastEnd).max().map { .instant($0) } ?? .none
        },
      ]
    }
  }

  /// A type, or all; the remaining words are names of sources.
  struct Target: ParsableArguments {
    @Flag(help: "For every type that has no order of its own.")
    var all = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var form: OutcomeOptions

    /// Says which order is set.
    func write(_ names: [String], of type: SampleType?) throws {
      try form.write([
        .init("type", .optional(type?.identifier)),
        .init("preferred", .array(names.map(JSON.string))),
      ])
    }

    /// The type at the start of `words`, and the words after it; no type with `--all`.
    func type(from words: [String], in store: SampleStore) throws -> (SampleType?, [String]) {
      guard !all else { return (nil, words) }
      let types = try store.types().map(\.type)
      return (
        try Catalogue.type(named: words.first ?? "", besides: types), Array(words.dropFirst())
      )
    }
  }

  /// `hkstats sources prefer TYPE SOURCE…`: sets their order.
  struct Prefer: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Believe these sources first, in this order; the rest keep theirs.",
      usage: """
        hkstats sources prefer <type> <source> ...
        hkstats sources prefer --all <source> ...
        """,
      discussion: """
        EXAMPLES:
          hkstats sources prefer steps "Anna's iPhone" "Anna's Apple Watch"
          hkstats sources prefer --all "Anna's Apple Watch"
          hkstats sources prefer steps "Health (entered by hand)"
        """)

    @Argument(
      help: "The type (not with --all), then names of sources, the highest first.",
      completion: .typeAndSources)
    var words: [String]

    @Flag(help: "Also names that no source has, for those that are to come.")
    var force = false

    @OptionGroup var target: Target

    func validate() throws {
      if words.count < (target.all ? 1 : 2) {
        throw ValidationError("Give a type and at least one source, or --all and a source.")
      }
    }

    func run() throws {
      let store = try target.storeOptions.openForChanging()
      let (type, names) = try target.type(from: words, in: store)
      let known = try store.sources(of: type).map(\.source)
      for name in names where !force && !known.contains(where: { $0.isNamed(name) }) {
        throw Failure.noSource(name, among: known, of: type)
      }
      try store.setPreferredSources(names, of: type)
      try target.write(names, of: type)
    }
  }

  /// `hkstats sources reset TYPE`: removes their order.
  struct Reset: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget the order of a type, or the one for all types.",
      usage: """
        hkstats sources reset <type>
        hkstats sources reset --all
        """,
      discussion: """
        EXAMPLES:
          hkstats sources reset steps
          hkstats sources reset --all
        """)

    @Argument(help: "The type (not with --all).", completion: .types)
    var words: [String] = []

    @OptionGroup var target: Target

    func validate() throws {
      if words.count != (target.all ? 0 : 1) {
        throw ValidationError("Give one type, or --all.")
      }
    }

    func run() throws {
      let store = try target.storeOptions.openForChanging()
      let (type, _) = try target.type(from: words, in: store)
      try store.setPreferredSources([], of: type)
      try target.write([], of: type)
    }
  }
}

/// The short name of the device of a source.
enum DeviceName {
  /// `hardware:` of a description, else `name:`, else nothing.
  static func text(_ description: String) -> String? {
    let fields = Device.fields(in: description)
    for field in [Device.Field.hardwareVersion, .model, .name] {
      let value = fields.first { $0.field == field }?.value ?? ""
      if !value.isEmpty { return value }
    }
    return nil
  }
}
