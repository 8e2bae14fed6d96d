public import HealthAnalysis

// One case, one result and two lines of lists for each method: all else of it stands in its own files.

/// A method of analysis with its parameters.
public enum AnalysisMethod: Sendable, Hashable {
  /// A straight line through the numbers of each type.
  case trend(TrendParameters)
  /// The intervals that are unusual against those before.
  case anomalies(AnomaliesParameters)
  /// The mean of the last days of each type, beside what is typical.
  case typical(TypicalParameters)
  /// When the level of each type changed.
  case changes(ChangesParameters)
  /// The course of each type without its noise.
  case course(CourseParameters)
  /// Which types go together.
  case correlate(CorrelateParameters)
  /// What many types have in common.
  case components(ComponentsParameters)
  /// The course of a day or a week; without types rest, activity and sleep.
  case rhythm(RhythmParameters)
  /// Loads of workouts, fitness and fatigue.
  case training(TrainingParameters)
  /// Ranges, mean and indices of glucose, and its course over the day.
  case glucose(GlucoseParameters)
  /// The variability of heartbeats.
  case hrv(HRVParameters)
  /// Classes of blood pressure.
  case pressure(PressureParameters)
  /// How long menstrual cycles are.
  case cycles(CyclesParameters)
  /// On which weekdays days have no data.
  case missing(MissingParameters)

  /// The name of the method: `trend`.
  package var name: String { type(of: parameters).name }

  /// Every method's parameters.
  package static let all: [any MethodParameters.Type] = [
    TrendParameters.self, ChangesParameters.self, CourseParameters.self, TypicalParameters.self,
    AnomaliesParameters.self, CorrelateParameters.self, ComponentsParameters.self,
    RhythmParameters.self, TrainingParameters.self, GlucoseParameters.self,
    PressureParameters.self, HRVParameters.self, CyclesParameters.self,
    MissingParameters.self,
  ]

  /// The parameters.
  package var parameters: any MethodParameters {
    switch self {
    case .trend(let parameters): parameters
    case .anomalies(let parameters): parameters
    case .typical(let parameters): parameters
    case .changes(let parameters): parameters
    case .course(let parameters): parameters
    case .correlate(let parameters): parameters
    case .components(let parameters): parameters
    case .rhythm(let parameters): parameters
    case .training(let parameters): parameters
    case .glucose(let parameters): parameters
    case .hrv(let parameters): parameters
    case .pressure(let parameters): parameters
    case .cycles(let parameters): parameters
    case .missing(let parameters): parameters
    }
  }
}

extension AnalysisAnswer {
  /// What was found, by the method.
  public enum Results: Sendable {
    /// A line for each type, or why there is none.
    case trends([Result<TrendAnswer, AnalysisError>])
    /// The unusual intervals of each type.
    case anomalies([Result<AnomaliesAnswer, AnalysisError>])
    /// What is typical of each type.
    case typical([Result<TypicalAnswer, AnalysisError>])
    /// The changes of each type.
    case changes([Result<ChangesAnswer, AnalysisError>])
    /// The course of each type, or why there is none.
    case courses([Result<CourseAnswer, AnalysisError>])
    /// What goes with what.
    case correlate(CorrelateAnswer)
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
    case hrv(HRVAnswer)
    /// Readings of blood pressure by class.
    case pressure(PressureAnswer)
    /// Menstrual cycles.
    case cycles(CyclesAnswer)
    /// Days without data of each type, by weekday.
    case missing([Result<MissingAnswer, AnalysisError>])
  }
}
