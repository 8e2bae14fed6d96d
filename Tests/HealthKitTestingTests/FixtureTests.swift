import HealthKit
import HealthKitTesting
import Testing

private let steps = HKQuantityType(.stepCount)
private let first = Date(timeIntervalSinceReferenceDate: 700_000_000)

private let utc: Calendar = {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = .gmt
  return calendar
}()

/// A calendar whose clocks change some weeks after the first walk.
private let berlin: Calendar = {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
  return calendar
}()

private func walk(_ count: Double, at seconds: Double = 0, for duration: Double = 60)
  -> HKQuantitySample
{
  let start = first.addingTimeInterval(seconds)
  return HKQuantitySample(
    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count), start: start,
    end: start.addingTimeInterval(duration))
}

/// The app under test: it asks, and reads what it may.
private struct App {
  let store = HKHealthStore()

  func ask(_ types: HKObjectType...) async throws {
    try await store.requestAuthorization(toShare: [], read: Set(types))
  }

  func samples<Sample: HKSample>(
    _ type: HKSampleType, as _: Sample.Type, _ predicate: NSPredicate? = nil
  ) async throws -> [Sample] {
    try await HKSampleQueryDescriptor(
      predicates: [.sample(type: type, predicate: predicate)],
      sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store).compactMap { $0 as? Sample }
  }

  /// The sums of days, as an app's charts have them.
  func daily(_ identifier: HKQuantityTypeIdentifier, _ unit: HKUnit) async throws -> [Date: Double]
  {
    let collection = try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: HKQuantityType(identifier)), options: .cumulativeSum,
      anchorDate: berlin.startOfDay(for: first),
      intervalComponents: DateComponents(timeZone: berlin.timeZone, day: 1)
    ).result(for: store)
    let days = collection.statistics().compactMap { day in
      day.sumQuantity().map { (day.startDate, $0.doubleValue(for: unit)) }
    }
    return Dictionary(days, uniquingKeysWith: +)
  }

  func sum() async throws -> Double? {
    try await HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: steps), options: .cumulativeSum
    ).result(for: store)?.sumQuantity()?.doubleValue(for: .count())
  }
}

@Suite("Fixtures", .healthStore(.allowingAll.clock(.manual(first))))
struct FixtureTests {
  private let app = App()
  private var store: TestHealthStore { .current }

  // MARK: What apps save

  @Test("Objects have the app, or another one, as source, and no permission changes")
  func objects() async throws {
    let own = try await store.load(.objects([walk(100)]))
    let other = try await store.load(.objects([walk(50, at: 3_600)], from: "com.example.watch"))
    #expect(app.store.authorizationStatus(for: steps) == .notDetermined)
    try await app.ask(steps)
    #expect(app.store.authorizationStatus(for: steps) == .sharingDenied)
    let samples = try await app.samples(steps, as: HKQuantitySample.self)
    #expect(
      samples.map(\.sourceRevision.source.bundleIdentifier) == [
        "com.example.app", "com.example.watch",
      ])
    #expect((own + other).count(of: steps) == samples.count)
  }

  @Test("Overlapping objects of two sources count once, as on a phone; totals add up all")
  func sources() async throws {
    let one = try await store.load(.objects([walk(600, for: 600)], from: "com.example.watch"))
    let two = try await store.load(.objects([walk(400, for: 600)], from: "com.example.phone"))
    try await app.ask(steps)
    let sum = try await app.sum()
    #expect(sum == 600 || sum == 400)
    #expect((one + two).daily(.stepCount, calendar: utc).values.reduce(0, +) == 1_000)
  }

  @Test("The totals of one source are its statistics", arguments: 1...5)
  func totals(seed: Int) async throws {
    let walks = (0..<60).map { place in
      walk(
        Double(place * seed % 7 + 1), at: Double(place) * 7_000 * Double(seed), for: 4_096)
    }
    let totals = try await store.load(.objects(walks))
    try await app.ask(steps)
    let days = try await app.daily(.stepCount, .count())
    let expected = totals.daily(.stepCount, calendar: berlin)
    #expect(days.keys.sorted() == expected.keys.sorted())
    for (day, sum) in expected { #expect(abs((days[day] ?? 0) - sum) < 1e-9) }
  }

  @Test("A fixture that is loaded twice counts once")
  func twice() async throws {
    let fixtures: [Fixture] = [
      .objects([walk(1), walk(2, at: 60)]), .heartbeats([first, first + 1]),
      .electrocardiogram(RecordedECG(millivolts: [0, 1], symptoms: [.fatigue])),
      .audiogram(RecordedAudiogram([.init(hertz: 1_000, left: 5, right: nil)])),
      .json(
        Data(
          #"[{"type":"HKQuantityTypeIdentifierHeartRate","value":60,"unit":"count/min","start":"2026-03-01T08:00:00Z"}]"#
            .utf8)),
      .clinical(fhir: Data(#"{"resourceType":"Condition","id":"1"}"#.utf8), .conditionRecord),
    ]
    for fixture in fixtures {
      let counts = try await store.load(fixture).counts
      #expect(try await store.load(fixture).counts == counts)
      let types = counts.keys.compactMap { name -> HKSampleType? in
        HKObjectType.quantityType(forIdentifier: .init(rawValue: name))
          ?? HKObjectType.categoryType(forIdentifier: .init(rawValue: name))
          ?? HKObjectType.clinicalType(forIdentifier: .init(rawValue: name))
          ?? HKObjectType.seriesType(forIdentifier: name)
          ?? [HKObjectType.electrocardiogramType(), HKObjectType.audiogramSampleType()]
          .first { $0.identifier == name }
      }
      #expect(types.count == counts.count)
      for type in types {
        try await app.ask(type)
        let found = try await app.samples(type, as: HKSample.self)
        #expect(found.count == counts[type.identifier])
      }
    }
  }

  @Test("The app adds to what was loaded, and deletes only what is its own")
  func changes() async throws {
    let (own, foreign, saved) = (walk(1), walk(2, at: 60), walk(4, at: 120))
    try await store.load(.objects([own]))
    try await store.load(.objects([foreign], from: "com.example.watch"))
    try await app.store.requestAuthorization(toShare: [steps], read: [steps])
    try await app.store.save(saved)
    #expect(try await app.sum() == 7)
    try await app.store.delete(own)
    let error = await #expect(throws: HKError.self) { try await app.store.delete(foreign) }
    #expect(error?.code == .errorInvalidArgument)
    #expect(try await app.sum() == 6)
    try await store.load(.objects([walk(8, at: 180)]))
    #expect(try await app.sum() == 14)
  }

  @Test("Tests that load at the same time have each their own", arguments: 1...20)
  func parallel(count: Int) async throws {
    try await withThrowingTaskGroup { group in
      for place in 0..<count {
        group.addTask {
          _ = try await TestHealthStore.current.load(
            .objects([walk(1, at: 60 * Double(place))], from: "com.example.app\(place % 3)"))
        }
      }
      try await group.waitForAll()
    }
    try await app.ask(steps)
    #expect(try await app.samples(steps, as: HKQuantitySample.self).count == count)
  }

  @Test("Objects of every class are loaded, correlations with their samples, which count, too")
  func classes() async throws {
    func pressure(_ identifier: HKQuantityTypeIdentifier, _ value: Double) -> HKQuantitySample {
      HKQuantitySample(
        type: HKQuantityType(identifier),
        quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value), start: first,
        end: first)
    }
    let both = [
      pressure(.bloodPressureSystolic, 120), pressure(.bloodPressureDiastolic, 80),
    ]
    let correlation = HKCorrelation(
      type: HKCorrelationType(.bloodPressure), start: first, end: first, objects: Set(both))
    let workout = HKWorkout(activityType: .running, start: first, end: first + 600)
    let mood = HKStateOfMind(
      date: first, kind: .dailyMood, valence: 0.5, labels: [.calm], associations: [])
    let totals = try await store.load(
      .objects([correlation, workout, mood], from: "com.example.cuff"))
    #expect(totals.counts.values.reduce(0, +) == 5)
    try await app.ask(
      both[0].sampleType, both[1].sampleType, workout.sampleType, mood.sampleType)
    for object in [correlation, workout, mood] + both {
      let found = try await app.samples(object.sampleType, as: HKSample.self)
      #expect(found == [object])
      #expect(found.map(\.sourceRevision.source.bundleIdentifier) == ["com.example.cuff"])
    }
  }

  @Test("An observer hears of what is loaded")
  func observed() async throws {
    try await app.ask(steps)
    let results = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: steps)], anchor: nil
    ).results(for: app.store)
    var answers = results.makeAsyncIterator()
    #expect(try await answers.next()?.addedSamples.isEmpty == true)
    try await store.load(.objects([walk(3)], from: "com.example.watch"))
    #expect(try await answers.next()?.addedSamples.count == 1)
  }

  @Test("A body of one's own writes with the clock of the store")
  func custom() async throws {
    let now = store.clock.now
    try await store.load(
      Fixture { writer in
        let sample = HKQuantitySample(
          type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 5), start: writer.now,
          end: writer.now)
        try writer.save([sample])
        return FixtureTotals([sample])
      })
    try await app.ask(steps)
    #expect(try await app.samples(steps, as: HKQuantitySample.self).map(\.startDate) == [now])
  }

  // MARK: What devices record

  @Test("An electrocardiogram has its voltages, its finding and its symptoms")
  func electrocardiogram() async throws {
    let wave = (0..<1_024).map { Double($0 % 64 - 32) * 7.3 }
    let start = first.addingTimeInterval(-3_600)
    let totals = try await store.load(
      .electrocardiogram(
        RecordedECG(
          hertz: 512, microvolts: wave, classification: .atrialFibrillation,
          symptoms: [.fatigue, .dizziness], averageHeartRate: 71.5, start: start)))
    let type = HKObjectType.electrocardiogramType()
    let symptoms = [HKCategoryType(.fatigue), HKCategoryType(.dizziness)]
    try await app.ask(type, symptoms[0], symptoms[1])
    let found = try await app.samples(type, as: HKElectrocardiogram.self)
    let recorded = try #require(found.first)
    #expect(found.count == 1 && totals.count(of: type) == 1)
    #expect(recorded.classification == .atrialFibrillation)
    #expect(recorded.symptomsStatus == .present)
    #expect(recorded.samplingFrequency == HKQuantity(unit: .hertz(), doubleValue: 512))
    let perMinute = HKUnit.count().unitDivided(by: .minute())
    #expect(recorded.averageHeartRate == HKQuantity(unit: perMinute, doubleValue: 71.5))
    #expect(recorded.startDate == start && recorded.endDate == start.addingTimeInterval(2))
    #expect(recorded.device?.model == "Watch")
    #expect(recorded.sourceRevision.source.bundleIdentifier.hasPrefix("com.apple.health."))
    #expect(recorded.sourceRevision.productType == recorded.device?.hardwareVersion)
    var voltages: [Double] = []
    for try await one in HKElectrocardiogramQueryDescriptor(recorded).results(for: app.store) {
      voltages.append(
        try #require(one.quantity(for: .appleWatchSimilarToLeadI))
          .doubleValue(for: .voltUnit(with: .micro)))
    }
    #expect(voltages == wave)
    for type in symptoms {
      let noted = try await app.samples(
        type, as: HKCategorySample.self,
        HKQuery.predicateForObjectsAssociated(electrocardiogram: recorded))
      #expect(noted.map(\.startDate) == [start])
      #expect(totals.count(of: type) == 1)
    }
  }

  @Test(
    "Every finding of an electrocardiogram is read as it was recorded",
    arguments: [
      .notSet, .sinusRhythm, .atrialFibrillation, .inconclusiveLowHeartRate,
      .inconclusiveHighHeartRate, .inconclusivePoorReading, .inconclusiveOther, .unrecognized,
    ] as [HKElectrocardiogram.Classification], [nil, []] as [Set<HKCategoryTypeIdentifier>?])
  func findings(
    _ classification: HKElectrocardiogram.Classification, _ symptoms: Set<HKCategoryTypeIdentifier>?
  ) async throws {
    try await store.load(
      .electrocardiogram(
        RecordedECG(millivolts: [0, 0.5], classification: classification, symptoms: symptoms)))
    try await app.ask(HKObjectType.electrocardiogramType())
    let found = try await app.samples(
      HKObjectType.electrocardiogramType(), as: HKElectrocardiogram.self)
    #expect(found.map(\.classification) == [classification])
    #expect(found.map(\.symptomsStatus) == [symptoms == nil ? .notSet : .none])
    #expect(found.map(\.endDate) == [store.clock.now])
    #expect(found.map(\.averageHeartRate) == [nil])
  }

  @Test("A hearing test has its points")
  func audiogram() async throws {
    try await store.load(
      .audiogram(
        RecordedAudiogram([
          .init(hertz: 500, left: 10, right: 15), .init(hertz: 1_000, left: nil, right: 20),
        ])))
    let type = HKObjectType.audiogramSampleType()
    try await app.ask(type)
    let points = try #require(
      try await app.samples(type, as: HKAudiogramSample.self).first
    ).sensitivityPoints
    func levels(_ ear: (HKAudiogramSensitivityPoint) -> HKQuantity?) -> [Double?] {
      points.map { ear($0)?.doubleValue(for: .decibelHearingLevel()) }
    }
    #expect(points.map { $0.frequency.doubleValue(for: .hertz()) } == [500, 1_000])
    #expect(levels(\.leftEarSensitivity) == [10, nil])
    #expect(levels(\.rightEarSensitivity) == [15, 20])
    await #expect(throws: HKError.self) {
      try await store.load(.audiogram(RecordedAudiogram([.init(hertz: 0, left: 1, right: 1)])))
    }
    let same = RecordedAudiogram.Point(hertz: 500, left: 1, right: 1)
    await #expect(throws: HKError.self) {
      try await store.load(.audiogram(RecordedAudiogram([same, same])))
    }
    #expect(try await app.samples(type, as: HKAudiogramSample.self).count == 1)
  }

  @Test("Heartbeats come one after the other, with their gaps")
  func heartbeats() async throws {
    let beats = [0, 0.75, 1.5, 6.25, 7].map { first.addingTimeInterval($0) }
    try await store.load(.heartbeats(beats, afterGaps: [3]))
    try await app.ask(HKSeriesType.heartbeat())
    let series = try #require(
      try await app.samples(HKSeriesType.heartbeat(), as: HKHeartbeatSeriesSample.self).first)
    #expect(series.startDate == beats.first && series.endDate == beats.last)
    var read: [(Date, Bool)] = []
    for try await beat in HKHeartbeatSeriesQueryDescriptor(series).results(for: app.store) {
      read.append((series.startDate + beat.timeIntervalSinceStart, beat.precededByGap))
    }
    #expect(read.map(\.0) == beats)
    #expect(read.map(\.1) == [false, false, false, true, false])
    for wrong in [[], [first, first], [first, first - 1]] {
      await #expect(throws: FixtureError.self) { try await store.load(.heartbeats(wrong)) }
    }
    await #expect(throws: FixtureError.self) {
      try await store.load(.heartbeats([first], afterGaps: [1]))
    }
  }

  @Test("Activity rings have their day, their values and their goals")
  func rings() async throws {
    let days = (1...3).map { DateComponents(year: 2026, month: 2, day: 26 + $0) }
    // 29 February is no day of 2026.
    await #expect(throws: FixtureError.self) {
      try await store.load(.activitySummary(days[2], [:]))
    }
    try await store.load(.activitySummary(days[1], [.activeEnergyBurned: 1]))
    try await store.load(
      .activitySummary(days[1], [.activeEnergyBurned: 300, .appleExerciseTime: 25]))
    // What was loaded last counts, though it was loaded before.
    let earlier = Fixture.activitySummary(days[0], [.activeEnergyBurned: 5])
    let later = Fixture.activitySummary(days[0]) { day in
      day.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 410)
      day.activeEnergyBurnedGoal = HKQuantity(unit: .kilocalorie(), doubleValue: 400)
      day.appleStandHours = HKQuantity(unit: .count(), doubleValue: 11)
      day.standHoursGoal = HKQuantity(unit: .count(), doubleValue: 12)
    }
    for fixture in [later, earlier, later] { try await store.load(fixture) }
    try await app.ask(HKObjectType.activitySummaryType())
    let rings = try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: app.store)
    #expect(rings.map { $0.dateComponents(for: utc).day } == [27, 28])
    #expect(rings.map { $0.activeEnergyBurned.doubleValue(for: .kilocalorie()) } == [410, 300])
    #expect(
      rings.map { $0.activeEnergyBurnedGoal.doubleValue(for: .kilocalorie()) } == [400, 0])
    #expect(rings.map { $0.appleExerciseTime.doubleValue(for: .minute()) } == [0, 25])
    #expect(rings.map { $0.appleStandHours.doubleValue(for: .count()) } == [11, 0])
    #expect(rings.map { $0.standHoursGoal?.doubleValue(for: .count()) } == [12, nil])
    let error = await #expect(throws: FixtureError.self) {
      try await store.load(.activitySummary(days[0], [.stepCount: 3]))
    }
    #expect(error?.reason == .ring("HKQuantityTypeIdentifierStepCount"))
  }

  // MARK: What the person and clinics say

  @Test("Characteristics are what the person set")
  func characteristics() async throws {
    try await store.load(
      .characteristics(
        RecordedPerson(
          dateOfBirth: DateComponents(year: 1984, month: 2, day: 29), biologicalSex: .female,
          bloodType: .abNegative, fitzpatrickSkinType: .III)))
    let totals = try await store.load(
      .characteristics(RecordedPerson(wheelchairUse: .yes, activityMoveMode: .appleMoveTime)))
    #expect(totals.counts.values.reduce(0, +) == 2)
    #expect(throws: HKError.self) { try app.store.biologicalSex() }
    try await app.ask(
      HKCharacteristicType(.dateOfBirth), HKCharacteristicType(.biologicalSex),
      HKCharacteristicType(.bloodType), HKCharacteristicType(.fitzpatrickSkinType),
      HKCharacteristicType(.wheelchairUse), HKCharacteristicType(.activityMoveMode))
    let born = try app.store.dateOfBirthComponents()
    #expect([born.year, born.month, born.day] == [1984, 2, 29])
    #expect(try app.store.biologicalSex().biologicalSex == .female)
    #expect(try app.store.bloodType().bloodType == .abNegative)
    #expect(try app.store.fitzpatrickSkinType().skinType == .III)
    #expect(try app.store.wheelchairUse().wheelchairUse == .yes)
    #expect(try app.store.activityMoveMode().activityMoveMode == .appleMoveTime)
    await #expect(throws: FixtureError.self) {
      try await store.load(
        .characteristics(RecordedPerson(dateOfBirth: DateComponents(year: 1985, month: 2, day: 29)))
      )
    }
  }

  @Test("A clinical record has its FHIR resource")
  func clinical() async throws {
    let resource = Data(
      #"{"resourceType":"Observation","id":"17","code":{"text":"Haemoglobin"}}"#.utf8)
    let totals = try await store.load(
      .clinical(fhir: resource, .labResultRecord, from: "Example Hospital"))
    let type = HKClinicalType(.labResultRecord)
    #expect(totals.count(of: type) == 1)
    try await app.ask(type)
    let record = try #require(try await app.samples(type, as: HKClinicalRecord.self).first)
    #expect(record.displayName == "Haemoglobin")
    #expect(record.fhirResource?.data == resource)
    #expect(record.fhirResource?.identifier == "17")
    #expect(record.fhirResource?.resourceType == .observation)
    #expect(record.fhirResource?.fhirVersion.stringRepresentation == "4.0.1")
    #expect(record.sourceRevision.source.name == "Example Hospital")
    for wrong in ["", "[]", #"{"id":"1"}"#] {
      let error = await #expect(throws: FixtureError.self) {
        try await store.load(.clinical(fhir: Data(wrong.utf8), .labResultRecord))
      }
      #expect(error?.reason == .resource)
    }
  }

  // MARK: JSON

  @Test("JSON has quantities, categories, metadata and sources")
  func json() async throws {
    let text = """
      [
        {"type": "HKQuantityTypeIdentifierBodyMass", "value": 71.5, "unit": "kg",
         "start": "2026-03-01T08:00:00+01:00", "metadata":
         {"HKWasUserEntered": true, "note": "x", "scale": {"value": 2, "unit": "cm"}}},
        {"type": "HKCategoryTypeIdentifierSleepAnalysis", "source": "com.example.watch",
         "value": "HKCategoryValueSleepAnalysisAsleepCore",
         "start": "2026-03-01T22:10:00.500Z", "end": "2026-03-02T05:40:00Z"},
        {"type": "HKCategoryTypeIdentifierSleepAnalysis", "value": 2,
         "start": "2026-03-02T05:40:00Z", "end": "2026-03-02T05:50:00Z"}
      ]
      """
    let (mass, sleep) = (HKQuantityType(.bodyMass), HKCategoryType(.sleepAnalysis))
    let totals = try await store.load(.json(Data(text.utf8)))
    try await app.ask(mass, sleep)
    let weight = try #require(try await app.samples(mass, as: HKQuantitySample.self).first)
    #expect(weight.quantity.doubleValue(for: .gramUnit(with: .kilo)) == 71.5)
    #expect(weight.startDate == weight.endDate)
    #expect(
      utc.dateComponents([.year, .month, .day, .hour], from: weight.startDate)
        == DateComponents(year: 2026, month: 3, day: 1, hour: 7))
    #expect(weight.metadata?["HKWasUserEntered"] as? Bool == true)
    #expect(weight.metadata?["note"] as? String == "x")
    #expect(
      weight.metadata?["scale"] as? HKQuantity
        == HKQuantity(unit: .meterUnit(with: .centi), doubleValue: 2))
    let nights = try await app.samples(sleep, as: HKCategorySample.self)
    #expect(
      nights.map(\.value)
        == [HKCategoryValueSleepAnalysis.asleepCore, .awake].map(\.rawValue))
    #expect(
      nights.map(\.sourceRevision.source.bundleIdentifier) == [
        "com.example.watch", "com.example.app",
      ])
    #expect(
      abs(nights[0].startDate.timeIntervalSinceReferenceDate.truncatingRemainder(dividingBy: 1))
        == 0.5)
    #expect(totals.counts == [mass.identifier: 1, sleep.identifier: 2])
  }

  @Test(
    "What is wrong with JSON is said with its place, and nothing is loaded",
    arguments: [
      ("{", .json), ("", .json), ("{}", .noList), ("7", .noList),
      ("[7]", .entry(1, .noObject)),
      (entry("HeartRate", #""value":61"#), .entry(2, .missing("unit"))),
      (entry("HeartRate", #""unit":"count/min""#), .entry(2, .missing("value"))),
      (entry("HeartRate", #""value":61,"unit":"kg""#), .entry(2, .unit(heartRate))),
      (
        entry("HeartRate", #""value":61,"unit":"count/min","values":1"#),
        .entry(2, .unknownKey("values"))
      ),
      (
        entry("Sins", #""value":61,"unit":"count""#),
        .entry(2, .unknownType("HKQuantityTypeIdentifierSins"))
      ),
    ] as [(String, FixtureError.Reason)])
  func errors(_ text: String, _ reason: FixtureError.Reason) async throws {
    let error = await #expect(throws: FixtureError.self) {
      try await store.load(.json(Data(text.utf8)))
    }
    #expect(error?.reason == reason)
    #expect(error?.localizedDescription.contains("61") == false)
    try await app.ask(steps)
    #expect(try await app.samples(steps, as: HKSample.self).isEmpty)
  }

  @Test(
    "Values of a wrong kind, dates and constants are refused",
    arguments: [
      #""value":"61","unit":"count/min""#, #""value":61,"unit":"beats""#,
      #""value":61,"unit":"count/min","start":"2026-03-01""#,
      #""value":61,"unit":"count/min","start":3"#,
      #""value":61,"unit":"count/min","end":"2026-02-01T00:00:00Z""#,
      #""value":61,"unit":"count/min","metadata":[1]"#,
      #""value":61,"unit":"count/min","metadata":{"a":[61]}"#,
      #""value":61,"unit":"count/min","metadata":{"HKWasUserEntered":"61"}"#,
      #""value":61,"unit":"count/min","source":61"#,
      #""type":"HKCategoryTypeIdentifierSleepAnalysis","value":61"#,
      #""type":"HKCategoryTypeIdentifierSleepAnalysis","value":1.61"#,
      #""type":"HKCategoryTypeIdentifierSleepAnalysis","value":1,"unit":"count""#,
      #""type":"HKCategoryTypeIdentifierSleepAnalysis","value":"HKCategoryValueSeverityMild""#,
    ])
  func refused(_ parts: String) async throws {
    try await app.ask(steps)
    let error = await #expect(throws: FixtureError.self) {
      try await store.load(.json(Data(entry("HeartRate", parts).utf8)))
    }
    guard case .entry(2, _)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.localizedDescription.contains("61") == false)
    #expect(try await app.samples(steps, as: HKSample.self).isEmpty)
  }

  @Test("JSON of several apps is loaded whole, or not at all", arguments: ["b", "z"])
  func severalApps(_ other: String) async throws {
    // A menopausal state is of an instant, which only saving says.
    let text = """
      [
        {"type": "HKQuantityTypeIdentifierStepCount", "value": 1, "unit": "count",
         "start": "2026-03-01T08:00:00Z", "source": "com.example.c"},
        {"type": "HKCategoryTypeIdentifierMenopausalState", "value": 0,
         "start": "2026-03-01T08:00:00Z", "end": "2026-03-01T09:00:00Z", "source": "com.example.\(other)"}
      ]
      """
    await #expect(throws: HKError.self) { try await store.load(.json(Data(text.utf8))) }
    try await app.ask(steps)
    #expect(try await app.samples(steps, as: HKSample.self).isEmpty)
    let whole = text.replacing(#""end": "2026-03-01T09:00:00Z","#, with: "")
    #expect(try await store.load(.json(Data(whole.utf8))).counts.values.reduce(0, +) == 2)
    let sources = try await HKSourceQueryDescriptor(predicate: .quantitySample(type: steps))
      .result(for: app.store)
    #expect(sources.map(\.bundleIdentifier) == ["com.example.c"])
  }

  @Test("An electrocardiogram without voltages, a rate or a symptom's type is refused")
  func impossibleElectrocardiograms() async throws {
    let recordings = [
      RecordedECG(millivolts: []), RecordedECG(millivolts: [.nan]),
      RecordedECG(hertz: 0, millivolts: [1]), RecordedECG(hertz: -.infinity, millivolts: [1]),
      RecordedECG(millivolts: [1], symptoms: [.sleepAnalysis, .init(rawValue: "none")]),
      RecordedECG(millivolts: [1], averageHeartRate: 0),
      RecordedECG(millivolts: [1], averageHeartRate: .infinity),
    ]
    for recording in recordings {
      await #expect(throws: FixtureError.self) {
        try await store.load(.electrocardiogram(recording))
      }
    }
    let type = HKObjectType.electrocardiogramType()
    try await app.ask(type)
    #expect(try await app.samples(type, as: HKSample.self).isEmpty)
  }
}

private let heartRate = "HKQuantityTypeIdentifierHeartRate"

/// An array with a sample of steps and an entry; what its parts say replaces what it has.
private func entry(_ name: String, _ parts: String) -> String {
  var lines = [parts]
  if !parts.contains(#""type""#) { lines.append(#""type":"HKQuantityTypeIdentifier\#(name)""#) }
  if !parts.contains(#""start""#) { lines.append(#""start":"2026-03-01T08:00:00Z""#) }
  return """
    [{"type":"HKQuantityTypeIdentifierStepCount","value":1,"unit":"count",
      "start":"2026-03-01T08:00:00Z"}, {\(lines.joined(separator: ","))}]
    """
}
