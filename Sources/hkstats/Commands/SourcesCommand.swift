import ArgumentParser
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples
import HealthStore

/// `hkstats sources`: lists and ranks sources.
struct SourcesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources",
    abstract: "Who measured, and whose measurement counts.",
    discussion: """
      Where sources of a cumulative type overlap, the highest rank counts. By itself the order is \
      what was entered by hand, then watches, other wearables, phones, then others. The column \
      preferred shows the order that you set, else that of the last backup of Health Connect; a \
      name with "(entered by hand)" means that part alone.

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

    @Argument(
      help:
        "A type, with the ranks of its sources, or several with commas between; absent: all types.",
      completion: .types)
    var type: String?

    @OptionGroup var query: QueryOptions
    @OptionGroup var list: ListOptions

    func run() throws {
      try query.ask { opened in
        let types = try (type.map(AnalysisTypes.names) ?? []).map(opened.type(named:))
        return try answerView(
          opened.store.sourcesAnswer(of: types), of: types, zones: list.zone.zones(in: opened.store)
        )
      } show: {
        try list.form.write($0)
      }
    }

    private func answerView(
      _ answer: SourcesAnswer, of types: [SampleType], zones: ZoneTimeline
    ) -> AnswerView {
      for name in answer.unmatchedNames {
        StandardError.note(
          "the stored order names \"\(name.printable)\", which no source of this type is called.")
      }
      let rows = answer.rows
      let table = AnswerTable.sources(answer, of: types, in: zones)
      let names: [ShownColumn] = [
        .init("source") { rows[$0].source.shortName },
        .init("kind") { Vocabulary.current.word(rows[$0].kind) }, table.shown("device"),
      ]
      let data = [
        table.shown("count", "samples"), table.shown("share"), table.shown("first"),
        table.shown("last"),
      ]
      return AnswerView(
        table,
        showing: answer.isRanked
          ? [table.shown("rank"), table.shown("preferred")] + names + data
          : names + [table.shown("types")] + data)
    }
  }

  /// A type, or all; the remaining words are names of sources.
  struct Target: ParsableArguments {
    @Flag(help: "For every type that has no order of its own.")
    var all = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var form: ChangeFormatOptions

    /// Says which order is set.
    func write(_ names: [String], of type: SampleType?) throws {
      let what = type.map { TypeName.short($0.identifier) } ?? "all types"
      let rest = type == nil ? ", unless a type has an order of its own" : ""
      try form.write(
        saying: [
          names.isEmpty
            ? "No order is set for \(what) any more\(rest)."
            : "For \(what) this is the order now\(rest): \(names.joined(separator: ", ")), then others."
        ],
        [
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
