public import HealthAnalysis

// One case, one result and two lines of lists for each method: all else of it stands in its own files.

/// A method of analysis with its parameters.
public enum AnalysisMethod: Sendable, Hashable {
  /// A straight line through the numbers of each type.
  case trend(TrendParameters)
  /// The intervals that are unusual against those before.
  case unusual(UnusualParameters)
  /// The mean of the last days of each type, beside what is typical.
  case typical(TypicalParameters)
  /// When the level of each type changed.
  case changes(ChangeParameters)
  /// The course of each type without its noise.
  case course(CourseParameters)
  /// Which types go together.
  case relations(RelationParameters)
  /// What many types have in common.
  case components(ComponentParameters)
  /// The course of a day or a week; without types rest, activity and sleep.
  case rhythm(RhythmParameters)
  /// Loads of workouts, fitness and fatigue.
  case training(TrainingParameters)
  /// Ranges, mean and indices of glucose, and its course over the day.
  case glucose(GlucoseParameters)
  /// The variability of heartbeats.
  case variability(VariabilityParameters)
  /// Classes of blood pressure.
  case pressure(PressureParameters)
  /// How long menstrual cycles are.
  case cycles(CycleParameters)
  /// On which weekdays days have no data.
  case missing(MissingParameters)

  /// The name of the method: `trend`.
  package var name: String { type(of: parameters).name }

  /// Every method's parameters.
  package static let all: [any MethodParameters.Type] = [
    TrendParameters.self, ChangeParameters.self, CourseParameters.self, TypicalParameters.self,
    UnusualParameters.self, RelationParameters.self, ComponentParameters.self,
    RhythmParameters.self, TrainingParameters.self, GlucoseParameters.self,
    PressureParameters.self, VariabilityParameters.self, CycleParameters.self,
    MissingParameters.self,
  ]

  /// The parameters.
  package var parameters: any MethodParameters {
    switch self {
    case .trend(let parameters): parameters
    case .unusual(let parameters): parameters
    case .typical(let parameters): parameters
    case .changes(let parameters): parameters
    case .course(let parameters): parameters
    case .relations(let parameters): parameters
    case .components(let parameters): parameters
    case .rhythm(let parameters): parameters
    case .training(let parameters): parameters
    case .glucose(let parameters): parameters
    case .variability(let parameters): parameters
    case .pressure(let parameters): parameters
    case .cycles(let parameters): parameters
    case .missing(let parameters): parameters
    }
  }
}

extension AnalysisAnswer {
  /// What was found, by the method.
  public enum Findings: Sendable {
    /// A line for each type, or why there is none.
    case trends([Result<TrendAnswer, AnalysisError>])
    /// The unusual intervals of each type.
    case unusual([Result<UnusualAnswer, AnalysisError>])
    /// What is typical of each type.
    case typical([Result<TypicalAnswer, AnalysisError>])
    /// The changes of each type.
    case changes([Result<ChangesAnswer, AnalysisError>])
    /// The course of each type, or why there is none.
    case courses([Result<CourseAnswer, AnalysisError>])
    /// What goes with what.
    case relations(RelationsAnswer)
    /// What types have in common.
    case components(ComponentsAnswer)
    /// The rhythm of each type, or why there is none.
    case rhythms([Result<RhythmAnswer, AnalysisError>])
    /// The rhythm of rest, activity and sleep.
    case restAndSleep(RestAndSleepAnswer)
    /// Loads of workouts, fitness and fatigue.
    case training(TrainingAnswer)
    /// What readings of glucose say.
    case glucose(GlucoseAnswer)
    /// The variability of each series of heartbeats.
    case variability(VariabilityAnswer)
    /// Readings of blood pressure by class.
    case pressure(PressureAnswer)
    /// Menstrual cycles.
    case cycles(CyclesAnswer)
    /// Days without data of each type, by weekday.
    case missing([Result<MissingAnswer, AnalysisError>])
  }
}
