/// What a decomposition by STL can be told; each default is that of the Python package statsmodels.
///
/// The names of the paper are in brackets (Cleveland, Cleveland, McRae and Terpenning, *Journal of
/// Official Statistics* 6, 1990, 3–73, section 3.1).
public struct DecompositionParameters: Sendable, Hashable {
  /// How much the season may change from one period to the next.
  public enum SeasonalWindow: Sendable, Hashable {
    /// The number of periods whose rows at the same place smooth a row: odd, from 3 (*n*₍s₎).
    case cycles(Int)
    /// All periods have the same season: that of R's `s.window = "periodic"`, a constant over
    /// 10·rows + 1 cycles and then the mean of each place in the period. Its window is all rows; a
    /// ``seasonalJump`` of ``Jump/tenth``, as in R, fits the ends alone and is faster.
    case periodic
  }

  /// How many rows are between fitted ones; lines join those.
  public enum Jump: Sendable, Hashable {
    /// The distance in rows, for a season in cycles; 1 fits every row.
    case rows(Int)
    /// A tenth of the window, rounded up, as R does.
    case tenth
  }

  /// The window of the season (*n*₍s₎); 7 cycles.
  public var seasonalWindow = SeasonalWindow.cycles(7)
  /// The window of the trend in rows (*n*₍t₎): odd and longer than the period.
  ///
  /// The smallest odd number from 1.5·period/(1 − 1.5/seasonal window) when `nil`.
  public var trendWindow: Int?
  /// The window of the low-pass filter in rows (*n*₍l₎): odd, from the period.
  ///
  /// The smallest odd number above the period when `nil`; the paper and R have the smallest from
  /// the period, which differs for an odd one.
  public var lowPassWindow: Int?
  /// Whether the season is smoothed by constants (0) or lines (1); a periodic season has 0.
  public var seasonalDegree = 1
  /// Whether the trend is smoothed by constants (0) or lines (1).
  public var trendDegree = 1
  /// Whether the low-pass filter smooths by constants (0) or lines (1).
  public var lowPassDegree = 1
  /// The jump of the season.
  public var seasonalJump = Jump.rows(1)
  /// The jump of the trend.
  public var trendJump = Jump.rows(1)
  /// The jump of the low-pass filter.
  public var lowPassJump = Jump.rows(1)
  /// Whether rows with a large remainder count less, by Tukey's bisquare.
  public var isRobust = false
  /// How often season and trend are found in turns (*n*₍i₎), from 1 to 1,000; 2 when robust, else 5,
  /// when `nil`.
  public var innerIterations: Int?
  /// How often the weights of robustness are found (*n*₍o₎), from 0 to 1,000; 15 when robust, else
  /// 0, when `nil`.
  public var outerIterations: Int?
  /// The longest gap in rows that is filled, at the ends too.
  public var longestGap = 14

  /// Makes the default parameters.
  public init() {}

  /// The parameters for days with errors of measurement: robust, all else by default.
  public static var robust: Self {
    var parameters = Self()
    parameters.isRobust = true
    return parameters
  }

  /// The same with jumps of a tenth of each window, as R has them.
  public func withTenthJumps() -> Self {
    var parameters = self
    parameters.seasonalJump = .tenth
    parameters.trendJump = .tenth
    parameters.lowPassJump = .tenth
    return parameters
  }
}

/// The parameters of one period, all of them known.
struct ResolvedDecomposition: Sendable, Hashable {
  struct Smoother: Sendable, Hashable {
    let window: Int
    let degree: Int
    let jump: Int
  }

  let rows: Int
  let period: Int
  let isPeriodic: Bool
  let seasonal: Smoother
  let trend: Smoother
  let lowPass: Smoother
  let inner: Int
  let outer: Int

  /// The longest window and jump: far beyond any series, and its sums do not overflow.
  private static let most = 1 << 40

  /// The largest number of rows: thirty years by the minute.
  private static let mostRows = 1 << 24

  init(_ parameters: DecompositionParameters, rows: Int, period: Int) throws(AnalysisError) {
    guard period >= 2 else {
      throw AnalysisError(.parameter(name: "period", range: "2 or more"))
    }
    guard rows <= Self.mostRows else {
      throw AnalysisError(.tooManyPoints(count: rows, limit: Self.mostRows))
    }
    let (needed, overflows) = period.multipliedReportingOverflow(by: 2)
    guard !overflows, rows >= needed else {
      throw AnalysisError(.spanTooShort(rows: rows, needed: overflows ? Int.max : needed))
    }
    self.rows = rows
    self.period = period
    let cycles: Int
    switch parameters.seasonalWindow {
    case .cycles(let count):
      guard count >= 3, count % 2 == 1, count <= Self.most else {
        throw AnalysisError(.parameter(name: "seasonal window", range: "odd, from 3 to 2^40"))
      }
      (cycles, isPeriodic) = (count, false)
    case .periodic: (cycles, isPeriodic) = (10 * rows + 1, true)
    }
    let trendWindow =
      parameters.trendWindow
      ?? Self.odd(Int((1.5 * Double(period) / (1 - 1.5 / Double(cycles))).rounded(.up)))
    let lowPassWindow = parameters.lowPassWindow ?? Self.odd(period + 1)
    guard trendWindow > period, trendWindow % 2 == 1, trendWindow <= Self.most else {
      throw AnalysisError(
        .parameter(name: "trend window", range: "odd, longer than the period, at most 2^40"))
    }
    guard lowPassWindow >= max(3, period), lowPassWindow % 2 == 1, lowPassWindow <= Self.most
    else {
      throw AnalysisError(
        .parameter(
          name: "low-pass window", range: "odd, from 3 and the period, at most 2^40"))
    }
    seasonal = try Self.smoother(
      "seasonal", cycles, isPeriodic ? 0 : parameters.seasonalDegree, parameters.seasonalJump)
    trend = try Self.smoother("trend", trendWindow, parameters.trendDegree, parameters.trendJump)
    lowPass = try Self.smoother(
      "low-pass", lowPassWindow, parameters.lowPassDegree, parameters.lowPassJump)
    inner = parameters.innerIterations ?? (parameters.isRobust ? 2 : 5)
    outer = parameters.outerIterations ?? (parameters.isRobust ? 15 : 0)
    guard 1...1_000 ~= inner else {
      throw AnalysisError(.parameter(name: "inner iterations", range: "from 1 to 1,000"))
    }
    guard 0...1_000 ~= outer else {
      throw AnalysisError(.parameter(name: "outer iterations", range: "from 0 to 1,000"))
    }
  }

  private static func odd(_ number: Int) -> Int { number + (number % 2 == 0 ? 1 : 0) }

  private static func smoother(
    _ name: String, _ window: Int, _ degree: Int, _ jump: DecompositionParameters.Jump
  ) throws(AnalysisError) -> Smoother {
    guard 0...1 ~= degree else {
      throw AnalysisError(.parameter(name: "\(name) degree", range: "0 or 1"))
    }
    let distance =
      switch jump {
      case .rows(let rows): rows
      case .tenth: (window + 9) / 10
      }
    guard distance >= 1 else {
      throw AnalysisError(.parameter(name: "\(name) jump", range: "1 or more"))
    }
    return Smoother(window: window, degree: degree, jump: distance)
  }
}
