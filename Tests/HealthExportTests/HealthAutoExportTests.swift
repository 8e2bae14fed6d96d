import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthExport

@Suite("Health Auto Export, as JSON")
struct HealthAutoExportTests {
  /// What a text gives.
  private struct Outcome {
    var records: [String: [RecordColumns]] = [:]
    var workouts: [WorkoutColumns.Row] = []
    var routes: [RouteColumns.Row] = []
    var correlations: [CorrelationColumns.Row] = []
    var electrocardiograms: [ElectrocardiogramColumns.Row] = []
    var summary: ExportSummary

    init(_ text: String) throws { try self.init(bytes: Array(text.utf8)) }

    init(bytes: [UInt8]) throws {
      var reader = try #require(HealthAutoExportReader(text: bytes))
      while let batch = try reader.next() {
        switch batch {
        case .records(let rows): records[rows.type.identifier, default: []].append(rows)
        case .workouts(let columns): workouts += columns.rows
        case .routes(let columns): routes += columns.rows
        case .correlations(let columns): correlations += columns.rows
        case .electrocardiograms(let columns): electrocardiograms += columns.rows
        default: Issue.record("a batch of another kind")
        }
      }
      summary = reader.summary
    }

    func values(_ type: String) -> [Double] {
      (records["HKQuantityTypeIdentifier" + type] ?? []).flatMap(\.values)
    }
  }

  private static func metric(_ name: String, _ units: String, _ data: String) -> String {
    #"{"data":{"metrics":[{"data":[\#(data)],"name":"\#(name)","units":"\#(units)"}]}}"#
  }

  /// Seconds since 2001 of 2024-03-09 15:04:05 -0700.
  private static let instant = 731_714_645.0

  @Test(
    "A date may be in any style of the phone's clock",
    arguments: [
      "2024-03-09 15:04:05 -0700", "2024-03-09 3:04:05 PM -0700", "2024-03-09 3:04:05 pm -0700",
      "2024-03-09 3:04:05\u{202F}PM -0700", "2024-03-09 3:04:05\u{A0}p.m. -0700",
      "2024-03-09T22:04:05Z", "2024-03-09T15:04:05-07:00",
    ])
  func dates(text: String) throws {
    let outcome = try Outcome(
      Self.metric("step_count", "count", #"{"date":"\#(text)","qty":12,"source":"Watch"}"#))
    let steps = try #require(outcome.records["HKQuantityTypeIdentifierStepCount"]?.first)
    #expect(steps.starts == [Self.instant])
    #expect(steps.ends == [Self.instant])
    #expect(steps.source == Source(name: "Watch"))
  }

  @Test("Midnight and noon of a clock of twelve hours")
  func twelve() {
    #expect(
      LocalisedDate.instant("2024-03-09 12:00:00 AM +0000")
        == LocalisedDate.instant("2024-03-09 00:00:00 +0000"))
    #expect(
      LocalisedDate.instant("2024-03-09 12:00:00 PM +0000")
        == LocalisedDate.instant("2024-03-09 12:00:00 +0000"))
    #expect(LocalisedDate.instant("2024-03-09 13:00:00 PM +0000") == nil)
  }

  @Test(
    "The app's names and units become HealthKit's",
    arguments: [
      ("weight_body_mass", "kg", "BodyMass", 80.5, 80.5),
      ("blood_oxygen_saturation", "%", "OxygenSaturation", 97, 0.97),
      ("vo2_max", "ml/(kg·min)", "VO2Max", 41.5, 41.5),
      ("resting_heart_rate", "bpm", "RestingHeartRate", 52, 52),
      ("monosaturated_fat", "g", "DietaryFatMonounsaturated", 3, 3),
      ("protein", "g", "DietaryProtein", 20, 20),
      ("vitamin_b12", "mcg", "DietaryVitaminB12", 2, 2),
      ("basal_energy_burned", "kJ", "BasalEnergyBurned", 7, 7),
      ("blood_glucose", "mmol/L", "BloodGlucose", 5.5, 5.5),
    ])
  func names(name: String, units: String, type: String, value: Double, expected: Double) throws {
    let outcome = try Outcome(
      Self.metric(name, units, #"{"qty":\#(value),"date":"2024-03-09 15:04:05 -0700"}"#))
    #expect(outcome.values(type) == [expected])
    #expect(outcome.summary.unknownElements.isEmpty)
    #expect(outcome.summary.skipped.isEmpty)
  }

  @Test("A heart rate that sums several up keeps its bounds beside the mean")
  func heartRate() throws {
    let outcome = try Outcome(
      Self.metric(
        "heart_rate", "bpm", #"{"date":"2024-03-09 15:04:05 -0700","Min":50,"Avg":61.5,"Max":90}"#))
    #expect(outcome.values("HeartRate") == [61.5])
    let rows = try #require(outcome.records["HKQuantityTypeIdentifierHeartRate"]?.first)
    #expect(rows.metadataTable.last?.entries.map(\.key) == ["Min", "Max"])
  }

  @Test("A blood pressure is two records and a correlation of them")
  func bloodPressure() throws {
    let outcome = try Outcome(
      Self.metric(
        "blood_pressure", "mmHg",
        #"{"date":"2024-03-09 15:04:05 -0700","systolic":120,"diastolic":80,"source":"Cuff"}"#))
    #expect(outcome.values("BloodPressureSystolic") == [120])
    #expect(outcome.values("BloodPressureDiastolic") == [80])
    #expect(outcome.correlations.first?.members.map(\.value) == [120, 80])
    #expect(outcome.correlations.first?.facts.start == Self.instant)
  }

  @Test("Sleep in stages, and nights that the app summed up")
  func sleep() throws {
    let outcome = try Outcome(
      Self.metric(
        "sleep_analysis", "hr",
        """
        {"startDate":"2024-03-09 15:04:05 -0700","endDate":"2024-03-09 16:04:05 -0700","qty":1,\
        "value":"REM","source":"Watch"},
        {"date":"2024-03-10 00:00:00 -0700","sleepStart":"2024-03-09 23:00:00 -0700",\
        "sleepEnd":"2024-03-10 06:00:00 -0700","inBedStart":"2024-03-09 22:30:00 -0700",\
        "inBedEnd":"2024-03-10 06:30:00 -0700","asleep":0,"core":4.5,"source":"Watch|Phone"}
        """))
    let rows = try #require(outcome.records["HKCategoryTypeIdentifierSleepAnalysis"])
    let labels = rows.flatMap { batch in batch.labels.map { batch.labelTable[Int($0)] } }
    #expect(
      Set(labels) == [
        "HKCategoryValueSleepAnalysisAsleepREM", "HKCategoryValueSleepAnalysisInBed",
        "HKCategoryValueSleepAnalysisAsleepUnspecified",
      ])
    let lengths = rows.flatMap { batch in zip(batch.starts, batch.ends).map { $1 - $0 } }
    #expect(lengths.sorted() == [3600, 7 * 3600, 8 * 3600])
  }

  @Test("Workouts of version 2, with totals and a route")
  func workouts() throws {
    let outcome = try Outcome(
      """
      {"data":{"workouts":[{"id":"A","name":"Outdoor Run","start":"2024-03-09 15:04:05 -0700",
      "end":"2024-03-09 15:34:05 -0700","duration":1790.5,
      "activeEnergyBurned":{"qty":300,"units":"kcal"},"distance":{"qty":5,"units":"km"},
      "route":[{"latitude":50,"longitude":4.5,"altitude":12,"timestamp":"2024-03-09 15:04:06 -0700",
      "speed":2.5},{"latitude":95,"longitude":4.5,"timestamp":"2024-03-09 15:04:07 -0700"}]},
      {"name":"Yoga","start":"soon"}]}}
      """)
    let workout = try #require(outcome.workouts.first)
    #expect(outcome.workouts.count == 1)
    #expect(workout.activity == "HKWorkoutActivityTypeRunning")
    #expect(workout.duration == 1790.5)
    #expect(workout.statistics.map(\.sum) == [300, 5000])
    let route = try #require(outcome.routes.first)
    #expect(route.locations.latitudes == [50])
    #expect(route.locations.times == [Self.instant + 1])
    #expect(route.workoutStart == workout.facts.start)
    #expect(outcome.summary.elements[.workout]?.read == 2)
    #expect(outcome.summary.elements[.workout]?.delivered == 1)
  }

  @Test("An electrocardiogram in volts becomes microvolts")
  func electrocardiogram() throws {
    let outcome = try Outcome(
      """
      {"data":{"ecg":[{"start":"2024-03-09 15:04:05 -0700","classification":"Sinus Rhythm",
      "samplingFrequency":512,"voltageMeasurements":[{"voltage":0.000001,"units":"V"},
      {"voltage":-0.0000025,"units":"V"}]}]}}
      """)
    let row = try #require(outcome.electrocardiograms.first)
    #expect(zip(row.voltages, [1, -2.5]).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(row.facts.end == row.facts.start + 2 / 512)
  }

  @Test("What is not known is counted by name, and what cannot be kept by reason")
  func counted() throws {
    let outcome = try Outcome(
      """
      {"data":{"symptoms":[{"name":"Kopfschmerz"},{"name":"Husten"}],"metrics":[
      {"name":"shoe_size","units":"EU","data":[{"qty":43,"date":"2024-03-09 15:04:05 -0700"}]},
      {"name":"step_count","units":"kg","data":[{"qty":1,"date":"2024-03-09 15:04:05 -0700"}]},
      {"name":"step_count","units":"count","data":[{"qty":1,"date":"never"},{"date":"2024-03-09 15:04:05 -0700"}]}
      ]}}
      """)
    #expect(outcome.summary.unknownElements == ["symptoms": 2, "shoe_size": 1])
    #expect(
      outcome.summary.skipped == [.incompatibleUnit("kg"): 1, .invalidDate: 1, .missingValue: 1])
    #expect(outcome.records.isEmpty)
  }

  @Test("A file that was cut gives what is complete before the cut, and says where")
  func cut() throws {
    let data = (0..<200).map {
      #"{"qty":\#($0),"date":"2024-03-09 15:04:05 -0700","source":"Watch"}"#
    }
    let bytes = Array(
      (#"{"data":{"metrics":[{"name":"step_count","units":"count","data":["#
        + data.joined(separator: ",") + "]}]}}").utf8)
    for length in stride(from: 12, to: bytes.count, by: 97) {
      guard let reader = HealthAutoExportReader(text: Array(bytes[..<length])) else { continue }
      let outcome = try Outcome(bytes: Array(bytes[..<length]))
      #expect(
        outcome.values("StepCount").elementsEqual(
          (0..<outcome.values("StepCount").count).map(Double.init)))
      #expect(reader.summary.cutAt != nil || outcome.summary.cutAt != nil)
    }
    #expect(try Outcome(bytes: bytes).values("StepCount").count == 200)
    #expect(try Outcome(bytes: bytes).summary.cutAt == nil)
  }

  @Test("Bytes at random neither trap nor hang")
  func mutations() throws {
    var random = SplitMix64(seed: 29)
    let bytes = Array(
      """
      {"data":{"metrics":[{"name":"heart_rate","units":"bpm","data":[{"date":"2024-03-09 3:04:05 PM \
      -0700","Min":50,"Avg":6.15e1,"Max":90,"x":[1,[2,{"a":null}]]}]}],"workouts":[{"name":"R\\u00fcn",\
      "start":"2024-03-09 15:04:05 -0700","end":"2024-03-09 15:34:05 -0700"}],"ecg":[]}}
      """.utf8)
    for _ in 0..<3000 {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        mutated[Int.random(in: mutated.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      guard HealthAutoExportReader(text: mutated) != nil else { continue }
      #expect(throws: Never.self) { try Outcome(bytes: mutated) }
    }
  }

  @Test("Nesting without end is damage, not a trap")
  func nesting() throws {
    let deep = String(repeating: "[", count: 100_000)
    let outcome = try Outcome(Self.metric("step_count", "count", #"{"qty":\#(deep)"#))
    #expect(outcome.records.isEmpty)
    #expect(outcome.summary.cutAt != nil)
  }
}
