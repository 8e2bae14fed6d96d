/// The medians of the variabilities of several series of heartbeats, as of those of a week.
public struct HeartRateVariabilityMedians: Sendable, Hashable {
  /// The number of series.
  public let count: Int
  /// The median of SDNN, in ms.
  public let standardDeviation: Double
  /// The median of RMSSD, in ms; `nil` where no series has differences.
  public let rootMeanSquareOfDifferences: Double?
  /// The median of pNN50, in percent; `nil` where no series has differences.
  public let percentOver50: Double?
  /// The median of the mean heart rates, in beats a minute.
  public let meanHeartRate: Double
  /// The median of lnRMSSD; `nil` where no series has one.
  public let logarithmOfRootMeanSquare: Double?
  /// The median of SD1, in ms; `nil` where no series has two differences.
  public let poincareWidth: Double?
  /// The median of SD2, in ms; `nil` where no series has two differences.
  public let poincareLength: Double?
  /// The median of SD1/SD2, not the ratio of the medians; `nil` where no series has one.
  public let poincareRatio: Double?

  /// The medians of series, each with the same weight; `nil` of none.
  ///
  /// - Complexity: O(*n* log *n*)
  public init?(_ series: [HeartRateVariability]) {
    guard let deviation = series.map(\.standardDeviation).median,
      let rate = series.map(\.meanHeartRate).median
    else { return nil }
    count = series.count
    standardDeviation = deviation
    rootMeanSquareOfDifferences = series.compactMap(\.rootMeanSquareOfDifferences).median
    percentOver50 = series.compactMap(\.percentOver50).median
    meanHeartRate = rate
    logarithmOfRootMeanSquare = series.compactMap(\.logarithmOfRootMeanSquare).median
    poincareWidth = series.compactMap(\.poincareWidth).median
    poincareLength = series.compactMap(\.poincareLength).median
    poincareRatio = series.compactMap(\.poincareRatio).median
  }
}
