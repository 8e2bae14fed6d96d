public import HealthAnalysis
package import HealthQuery
package import HealthSamples
package import HealthStore

/// By what readings of blood pressure are classified.
public struct PressureParameters: AnalysisParameters {
  /// The guideline.
  public var guideline = BloodPressureGuideline.esc2024
  /// Where the readings were taken.
  public var place = BloodPressureGuideline.Place.home

  /// The default parameters: ESC 2024, and readings at home.
  public init() {}

  /// `pressure`.
  public static let name = "pressure"

  /// What the method answers.
  public static let about = "How many readings are of which class?"

  /// The method.
  public var method: AnalysisMethod { .pressure(self) }

  /// `guideline`, `place`.
  public static var members: [Parameter<Self>] {
    [
      .word(
        "guideline", \.guideline, .guideline,
        about:
          "Whose classes: esc2024 (ESC 2024), ahaAcc2025 (AHA/ACC 2025) or esh2023 (ESH 2023)."),
      .word(
        "place", \.place, .place, about: "Where the readings were taken: home or office."),
    ]
  }
}

/// Readings of blood pressure by the classes of a guideline.
public struct PressureAnswer: Sendable, Hashable {
  /// How many readings are of a class.
  public struct ClassCount: Sendable, Hashable {
    /// The class.
    public let category: BloodPressureGuideline.Category
    /// Where the class begins in the table of the guideline, in mmHg; `nil` for the lowest class.
    public let systolicFrom: Double?
    /// The same of the diastolic pressure; `nil`, too, where that does not decide.
    public let diastolicFrom: Double?
    /// How many readings, at any hour.
    public let count: Int
    /// How many of them are of mornings.
    public let mornings: Int
    /// How many of them are of evenings.
    public let evenings: Int
    /// How many of them are isolated systolic hypertension; `nil` for a guideline that does not name it.
    public let isolatedSystolic: Int?
    /// The same of isolated diastolic hypertension.
    public let isolatedDiastolic: Int?
  }

  /// How much the pressures of some readings vary.
  public struct Numbers: Sendable, Hashable {
    /// Which readings.
    public enum Name: String, Sendable, Hashable, CaseIterable {
      /// All of them.
      case all
      /// Those of mornings.
      case mornings
      /// Those of evenings.
      case evenings
      /// The means of days, each with the same weight.
      case days
    }

    /// Which readings.
    public let name: Name
    /// Mean, deviation and variability of each pressure; `nil` without any, and where they overflow.
    public let found: BloodPressureVariability?
  }

  /// The mean of some readings.
  public struct Average: Sendable, Hashable {
    /// How many.
    public let count: Int
    /// In mmHg.
    public let systolic: Double
    /// In mmHg.
    public let diastolic: Double
    /// The class of the mean.
    public let found: BloodPressureClass
  }

  /// What the readings are classified by.
  public let parameters: PressureParameters
  /// The starts of the first and the last reading, in seconds since 2001-01-01 UTC.
  public let span: ClosedRange<Double>
  /// All classes, from the lowest on.
  public let classes: [ClassCount]
  /// Pulse pressure, mean arterial pressure and the variability of all readings, of mornings, of
  /// evenings, and from day to day.
  public let numbers: [Numbers]
  /// All readings.
  public let all: Average
  /// Those of mornings; `nil` without any.
  public let mornings: Average?
  /// Those of evenings; `nil` without any.
  public let evenings: Average?
  /// The average of the last week at home by ESH 2021, or why there is none; `nil` for readings that
  /// were taken in an office.
  public let home: Result<HomeBloodPressure, AnalysisError>?
  /// The class of that average.
  public let homeClass: BloodPressureClass?
  /// Who recorded the readings.
  public let sources: [SourceCount]
  /// How many readings are left out, since the lower pressure is not below the upper one, or no
  /// pressure.
  public let implausibleCount: Int
  /// How many systolic samples have no diastolic one of their source and moment, and so are no reading.
  public let loneSystolicCount: Int
  /// The same of diastolic samples.
  public let loneDiastolicCount: Int
}

extension QuestionReader {
  /// Reads and classifies blood pressures.
  func pressure(_ parameters: PressureParameters) throws(QueryError) -> PressureAnswer {
    // Its hours are those of mornings and evenings here, too.
    let plan = BloodPressurePlan(period)
    let range = try period.range()
    let pressures = try store.bloodPressures(in: range)
    let found = pressures.readings.filter { range.contains($0.start) }
    let readings = found.filter { reading in
      reading.systolic.isFinite && reading.diastolic > 0 && reading.systolic > reading.diastolic
    }
    guard let first = readings.first, let last = readings.last else {
      throw QueryError(
        .analysis(
          AnalysisError(
            found.isEmpty
              ? .tooFewPoints(count: 0, needed: 1) : .allLeftOut(count: found.count))))
    }
    var offsets = OffsetCache(zones)
    let times = readings.map { LocalTime($0.start, in: &offsets) }
    let mornings = Set(times.indices.filter { plan.morning.contains(times[$0].hour) })
    let evenings = Set(times.indices.filter { plan.evening.contains(times[$0].hour) })
    let (guideline, place) = (parameters.guideline, parameters.place)
    return try analysed { () throws(AnalysisError) in
      func average(_ rows: [Int]) throws(AnalysisError) -> PressureAnswer.Average? {
        guard let systolic = rows.map({ readings[$0].systolic }).mean,
          let diastolic = rows.map({ readings[$0].diastolic }).mean
        else { return nil }
        return PressureAnswer.Average(
          count: rows.count, systolic: systolic, diastolic: diastolic,
          found: try guideline.classified(systolic: systolic, diastolic: diastolic, at: place))
      }
      var rows: [BloodPressureGuideline.Category: [Int]] = [:]
      var isolated: [BloodPressureGuideline.Isolated: Set<Int>] = [:]
      for (row, reading) in readings.enumerated() {
        let found = try guideline.classified(
          systolic: reading.systolic, diastolic: reading.diastolic, at: place)
        rows[found.category, default: []].append(row)
        if let one = found.isolated { isolated[one, default: []].insert(row) }
      }
      guard let all = try average(Array(readings.indices)) else {
        throw AnalysisError(.tooFewPoints(count: 0, needed: 1))
      }
      let week = try BloodPressureReadings(
        days: times.map(\.date.dayNumber), hours: times.map(\.hourOfDay),
        systolic: readings.map(\.systolic), diastolic: readings.map(\.diastolic))
      let home = Result { () throws(AnalysisError) in
        try week.homeAverage(
          morning: Double(plan.morning.lowerBound)..<Double(plan.morning.upperBound),
          evening: Double(plan.evening.lowerBound)..<Double(plan.evening.upperBound))
      }
      let homeClass = (try? home.get()).flatMap {
        try? guideline.classified(
          systolic: $0.all.systolic, diastolic: $0.all.diastolic, at: .home)
      }
      return PressureAnswer(
        parameters: parameters, span: first.start...last.start,
        classes: guideline.categories(at: place).map { category in
          let rows = rows[category] ?? []
          let edges = guideline.lowerEdges(of: category, at: place)
          func count(_ one: BloodPressureGuideline.Isolated) -> Int? {
            guideline.namesIsolated ? rows.count { isolated[one]?.contains($0) ?? false } : nil
          }
          return PressureAnswer.ClassCount(
            category: category, systolicFrom: edges?.systolic, diastolicFrom: edges?.diastolic,
            count: rows.count, mornings: rows.count(where: mornings.contains),
            evenings: rows.count(where: evenings.contains),
            isolatedSystolic: count(.systolic), isolatedDiastolic: count(.diastolic))
        },
        numbers: PressureAnswer.Numbers.Name.allCases.map { name in
          let part =
            switch name {
            case .all: week
            case .mornings: week.rows(mornings.sorted())
            case .evenings: week.rows(evenings.sorted())
            case .days: week.dailyMeans
            }
          return PressureAnswer.Numbers(name: name, found: try? part?.variability())
        },
        all: all, mornings: try average(mornings.sorted()),
        evenings: try average(evenings.sorted()), home: place == .home ? home : nil,
        homeClass: place == .home ? homeClass : nil, sources: readings.map(\.source).counted,
        implausibleCount: found.count - readings.count,
        loneSystolicCount: pressures.loneSystolic, loneDiastolicCount: pressures.loneDiastolic)
    }
  }
}

extension BloodPressureReadings {
  /// Some of the readings.
  fileprivate func rows(_ rows: [Int]) -> BloodPressureReadings? {
    try? BloodPressureReadings(
      days: rows.map { days[$0] }, hours: rows.map { hours[$0] },
      systolic: rows.map { systolic[$0] }, diastolic: rows.map { diastolic[$0] })
  }

  /// The mean of each day, at its begin.
  fileprivate var dailyMeans: BloodPressureReadings? {
    let rows = Dictionary(grouping: days.indices) { days[$0] }.sorted { $0.key < $1.key }
    return try? BloodPressureReadings(
      days: rows.map(\.key), hours: rows.map { _ in 0 },
      systolic: rows.compactMap { $0.value.map { systolic[$0] }.mean },
      diastolic: rows.compactMap { $0.value.map { diastolic[$0] }.mean })
  }
}

extension LocalTime {
  /// The time of day in hours: 7.5 is 7:30.
  fileprivate var hourOfDay: Double {
    Double(hour) + Double(minute) / 60 + Double(second) / 3_600
  }
}

extension PressureParameters: MethodParameters {
  package static var fixedType: SampleType? { SampleType(.bloodPressureSystolic) }

  package func lists(of _: Question) -> [String] { ["classes", "numbers"] }

  package func answer(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    try plan.answer(in: store, now: now) { reader throws(QueryError) in
      .pressure(try reader.pressure(self))
    }
  }
}
