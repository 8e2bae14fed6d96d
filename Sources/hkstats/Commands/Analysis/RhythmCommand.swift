import ArgumentParser
import Foundation
import HealthAnswers
import HealthMerge
import HealthQuery

/// `hkstats rhythm`: rest, activity and sleep, or the course of a day or a week of one type.
struct RhythmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rhythm",
    abstract: RhythmParameters.about,
    discussion: """
      Without a type it tells of rest and activity by hourly steps (or active energy): interdaily \
      stability, intradaily variability, the quietest five and the most active ten hours; and of \
      sleep: regularity index (--weeks: of each week), bedtime, middle and wake-up with their \
      circular deviations, the shift on free days, and their corrected middle (MSFsc). Days that are \
      not whole are left out; an hour without samples counts as 0.

      With a type it gives the mean day (--by day: the mean week): mean, median and quartiles of each \
      hour, and a cosine with its amplitude and peak. Without --from it is about the last 28 days \
      of data, by days the last 365. Of 100 series without a rhythm at most \
      7 have a chance below 5 %, or such a peak in the search, also where an interval keeps up to \
      0.7 of the one before.

      EXAMPLES:
        hkstats rhythm --from -90d --free-days friday,saturday
        hkstats rhythm steps --by day --periods 7 --search
      """)

  @Argument(
    help:
      "The type, with what of it if not the usual: heartRate, heartRate.min. Absent: rest, activity and sleep.",
    completion: .types)
  var type: String?

  @Option(
    help: ArgumentHelp(
      "hour for the course of the day, day for that of the week.", valueName: "interval"))
  var by = Step.hour

  @Option(help: .of(\RhythmParameters.periods), transform: Self.periods)
  var periods: [Double] = []

  @Flag(help: .of(\RhythmParameters.search))
  var search = false

  @Option(help: .of(\RhythmParameters.confidence, saysDefault: true))
  var confidence: Double?

  @Option(
    help: .of(\RhythmParameters.freeDays, saysDefault: true),
    transform: RhythmParameters.weekdays)
  var freeDays: [RhythmParameters.Weekday]?

  @Flag(help: "A row for each week of sleep.")
  var weeks = false

  @OptionGroup var asking: AnalysisOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  /// The intervals of a rhythm.
  enum Step: String, ExpressibleByArgument, CaseIterable {
    case hour, day
  }

  private static func periods(_ text: String) throws -> [Double] {
    let periods = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    let known = periods.compactMap(\.self).filter { $0 > 0 && $0.isFinite }
    guard known.count == periods.count, Set(known).count == known.count else {
      throw ValidationError("give different positive numbers with commas between, such as 24,12")
    }
    return known
  }

  func validate() throws {
    if type == nil {
      for (option, isGiven) in [
        ("--by day", by == .day), ("--periods", !periods.isEmpty), ("--search", search),
        ("--confidence", confidence != nil), ("--unit", asking.unit.unit != nil),
        ("--merge", asking.merging.merge != .healthKit),
        ("--prefer", !asking.merging.prefer.isEmpty),
      ] where isGiven {
        throw ValidationError("\(option) is about one type: give it, as hkstats rhythm steps.")
      }
    } else if freeDays != nil || weeks {
      throw ValidationError(
        "\(weeks ? "--weeks" : "--free-days") is about sleep: leave the type out, or the option.")
    }
    if type?.contains(",") == true {
      throw ValidationError("rhythm is about one type: give each in a run of its own.")
    }
  }

  func run() throws {
    var parameters = RhythmParameters()
    (parameters.periods, parameters.search) = (periods, search)
    parameters.confidence = confidence ?? parameters.confidence
    parameters.freeDays = freeDays ?? parameters.freeDays
    let interval = by == .day ? CalendarInterval(.day) : CalendarInterval(.hour)
    try asking.ask(.rhythm(parameters), of: [type].compactMap(\.self), by: interval) {
      answer, notes in
      if let view = try RhythmView(answer, nil, notes: notes) {
        try form.write(view, of: answer)
      } else if let view = try RestAndSleepView(answer, weeks ? "weeks" : nil, notes: notes) {
        try form.write(view, of: answer, weeks ? "weeks" : nil)
      }
    }
  }
}
