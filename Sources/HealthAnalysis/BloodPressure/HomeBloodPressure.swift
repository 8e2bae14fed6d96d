/// The average of blood pressure at home over a week.
public struct HomeBloodPressure: Sendable, Hashable {
  /// A mean of readings.
  public struct Average: Sendable, Hashable {
    /// The number of readings.
    public let count: Int
    /// In mmHg.
    public let systolic: Double
    /// In mmHg.
    public let diastolic: Double
  }

  /// The first and the last day of the week.
  public let days: ClosedRange<Int>
  /// The day whose readings are left out: the first one with readings.
  public let droppedDay: Int
  /// The number of days with readings, without the dropped one.
  public let dayCount: Int
  /// How many readings of the other days are neither of a morning nor of an evening, and left out.
  public let otherCount: Int
  /// Mornings and evenings together, each reading with the same weight.
  public let all: Average
  /// Mornings; `nil` without readings.
  public let mornings: Average?
  /// Evenings; `nil` without readings.
  public let evenings: Average?
}

extension BloodPressureReadings {
  /// The hours of a morning, as in the plans of questions about blood pressure.
  public static let morning = 4.0..<12
  /// The hours of an evening.
  public static let evening = 18.0..<24

  /// The average at home over seven days, by the protocol of the European Society of Hypertension.
  ///
  /// The protocol is G. S. Stergiou and others, *2021 European Society of Hypertension practice
  /// guidelines for office and out-of-office blood pressure measurement*, Journal of Hypertension 39:
  /// 1293 (2021): readings of seven days, and of three at least, in mornings and evenings, two at a
  /// time; the first day is dropped, and at least 12 readings are averaged.
  ///
  /// The first day is the first of the seven that has readings. Readings at other hours are left out
  /// and counted.
  ///
  /// - Parameters:
  ///   - lastDay: the last of the seven days; the last day with readings when `nil`
  ///   - morning: the hours of a morning
  ///   - evening: the hours of an evening; they do not overlap
  ///   - neededCount: the least number of readings, after the first day is dropped
  /// - Returns: the averages
  /// - Throws: `AnalysisError` for readings of fewer than three days, or of too few mornings and
  ///   evenings, for hours that overlap, or for a mean that overflows
  /// - Complexity: O(*n*)
  public func homeAverage(
    lastDay: Int? = nil, morning: Range<Double> = morning, evening: Range<Double> = evening,
    neededCount: Int = 12
  ) throws(AnalysisError) -> HomeBloodPressure {
    guard !morning.overlaps(evening) else {
      throw AnalysisError(.parameter(name: "evening", range: "apart from the morning"))
    }
    guard neededCount >= 1 else {
      throw AnalysisError(.parameter(name: "number of readings", range: "1 or more"))
    }
    if let lastDay, lastDay.magnitude > DayNumber.limit {
      throw AnalysisError(.parameter(name: "last day", range: "within 10 million days"))
    }
    guard let last = lastDay ?? days.max() else {
      throw AnalysisError(.tooFewPoints(count: 0, needed: neededCount))
    }
    let week = last - 6...last
    let inWeek = days.indices.filter { week.contains(days[$0]) }
    let used = Set(inWeek.map { days[$0] })
    guard let first = used.min() else {
      throw AnalysisError(.tooFewPoints(count: 0, needed: neededCount))
    }
    guard used.count >= 3 else {
      throw AnalysisError(.spanTooShort(rows: used.count, needed: 3))
    }
    let rest = inWeek.filter { days[$0] != first }
    let mornings = rest.filter { morning.contains(hours[$0]) }
    let evenings = rest.filter { evening.contains(hours[$0]) }
    let both = mornings + evenings
    guard both.count >= neededCount, let all = try average(both) else {
      throw AnalysisError(.tooFewPoints(count: both.count, needed: neededCount))
    }
    return HomeBloodPressure(
      days: week, droppedDay: first, dayCount: used.count - 1, otherCount: rest.count - both.count,
      all: all, mornings: try average(mornings), evenings: try average(evenings))
  }

  /// The mean of some rows; `nil` for none.
  private func average(_ rows: [Int]) throws(AnalysisError) -> HomeBloodPressure.Average? {
    guard !rows.isEmpty else { return nil }
    let average = HomeBloodPressure.Average(
      count: rows.count, systolic: rows.map { systolic[$0] }.compensatedMean,
      diastolic: rows.map { diastolic[$0] }.compensatedMean)
    guard average.systolic.isFinite, average.diastolic.isFinite else {
      throw AnalysisError(.overflow)
    }
    return average
  }
}
