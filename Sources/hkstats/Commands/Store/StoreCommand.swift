import ArgumentParser
import Foundation
import HealthExchange
import HealthExport
import HealthQuery
import HealthSamples
import HealthStore

/// `hkstats store`: a summary of the store.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "The store at a glance: where it is, how large, and what is in it.",
    discussion: """
      EXAMPLES:
        hkstats store
        hkstats store --store health.sqlite --format json
      """)

  /// The output formats.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, json
  }

  @OptionGroup var store: StoreOptions

  @Option(help: "table or json.")
  var format: Format = .table

  @OptionGroup var zone: ZoneOptions

  @OptionGroup var display: DisplayOptions

  func run() throws {
    let opened = try store.openForReading()
    let overview = try opened.overview()
    let zones = try zone.zones(in: opened)
    let output = TextOutput(.standardOutput)
    switch format {
    case .table:
      var table = Table(columns: [.words("store"), .words(opened.path)])
      for (title, text) in Self.lines(overview, zones) { table.add([title, text]) }
      for line in table.lines(style: display.style) { try output.line(line) }
    case .json: try output.line(Self.json(overview, path: opened.path, zones).text)
    }
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
    var lines = [("size", AmountText.bytes(overview.bytes))]
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

  private static func json(
    _ overview: StoreOverview, path: String, _ zones: ZoneTimeline
  ) -> JSON {
    func text(_ instant: Double?) -> JSON {
      .optional(instant.map { LocalTime($0, in: zones).isoText })
    }
    return .object([
      .init("path", .string(path)), .init("bytes", .integer(overview.bytes)),
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
    ])
  }
}
