public import HealthAnalysis

/// What is typical of a person's weeks.
public struct TypicalParameters: AnalysisParameters {
  /// Over how many days a mean is.
  public var days = 7
  /// How many of them must have a number.
  public var atLeast = 4
  /// Over how many days before the last mean the typical range is.
  public var within = 365
  /// The share of means below the range, and above it.
  public var share = 0.05

  /// The default parameters.
  public init() {}

  /// `typical`.
  public static let name = "typical"

  /// The method.
  public var method: AnalysisMethod { .typical(self) }

  /// `days`, `atLeast`, `within`, `share`.
  public static var members: [ParameterMember<Self>] {
    [
      .count("days", \.days), .count("atLeast", \.atLeast), .count("within", \.within),
      .number("share", \.share),
    ]
  }

  /// A day.
  public var defaultInterval: CalendarInterval? { CalendarInterval(.day) }

  /// ``days``.
  public func defaultDays(by interval: CalendarInterval?) -> Int? { max(1, min(days, 3_650)) }

  /// ``within``, and the days of the first mean.
  public var lookBack: Int { max(0, min(within, 36_500)) + max(0, min(days, 3_650)) }

  /// How many means a range needs: fourteen weeks.
  static let leastMeans = 98
}

/// The mean of the last days of a type, beside what is typical.
public struct TypicalAnswer: Sendable, Hashable {
  /// Where the last mean lies.
  public enum Position: String, Sendable, Hashable {
    /// Below the range.
    case below
    /// In the range.
    case inside
    /// Above the range.
    case above
  }

  /// The numbers.
  public let subject: AnalysedSeries
  /// The rows of the last mean.
  public let rows: Range<Int>
  /// The mean of the last days.
  public let mean: Double
  /// How many of the last days have a number.
  public let dayCount: Int
  /// The range of the means of as many days that ended before them.
  public let range: TypicalRange

  /// Where the mean of the last days lies.
  public var position: Position {
    range.contains(mean) ? .inside : mean < range.low ? .below : .above
  }
}

extension AnalysedSeries {
  /// The mean of the last days with data, beside the typical range of the means before.
  ///
  /// - Throws: `AnalysisError` for too few days, and parameters that do not fit
  func typical(_ parameters: TypicalParameters) throws(AnalysisError) -> TypicalAnswer {
    guard (0...0.49).contains(parameters.share) else {
      throw AnalysisError(.parameter(name: "share", range: "between 0 and 0.49"))
    }
    guard let last = series.values.lastIndex(where: { $0 != nil }) else {
      throw AnalysisError(.tooFewPoints(count: 0, needed: parameters.atLeast))
    }
    let column = try RegularSeries(Array(series.values[...last]))
    let means = try column.trailingMean(rows: parameters.days, atLeast: parameters.atLeast)
    guard let mean = means[last] else {
      throw AnalysisError(.tooFewPoints(count: column.presentCount, needed: parameters.atLeast))
    }
    let first = max(0, last + 1 - parameters.days)
    let before = try RegularSeries((0..<first).map { means[$0] })
    let rows = first..<last + 1
    return TypicalAnswer(
      subject: self, rows: rows, mean: mean,
      dayCount: series.values[rows].count { $0 != nil },
      range: try before.typicalRange(
        rows: parameters.within, shares: parameters.share...(1 - parameters.share),
        atLeast: min(parameters.within, TypicalParameters.leastMeans)))
  }
}
