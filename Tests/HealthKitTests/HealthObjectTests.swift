import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthKit

private let start = Date(timeIntervalSinceReferenceDate: 700_000_000.125)
private let end = start.addingTimeInterval(30)

private func quantity(_ value: Double, _ unit: HKUnit) -> HKQuantity {
  HKQuantity(unit: unit, doubleValue: value)
}

/// What a throwing form throws.
private func reason(_ body: () throws -> Any) -> ObjectError.Reason? {
  do {
    _ = try body()
    return nil
  } catch { return (error as? ObjectError)?.reason }
}

/// The raw values of an enumeration of the catalogue.
private func rawValues(_ enumeration: String) throws -> [Int] {
  let rows = try References.table("catalogue/enums_all.tsv").filter { $0["enum"] == enumeration }
  let values = rows.compactMap { $0["raw"].flatMap(Int.init) }
  try #require(!values.isEmpty && values.count == rows.count)
  return values
}

@Suite struct SeriesTests {
  @Test("a route and heartbeats keep every number in an archive")
  func archives() throws {
    var locations = LocationColumns()
    for place in 0..<100 {
      locations.append(
        time: Double(place) / 3, latitude: 48 + 1 / Double(place + 1), longitude: -0.1,
        altitude: .pi, horizontalAccuracy: place % 2 == 0 ? nil : 3.5, speed: 1.25)
    }
    let route = HKWorkoutRoute(locations, start: start, end: end, facts: ObjectFacts())
    #expect(route.count == 100)
    #expect(route.sampleType == HKSeriesType.workoutRoute())
    let copy = try archivedObject(route)
    #expect(copy == route && copy.locations == locations)
    locations.segmentStarts = [1, 40]
    let parted = HKWorkoutRoute(locations, start: start, end: end, facts: ObjectFacts())
    #expect(try archivedObject(parted).locations == locations)
    #expect(copy.locations.horizontalAccuracy(row: 0) == nil)

    let beats = HKHeartbeatSeriesSample.Beats(
      offsets: [-0.5, 0.1, 0.1 + 1 / 3], areAfterGaps: [false, true, false])
    let series = HKHeartbeatSeriesSample(beats, start: start, end: end, facts: ObjectFacts())
    #expect(series.count == 3)
    #expect(series.sampleType == HKSeriesType.heartbeat())
    let read = try archivedObject(series)
    #expect(read == series && read.beats == beats)
    let empty = HKHeartbeatSeriesSample(
      .init(), start: start, end: end, facts: ObjectFacts())
    #expect(try archivedObject(empty).count == 0)
  }
}

@Suite struct ElectrocardiogramTests {
  @Test("every result and every voltage are in the archive")
  func archives() throws {
    for raw in try rawValues("HKElectrocardiogramClassification") {
      for status in try rawValues("HKElectrocardiogramSymptomsStatus") {
        let content = HKElectrocardiogram.Content(
          classification: try #require(.init(rawValue: raw)),
          symptoms: try #require(.init(rawValue: status)), heartRate: 61.5, frequency: 511.562,
          voltages: [-180.596, 0, 1 / 3])
        let sample = HKElectrocardiogram(content, start: start, end: end, facts: ObjectFacts())
        let copy = try archivedObject(sample)
        #expect(copy == sample && copy.content == content)
        #expect(copy.classification.rawValue == raw)
        #expect(copy.symptomsStatus.rawValue == status)
      }
    }
  }

  @Test("measurements follow each other at the sampling frequency")
  func measurements() throws {
    let content = HKElectrocardiogram.Content(
      heartRate: 60, frequency: 4, voltages: [1, -2, 3, 4, 5])
    let sample = HKElectrocardiogram(content, start: start, end: end, facts: ObjectFacts())
    #expect(sample.numberOfVoltageMeasurements == 5)
    #expect(sample.samplingFrequency == quantity(4, .hertz()))
    #expect(
      sample.averageHeartRate?.doubleValue(for: .count().unitDivided(by: .second())) == 1)
    let measurement = sample.measurement(at: 3)
    #expect(measurement.timeSinceSampleStart == 0.75)
    let lead = HKElectrocardiogram.Lead.appleWatchSimilarToLeadI
    #expect([lead.rawValue] == (try rawValues("HKElectrocardiogramLead")))
    #expect(measurement.quantity(for: lead)?.doubleValue(for: .voltUnit(with: .micro)) == 4)
    #expect(measurement == sample.measurement(at: 3))
    #expect(measurement.hash == sample.measurement(at: 3).hash)
    #expect(measurement != sample.measurement(at: 2))
    #expect(measurement.copy() as? HKElectrocardiogram.VoltageMeasurement == measurement)
    let untimed = HKElectrocardiogram(
      .init(voltages: [1, 2, 3]), start: start, end: end, facts: ObjectFacts())
    #expect(untimed.samplingFrequency == nil && untimed.averageHeartRate == nil)
    #expect(untimed.measurement(at: 2).timeSinceSampleStart == 20)
  }
}

@Suite struct AudiogramTests {
  private let level = HKUnit.decibelHearingLevel()

  private func point(_ hertz: Double) throws -> HKAudiogramSensitivityPoint {
    try HKAudiogramSensitivityPoint(
      frequency: quantity(hertz, .hertz()), leftEarSensitivity: quantity(hertz / 3, level),
      rightEarSensitivity: nil)
  }

  @Test("points, tests and ranges are equal by value and kept by archives")
  func archives() throws {
    let range = try HKAudiogramSensitivityPointClampingRange(lowerBound: -10, upperBound: 120)
    #expect(range.lowerBound == quantity(-10, level) && range.upperBound == quantity(120, level))
    #expect(try archived(range) == range)
    let open = try HKAudiogramSensitivityPointClampingRange(lowerBound: nil, upperBound: 80)
    #expect(open.lowerBound == nil)
    #expect(try archived(open) == open && open != range)
    for side in try rawValues("HKAudiogramSensitivityTestSide") {
      let test = try HKAudiogramSensitivityTest(
        sensitivity: quantity(1 / 3, level), type: .air, masked: true,
        side: try #require(.init(rawValue: side)), clampingRange: range)
      let copy = try archived(test)
      #expect(copy == test && copy.hash == test.hash)
      #expect(copy.sensitivity.value.bitPattern == (1.0 / 3).bitPattern)
      #expect(copy.masked && copy.type == .air && copy.side.rawValue == side)
      #expect(copy.clampingRange == range)
      let unmasked = try HKAudiogramSensitivityTest(
        sensitivity: quantity(1 / 3, level), type: .air, masked: false, side: test.side,
        clampingRange: range)
      #expect(unmasked != test)
      let point = try HKAudiogramSensitivityPoint(
        frequency: quantity(1, .hertzUnit(with: .kilo)), tests: [test])
      #expect(try archived(point) == point)
      #expect((point.leftEarSensitivity == nil) == (test.side == .right))
      #expect((point.rightEarSensitivity == nil) == (test.side == .left))
    }
    let sample = HKAudiogramSample(
      sensitivityPoints: [try point(500), try point(1000)], start: start, end: end,
      metadata: nil)
    let copy = try archivedObject(sample)
    #expect(copy == sample && copy.sensitivityPoints == sample.sensitivityPoints)
    #expect(copy.sensitivityPoints.first?.leftEarSensitivity == quantity(500.0 / 3, level))
    #expect(sample.sampleType == HKObjectType.audiogramSampleType())
  }

  @Test("points and ranges that cannot be throw HealthKit's error")
  func pointErrors() throws {
    let tests = [
      try HKAudiogramSensitivityTest(
        sensitivity: quantity(1, level), type: .air, masked: false, side: .left,
        clampingRange: nil)
    ]
    let bodies: [() throws -> Any] = [
      { try HKAudiogramSensitivityPoint(frequency: quantity(1, .hertz()), tests: []) },
      { try HKAudiogramSensitivityPoint(frequency: quantity(1, .hertz()), tests: tests + tests) },
      { try HKAudiogramSensitivityPoint(frequency: quantity(0, .hertz()), tests: tests) },
      { try HKAudiogramSensitivityPoint(frequency: quantity(1, .meter()), tests: tests) },
      {
        try HKAudiogramSensitivityTest(
          sensitivity: quantity(1, .meter()), type: .air, masked: false, side: .left,
          clampingRange: nil)
      },
      { try HKAudiogramSensitivityPointClampingRange(lowerBound: nil, upperBound: nil) },
      { try HKAudiogramSensitivityPointClampingRange(lowerBound: 3, upperBound: 3) },
      {
        try HKAudiogramSensitivityPoint(
          frequency: quantity(1, .hertz()), leftEarSensitivity: nil, rightEarSensitivity: nil)
      },
    ]
    for body in bodies {
      do {
        _ = try body()
        Issue.record("nothing was thrown")
      } catch HKError.errorInvalidArgument {
      }
    }
  }

  @Test("a hearing test has at most 30 points, whose frequencies ascend")
  func sampleErrors() throws {
    let points = try (1...31).map { try point(Double($0)) }
    func make(_ points: [HKAudiogramSensitivityPoint]) throws -> Any {
      try HKAudiogramSample.validated(sensitivityPoints: points, start: start, end: end)
    }
    #expect(reason { try make(points) } == .tooManyPoints(maximum: 30))
    #expect(reason { try make(points.dropLast()) } == nil)
    #expect(reason { try make([points[1], points[0]]) } == .frequenciesNotAscending)
    #expect(reason { try make([points[1], points[1]]) } == .frequenciesNotAscending)
    #expect(
      reason { try HKAudiogramSample.validated(sensitivityPoints: [], start: end, end: start) }
        == .endBeforeStart)
  }
}

@Suite struct ActivitySummaryTests {
  @Test("a summary changes, archives keep it, and its copy does not change with it")
  func summary() throws {
    let summary = HKActivitySummary()
    #expect(summary.activeEnergyBurned == quantity(0, .kilocalorie()))
    #expect(summary.exerciseTimeGoal == nil)
    #expect(summary.appleExerciseTimeGoal == quantity(0, .minute()))
    summary.activeEnergyBurned = quantity(1 / 3, .kilocalorie())
    summary.activeEnergyBurnedGoal = quantity(500, .kilocalorie())
    summary.appleMoveTime = quantity(12, .minute())
    summary.appleMoveTimeGoal = quantity(90, .minute())
    summary.appleExerciseTime = quantity(31, .minute())
    summary.appleExerciseTimeGoal = quantity(30, .minute())
    summary.appleStandHours = quantity(11, .count())
    summary.standHoursGoal = quantity(12, .count())
    summary.activityMoveMode = .appleMoveTime
    summary.isPaused = true
    summary.day = 9000
    #expect(summary.exerciseTimeGoal == quantity(30, .minute()))
    #expect(summary.appleStandHoursGoal == quantity(12, .count()))
    let copy = try #require(summary.copy() as? HKActivitySummary)
    #expect(copy == summary && copy.hash == summary.hash)
    let read = try archived(summary)
    #expect(read == summary)
    #expect(read.activeEnergyBurned.value.bitPattern == (1.0 / 3).bitPattern)
    let changes: [(HKActivitySummary) -> Void] = [
      { $0.activeEnergyBurned = quantity(1, .kilocalorie()) },
      { $0.activeEnergyBurnedGoal = quantity(1, .kilocalorie()) },
      { $0.appleMoveTime = quantity(1, .minute()) },
      { $0.appleMoveTimeGoal = quantity(1, .minute()) },
      { $0.appleExerciseTime = quantity(1, .minute()) }, { $0.exerciseTimeGoal = nil },
      { $0.appleStandHours = quantity(1, .count()) },
      { $0.appleStandHoursGoal = quantity(1, .count()) },
      { $0.activityMoveMode = .activeEnergy }, { $0.isPaused = false }, { $0.day = 1 },
    ]
    for change in changes {
      let copy = try #require(summary.copy() as? HKActivitySummary)
      change(copy)
      #expect(copy != summary)
      #expect(try archived(copy) == copy)
    }
    #expect(copy == summary)
  }

  @Test(
    "the day is the same date in every zone",
    arguments: ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/Sao_Paulo"])
  func day(zone: String) throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    var utc = Calendar(identifier: .gregorian)
    utc.timeZone = .gmt
    let summary = HKActivitySummary()
    #expect(summary.dateComponents(for: calendar).day == nil)
    for day in stride(from: -2000, to: 10_000, by: 37) {
      summary.day = day
      let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
      let components = summary.dateComponents(for: calendar)
      #expect(components.calendar == calendar)
      #expect(components.era == 1)
      #expect(components.year == utc.component(.year, from: date))
      #expect(components.month == utc.component(.month, from: date))
      #expect(components.day == utc.component(.day, from: date))
    }
  }
}

extension ActivitySummaryTests {
  @Test("the day has the numbers of other calendars")
  func otherCalendars() throws {
    let summary = HKActivitySummary()
    summary.day = 9000
    var gregorian = Calendar(identifier: .gregorian)
    gregorian.timeZone = .gmt
    let year = try #require(summary.dateComponents(for: gregorian).year)
    for identifier in [Calendar.Identifier.buddhist, .hebrew, .islamicCivil, .japanese] {
      var calendar = Calendar(identifier: identifier)
      calendar.timeZone = .gmt
      let components = summary.dateComponents(for: calendar)
      // The components name the same day, and the Buddhist year is 543 years ahead.
      let date = try #require(calendar.date(from: components))
      #expect(gregorian.component(.year, from: date) == year)
      #expect(date.timeIntervalSinceReferenceDate == 9000 * 86_400)
      if identifier == .buddhist { #expect(components.year == year + 543) }
    }
  }
}

@Suite struct StateOfMindTests {
  @Test("every kind, word and part of life is in the archive")
  func archives() throws {
    let labels = try rawValues("HKStateOfMindLabel").map {
      try #require(HKStateOfMind.Label(rawValue: $0))
    }
    let associations = try rawValues("HKStateOfMindAssociation").map {
      try #require(HKStateOfMind.Association(rawValue: $0))
    }
    for kind in try rawValues("HKStateOfMindKind") {
      let sample = HKStateOfMind(
        date: start, kind: try #require(.init(rawValue: kind)), valence: -1 / 3, labels: labels,
        associations: associations)
      let copy = try archivedObject(sample)
      #expect(copy == sample && copy.content == sample.content)
      #expect(copy.kind.rawValue == kind && copy.labels == labels)
      #expect(copy.associations == associations)
      #expect(copy.valence.bitPattern == (-1.0 / 3).bitPattern)
      #expect(copy.startDate == start && copy.endDate == start)
      #expect(copy.sampleType == HKObjectType.stateOfMindType())
      #expect(sample.copy() as? HKStateOfMind == sample)
      #expect(sample.metadata?.isEmpty == true)
    }
  }

  @Test("the classes are of one size, ascend with the valence, and are opposite for opposites")
  func classes() throws {
    let all = try rawValues("HKStateOfMindValenceClassification")
    var counts: [Int: Int] = [:]
    var last = 0
    let steps = 70_000
    for step in -steps...steps {
      let valence = Double(step) / Double(steps)
      let sample = try HKStateOfMind.validated(
        date: start, kind: .dailyMood, valence: valence, labels: [], associations: [])
      let raw = sample.valenceClassification.rawValue
      #expect(raw >= last)
      last = raw
      counts[raw, default: 0] += 1
      let opposite = HKStateOfMind.ValenceClassification(valence: -valence)
      #expect(opposite?.rawValue == 8 - raw)
    }
    #expect(Set(counts.keys) == Set(all))
    for count in counts.values { #expect((count - 2 * steps / 7).magnitude <= 2) }
    #expect(HKStateOfMind.ValenceClassification(valence: -1) == .veryUnpleasant)
    #expect(HKStateOfMind.ValenceClassification(valence: 0) == .neutral)
    #expect(HKStateOfMind.ValenceClassification(valence: 1) == .veryPleasant)
  }

  @Test(
    "a valence outside of its range is refused", arguments: [Double(1).nextUp, -2, .nan, .infinity])
  func range(valence: Double) {
    #expect(HKStateOfMind.ValenceClassification(valence: valence) == nil)
    #expect(
      reason {
        try HKStateOfMind.validated(
          date: start, kind: .dailyMood, valence: valence, labels: [], associations: [])
      } == .valenceOutOfRange)
  }
}

@Suite struct AssessmentTests {
  /// The cut-offs as published: Spitzer and others (2006), Kroenke and others (2001).
  private let anxiety = [(5, 1), (10, 2), (15, 3), (22, 4)]
  private let depression = [(5, 1), (10, 2), (15, 3), (20, 4), (28, 5)]

  private func risk(_ score: Int, _ bands: [(below: Int, raw: Int)]) -> Int? {
    bands.first { score < $0.below }?.raw
  }

  @Test("the score of GAD-7 is the sum of its answers, and the risk that of the bands")
  func anxietyScores() throws {
    let answers = try rawValues("HKGAD7AssessmentAnswer").map {
      try #require(HKGAD7Assessment.Answer(rawValue: $0))
    }
    var random = SplitMix64(seed: 7)
    var risks: Set<Int> = []
    for _ in 0..<300 {
      let highest = Int.random(in: 1...answers.count, using: &random)
      let given = (0..<7).map { _ in answers[Int.random(in: 0..<highest, using: &random)] }
      let sample = HKGAD7Assessment(date: start, answers: given)
      #expect(sample.score == given.reduce(0) { $0 + $1.rawValue })
      #expect(sample.risk.rawValue == risk(sample.score, anxiety))
      risks.insert(sample.risk.rawValue)
      let copy = try archivedObject(sample)
      #expect(copy == sample && copy.answers == given && copy.score == sample.score)
      #expect(copy.sampleType == HKScoredAssessmentType(.GAD7))
    }
    #expect(
      HKGAD7Assessment(date: start, answers: Array(repeating: answers[3], count: 7)).score == 21)
    #expect(risks == Set(try rawValues("HKGAD7AssessmentRisk")))
  }

  @Test("the last question of PHQ-9 may stay without an answer, which adds nothing")
  func depressionScores() throws {
    let answers = try rawValues("HKPHQ9AssessmentAnswer").map {
      try #require(HKPHQ9Assessment.Answer(rawValue: $0))
    }
    var random = SplitMix64(seed: 9)
    var risks: Set<Int> = []
    for _ in 0..<300 {
      let highest = Int.random(in: 1...4, using: &random)
      var given = (0..<9).map { _ in answers[Int.random(in: 0..<highest, using: &random)] }
      if Bool.random(using: &random) { given[8] = .preferNotToAnswer }
      let sample = HKPHQ9Assessment(date: start, answers: given)
      let sum = given.filter { $0 != .preferNotToAnswer }.reduce(0) { $0 + $1.rawValue }
      #expect(sample.score == sum)
      #expect(sample.risk.rawValue == risk(sum, depression))
      risks.insert(sample.risk.rawValue)
      let copy = try archivedObject(sample)
      #expect(copy == sample && copy.answers == given && copy.risk == sample.risk)
      #expect((sample.copy() as? HKScoredAssessment)?.score == sum)
    }
    #expect(
      HKPHQ9Assessment(date: start, answers: Array(repeating: answers[3], count: 9)).score == 27)
    #expect(risks == Set(try rawValues("HKPHQ9AssessmentRisk")))
  }

  @Test("another number of answers is refused")
  func errors() {
    #expect(
      reason { try HKGAD7Assessment.validated(date: start, answers: []) }
        == .wrongNumberOfAnswers(type: "HKScoredAssessmentTypeIdentifierGAD7", expected: 7))
    #expect(
      reason {
        try HKPHQ9Assessment.validated(
          date: start, answers: Array(repeating: .notAtAll, count: 8))
      } == .wrongNumberOfAnswers(type: "HKScoredAssessmentTypeIdentifierPHQ9", expected: 9))
    #expect(
      reason {
        try HKPHQ9Assessment.validated(
          date: start, answers: [.preferNotToAnswer] + Array(repeating: .notAtAll, count: 8))
      } == .unansweredQuestion)
  }
}
