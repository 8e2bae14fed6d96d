import ArgumentParser
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// `hkstats training`: loads of workouts, fitness and fatigue.
struct TrainingCommand: AnalysisCommand {
  static let configuration = CommandConfiguration(
    commandName: "training",
    abstract: TrainingParameters.about,
    discussion: """
      Weighs the heart rates of each workout: Banister's training impulse (load), the minutes in \
      Edwards' five zones from 50, 60, 70, 80 and 90 % of the maximum, and how far the heart rate \
      falls one and two minutes after the end. A heart rate counts until the next one, for a minute \
      at most; a workout with heart rates for less than half of its time shows neither load nor zones \
      (json and csv have them). All sources' heart rates count (see --source).

      Fitness (CTL) is the average load of 42 days and fatigue (ATL) that of 7, each by (load - \
      average)/N a day; balance (TSB) is fitness minus fatigue at the end of the day before. Both \
      look back 168 days. A workout without heart rates has no load and is counted. Weeks have \
      Foster's monotony (mean load of a day by standard deviation) and strain (load times monotony), \
      if all loads are known. Without --from it is the last 42 days before the end of the data.

      Loads depend on three numbers, which the answer names: the resting heart rate (of the 28 days \
      before a workout), the maximum (208 - 0.7 x age by your profile, often ten beats off; else the \
      greatest there is), and the curve of weights (by the sex of your profile).

      EXAMPLES:
        hkstats training
        hkstats training --by day --from -1y --format chart
        hkstats training --by week --from -1y
        hkstats training --maximum 188 --resting 52 --weighting women
      """)

  enum Grouping: String, ExpressibleByArgument, CaseIterable {
    case workout, day, week
  }

  @Option(
    help: ArgumentHelp(
      "workout, day with fitness and fatigue, or week with monotony.",
      valueName: "interval"))
  var by = Grouping.workout

  @Option(help: .of(\TrainingParameters.resting))
  var resting: Double?

  @Option(help: .of(\TrainingParameters.maximum))
  var maximum: Double?

  @Option(
    help: .of(\TrainingParameters.weighting), completion: .words(of: \TrainingParameters.weighting),
    transform: Self.weighting)
  var weighting: TrainingParameters.Weighting?

  @OptionGroup var period: PeriodOptions
  @OptionGroup var sources: SourceOptions
  @OptionGroup var query: QueryOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  private static func weighting(_ text: String) throws -> TrainingParameters.Weighting {
    guard let weighting = TrainingParameters.Weighting(rawValue: text.lowercased()) else {
      throw ValidationError("give men or women")
    }
    return weighting
  }

  typealias View = TrainingView

  var list: String? {
    switch by {
    case .workout: nil
    case .day: TrainingView.List.days.rawValue
    case .week: TrainingView.List.weeks.rawValue
    }
  }

  func ask(_ show: (AnalysisAnswer, AnswerNotes) throws -> Void) throws {
    try query.ask(answer) { try show($0.answer, $0.notes) }
  }

  private func answer(
    from opened: OpenedStore
  ) throws -> (answer: AnalysisAnswer, notes: AnswerNotes) {
    var question = try period.question(of: [], by: nil, in: opened.store)
    let selection = try opened.sources(of: sources)
    (question.onlySources, question.excludedSources) = (selection.only, selection.excluded)
    var parameters = TrainingParameters()
    (parameters.resting, parameters.maximum) = (resting, maximum)
    parameters.weighting = weighting
    let found: AnalysisAnswer
    do throws(QueryError) {
      found = try opened.store.analysis(AnalysisPlan(.training(parameters), of: question))
    } catch {
      switch error.reason {
      case .missingMember("weighting"):
        throw Failure(
          "Your profile names neither curve of weights. Give --weighting men or --weighting women, "
            + "or set it for good: hkstats profile set biologicalSex female.", .usage)
      case .missingMember("resting"):
        throw Failure(
          "There is no resting heart rate in this time. Give one, such as --resting 60.", .usage)
      default: throw error
      }
    }
    let zones = found.numbers.timeZone
    guard case .training(let answer) = found.results else {
      throw Failure("No training.", .failed)
    }
    var notes = AnswerNotes()
    if answer.workouts.isEmpty {
      let store = opened.choosing(selection).store
      let absence = try absence(in: store, zones: zones)
      if by == .workout || answer.days.isEmpty {
        notes.absence = absence
      } else {
        notes.beside.append(absence)
      }
    } else if let first = answer.days.first, let last = answer.days.last,
      let note = try opened.zoneNote(period.zone, zones, from: first.start, to: last.end)
    {
      StandardError.note(note)
    }
    return (found, notes)
  }

  private func absence(in store: SampleStore, zones: ZoneTimeline) throws -> String {
    let starts = try store.workouts().rows.map(\.facts.start)
    guard let first = starts.min(), let last = starts.max() else { return "there are no workouts." }
    func date(_ instant: Double) -> String { LocalTime(instant, in: zones).dateText }
    return "there are no workouts in this period; the first is of \(date(first)), the last of "
      + "\(date(last))."
  }
}
