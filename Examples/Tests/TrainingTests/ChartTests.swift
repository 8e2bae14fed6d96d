import Foundation
import HealthKit
import HealthKitTesting
import Testing
import Training

@Suite("Charts", .healthStore(.authorised))
struct ChartTests {
  private let charts = Charts(calendar: calendar)

  private func walk(_ kilometres: Double, at start: Date, minutes: Double = 10) -> HKQuantitySample
  {
    HKQuantitySample(
      .distanceWalkingRunning, kilometres, .meterUnit(with: .kilo), at: start,
      seconds: minutes * 60)
  }

  @Test("Weeks begin on Monday, also when the clocks change, and a week of rest has 0")
  func weeks() async throws {
    // The clocks go back on Sunday, 25 October.
    try await HKHealthStore().save([
      walk(3, at: date(10, 5)), walk(4, at: date(10, 25, 23, 40)), walk(5, at: date(10, 26, 0, 10)),
    ])
    let weeks = try await charts.weeks(4, until: date(10, 28))
    #expect(weeks == [3, 0, 4, 5])
  }

  @Test("A way that watch and phone measure counts once")
  func twoDevices() async throws {
    let watch = TestHealthStore.current.otherApp("com.example.watch")
    try await watch.save(walk(2, at: date(10, 20)))
    try await HKHealthStore().save(walk(2, at: date(10, 20)))
    #expect(try await charts.weeks(1, until: date(10, 20)) == [2])
  }

  @Test("The heart rates of a run are those between its start and its end")
  func heartRates() async throws {
    let run = try #require(try await saveWorkout(from: date(10, 20, 9), minutes: 30))
    let rates = [(-1.0, 60.0), (0, 100), (10, 140), (29, 150), (31, 190)]
    try await band.save(
      rates.map {
        HKQuantitySample(.heartRate, $1, .beats, at: run.startDate + $0 * 60)
      })
    let found = try #require(try await charts.heartRates(of: run))
    // The mean is one over time.
    #expect(found.lowest == 100 && found.highest == 150 && (101..<150).contains(found.mean))
    let empty = try #require(try await saveWorkout(from: date(10, 21, 9), minutes: 30))
    #expect(try await charts.heartRates(of: empty) == nil)
  }

  @Test("A night that two apps record counts once, and time awake does not")
  func sleep() async throws {
    func sleep(_ value: HKCategoryValueSleepAnalysis, _ from: Date, _ to: Date) -> HKSample {
      HKCategorySample(
        type: HKCategoryType(.sleepAnalysis), value: value.rawValue, start: from, end: to)
    }
    try await band.save([
      sleep(.inBed, date(10, 19, 22), date(10, 20, 8)),
      sleep(.asleepCore, date(10, 19, 23), date(10, 20, 3)),
      sleep(.awake, date(10, 20, 3), date(10, 20, 4)),
      sleep(.asleepREM, date(10, 20, 4), date(10, 20, 6)),
    ])
    try await HKHealthStore().save([
      sleep(.asleepUnspecified, date(10, 20, 0), date(10, 20, 2)),
      sleep(.asleepUnspecified, date(10, 20, 5), date(10, 20, 7)),
    ])
    #expect(try await charts.sleep(inTheNightBefore: date(10, 20)) == 7)
    #expect(try await charts.sleep(inTheNightBefore: date(10, 21)) == 0)
  }

  @Test("Days have the mean of their resting heart rates, and no value without one")
  func resting() async throws {
    try await band.save([
      HKQuantitySample(.restingHeartRate, 50, .beats, at: date(10, 20, 0, 5)),
      HKQuantitySample(.restingHeartRate, 56, .beats, at: date(10, 20, 23, 55)),
      HKQuantitySample(.restingHeartRate, 61, .beats, at: date(10, 22)),
    ])
    let rates = try await charts.restingHeartRates(from: date(10, 19, 0), to: date(10, 24, 0))
    #expect(rates == [date(10, 20, 0): 53, date(10, 22, 0): 61])
  }
}

@Suite("Heart and ears", .healthStore(.authorised))
struct HeartTests {
  private let reader = HeartReader()
  private var store: TestHealthStore { .current }

  @Test("The latest electrocardiogram is drawn as the watch has measured it")
  func electrocardiogram() async throws {
    #expect(try await reader.latestElectrocardiogram() == nil)
    let wave = (0..<16).map { Double($0 % 5) }
    try await store.load(
      .electrocardiogram(
        RecordedECG(hertz: 128, microvolts: [1, 2, 3], start: date(10, 19))))
    try await store.load(
      .electrocardiogram(
        RecordedECG(
          hertz: 256, microvolts: wave, classification: .atrialFibrillation,
          symptoms: [.dizziness], start: date(10, 20))))
    let drawing = try #require(try await reader.latestElectrocardiogram())
    #expect(drawing.title == "Atrial fibrillation" && drawing.hasSymptoms)
    #expect(drawing.millivolts.map { ($0 * 1_000).rounded() } == wave)
    #expect(abs(drawing.step - 1 / 256) < 1e-9)
  }

  @Test("Hearing is the mean of four frequencies, and nothing for an ear that was not tested")
  func hearing() async throws {
    let points = [(250.0, 90.0), (500, 10), (1_000, 20), (2_000, 30), (4_000, 40), (8_000, 90)]
    try await store.load(
      .audiogram(
        RecordedAudiogram(
          points.map {
            RecordedAudiogram.Point(hertz: $0, left: $1, right: $0 == 500 ? nil : $1)
          })))
    let hearing = try await reader.latestHearing()
    #expect(hearing.left == 25 && hearing.right == nil)
  }

  @Test("Beats beside a gap do not count for the variability")
  func variability() async throws {
    let times = [0, 0.8, 1.7, 2.5, 6, 6.9, 7.7]
    try await store.load(
      .heartbeats(times.map { date(10, 20) + $0 }, afterGaps: [4]))
    // Intervals of 800, 900 and 800 ms before the gap, of 900 and 800 ms after it.
    let found = try #require(try await reader.latestVariability())
    #expect(abs(found - 100) < 0.01)
  }

  @Test("The usual maximum of the heart rate follows the age, if the person has told it")
  func maximum() async throws {
    #expect(try reader.usualMaximum(on: date(10, 20), calendar: calendar) == nil)
    let born = DateComponents(year: 1986, month: 10, day: 21)
    try await store.load(.characteristics(RecordedPerson(dateOfBirth: born)))
    #expect(try reader.usualMaximum(on: date(10, 20), calendar: calendar) == 220 - 39)
    #expect(try reader.usualMaximum(on: date(10, 21), calendar: calendar) == 220 - 40)
  }
}
