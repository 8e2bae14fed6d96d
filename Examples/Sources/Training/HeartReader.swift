import HealthKit

/// What devices measured of the heart and the ears.
public struct HeartReader: Sendable {
  /// An electrocardiogram as the screen draws it.
  public struct Drawing: Sendable, Equatable {
    /// What the watch found, for the title.
    public let title: String
    /// The voltages in millivolts.
    public let millivolts: [Double]
    /// Seconds between two voltages.
    public let step: Double
    /// Whether the person noted symptoms.
    public let hasSymptoms: Bool
  }

  private let store = HKHealthStore()

  /// Makes a reader.
  public init() {}

  /// The latest electrocardiogram; `nil` without one.
  public func latestElectrocardiogram() async throws -> Drawing? {
    let query = HKSampleQueryDescriptor(
      predicates: [.electrocardiogram()],
      sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1)
    guard let found = try await query.result(for: store).first else { return nil }
    var (millivolts, last): ([Double], Double) = ([], 0)
    for try await voltage in HKElectrocardiogramQueryDescriptor(found).results(for: store) {
      guard let quantity = voltage.quantity(for: .appleWatchSimilarToLeadI) else { continue }
      millivolts.append(quantity.doubleValue(for: .voltUnit(with: .milli)))
      last = voltage.timeSinceSampleStart
    }
    let title =
      switch found.classification {
      case .sinusRhythm: "Sinus rhythm"
      case .atrialFibrillation: "Atrial fibrillation"
      case .notSet, .unrecognized: "Not classified"
      default: "Inconclusive"
      }
    return Drawing(
      title: title, millivolts: millivolts,
      step: millivolts.count > 1 ? last / Double(millivolts.count - 1) : 0,
      hasSymptoms: found.symptomsStatus == .present)
  }

  /// The mean threshold of each ear at 500, 1,000, 2,000 and 4,000 Hz in the latest hearing test, in
  /// dBHL; `nil` for an ear in which one of these was not tested.
  public func latestHearing() async throws -> (left: Double?, right: Double?) {
    let query = HKSampleQueryDescriptor(
      predicates: [.audiogram()],
      sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1)
    let points = try await query.result(for: store).first?.sensitivityPoints ?? []
    func mean(_ ear: (HKAudiogramSensitivityPoint) -> HKQuantity?) -> Double? {
      let levels = [500.0, 1_000, 2_000, 4_000].compactMap { hertz in
        points.first { $0.frequency.doubleValue(for: .hertz()) == hertz }
          .flatMap(ear)?.doubleValue(for: .decibelHearingLevel())
      }
      return levels.count == 4 ? levels.reduce(0, +) / 4 : nil
    }
    return (mean(\.leftEarSensitivity), mean(\.rightEarSensitivity))
  }

  /// The root mean square of successive differences of the latest heartbeats, in milliseconds.
  ///
  /// Beats on both sides of a gap do not count. It is `nil` without two differences.
  public func latestVariability() async throws -> Double? {
    let query = HKSampleQueryDescriptor(
      predicates: [.heartbeatSeries()],
      sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1)
    guard let series = try await query.result(for: store).first else { return nil }
    var (last, interval): (Double?, Double?) = (nil, nil)
    var squares: [Double] = []
    for try await beat in HKHeartbeatSeriesQueryDescriptor(series).results(for: store) {
      let time = beat.timeIntervalSinceStart
      let next = beat.precededByGap ? nil : last.map { 1_000 * (time - $0) }
      if let interval, let next { squares.append((next - interval) * (next - interval)) }
      (last, interval) = (time, next)
    }
    guard squares.count > 1 else { return nil }
    return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
  }

  /// The highest heart rate that is usual for the person's age on a date; `nil` where the date of
  /// birth is not known.
  public func usualMaximum(on date: Date, calendar: Calendar = .current) throws -> Int? {
    do {
      let born = try store.dateOfBirthComponents()
      guard let birthday = calendar.date(from: born) else { return nil }
      return calendar.dateComponents([.year], from: birthday, to: date).year.map { 220 - $0 }
    } catch HKError.errorNoData {
      return nil
    }
  }
}
