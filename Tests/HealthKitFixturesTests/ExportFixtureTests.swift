import HealthKit
import HealthKitFixtures
import HealthKitTesting
import Testing

private let until = DateComponents(year: 2026, month: 4, day: 13)

/// A zone whose clocks change within the days below.
private let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt

private let calendar: Calendar = {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = zone
  return calendar
}()

extension HKHealthStore {
  /// The sums of days, as an app's charts have them.
  fileprivate func daily(
    _ identifier: HKQuantityTypeIdentifier, _ unit: HKUnit
  ) async throws -> [Date: Double] {
    let collection = try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: HKQuantityType(identifier)), options: .cumulativeSum,
      anchorDate: calendar.date(from: until) ?? .distantPast,
      intervalComponents: DateComponents(timeZone: zone, day: 1)
    ).result(for: self)
    let days = collection.statistics().compactMap { day in
      day.sumQuantity().map { (day.startDate, $0.doubleValue(for: unit)) }
    }
    return Dictionary(days, uniquingKeysWith: +)
  }

  fileprivate func count(_ type: HKSampleType) async throws -> Int {
    try await HKSampleQueryDescriptor(
      predicates: [.sample(type: type)], sortDescriptors: []
    ).result(for: self).count
  }
}

@Suite("Exports as fixtures", .healthStore(.authorised))
struct ExportFixtureTests {
  private let app = HKHealthStore()

  @Test("A day has one summary, that which was loaded last, also where an export has another")
  func oneSummary() async throws {
    let store = TestHealthStore.current
    let person = Fixture.synthetic(
      years: 0.01, seed: 3, until: until, density: 0.05, timeZone: zone)
    func energies() async throws -> [Int?: Double] {
      let summaries = try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: app)
      let days = summaries.map { $0.dateComponents(for: calendar).day }
      #expect(Set(days).count == days.count)
      return Dictionary(
        zip(days, summaries.map { $0.activeEnergyBurned.doubleValue(for: .kilocalorie()) }),
        uniquingKeysWith: { first, _ in first })
    }
    try await store.load(person)
    var expected = try await energies()
    #expect(expected.count > 1)
    // The day before the last one.
    let day = DateComponents(year: 2026, month: 4, day: 11)
    try await store.load(.activitySummary(day, [.activeEnergyBurned: 1_234]))
    expected[11] = 1_234
    #expect(try await energies() == expected)
  }

  @Test("The days of a synthetic person are those that the generator tells", arguments: [1, 7])
  func synthetic(seed: UInt64) async throws {
    let totals = try await TestHealthStore.current.load(
      .synthetic(years: 1, seed: seed, until: until, density: 0.05, timeZone: zone))
    let units: [(HKQuantityTypeIdentifier, HKUnit)] = [
      (.stepCount, .count()), (.distanceWalkingRunning, .meter()),
      (.activeEnergyBurned, .kilocalorie()), (.flightsClimbed, .count()),
    ]
    for (identifier, unit) in units {
      let days = try await app.daily(identifier, unit)
      let expected = totals.daily(identifier, unit: unit)
      #expect(expected.count > 300)
      #expect(
        totals.daysThatDiffer(from: days, of: identifier, unit: unit).isEmpty,
        "\(identifier.rawValue)")
      // What is off by one is seen.
      let (day, sum) = try #require(expected.max { $0.value < $1.value })
      let wrong = days.merging([day: sum + 1]) { _, new in new }
      #expect(totals.daysThatDiffer(from: wrong, of: identifier, unit: unit) == [day])
      let fewer = days.filter { $0.key != day }
      #expect(totals.daysThatDiffer(from: fewer, of: identifier, unit: unit) == [day])
    }
    let last = calendar.date(from: DateComponents(year: 2026, month: 4, day: 12))
    #expect(totals.daily(.stepCount).keys.max() == last)
    for type in [HKQuantityType(.stepCount), HKQuantityType(.heartRate), HKQuantityType(.bodyMass)]
    {
      #expect(try await app.count(type) == totals.count(of: type))
    }
    for type in [
      HKObjectType.workoutType(), HKObjectType.electrocardiogramType(),
      HKObjectType.audiogramSampleType(), HKCategoryType(.sleepAnalysis),
    ] {
      #expect(try await app.count(type) == totals.count(of: type))
      #expect(totals.count(of: type) > 0)
    }
    let rings = try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: app)
    #expect(rings.count == totals.count(of: HKObjectType.activitySummaryType()))
  }

  @Test("The same parameters make the same person, and one loaded twice counts once")
  func same() async throws {
    let person = Fixture.synthetic(years: 0.02, until: until, timeZone: zone)
    let first = try await TestHealthStore.current.load(person)
    let days = try await app.daily(.stepCount, .count())
    let second = try await TestHealthStore.current.load(person)
    #expect(first.counts == second.counts)
    #expect(first.daily(.stepCount) == second.daily(.stepCount))
    #expect(try await app.daily(.stepCount, .count()) == days)
  }

  @Test("An export is read, beside other fixtures, which it does not delete")
  func export() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fixture-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("export.xml")
    let record = """
      <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" \
      creationDate="2026-03-01 09:00:00 +0100" startDate="2026-03-01 08:00:00 +0100" \
      endDate="2026-03-01 08:10:00 +0100" value="
      """
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <HealthData locale="en_US"><ExportDate value="2026-03-02 10:00:00 +0100"/>
      <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexMale"/>
      \(record)250"/>
      <ActivitySummary dateComponents="2026-03-01" activeEnergyBurned="300" \
      activeEnergyBurnedGoal="400" activeEnergyBurnedUnit="kcal" appleExerciseTime="20" \
      appleExerciseTimeGoal="30" appleStandHours="9" appleStandHoursGoal="12"/>
      </HealthData>
      """
    try Data(xml.utf8).write(to: file)
    let store = TestHealthStore.current
    try await store.load(.electrocardiogram(RecordedECG(millivolts: [0, 1])))
    try await store.load(
      .activitySummary(DateComponents(year: 2026, month: 2, day: 28), [.activeEnergyBurned: 1]))
    let totals = try await store.load(.export(file))
    #expect(totals.count(of: HKQuantityType(.stepCount)) == 1)
    #expect(totals.count(of: HKObjectType.activitySummaryType()) == 1)
    #expect(try await store.load(.export(file)).counts == totals.counts)
    #expect(try await app.daily(.stepCount, .count()).values.map { $0 } == [250])
    #expect(try await app.count(HKObjectType.electrocardiogramType()) == 1)
    #expect(try app.biologicalSex().biologicalSex == .male)
    let rings = try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: app)
    #expect(
      rings.map { $0.activeEnergyBurned.doubleValue(for: .kilocalorie()) } == [1, 300])
  }

  @Test("A file that is no export, and a person of no time, say why")
  func errors() async throws {
    let store = TestHealthStore.current
    let missing = URL(fileURLWithPath: "/nonexistent/export.zip")
    let fixtures: [Fixture] = [
      .export(missing), .synthetic(years: 0), .synthetic(years: 1, density: 0),
      .synthetic(until: DateComponents(year: 2026, month: 2, day: 30)),
      .synthetic(until: DateComponents(year: 2026)),
    ]
    for fixture in fixtures {
      let error = await #expect(throws: FixtureError.self) { try await store.load(fixture) }
      #expect(error.map { !$0.localizedDescription.isEmpty } ?? false)
    }
    #expect(try await app.count(HKQuantityType(.stepCount)) == 0)
  }
}
