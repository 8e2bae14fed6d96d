import ArgumentParser
import Foundation
import HealthAnswers
import HealthExchange

/// `hkstats help options`: the options that many commands share.
struct OptionsCommand: ParsableCommand {
  static let name = "options"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "The options that many commands share.",
    usage: "",
    discussion: """
      The help of a command names those of them that it takes, and with --help-hidden it shows them \
      beside its own.

      A type is steps, stepCount, StepCount or the full identifier. Where several may stand, each has \
      what of it and its unit, if these are not the usual ones: steps,heartRate.max,bodyMass:lb,\
      sleep.deep.

      A period that is told back from now (today, yesterday, -7d) ends with today. Any other without \
      --to ends with the data, those later than now included; a page never goes beyond today. \
      $\(ProgramClock.variable) makes now another moment, for what must come out the same on every \
      day: \(ProgramClock.example).
      """,
    shouldDisplay: false)

  @OptionGroup(title: "When") var period: PeriodOptions
  @OptionGroup(title: "When") var clipping: ClipOption
  @OptionGroup(title: "Whose measurements count") var merging: MergeOptions
  @OptionGroup(title: "Whose measurements count") var sources: SourceOptions
  @OptionGroup(title: "How numbers are made") var unit: UnitOption
  @OptionGroup(title: "How numbers are made") var styling: StyleOptions
  @OptionGroup(title: "From where") var query: QueryOptions
  @OptionGroup(title: "In which form") var form: FormatOptions<ChartFormat>

  func run() throws { throw CleanExit.helpRequest(self) }
}

/// `hkstats help analyses`: which analysis answers which question.
struct AnalysesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyses",
    abstract: "When to use which analysis.",
    usage: "",
    discussion: """
      \(table)

      trend or changes? A trend is a slope: so much a year. A change is a day on which the level \
      became another. changes says where a slope explains the numbers as well, and names no day then.

      typical or anomalies? typical is about the mean of the last seven days, anomalies about single \
      days.

      correlate or components? correlate tests pairs and says what holds; components sums up many \
      types in a few columns, and tests nothing.

      stats answers what needs no method: totals, means, the highest days, streaks, weekdays. \
      Glucose, blood pressure, variability of the heart rate and cycles have rules of their own: \
      \(AnalysisMethod.all.filter { $0.fixedType != nil }.map { $0.name }.joined(separator: ", ")).
      """,
    shouldDisplay: false)

  /// What people ask, the command that answers it, and what it needs.
  private static var table: String {
    let uses = AnalysisMethod.all.flatMap { $0.uses }
    let columns = [("YOU ASK", uses.map(\.question)), ("COMMAND", uses.map(\.command))]
      .map { title, texts in
        let width = 3 + ([title] + texts).reduce(0) { max($0, $1.count) }
        return ([title] + texts).map {
          $0.padding(toLength: width, withPad: " ", startingAt: 0)
        }
      }
    return zip(zip(columns[0], columns[1]), ["IT NEEDS"] + uses.map(\.needs))
      .map { $0.0 + $0.1 + $1 }.joined(separator: "\n")
  }

  func run() throws { throw CleanExit.helpRequest(self) }
}

/// The help of a command, as it is shown.
enum HelpText {
  /// The text of the parser without the options that many commands share, whose names it has instead.
  ///
  /// - Parameters:
  ///   - text: the help that the parser prints
  ///   - command: the command that it is of
  /// - Returns: the help in fewer lines
  static func brief(_ text: String, of command: any ParsableCommand.Type) -> String {
    guard command != Program.self else {
      return text.replacing(" SUBCOMMANDS:\n", with: ":\n") + """

          'hkstats help analyses' says when to use which analysis, and
          'hkstats help \(OptionsCommand.name)' what the options mean that many commands share.
        """
    }
    let isTopic = command == OptionsCommand.self || command == AnalysesCommand.self
    let known = isTopic ? [] : shared
    var names: [String] = []
    let kept = blocks(text).filter { block in
      guard known.contains(block) else { return block != version }
      names.append(String(block.dropFirst(2).prefix { $0 != " " }))
      return false
    }
    var lines = kept.joined(separator: "\n").split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { usage(String($0)) }
    if !names.isEmpty {
      lines.append("SHARED OPTIONS, which hkstats help \(OptionsCommand.name) explains:")
      lines += TextStyle(isColored: false, width: width - 2)
        .fitted(names.joined(separator: " ")).map { "  " + $0 }
    }
    return lines.joined(separator: "\n")
  }

  /// The columns of a line.
  private static let width = 79

  /// What every command has.
  private static let version = "  --version               Show the version."

  /// The options that many commands share, as they stand in a help.
  private static let shared = Set(
    (blocks(Program.helpMessage(for: OptionsCommand.self))
      + blocks(FormatOptions<ListFormat>.helpMessage())).filter {
        $0.hasPrefix("  --") && $0 != version
      })

  /// The lines of a help, those of an option together.
  private static func blocks(_ text: String) -> [String] {
    var blocks: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isOfOption = line.hasPrefix("   ") && blocks.last?.hasPrefix("  --") ?? false
      if isOfOption {
        blocks[blocks.count - 1] += "\n" + line
      } else {
        blocks.append(String(line))
      }
    }
    return blocks
  }

  /// A line of usage without optional options, where it does not fit.
  private static func usage(_ line: String) -> String {
    guard line.hasPrefix("USAGE: "), line.count > width else { return line }
    return line.replacing(#/ \[-[^\]]*\]/#, with: "") + " [<options>]"
  }
}
