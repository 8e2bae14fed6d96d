import HealthKit
import Testing

/// Workouts, summaries and assessments as apps make and read them.
@Suite
struct WorkoutsAndAssessments {
  let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
  var end: Date { start.addingTimeInterval(3600) }

  @Test("A workout without its pauses has its duration, energy and distance")
  func workouts() throws {
    let pause = HKWorkoutEvent(
      type: .pause, dateInterval: DateInterval(start: start + 600, duration: 0), metadata: nil)
    let resume = HKWorkoutEvent(
      type: .resume, dateInterval: DateInterval(start: start + 900, duration: 0), metadata: nil)
    let run = HKWorkout(
      activityType: .running, start: start, end: end, workoutEvents: [pause, resume],
      totalEnergyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: 500),
      totalDistance: HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 10),
      metadata: [HKMetadataKeyIndoorWorkout: false])
    #expect(run.duration == 3300)
    #expect(run.workoutActivityType == .running)
    #expect(run.totalDistance?.doubleValue(for: .meter()) == 10_000)
    #expect(run.workoutEvents?.map(\.type) == [.pause, .resume])
    #expect(run.metadata?[HKMetadataKeyIndoorWorkout] as? Bool == false)
    #expect(run.sampleType == HKObjectType.workoutType())
    let workouts = [run as HKSample].compactMap { $0 as? HKWorkout }
    #expect(workouts.map { "\($0.workoutActivityType.rawValue)" } == ["37"])
    #expect(HKQuery.predicateForWorkouts(with: .running).evaluate(with: run))
    #expect(!HKQuery.predicateForWorkouts(with: .greaterThan, duration: 3600).evaluate(with: run))
  }

  @Test("A configuration is set field by field, and an activity keeps it")
  func configurations() {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .swimming
    configuration.locationType = .indoor
    configuration.swimmingLocationType = .pool
    configuration.lapLength = HKQuantity(unit: .meter(), doubleValue: 25)
    let activity = HKWorkoutActivity(
      workoutConfiguration: configuration, start: start, end: end, metadata: nil)
    configuration.activityType = .running
    #expect(activity.workoutConfiguration.activityType == .swimming)
    #expect(activity.duration == 3600)
    #expect(activity.statistics(for: HKQuantityType(.heartRate)) == nil)
  }

  @Test("A day's summary takes its rings")
  func summaries() throws {
    let summary = HKActivitySummary()
    summary.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 450)
    summary.activeEnergyBurnedGoal = HKQuantity(unit: .kilocalorie(), doubleValue: 600)
    let energy = summary.activeEnergyBurned.doubleValue(for: .kilocalorie())
    #expect(energy / summary.activeEnergyBurnedGoal.doubleValue(for: .kilocalorie()) == 0.75)
    #expect(summary.activityMoveMode == .activeEnergy)
    let day = HKQuery.predicateForActivitySummary(
      with: DateComponents(
        calendar: Calendar(identifier: .gregorian), year: 2026, month: 11, day: 1))
    #expect(!day.evaluate(with: summary))
  }

  @Test("A state of mind and an assessment classify what was answered")
  func minds() {
    let mood = HKStateOfMind(
      date: start, kind: .dailyMood, valence: 0.5, labels: [.calm, .grateful],
      associations: [.family])
    #expect(mood.labels == [.calm, .grateful])
    #expect(mood.valenceClassification != .neutral)
    #expect(mood.startDate == start && mood.sampleType == HKObjectType.stateOfMindType())
    let anxiety = HKGAD7Assessment(
      date: start, answers: Array(repeating: .severalDays, count: 7))
    #expect(anxiety.score == 7)
    #expect(anxiety.risk == .mild)
  }

  @Test("An audiogram holds a point for every frequency")
  func audiograms() throws {
    let level = HKUnit.decibelHearingLevel()
    let points = try [500.0, 1000, 2000].map { frequency in
      try HKAudiogramSensitivityPoint(
        frequency: HKQuantity(unit: .hertz(), doubleValue: frequency),
        leftEarSensitivity: HKQuantity(unit: level, doubleValue: 10),
        rightEarSensitivity: HKQuantity(unit: level, doubleValue: 15))
    }
    let sample = HKAudiogramSample(sensitivityPoints: points, start: start, end: end, metadata: nil)
    #expect(sample.sensitivityPoints.count == 3)
    #expect(sample.sensitivityPoints[0].leftEarSensitivity?.doubleValue(for: level) == 10)
  }

  // What apps do with the answers of queries; the objects come from a store.

  private func title(_ classification: HKElectrocardiogram.Classification) -> String {
    switch classification {
    case .sinusRhythm: "Sinus rhythm"
    case .atrialFibrillation: "Atrial fibrillation"
    case .notSet, .unrecognized: "Unknown"
    case .inconclusiveLowHeartRate, .inconclusiveHighHeartRate, .inconclusivePoorReading,
      .inconclusiveOther:
      "Inconclusive"
    @unknown default: "New"
    }
  }

  private func daily(_ collection: HKStatisticsCollection, from: Date, to: Date) -> [Date: Double] {
    var totals: [Date: Double] = [:]
    collection.enumerateStatistics(from: from, to: to) { statistics, stop in
      guard let sum = statistics.sumQuantity() else { return }
      totals[statistics.startDate] = sum.doubleValue(for: .count())
      if totals.count > 1000 { stop.pointee = true }
    }
    return totals
  }

  private func range(_ statistics: HKStatistics, in unit: HKUnit) -> ClosedRange<Double>? {
    guard let low = statistics.minimumQuantity()?.doubleValue(for: unit),
      let high = statistics.maximumQuantity()?.doubleValue(for: unit)
    else { return nil }
    return low...high
  }

  @Test("Functions over answers have the types that apps give them")
  func answers() {
    let functions:
      (
        (HKStatisticsCollection, Date, Date) -> [Date: Double],
        (HKStatistics, HKUnit) -> ClosedRange<Double>?
      ) = (daily(_:from:to:), range(_:in:))
    _ = functions
    #expect(title(.sinusRhythm) == "Sinus rhythm")
    #expect(HKElectrocardiogram.Classification(rawValue: 100).map(title) == "Unknown")
  }
}
