import HealthAnalysis

/// How the course of numbers is found.
public struct CourseParameters: AnalysisParameters {
  /// What parts numbers into a course and the rest.
  public enum Model: String, Sendable, Hashable, CaseIterable {
    /// A slow course and the course of the week, or of the year for months (STL).
    case seasons
    /// The same, and single values far out hardly count.
    case robustSeasons
    /// A smooth curve (Whittaker).
    case smooth
  }

  /// What parts numbers into a course and the rest.
  public var model = Model.seasons
  /// λ of the smooth curve: how much roughness costs; by cross-validation when `nil`.
  public var penalty: Double?

  /// The default parameters.
  public init() {}

  /// `course`.
  public static let name = "course"

  /// The method.
  public var method: AnalysisMethod { .course(self) }

  /// `model`, `penalty`.
  public static var members: [ParameterMember<Self>] {
    [.word("model", \.model, .model), .number("penalty", \.penalty)]
  }

  /// A day.
  public var defaultInterval: CalendarInterval? { CalendarInterval(.day) }

  /// Over a longer gap the course is not drawn.
  static let longestGap = 14
}

/// The numbers of a type as a course and what is left.
public struct CourseAnswer: Sendable, Hashable {
  /// A course that comes again.
  public struct Season: Sendable, Hashable {
    /// After how many intervals it comes again.
    public let period: Int
    /// How far each interval lies above the slow course by it.
    public let values: [Double?]
    /// How much of the variation around the slow course it explains, from 0 to 1; `nil` without any
    /// variation.
    public let strength: Double?
  }

  /// What a smooth curve is worth.
  public struct Smoothness: Sendable, Hashable {
    /// λ.
    public let penalty: Double
    /// How many parameters the curve is worth.
    public let effectiveDimension: Double
  }

  /// The numbers.
  public let subject: AnalysedSeries
  /// What parted them.
  public let model: CourseParameters.Model
  /// The slow course, a number for each interval; `nil` before the first number, after the last one,
  /// and in gaps of more than 14 intervals.
  public let level: [Double?]
  /// The courses that come again; none for a smooth curve.
  public let seasons: [Season]
  /// The number less all courses; `nil` where there is no number.
  public let rest: [Double?]
  /// How much of the variation without seasons the slow course explains, from 0 to 1; `nil` for a
  /// smooth curve, and without any variation.
  public let levelStrength: Double?
  /// The curve's λ and what it is worth; `nil` for the other models.
  public let smoothness: Smoothness?
}

extension AnalysedSeries {
  /// Parts the numbers into a course and the rest.
  ///
  /// - Parameters:
  ///   - parameters: the model
  ///   - period: after how many intervals they come again; `nil` where they have no such course
  /// - Throws: `AnalysisError` for too few numbers, and parameters that do not fit
  func course(
    _ parameters: CourseParameters, period: Int?
  ) throws(AnalysisError) -> CourseAnswer {
    let column = try column()
    guard column.presentCount > 0 else { throw AnalysisError(.tooFewPoints(count: 0, needed: 3)) }
    let span = column.presentSpan
    let present = try RegularSeries(span.map { column[$0] })
    let isDrawn = Self.bridged(present.isPresent, longestGap: CourseParameters.longestGap)
    func whole(_ values: [Double?]) -> [Double?] {
      series.values.indices.map { span.contains($0) ? values[$0 - span.lowerBound] : nil }
    }
    func drawn(_ values: [Double?]) -> [Double?] {
      whole(values.indices.map { isDrawn[$0] ? values[$0] : nil })
    }
    if parameters.model == .smooth {
      let smooth = try present.smoothed(
        penalty: parameters.penalty.map { .value($0) } ?? .crossValidated)
      let curve = (0..<present.count).map { smooth.curve[$0] }
      return CourseAnswer(
        subject: self, model: parameters.model, level: drawn(curve), seasons: [],
        rest: whole(
          curve.indices.map { row in
            guard let value = present[row], let level = curve[row] else { return nil }
            return value - level
          }),
        levelStrength: nil,
        smoothness: CourseAnswer.Smoothness(
          penalty: smooth.penalty, effectiveDimension: smooth.effectiveDimension))
    }
    guard parameters.penalty == nil else {
      throw AnalysisError(.parameter(name: "penalty", range: "left out for this model"))
    }
    guard let period else {
      throw AnalysisError(.parameter(name: "interval", range: "a day or a month for this model"))
    }
    var decomposition = DecompositionParameters.week(
      isRobust: parameters.model == .robustSeasons)
    // A quarter of days; for other intervals by the length of the season.
    if period != 7 { decomposition.trendWindow = nil }
    let parts = try present.decomposed(period: period, parameters: decomposition)
    return CourseAnswer(
      subject: self, model: parameters.model, level: drawn(parts.trend),
      seasons: zip(parts.seasons, parts.seasonalStrength).map { season, strength in
        CourseAnswer.Season(
          period: season.period, values: drawn(season.values), strength: strength)
      },
      rest: whole((0..<present.count).map { parts.remainder[$0] }),
      levelStrength: parts.trendStrength, smoothness: nil)
  }

  /// Whether each row has a value, or lies in a gap of so many rows at most.
  private static func bridged(_ isPresent: [Bool], longestGap: Int) -> [Bool] {
    var bridged = isPresent
    var gap = 0
    for row in isPresent.indices {
      guard isPresent[row] else {
        gap += 1
        continue
      }
      if gap <= longestGap { for missing in (row - gap)..<row { bridged[missing] = true } }
      gap = 0
    }
    return bridged
  }
}

extension CalendarInterval {
  /// After how many intervals numbers come again: days after a week, months after a year.
  var seasonalPeriod: Int? {
    if self == CalendarInterval(.day) { return 7 }
    if self == CalendarInterval(.month) { return 12 }
    return nil
  }
}
