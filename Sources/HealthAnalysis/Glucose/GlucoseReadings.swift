/// Readings of glucose in mg/dL, in order of time, with the unit in which each was recorded.
///
/// ```swift
/// let readings = try GlucoseReadings(times: [0, 300, 600], values: [65, 70, 180])
/// try readings.rangesBySamples().inRange  // 0.666…
/// ```
public struct GlucoseReadings: Sendable, Hashable {
  let readings: TimedValues
  /// Each reading in mmol/L, where it was recorded in moles.
  private let millimoles: [Double?]

  /// What a reading can be, in mg/dL.
  ///
  /// The least is below what any meter shows (10 to 20), and above what is usual in mmol/L, so that a
  /// column in the wrong unit is refused.
  public static let limits = 10.0...2000

  /// The longest time that a reading stands for, in seconds.
  ///
  /// A sensor gives a reading every 5 minutes, or every 15. A longer gap is time without data.
  public static let holdingTime = 900.0

  /// Makes readings.
  ///
  /// - Parameters:
  ///   - times: in seconds, each later than the one before
  ///   - values: in mg/dL; a value in mmol/L times 18.016 (HealthKit's molar mass is 180.156 g/mol)
  /// - Throws: `AnalysisError` for columns of different lengths, a number that is not finite, a value
  ///   outside of ``limits``, or times that do not increase
  /// - Complexity: O(*n*)
  public init(times: [Double], values: [Double]) throws(AnalysisError) {
    try self.init(times: times, values: values, millimoles: values.map { _ in nil })
  }

  /// Makes readings of which some were recorded in moles.
  ///
  /// ```swift
  /// let readings = try GlucoseReadings(
  ///   times: [0, 300], values: [180.156, 180.156], millimoles: [10, nil])
  /// try readings.rangesBySamples()  // half in range, half high
  /// ```
  ///
  /// - Parameters:
  ///   - times: in seconds, each later than the one before
  ///   - values: in mg/dL
  ///   - millimoles: the same readings in mmol/L, where they were recorded in moles; else `nil`
  /// - Throws: `AnalysisError` as for ``init(times:values:)``
  /// - Complexity: O(*n*)
  public init(
    times: [Double], values: [Double], millimoles: [Double?]
  ) throws(AnalysisError) {
    readings = try TimedValues(times: times, values: values, within: Self.limits)
    guard millimoles.count == times.count else {
      throw AnalysisError(.lengthsDiffer(x: times.count, y: millimoles.count))
    }
    if let row = millimoles.firstIndex(where: { $0?.isFinite == false }) {
      throw AnalysisError(.notFinite, row: row)
    }
    self.millimoles = millimoles
  }

  /// The times of the readings, in seconds.
  public var times: [Double] { readings.times }
  /// The readings, in mg/dL.
  public var values: [Double] { readings.values }
  /// The number of readings.
  public var count: Int { readings.times.count }

  /// How many readings were recorded in a unit.
  func count(of unit: GlucoseUnit) -> Int {
    millimoles.count { ($0 != nil) == (unit == .millimolesPerLitre) }
  }

  /// The range of each reading, from 0 (very low) to 4.
  var ranges: [Int] {
    zip(values, millimoles).map { value, millimoles in
      millimoles.map(GlucoseUnit.millimolesPerLitre.range(of:))
        ?? GlucoseUnit.milligramsPerDecilitre.range(of: value)
    }
  }

  /// Whether each reading is in the tight range.
  var areTight: [Bool] {
    zip(values, millimoles).map { value, millimoles in
      millimoles.map(GlucoseUnit.millimolesPerLitre.isTight)
        ?? GlucoseUnit.milligramsPerDecilitre.isTight(value)
    }
  }

  /// The readings from `start` to before `end`. - Complexity: O(*n*)
  func within(_ period: Range<Double>) throws(AnalysisError) -> GlucoseReadings {
    let rows = times.indices.filter { period.contains(times[$0]) }
    return try GlucoseReadings(
      times: rows.map { times[$0] }, values: rows.map { values[$0] },
      millimoles: rows.map { millimoles[$0] })
  }
}
