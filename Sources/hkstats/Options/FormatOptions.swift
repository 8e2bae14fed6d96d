import ArgumentParser
import Foundation
import HealthExchange
import HealthReport

/// The output formats of every answer.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
  case table, csv, tsv, json, ndjson
}

/// The output formats of answers that have a chart.
enum ChartFormat: String, ExpressibleByArgument, CaseIterable {
  case table, csv, tsv, json, ndjson, chart
}

/// Output formats, one of which is a table.
protocol AnswerFormat: ExpressibleByArgument, CaseIterable {
  static var table: Self { get }
  /// The format of an answer; `nil` for a chart.
  var listed: ListFormat? { get }
}

extension ListFormat: AnswerFormat {
  var listed: ListFormat? { self }
}

extension ChartFormat: AnswerFormat {
  var listed: ListFormat? { ListFormat(rawValue: rawValue) }
}

/// Options of an answer's output.
struct FormatOptions<Format: AnswerFormat>: ParsableArguments {
  @Option(help: ArgumentHelp(stringLiteral: Self.formats))
  var format = Format.table

  @OptionGroup var display: DisplayOptions
  @OptionGroup var csv: CSVOptions

  private static var formats: String {
    let names = Format.allCases.map(\.defaultValueDescription)
    return names.dropLast().joined(separator: ", ") + " or \(names.last ?? "")."
  }

  /// Text to stdout.
  var output: TextOutput { csv.output(hasTabs: format.listed == .tsv) }

  /// Writes an answer or the lines of its chart to stdout.
  func write(_ view: AnswerView, chart: (TextStyle) -> [String] = { _ in [] }) throws {
    let output = output
    if let format = format.listed {
      try view.write(as: format, style: display.style, to: output)
    } else {
      let style = display.style.within(Terminal.columns(STDOUT_FILENO))
      for line in view.lines(of: chart, style: style) { try output.line(line) }
    }
    try output.flush()
  }
}

/// Options of lists.
struct ListOptions: ParsableArguments {
  @OptionGroup var zone: ZoneOptions
  @OptionGroup var form: FormatOptions<ListFormat>
}

/// The type of a question.
struct TypeArgument: ParsableArguments {
  @Argument(
    help: "The type: steps, stepCount, StepCount or the full identifier.", completion: .types)
  var type: String
}

/// The unit of an answer.
struct UnitOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The unit of the answer, as people write it: lbs, bpm, mmol/L. Else the one that hkstats units prefer set, else that of most samples.",
      valueName: "unit"),
    completion: .units)
  var unit: String?
}

/// The units of workouts and rings.
struct ActivityUnitsOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Units of distances and energies, with commas between: mi,kJ. Else those of hkstats stats: what hkstats units prefer set for distanceWalkingRunning and activeEnergyBurned, else that of most samples.",
      valueName: "unit"),
    completion: .units, transform: Self.names)
  var unit: [String] = []

  /// The units that a text names.
  static func names(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
  }
}

/// The unit of samples.
struct RecordedUnitOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The unit of quantities, as people write it. Else as recorded, and in tables for people as hkstats stats shows them.",
      valueName: "unit"),
    completion: .units)
  var unit: String?
}

/// Sources that rank before all others.
struct PreferOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A source to believe before all others; repeat it, the highest first.", valueName: "source"),
    completion: .sources)
  var prefer: [String] = []
}

/// Options of terminal output.
struct DisplayOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Colours: auto, always or never.", valueName: "when"))
  var color: ColorChoice = .auto

  @Flag(
    help:
      "Draw tables and charts with ASCII characters alone, as for a terminal whose locale is not UTF-8 or whose TERM is dumb or linux."
  )
  var ascii = false

  @Option(
    help: ArgumentHelp(
      "The language of tables and charts: en, de, fr, es or ja. Else that of LC_ALL, LC_MESSAGES or LANG. csv and json are the same in all.",
      valueName: "language"),
    transform: ShownLanguage.named)
  var locale: ReportLanguage?

  /// The option for marks of ASCII alone.
  static let asciiOption = "--ascii"

  /// The style for stdout.
  var style: TextStyle { TextStyle(color, descriptor: STDOUT_FILENO) }
}

/// Options of comma-separated text.
struct CSVOptions: ParsableArguments {
  @Flag(
    help:
      "In csv, puts an apostrophe before texts that a spreadsheet would run as a formula: those that begin with = + - @, a tab or a line break. Numbers stay numbers."
  )
  var csvSafe = false

  @Flag(
    help:
      "In csv, writes numbers with a decimal comma and semicolons between fields, as spreadsheets of many countries read them; in tsv the comma alone."
  )
  var decimalComma = false

  /// Text to stdout.
  func output(hasTabs: Bool) -> TextOutput {
    TextOutput(
      .standardOutput,
      csv: CommaSeparated(isSafe: csvSafe, hasTabs: hasTabs, hasDecimalCommas: decimalComma))
  }
}
