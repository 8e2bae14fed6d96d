import HealthAnalysis
public import HealthQuery
package import HealthStore

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

  /// What the method answers.
  public static let about = "How did it go, without noise and weekdays?"

  /// The method.
  public var method: AnalysisMethod { .course(self) }

  /// `model`, `penalty`.
  public static var members: [Parameter<Self>] {
    [
      .word(
        "model", \.model, .model,
        about:
          "What parts the numbers: seasons (slow course and week), robustSeasons (single days far out hardly count) or smooth (one curve)."
      ),
      .number(
        "penalty", \.penalty, .from(0),
        about:
          "How much roughness costs, with the model smooth: 0.01 follows each day, 1e8 is all but a line. Else by cross-validation."
      ),
    ]
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
    /// How much of the variation around the slow course it explains, from 0 to 1, in the longest
    /// stretch without gaps of more than 14 intervals; `nil` without any variation.
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
  /// in gaps of more than 14 intervals, and between two such gaps that are too close for a course.
  public let level: [Double?]
  /// The courses that come again; none for a smooth curve.
  public let seasons: [Season]
  /// The number less all courses; `nil` where there is no number, or no course.
  public let rest: [Double?]
  /// How much of the variation without seasons the slow course explains, from 0 to 1, in the longest
  /// stretch without such gaps; `nil` for a smooth curve, and without any variation.
  public let levelStrength: Double?
  /// The curve's λ and what it is worth; `nil` for the other models.
  public let smoothness: Smoothness?
}

extension AnalysedSeries {
  /// Parts the numbers into a course and the rest.
  ///
  /// What gaps of more than 14 intervals part has seasons and slow courses of its own; a smooth curve
  /// is one over all.
  ///
  /// - Parameters:
  ///   - parameters: the model
  ///   - period: after how many intervals they come again; `nil` where they have no such course
  /// - Returns: the courses and the rest, a number for each interval
  /// - Throws: `AnalysisError` for too few numbers, and parameters that do not fit
  func course(
    _ parameters: CourseParameters, period: Int?
  ) throws(AnalysisError) -> CourseAnswer {
    let column = try column()
    guard parameters.model != .smooth else { return try smoothCourse(column, parameters) }
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
    var level = [Double?](repeating: nil, count: column.count)
    var (season, rest) = (level, level)
    var longest: (count: Int, parts: Decomposition)?
    var refusal: AnalysisError?
    for stretch in column.stretches {
      do throws(AnalysisError) {
        let parts = try RegularSeries(stretch.map { column[$0] })
          .decomposed(period: period, parameters: decomposition)
        for (place, row) in stretch.enumerated() {
          level[row] = parts.trend[place]
          season[row] = parts.seasons[0].values[place]
          rest[row] = parts.remainder[place]
        }
        if stretch.count > longest?.count ?? 0 { longest = (stretch.count, parts) }
      } catch {
        refusal = refusal ?? error
      }
    }
    guard let parts = longest?.parts else {
      throw refusal ?? AnalysisError(.tooFewPoints(count: 0, needed: 2 * period))
    }
    return CourseAnswer(
      subject: self, model: parameters.model, level: level,
      seasons: [
        CourseAnswer.Season(
          period: period, values: season, strength: parts.seasonalStrength[0])
      ],
      rest: rest, levelStrength: parts.trendStrength, smoothness: nil)
  }

  private func smoothCourse(
    _ column: RegularSeries, _ parameters: CourseParameters
  ) throws(AnalysisError) -> CourseAnswer {
    let smooth = try column.smoothed(
      penalty: parameters.penalty.map { .value($0) } ?? .crossValidated)
    var level = [Double?](repeating: nil, count: column.count)
    for row in column.stretches.joined() { level[row] = smooth.curve[row] }
    return CourseAnswer(
      subject: self, model: parameters.model, level: level, seasons: [],
      rest: level.indices.map { row in
        guard let value = column[row], let level = level[row] else { return nil }
        return value - level
      },
      levelStrength: nil,
      smoothness: CourseAnswer.Smoothness(
        penalty: smooth.penalty, effectiveDimension: smooth.effectiveDimension))
  }
}

extension RegularSeries {
  /// The rows between gaps of more than ``CourseParameters/longestGap`` rows.
  fileprivate var stretches: [Range<Int>] {
    var stretches: [Range<Int>] = []
    for row in presentRows {
      if let last = stretches.last, row - last.upperBound <= CourseParameters.longestGap {
        stretches[stretches.count - 1] = last.lowerBound..<row + 1
      } else {
        stretches.append(row..<row + 1)
      }
    }
    return stretches
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

extension CourseParameters: MethodParameters {
  package static var uses: [AnalysisUse] {
    [AnalysisUse("How did it go, without noise and weekdays?", "course TYPE", needs: "two weeks")]
  }

  package func lists(of _: Question) -> [String] { ["intervals"] }

  package func answer(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    try AnalysisReader(plan, store: store, now: now).answer { numbers throws(QueryError) in
      let period = numbers.interval?.seasonalPeriod
      return .courses(
        try numbers.each { subject throws(AnalysisError) in
          try subject.course(self, period: period)
        })
    }
  }
}
