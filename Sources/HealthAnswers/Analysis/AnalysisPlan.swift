public import HealthQuery

/// A question about what the numbers of intervals mean: whether they rise, what was unusual, what
/// goes with what.
///
/// It asks a method of the numbers that a ``Question`` gives, and has one JSON form, with the members
/// of both:
///
/// ```json
/// {"analysis": "trend", "type": "restingHeartRate", "by": "week", "from": "-1y"}
/// {"analysis": "anomalies", "type": ["steps", "sleep"], "from": "-7d"}
/// {"analysis": "correlate", "from": "-1y", "lags": 1}
/// ```
///
/// Without types it is about all quantities, and sleep; without a date about as long a time before
/// the end of the data as the method needs. A member that neither knows is refused, with the near one.
public struct AnalysisPlan: Sendable, Hashable {
  /// The numbers: types, intervals, period, zones and sources.
  public var question: Question
  /// What is made of them.
  public var method: AnalysisMethod

  /// Whether the beginning of the question is that of the method: the question named none.
  package private(set) var beginsByDefault = false

  /// Makes a plan.
  public init(_ method: AnalysisMethod, of question: Question) {
    (self.method, self.question) = (method, question)
  }

  /// Lets the question begin where it names no beginning.
  mutating func begin(byDefault first: String) {
    (question.from, beginsByDefault) = (first, true)
  }
}

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

  /// The name of the method: `trend`.
  package var name: String { type(of: parameters).name }

  /// Every method's parameters.
  package static let all: [any AnalysisParameters.Type] = [
    TrendParameters.self, UnusualParameters.self, TypicalParameters.self, ChangeParameters.self,
    CourseParameters.self, RelationParameters.self, ComponentParameters.self, RhythmParameters.self,
    TrainingParameters.self,
    GlucoseParameters.self, VariabilityParameters.self, PressureParameters.self,
    CycleParameters.self,
  ]

  /// The parameters.
  package var parameters: any AnalysisParameters {
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
    }
  }
}

/// How a line is fitted.
public struct TrendParameters: AnalysisParameters {
  /// What makes a line fit.
  public enum Model: String, Sendable, Hashable, CaseIterable {
    /// The least sum of squared distances (`LinearTrend`).
    case line
    /// The median of the slopes between all pairs (`TheilSenTrend`), with Kendall's test.
    case theilSen
    /// Squared distances near the line, absolute ones far off (`HuberTrend`).
    case huber

    /// How many intervals an interval of the slope needs, and so a verdict.
    ///
    /// With fewer of them it would not hold its confidence where neighbours go together, or would hold
    /// nearly every slope.
    public var leastCount: Int { self == .line ? 12 : 16 }
  }

  /// What makes a line fit.
  public var model = Model.line
  /// How often the interval of the slope holds the true slope; neighbours may go together
  /// (`SerialDependence`).
  public var confidence = 0.95

  /// The default parameters.
  public init() {}

  /// `trend`.
  public static let name = "trend"

  /// What the method answers.
  public static let about = "Is it rising or falling, how fast, how surely?"

  /// The method.
  public var method: AnalysisMethod { .trend(self) }

  /// `model`, `confidence`.
  public static var members: [Parameter<Self>] {
    [
      .word(
        "model", \.model, .model,
        about:
          "What makes the line fit: line (least squares), or theilSen (the median of all pairs' slopes) and huber (far values weigh less), which hardly heed single days far out."
      ),
      .number(
        "confidence", \.confidence, .between(0, 1),
        about: "How often the range holds the true slope."),
    ]
  }

  /// A week.
  public var defaultInterval: CalendarInterval? { CalendarInterval(.week) }
}

extension TrendParameters {
  /// How often a trend is said to be there that is not.
  ///
  /// Measured on series without a trend, whose neighbours are independent or keep up to
  /// ``mostDependence`` of one another, with and without outliers: see the documentation.
  package enum FalseAlarms {
    /// In how many of 100 such series at most a verdict of a confidence of 0.95 is rising or falling.
    package static let percent = 7
    /// How much of the one before an interval keeps at most.
    package static let mostDependence = 0.7
  }
}
