import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Health Auto Export, as JSON")
struct HealthAutoExportTests {
  private func read(_ text: String) throws -> Reading { try read(Array(text.utf8)) }

  private func read(_ bytes: [UInt8]) throws -> Reading {
    let folder = try TemporaryFolder()
    return try Reading(
      HealthAutoExportReader(path: try folder.write(bytes, to: "export.json")))
  }

  private static func metric(_ name: String, _ units: String, _ data: String) -> String {
    #"{"data":{"metrics":[{"data":[\#(data)],"name":"\#(name)","units":"\#(units)"}]}}"#
  }

  /// Seconds since 2001 of 2024-03-09 15:04:05 -0700.
  private static let instant = 731_714_645.0

  @Test("A datum without an end is an instant, of the source that it names")
  func instants() throws {
    let text = "2024-03-09 3:04:05\u{202F}PM -0700"
    let outcome = try read(
      Self.metric("step_count", "count", #"{"date":"\#(text)","qty":12,"source":"Watch"}"#))
    let steps = try #require(outcome["HKQuantityTypeIdentifierStepCount"]?.first)
    #expect(steps.starts == [Self.instant])
    #expect(steps.ends == [Self.instant])
    #expect(steps.source == Source(name: "Watch"))
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
    let outcome = try read(
      Self.metric(name, units, #"{"qty":\#(value),"date":"2024-03-09 15:04:05 -0700"}"#))
    #expect(outcome.quantities(type) == [expected])
    #expect(outcome.summary.unknownElements.isEmpty)
    #expect(outcome.summary.skipped.isEmpty)
  }

  @Test("A heart rate that sums several up keeps its bounds beside the mean")
  func heartRate() throws {
    let outcome = try read(
      Self.metric(
        "heart_rate", "bpm", #"{"date":"2024-03-09 15:04:05 -0700","Min":50,"Avg":61.5,"Max":90}"#))
    #expect(outcome.quantities("HeartRate") == [61.5])
    let rows = try #require(outcome["HKQuantityTypeIdentifierHeartRate"]?.first)
    let bounds = rows.metadataTable.last?.entries.map { "\($0.key)=\($0.value)" }
    #expect(bounds == ["HKTimeZone=GMT-0700", "Min=50.0 count/min", "Max=90.0 count/min"])
  }

  @Test("A blood pressure is two records and a correlation of them")
  func bloodPressure() throws {
    let outcome = try read(
      Self.metric(
        "blood_pressure", "mmHg",
        #"{"date":"2024-03-09 15:04:05 -0700","systolic":120,"diastolic":80,"source":"Cuff"}"#))
    #expect(outcome.quantities("BloodPressureSystolic") == [120])
    #expect(outcome.quantities("BloodPressureDiastolic") == [80])
    #expect(outcome.correlations.first?.members.map(\.value) == [120, 80])
    #expect(outcome.correlations.first?.facts.start == Self.instant)
  }

  @Test("Sleep in stages, and nights that the app summed up")
  func sleep() throws {
    let outcome = try read(
      Self.metric(
        "sleep_analysis", "hr",
        """
        {"startDate":"2024-03-09 15:04:05 -0700","endDate":"2024-03-09 16:04:05 -0700","qty":1,\
        "value":"REM","source":"Watch"},
        {"date":"2024-03-10 00:00:00 -0700","sleepStart":"2024-03-09 23:00:00 -0700",\
        "sleepEnd":"2024-03-10 06:00:00 -0700","inBedStart":"2024-03-09 22:30:00 -0700",\
        "inBedEnd":"2024-03-10 06:30:00 -0700","asleep":0,"core":4.5,"source":"Watch|Phone"}
        """))
    let rows = try #require(outcome["HKCategoryTypeIdentifierSleepAnalysis"])
    #expect(Self.lengths(rows) == ["AsleepREM": 3600, "InBed": 28_800, "AsleepCore": 16_200])
  }

  /// The seconds of each stage, added up.
  private static func lengths(_ rows: [RecordColumns]) -> [String: Double] {
    var lengths: [String: Double] = [:]
    for batch in rows {
      for row in 0..<batch.count {
        let label = batch.labelTable[Int(batch.labels[row])]
        let stage = label.replacing("HKCategoryValueSleepAnalysis", with: "")
        lengths[stage, default: 0] += batch.ends[row] - batch.starts[row]
      }
    }
    return lengths
  }

  struct Night: Sendable {
    let totals: String
    /// Hours of core, deep, REM sleep, awake, in bed and sleep of no known stage.
    let hours: [Double]
    var units = "hr"
  }

  private static let totals = [
    Night(
      totals: #""core":3.2,"deep":0.9,"rem":1.32,"awake":0.5,"inBed":8.25,"asleep":0"#,
      hours: [3.2, 0.9, 1.32, 0.5, 8.25, 0]),
    Night(
      totals: #""core":3.2,"deep":0.9,"rem":1.32,"awake":0.5,"inBed":0,"totalSleep":5.42"#,
      hours: [3.2, 0.9, 1.32, 0.5, 0, 0]),
    Night(
      totals: #""core":3.2,"deep":0.9,"rem":1.32,"asleep":5.42"#, hours: [3.2, 0.9, 1.32, 0, 0, 0]),
    Night(totals: #""core":3,"totalSleep":5,"awake":0"#, hours: [3, 0, 0, 0, 0, 2]),
    Night(
      totals: #""core":192,"deep":54,"rem":78,"awake":30"#, hours: [3.2, 0.9, 1.3, 0.5, 0, 0],
      units: "min"),
    Night(totals: #""asleep":6.5,"inBed":7"#, hours: [0, 0, 0, 0, 7, 6.5]),
    Night(totals: #""asleep":6.5,"core":20"#, hours: [20, 0, 0, 0, 0, 6.5]),
    Night(totals: #""qty":1"#, hours: [0, 0, 0, 0, 0, 8.25]),
  ]

  @Test("A night that the app summed up counts the hours of its stages", arguments: totals)
  func nights(_ night: Night) throws {
    let outcome = try read(
      Self.metric(
        "sleep_analysis", night.units,
        """
        {"date":"2024-03-10 00:00:00 -0700","sleepStart":"2024-03-09 22:45:00 -0700",\
        "sleepEnd":"2024-03-10 07:00:00 -0700","source":"Watch",\(night.totals)}
        """))
    let rows = try #require(outcome["HKCategoryTypeIdentifierSleepAnalysis"])
    let names = ["AsleepCore", "AsleepDeep", "AsleepREM", "Awake", "InBed", "AsleepUnspecified"]
    let wanted = zip(names, night.hours).filter { $1 > 0 }.map { ($0, $1 * 3600) }
    let found = Self.lengths(rows)
    #expect(Set(found.keys) == Set(wanted.map(\.0)))
    for (name, seconds) in wanted { #expect(abs((found[name] ?? 0) - seconds) <= 0.5) }
    // No two stages overlap, and no stage lies outside of the night unless it is too short for all.
    var spans: [(Double, Double)] = []
    for batch in rows {
      for row in 0..<batch.count
      where !batch.labelTable[Int(batch.labels[row])].hasSuffix("InBed") {
        spans.append((batch.starts[row], batch.ends[row]))
      }
    }
    spans.sort { $0.0 < $1.0 }
    for (one, next) in zip(spans, spans.dropFirst()) { #expect(one.1 <= next.0) }
    let start = Self.instant + 7 * 3600 + 40 * 60 + 55
    #expect(spans.first?.0 == start)
    if night.hours.dropLast(2).reduce(0, +) < 8 {
      #expect(try #require(spans.last).1 <= start + 8.25 * 3600)
    }
    #expect(outcome.summary.placedStages == (night.totals.contains("qty") ? 0 : spans.count))
  }

  @Test("A night counts as long in bed as it says, and as late as it says")
  func outOfBed() throws {
    let stages = #""core":3.2,"deep":0.9,"rem":1.32,"awake":0.5"#
    for dates in [
      #""inBedStart":"2024-03-09 22:45:00 -0700","inBedEnd":"2024-03-10 07:05:00 -0700","#,
      #""inBedStart":"2024-03-09 22:30:00 -0700","inBedEnd":"2024-03-10 07:30:00 -0700","#, "",
    ] {
      let outcome = try read(
        Self.metric(
          "sleep_analysis", "hr",
          """
          {"date":"2024-03-10 00:00:00 -0700","sleepStart":"2024-03-09 22:45:00 -0700",\
          "sleepEnd":"2024-03-10 07:05:00 -0700",\(dates)"inBed":8.15,\(stages),"source":"Watch"}
          """))
      let rows = try #require(outcome["HKCategoryTypeIdentifierSleepAnalysis"])
      #expect(Self.lengths(rows)["InBed"] == 8.15 * 3600)
      let records = rows.flatMap(\.records)
      var covered = CoveredTime()
      covered.formUnion(
        starts: records.map(\.start), ends: records.map(\.end), rows: records.indices)
      let seconds = zip(covered.starts, covered.ends).reduce(0) { $0 + $1.1 - $1.0 }
      #expect(seconds == 8.15 * 3600)
      let asleep = records.filter { !$0.label.hasSuffix("InBed") }
      #expect(asleep.map(\.start).min() == Self.instant + 7 * 3600 + 40 * 60 + 55)
      let wake = try #require(asleep.map(\.end).max())
      #expect(abs(wake - (Self.instant + 16 * 3600 + 55)) <= 3)
    }
  }

  @Test("A night of totals that does not say when it was is skipped and counted")
  func nightWithoutTimes() throws {
    let outcome = try read(
      Self.metric(
        "sleep_analysis", "hr", "{\"date\":\"2024-03-10 00:00:00 -0700\",\"totalSleep\":7.5}"))
    #expect(outcome["HKCategoryTypeIdentifierSleepAnalysis"] == nil)
    #expect(outcome.summary.skipped == [.invalidDate: 1])
  }

  @Test("Workouts of version 2, with totals and a route")
  func workouts() throws {
    let outcome = try read(
      """
      {"data":{"workouts":[{"id":"A","name":"Outdoor Run","start":"2024-03-09 15:04:05 -0700",
      "end":"2024-03-09 15:34:05 -0700","duration":1790.5,
      "activeEnergyBurned":{"qty":300,"units":"kcal"},"distance":{"qty":5,"units":"km"},
      "route":[{"latitude":50,"longitude":4.5,"altitude":12,"timestamp":"2024-03-09 15:04:06 -0700",
      "speed":2.5},{"latitude":95,"longitude":4.5,"timestamp":"2024-03-09 15:04:07 -0700"},
      {"latitude":51,"longitude":4.5,"timestamp":"2024-03-09 15:04:08 -0700"}]},
      {"name":"Yoga","start":"soon"}]}}
      """)
    let workout = try #require(outcome.workouts.first)
    #expect(outcome.workouts.count == 1)
    #expect(workout.activity == "HKWorkoutActivityTypeRunning")
    #expect(workout.duration == 1790.5)
    #expect(workout.statistics.map(\.sum) == [300, 5000])
    let route = try #require(outcome.routes.first)
    #expect(route.locations.latitudes == [50, 51])
    #expect(route.locations.altitudes == [12, LocationColumns.unknownAltitude])
    #expect(route.locations.times == [Self.instant + 1, Self.instant + 3])
    #expect(route.workoutStart == workout.facts.start)
    #expect(outcome.summary.elements[.workout]?.read == 2)
    #expect(outcome.summary.elements[.workout]?.delivered == 1)
  }

  @Test("An electrocardiogram that lacks a voltage is skipped and counted, not shortened")
  func missingVoltage() throws {
    for voltage in ["null", "\"n/a\"", "{}"] {
      let outcome = try read(
        """
        {"data":{"ecg":[{"start":"2024-03-09 15:04:05 -0700","samplingFrequency":512,
        "voltageMeasurements":[{"voltage":0.000001},{"voltage":\(voltage)},{"voltage":0}]}]}}
        """)
      #expect(outcome.electrocardiograms.isEmpty)
      let count = TypeCount(read: 1, skipped: [.invalidValue: 1])
      #expect(outcome.summary.elements[.electrocardiogram] == count)
    }
  }

  @Test("An electrocardiogram in volts becomes microvolts")
  func electrocardiogram() throws {
    let outcome = try read(
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
    let outcome = try read(
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
    #expect(outcome.batches.isEmpty)
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
      let outcome: Reading
      do { outcome = try read(Array(bytes[..<length])) } catch is ExportError { continue }
      #expect(
        outcome.quantities("StepCount").elementsEqual(
          (0..<outcome.quantities("StepCount").count).map(Double.init)))
      #expect(outcome.summary.cutAt != nil)
    }
    #expect(try read(bytes).quantities("StepCount").count == 200)
    #expect(try read(bytes).summary.cutAt == nil)
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
    let folder = try TemporaryFolder()
    for _ in 0..<400 {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        mutated[Int.random(in: mutated.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      do {
        _ = try Reading(HealthAutoExportReader(path: try folder.write(mutated, to: "export.json")))
      } catch is ExportError {
        // A file that is refused is an answer.
      }
    }
  }

  @Test("Nesting without end is damage, not a trap")
  func nesting() throws {
    let deep = String(repeating: "[", count: 100_000)
    let outcome = try read(Self.metric("step_count", "count", #"{"qty":\#(deep)"#))
    #expect(outcome.batches.isEmpty)
    #expect(outcome.summary.cutAt != nil)
  }

  @Test("One datum that is no JSON costs no other")
  func malformed() throws {
    let datum = #"{"qty":1,"date":"2024-03-09 15:04:05 -0700"}"#
    let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    let outcome = try read(
      Self.metric("step_count", "count", "\(datum),{\"qty\":1 2},\(deep),{],\(datum)"))
    #expect(outcome.quantities("StepCount") == [1, 1])
    #expect(outcome.summary.malformedElements == 3)
    #expect(outcome.summary.cutAt == nil)
  }

  @Test("Names behind the data, and a folder or an archive of files, read as one file does")
  func several() throws {
    func text(_ day: Int) -> String {
      #"{"data":{"metrics":[{"data":[{"qty":\#(day),"date":"2024-03-0\#(day) 15:04:05 -0700"}],"#
        + #""units":"count","name":"step_count"}]}}"#
    }
    let folder = try TemporaryFolder()
    for day in 1...3 { _ = try folder.write(text(day), to: "days/day-\(day).json") }
    _ = try folder.write("{\"other\": []}", to: "days/other.json")
    let archive = try folder.write(
      ZipWriter((1...3).map { ZipWriter.Entry("days/\($0).json", text($0)) }).bytes, to: "all.zip")
    for path in [folder.path + "/days", archive] {
      #expect(try ImportFormat(path: path) == .healthAutoExport)
      let outcome = try Reading(HealthAutoExportReader(path: path))
      #expect(outcome.quantities("StepCount").sorted() == [1, 2, 3])
      #expect(outcome.summary.read == 3)
    }
  }

  @Test("Symptoms and events of a cycle are records where the app names them in English")
  func events() throws {
    func event(_ name: String, _ rest: String) -> String {
      #"{"start":"2024-03-09 15:04:05 -0700","end":"2024-03-09 16:04:05 -0700","name":"\#(name)","#
        + #""source":"Phone",\#(rest)}"#
    }
    let outcome = try read(
      """
      {"data":{"symptoms":[\(event("Body and Muscle Ache", #""severity":"Mild""#)),
      \(event("Headache", #""severity":"Stark","userEntered":true"#)),
      \(event("Kopfschmerz", #""severity":"Stark""#))],
      "cycleTracking":[\(event("Menstrual Flow", #""value":"Heavy""#)),
      \(event("Heart Rate", #""value":"1""#))]}}
      """)
    func values(_ type: String) -> [Double]? {
      outcome["HKCategoryTypeIdentifier" + type]?.flatMap(\.values)
    }
    #expect(values("GeneralizedBodyAche") == [2])
    #expect(values("Headache") == [0])
    #expect(values("MenstrualFlow") == [4])
    #expect(
      outcome["HKCategoryTypeIdentifierHeadache"]?.first?.source.isUserEntered == true)
    #expect(outcome.summary.unknownElements == ["symptoms": 1, "cycleTracking": 1])
  }

  @Test("What a datum says beside its value stays beside the record")
  func details() throws {
    let date = #""date":"2024-03-09 15:04:05 -0700""#
    let glucose = try read(
      Self.metric("blood_glucose", "mg/dL", #"{"qty":90,\#(date),"mealTime":"After Meal"}"#))
    let insulin = try read(
      Self.metric("insulin_delivery", "IU", #"{"qty":4,\#(date),"reason":"Bolus"}"#))
    let sex = try read(
      Self.metric(
        "sexual_activity", "", #"{\#(date),"Unspecified":0,"Protection Used":1}"#))
    func entries(_ outcome: Reading) -> [String] {
      outcome.batches.flatMap { $0.metadataTable.flatMap(\.entries) }
        .map { "\($0.key)=\($0.value)" }
    }
    #expect(entries(glucose) == ["HKTimeZone=GMT-0700", "HKBloodGlucoseMealTime=2"])
    #expect(entries(insulin) == ["HKTimeZone=GMT-0700", "HKInsulinDeliveryReason=2"])
    #expect(entries(sex).contains("HKSexualActivityProtectionUsed=1"))
    #expect(sex["HKCategoryTypeIdentifierSexualActivity"]?.map(\.count) == [1])
  }

  @Test("A workout of version 1 tells its totals, its climb and its heart rates")
  func workoutVersion1() throws {
    let outcome = try read(
      """
      {"data":{"workouts":[{"name":"Cycling","start":"2024-03-09 15:04:05 -0700",
      "end":"2024-03-09 15:34:05 -0700","activeEnergy":{"qty":1000,"units":"kJ"},
      "distance":{"qty":10,"units":"km"},"avgHeartRate":{"qty":120,"units":"bpm"},
      "maxHeartRate":{"qty":150,"units":"bpm"},"elevation":{"ascent":55,"descent":50,"units":"m"},
      "heartRateData":[{"date":"2024-03-09 15:05:00 -0700","qty":118,"units":"count"},
      {"date":"2024-03-09 15:06:00 -0700","qty":122,"units":"count"}],
      "route":[{"lat":50,"lon":4,"altitude":1,"timestamp":"2024-03-09 15:05:00 -0700"}]}]}}
      """)
    let workout = try #require(outcome.workouts.first)
    let distance = workout.statistics.first { $0.type.hasSuffix("DistanceCycling") }
    #expect(distance?.sum == 10_000)
    let energy = workout.statistics.first { $0.type.hasSuffix("ActiveEnergyBurned") }
    #expect(abs((energy?.sum ?? 0) - 1000 / 4.184) < 1e-9)
    let rates = try #require(workout.statistics.first { $0.type.hasSuffix("HeartRate") })
    #expect(abs((rates.average ?? 0) - 2) < 1e-12 && abs((rates.maximum ?? 0) - 2.5) < 1e-12)
    #expect(
      workout.facts.metadata.entries.first { $0.key == "HKElevationAscended" }?.value == "55.0 m")
    let records = try #require(outcome["HKQuantityTypeIdentifierHeartRate"]?.first)
    #expect(records.values == [118, 122] && records.copies == [0, 0])
    #expect(outcome.summary.nestedRecords == 2)
    #expect(outcome.routes.first?.locations.latitudes == [50])
  }

  @Test("A workout of version 2 is measured by its series where it tells no totals")
  func workoutVersion2() throws {
    func datum(_ minute: Int, _ rest: String) -> String {
      #"{"date":"2024-03-09 15:0\#(minute):00 -0700","source":"Watch",\#(rest)}"#
    }
    let outcome = try read(
      """
      {"data":{"workouts":[{"id":"A","name":"Indoor Run","start":"2024-03-09 15:04:05 -0700",
      "end":"2024-03-09 15:34:05 -0700","duration":1800,"location":"Indoor",
      "temperature":{"qty":20,"units":"degC"},"metadata":{"HKTimeZone":"Europe/Paris"},
      "stepCount":[\(datum(5, #""qty":80,"units":"count""#)),
      \(datum(6, #""qty":85,"units":"count""#))],
      "heartRateData":[
      \(datum(5, #""Min":100,"Avg":110,"Max":120,"units":"bpm""#)),
      \(datum(6, #""Min":105,"Avg":130,"Max":140,"units":"bpm""#))]}]}}
      """)
    let workout = try #require(outcome.workouts.first)
    #expect(workout.statistics.first { $0.type.hasSuffix("StepCount") }?.sum == 165)
    let rates = try #require(workout.statistics.first { $0.type.hasSuffix("HeartRate") })
    let perMinute = [rates.minimum, rates.average, rates.maximum].map { ($0 ?? 0) * 60 }
    #expect(zip(perMinute, [100, 120, 140]).allSatisfy { abs($0 - $1) < 1e-9 })
    let metadata = workout.facts.metadata.entries.map { "\($0.key)=\($0.value)" }
    #expect(metadata.contains("HKIndoorWorkout=1") && metadata.contains("HKTimeZone=Europe/Paris"))
    #expect(metadata.contains("HKWeatherTemperature=20.0 degC"))
    #expect(outcome["HKQuantityTypeIdentifierHeartRate"]?.first?.source.name == "Watch")
  }

  @Test("A workout is measured by what is of its own time, from the minute in which it begins")
  func workoutTime() throws {
    func rate(_ time: String, _ value: Int) -> String {
      #"{"date":"2024-03-09 \#(time) -0700","Min":\#(value - 5),"Avg":\#(value),"#
        + #""Max":\#(value + 5),"units":"bpm"}"#
    }
    func steps(_ time: String, _ count: Int) -> String {
      #"{"date":"2024-03-09 \#(time) -0700","qty":\#(count),"units":"count"}"#
    }
    let outcome = try read(
      """
      {"data":{"workouts":[{"id":"A","name":"Run","start":"2024-03-09 15:04:05 -0700",
      "end":"2024-03-09 15:34:05 -0700","heartRateData":[\(rate("15:03:00", 60)),
      \(rate("15:04:00", 110)),\(rate("15:34:05", 130)),\(rate("15:34:06", 90)),
      \(rate("15:40:00", 70))],"heartRateRecovery":[\(rate("15:35:00", 100))],
      "stepCount":[\(steps("15:03:59", 1)),\(steps("15:05:00", 80)),\(steps("15:35:00", 7))]}]}}
      """)
    let workout = try #require(outcome.workouts.first)
    let rates = try #require(workout.statistics.first { $0.type.hasSuffix("HeartRate") })
    let perMinute = [rates.minimum, rates.average, rates.maximum].map { ($0 ?? 0) * 60 }
    #expect(zip(perMinute, [105, 120, 135]).allSatisfy { abs($0 - $1) < 1e-9 })
    #expect(workout.statistics.first { $0.type.hasSuffix("StepCount") }?.sum == 80)
    // The rates around it are kept, as records.
    #expect(outcome.quantities("HeartRate").sorted() == [60, 70, 90, 100, 110, 130])
  }

  @Test("A workout all of whose heart rates lie after its end has none of its own")
  func recoveryAlone() throws {
    let outcome = try read(
      """
      {"data":{"workouts":[{"name":"Run","start":"2024-03-09 15:04:05 -0700",
      "end":"2024-03-09 15:34:05 -0700","heartRateData":[
      {"date":"2024-03-09 15:36:00 -0700","Avg":95,"units":"bpm"}]}]}}
      """)
    #expect(outcome.workouts.map(\.statistics) == [[]])
    #expect(outcome.quantities("HeartRate") == [95])
  }

  @Test("The heart rate that the app says of a workout is that of the workout")
  func saidHeartRate() throws {
    let outcome = try read(
      """
      {"data":{"workouts":[{"name":"Run","start":"2024-03-09 15:04:05 -0700",
      "end":"2024-03-09 15:34:05 -0700","heartRate":{"min":{"qty":90,"units":"bpm"},
      "avg":{"qty":120,"units":"bpm"},"max":{"qty":150,"units":"bpm"}}}]}}
      """)
    let rates = try #require(outcome.workouts.first?.statistics.first)
    let perMinute = [rates.minimum, rates.average, rates.maximum].map { ($0 ?? 0) * 60 }
    #expect(zip(perMinute, [90, 120, 150]).allSatisfy { abs($0 - $1) < 1e-9 })
    #expect(outcome.summary.unknownAttributes.isEmpty)
  }

  @Test("Members of workouts that are not known are counted by name")
  func unknownMembers() throws {
    let times = #""start":"2024-03-09 15:04:05 -0700","end":"2024-03-09 15:34:05 -0700""#
    let outcome = try read(
      """
      {"data":{"workouts":[{"name":"Run",\(times),"groundContactTime":[{"qty":240}],"shoe":"red"},
      {"name":"Walk",\(times),"shoe":null,"distance":{"qty":5,"units":"km"}}]}}
      """)
    #expect(outcome.summary.unknownAttributes == ["groundContactTime": 1, "shoe": 2])
    #expect(outcome.workouts.count == 2)
  }

  @Test(
    "The offset with which a date is written is the zone of the sample",
    arguments: [
      (#""2024-03-09 15:04:05 -0700""#, "GMT-0700"), (#""2024-03-10 00:00:00 +0200""#, "GMT+0200"),
      (#""2024-03-09 3:04:05\#u{202F}PM +0530""#, "GMT+0530"),
      (#""2024-03-09T15:04:05+09:00""#, "GMT+0900"), (#""2024-03-09 15:04:05 +0000""#, "GMT"),
      (#""2024-03-09 15:04:05 -0330""#, "GMT-0330"), (#""2024-03-09T15:04:05.5-0330""#, "GMT-0330"),
      // An instant of UTC is of no zone, and neither is a number.
      (#""2024-03-09T15:04:05Z""#, nil), ("731714645", nil),
    ])
  func zones(date: String, zone: String?) throws {
    let first = #"{"qty":1,"date":"2024-03-08 15:04:05 +1345"}"#
    let outcome = try read(
      Self.metric("step_count", "count", #"\#(first),{"qty":2,"date":\#(date)}"#))
    let records = outcome.records
    let zones = records.map { record in
      record.metadata.entries.first { $0.key == "HKTimeZone" }?.value
    }
    #expect(records.map(\.value) == [1, 2] && zones == ["GMT+1345", zone])
  }

  @Test("Workouts, nights and what is inside of workouts are of the zones of their dates")
  func zonesOfOthers() throws {
    let rate = #"{"date":"2024-03-31 01:30:00 +0100","Avg":110,"units":"bpm"}"#
    let times = #""start":"2024-03-31 01:30:00 +0100","end":"2024-03-31 03:30:00 +0200""#
    let outcome = try read(
      """
      {"data":{"workouts":[{"name":"Run",\(times),"heartRateData":[\(rate)]},
      {"name":"Run",\(times),"metadata":{"HKTimeZone":"Europe/Paris"}}],
      "metrics":[{"name":"sleep_analysis","units":"hr","data":[
      {"date":"2024-03-31 00:00:00 +0100","sleepStart":"2024-03-30 23:00:00 +0100",
      "sleepEnd":"2024-03-31 07:00:00 +0200","totalSleep":7}]}]}}
      """)
    func zone(_ metadata: Metadata?) -> [String]? {
      metadata?.entries.filter { $0.key == "HKTimeZone" }.map(\.value)
    }
    #expect(
      outcome.workouts.map { zone($0.facts.metadata) } == [["GMT+0100"], ["Europe/Paris"]])
    let rates = try #require(outcome["HKQuantityTypeIdentifierHeartRate"]?.first)
    #expect(zone(rates.metadataTable.last) == ["GMT+0100"])
    // A night is of the day on which it ends.
    let night = try #require(outcome["HKCategoryTypeIdentifierSleepAnalysis"]?.first)
    #expect(zone(night.metadataTable.last) == ["GMT+0200"])
  }

  @Test("Metadata that many records share are in the table once")
  func sharedMetadata() throws {
    let data = (0..<300).map { #"{"qty":\#($0 % 7),"date":"2024-03-09 15:04:05 -0700"}"# }
    let outcome = try read(Self.metric("step_count", "count", data.joined(separator: ",")))
    #expect(outcome["HKQuantityTypeIdentifierStepCount"]?.map(\.metadataTable.count) == [2])
  }

  private static let start = #""start":"2024-03-09T22:04:05Z","end":"2024-03-09T22:04:05Z""#

  @Test("States of mind are objects, however their words are written")
  func statesOfMind() throws {
    for (kind, words, about) in [
      ("momentary_emotion", #""anxious","overwhelmed""#, #""self_care","currentEvents""#),
      ("momentaryEmotion", #""Anxious","Overwhelmed""#, #""Self Care","Current Events""#),
    ] {
      let outcome = try read(
        """
        {"data":{"stateOfMind":[{"id":"A",\(Self.start),"kind":"\(kind)","valence":-0.8,
        "valenceClassification":"very_unpleasant","labels":[\(words)],"associations":[\(about)],
        "metadata":{"HKTimeZone":"Europe/Paris"}}]}}
        """)
      let row = try #require(outcome.savedObjects.first)
      #expect(row.type == "HKDataTypeStateOfMind" && row.facts.start == Self.instant)
      #expect(row.facts.end == row.facts.start)
      let properties = row.properties.entries.map { "\($0.key)=\($0.value)" }
      #expect(properties == ["kind=1", "valence=-0.8", "labels=4 37", "associations=13 2"])
      #expect(row.facts.metadata.entries.map(\.key) == ["id", "HKTimeZone"])
      #expect(outcome.summary.elements == [.savedObject: TypeCount(read: 1)])
      #expect(outcome.summary.unknownElements.isEmpty)
    }
  }

  @Test("A state of mind without what makes it one is skipped and counted, a foreign word kept")
  func otherStatesOfMind() throws {
    let outcome = try read(
      """
      {"data":{"stateOfMind":[{\(Self.start),"kind":"daily_mood","valence":0.5,"labels":["ruhig"]},
      {\(Self.start),"kind":"daily_mood","valence":2},{\(Self.start),"kind":"daily_mood"},
      {\(Self.start),"kind":"Laune","valence":0},{"kind":"daily_mood","valence":0}]}}
      """)
    let row = try #require(outcome.savedObjects.first)
    #expect(row.properties.entries.first { $0.key == "labels" }?.value == "")
    #expect(row.facts.metadata.entries.map { "\($0.key)=\($0.value)" } == ["labels=ruhig"])
    let skipped = outcome.summary.elements[.savedObject]?.skipped
    #expect(skipped == [.invalidValue: 1, .missingValue: 1, .invalidDate: 1])
    #expect(outcome.summary.unknownElements == ["stateOfMind": 1])
  }

  @Test("Doses of medications are objects, and a dose that was skipped has no amount")
  func medications() throws {
    func dose(_ more: String) -> String {
      #"{"displayText":"Ibuprofen","start":"2024-03-09 15:04:05 -0700","units":"count","#
        + #""isArchived":false,"codings":[{"system":"RxNorm","code":"5640"}],\#(more)}"#
    }
    let scheduled = #""scheduledDate":"2024-03-09 15:00:00 -0700","scheduledDosage":2,"#
    let outcome = try read(
      """
      {"data":{"medications":[\(dose(scheduled + #""status":"Taken","dosage":1"#)),
      \(dose(scheduled + #""status":"Skipped","dosage":1"#)),
      \(dose(#""status":"Taken","dosage":1"#)), \(dose(#""status":"Genommen","dosage":1"#)),
      \(dose(#""status":"Not Interacted","scheduledDate":"2024-03-09 15:00:00 -0700""#))]}}
      """)
    let rows = outcome.savedObjects.map { row in
      Dictionary(row.properties.entries.map { ($0.key, $0.value) }) { first, _ in first }
    }
    #expect(rows.map { $0["status"] } == ["4", "5", "4", "1"])
    #expect(rows.map { $0["dose"] } == ["1", nil, "1", nil])
    #expect(rows.map { $0["scheduledDose"] } == ["2", "2", nil, nil])
    #expect(rows.map { $0["schedule"] } == ["2", "2", "1", "1"])
    for row in rows {
      #expect((row["scheduledDate"] != nil) == (row["schedule"] == "2"))
      #expect(row["medication"] == "Ibuprofen" && row["unit"] == "count")
    }
    let metadata = outcome.savedObjects.first?.facts.metadata.entries.map {
      "\($0.key)=\($0.value)"
    }
    #expect(metadata == ["isArchived=false", "RxNorm=5640"])
    #expect(outcome.summary.unknownElements == ["medications": 1])
  }

  @Test(
    "Notifications of heart rates are events with their threshold, and the rates inside records")
  func notifications() throws {
    let times = #""start":"2024-03-09 15:04:05 -0700","end":"2024-03-09 15:14:05 -0700""#
    func rates(_ start: Double) -> String {
      #"[{"heartRate":41,"hrUnits":"bpm","timestamp":{"start":\#(start),"end":\#(start + 4)}}]"#
    }
    let documented =
      #"[{"hr":41,"units":"bpm","timestamp":{"start":"2024-03-09 15:04:05 -0700"}}]"#
    let source = #""source":{"name":"Watch","bundleIdentifier":"com.apple.health"}"#
    let instant = Self.instant + 0.75
    let outcome = try read(
      """
      {"data":{"heartRateNotifications":[
      {\(times),"heartNotification":"low_heart_rate_notification","threshold":45,\(source),
      "heartRateData":\(rates(instant))},
      {\(times),"heartNotification":"low_heart_rate_notification","threshold":45,\(source),
      "heartRateData":\(rates(instant + 978_307_200))},
      {\(times),"threshold":40,"heartRate":\(documented)},
      {\(times),"heartRate":[],"heartRateVariation":[]}, {\(times),"threshold":40}]}}
      """)
    let low = try #require(outcome["HKCategoryTypeIdentifierLowHeartRateEvent"]?.first)
    #expect(low.count == 2 && low.source.name == "Watch")
    #expect(low.ends[0] - low.starts[0] == 600 && low.starts[0] == Self.instant)
    let threshold = low.metadataTable.last?.entries.last
    #expect(threshold?.key == "HKHeartRateEventThreshold" && threshold?.value == "45 count/min")
    #expect(outcome["HKCategoryTypeIdentifierHighHeartRateEvent"]?.map(\.count) == [1])
    #expect(outcome["HKCategoryTypeIdentifierIrregularHeartRhythmEvent"]?.map(\.count) == [1])
    let readings = try #require(outcome["HKQuantityTypeIdentifierHeartRate"]).flatMap(\.records)
    #expect(readings.map(\.start) == [Self.instant, Self.instant, Self.instant])
    #expect(readings.allSatisfy { $0.isNested && $0.value == 41 && $0.label == "count/min" })
    #expect(outcome.summary.unknownElements == ["heartRateNotifications": 1])
  }
}

extension Reading {
  /// The values of a quantity type, by what its identifier ends with.
  fileprivate func quantities(_ type: String) -> [Double] {
    (self["HKQuantityTypeIdentifier" + type] ?? []).flatMap(\.values)
  }
}
