import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("What stands beside the records")
struct ElementMeaningTests {
  private let facts =
    "sourceName=\"Anna’s Apple\u{A0}Watch\" sourceVersion=\"11.0\" "
    + "device=\"&lt;&lt;HKDevice: 0x283754780&gt;, name:Apple Watch, hardware:Watch7,2&gt;\" "
    + "creationDate=\"2025-09-26 08:30:00 +0100\" startDate=\"2025-09-26 07:00:00 +0100\" "
    + "endDate=\"2025-09-26 08:00:00 +0100\""

  private func instant(_ text: String) throws -> Double { try #require(NaiveText.date(text)) }

  @Test("totals as attributes and statistics as children become the same statistics")
  func bothShapes() throws {
    let old = try Reading(
      export(
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeCycling\" duration=\"50\" "
          + "durationUnit=\"min\" totalDistance=\"20\" totalDistanceUnit=\"km\" "
          + "totalEnergyBurned=\"418.4\" totalEnergyBurnedUnit=\"kJ\" \(facts)/>"))
    let new = try Reading(
      export(
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeCycling\" duration=\"3000\" "
          + "durationUnit=\"s\" \(facts)>"
          + "<WorkoutStatistics type=\"HKQuantityTypeIdentifierDistanceCycling\" "
          + "startDate=\"2025-09-26 07:00:00 +0100\" endDate=\"2025-09-26 08:00:00 +0100\" "
          + "sum=\"20000\" unit=\"m\"/>"
          + "<WorkoutStatistics type=\"HKQuantityTypeIdentifierActiveEnergyBurned\" "
          + "startDate=\"2025-09-26 07:00:00 +0100\" endDate=\"2025-09-26 08:00:00 +0100\" "
          + "sum=\"100\" unit=\"Cal\"/></Workout>"))
    var one = try #require(old.workouts.first)
    var other = try #require(new.workouts.first)
    #expect(one.statistics.map(\.recordedUnit) == ["km", "kJ"])
    #expect(one.statistics.map(\.type) == other.statistics.map(\.type))
    #expect(one.statistics.map(\.unit) == other.statistics.map(\.unit))
    for (left, right) in zip(one.statistics, other.statistics) {
      #expect(abs((left.sum ?? .nan) - (right.sum ?? .nan)) < 1e-9)
    }
    (one.statistics, other.statistics) = ([], [])
    #expect(one == other)
    #expect(one.duration == 3000)
    #expect(one.facts.origin.device == "name:Apple Watch, hardware:Watch7,2")
    #expect(one.facts.end - one.facts.start == 3600)
  }

  @Test("a total of zero is a total, one that is missing is none, and old durations are seconds")
  func oldTotals() throws {
    let reading = try Reading(
      export("<Workout duration=\"90\" totalDistance=\"0\" totalDistanceUnit=\"km\" \(facts)/>"))
    let statistics = try #require(reading.workouts.first).statistics
    #expect(statistics.map(\.type) == ["HKQuantityTypeIdentifierDistanceWalkingRunning"])
    #expect(statistics.map(\.sum) == [0] && statistics.map(\.recordedUnit) == ["km"])
    #expect(reading.workouts.first?.duration == 90)
  }

  @Test(
    "a duration without a unit is minutes where as many fit between start and end, else seconds",
    arguments: [
      ("60", 3600.0), ("60.01", 3600.6), ("45.5", 2730), ("3600", 3600), ("90", 90), ("0", 0),
      ("3599.9", 3599.9),
    ])
  func durationWithoutUnit(number: String, seconds: Double) throws {
    let reading = try Reading(
      export(
        "<Workout duration=\"\(number)\" \(facts)><WorkoutActivity uuid=\"A\" "
          + "duration=\"\(number)\" startDate=\"2025-09-26 07:00:00 +0100\" "
          + "endDate=\"2025-09-26 08:00:00 +0100\"/></Workout>"))
    let workout = try #require(reading.workouts.first)
    #expect(abs((workout.duration ?? .nan) - seconds) < 1e-9)
    #expect(workout.activities.first?.duration == workout.duration)
  }

  @Test("an interval workout keeps its parts, events, zones, routes and records")
  func parts() throws {
    let part =
      "<WorkoutActivity uuid=\"A\" startDate=\"2025-09-26 07:00:00 +0100\" "
      + "duration=\"1\" durationUnit=\"hr\"><WorkoutEvent type=\"HKWorkoutEventTypeLap\" "
      + "date=\"2025-09-26 07:10:00 +0100\"/></WorkoutActivity>"
    let route =
      "<WorkoutRoute \(facts)><FileReference path=\"/workout-routes/a.gpx\"/></WorkoutRoute>"
    let reading = try Reading(
      export(
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" \(facts)>" + part + part
          + "<WorkoutEvent type=\"HKWorkoutEventTypePause\" date=\"2025-09-26 07:20:00 +0100\" "
          + "duration=\"2\" durationUnit=\"min\"><MetadataEntry key=\"a\" value=\"b\"/>"
          + "</WorkoutEvent>" + route + route
          + "<WorkoutZoneGroup type=\"heartRate\" source=\"user\" unit=\"count/min\">"
          + "<WorkoutZone maximum=\"120\" duration=\"5\" durationUnit=\"min\"/>"
          + "<WorkoutZone minimum=\"120\"/></WorkoutZoneGroup>"
          + record(
            type: "HKQuantityTypeIdentifierWorkoutEffortScore", unit: "appleEffortScore",
            value: "7")
          + "</Workout>"))
    let workout = try #require(reading.workouts.first)
    #expect(workout.activities.map(\.duration) == [3600, 3600])
    #expect(workout.activities.map(\.events.count) == [1, 1])
    #expect(workout.activities.allSatisfy { $0.end == nil })
    #expect(workout.events.map(\.duration) == [120])
    #expect(workout.events.first?.metadata.entries.first?.value == "b")
    #expect(workout.zoneGroups.first?.zones.map(\.minimum) == [nil, 120])
    #expect(workout.zoneGroups.first?.zones.map(\.duration) == [300, nil])
    #expect(workout.records.map(\.value) == [7])
    #expect(reading.records.map(\.isNested) == [true])
    #expect(reading.routes.map(\.path) == Array(repeating: "/workout-routes/a.gpx", count: 2))
    #expect(reading.routes.allSatisfy { $0.workoutStart == workout.facts.start })
    #expect(reading.summary.otherElements.isEmpty && reading.summary.unknownElements.isEmpty)
  }

  @Test("a route of iOS 12 holds its places itself")
  func inlineRoute() throws {
    let places = (0..<3000).map {
      "<Location date=\"2025-09-26 07:00:00 +0100\" latitude=\"48.\($0)\" longitude=\"2.5\" "
        + "altitude=\"35\" horizontalAccuracy=\"4\" verticalAccuracy=\"3\" course=\"-1\" "
        + "speed=\"2.5\"/>"
    }
    let route = "<WorkoutRoute \(facts)>" + places.joined() + "</WorkoutRoute>"
    let reading = try Reading(export("<Workout \(facts)>" + route + "</Workout>"))
    let row = try #require(reading.routes.first)
    #expect(row.locations.count == 3000)
    #expect(row.locations.latitudes[7] == 48.7)
    #expect(row.locations.speeds.allSatisfy { $0 == 2.5 })
    #expect(row.path.isEmpty)
  }

  @Test(
    "a place that is not on the globe is left out",
    arguments: [
      ("90.1", "0"), ("-90.1", "0"), ("0", "180.1"), ("0", "-1e300"), ("nan", "0"), ("", "0"),
    ])
  func placeOffTheGlobe(latitude: String, longitude: String) throws {
    let places = [(latitude, longitude), ("-90", "180"), ("90", "-180")].map {
      "<Location date=\"2025-09-26 07:00:00 +0100\" latitude=\"\($0)\" longitude=\"\($1)\"/>"
    }
    let route = "<WorkoutRoute \(facts)>" + places.joined() + "</WorkoutRoute>"
    let reading = try Reading(export("<Workout \(facts)>" + route + "</Workout>"))
    #expect(reading.routes.map(\.locations.latitudes) == [[-90, 90]])
  }

  @Test("a correlation links to its records, which come as repetitions")
  func correlation() throws {
    let systolic = record(
      type: "HKQuantityTypeIdentifierBloodPressureSystolic", unit: "mmHg", value: "120")
    let reading = try Reading(
      export(
        systolic + "<Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\" \(facts)>"
          + "<MetadataEntry key=\"HKWasUserEntered\" value=\"1\"/>" + systolic + "</Correlation>"))
    let row = try #require(reading.correlations.first)
    #expect(row.members.map(\.type) == ["HKQuantityTypeIdentifierBloodPressureSystolic"])
    #expect(row.members.map(\.value) == [120])
    #expect(row.facts.source.isUserEntered)
    let copies = reading.batches.map(\.copies)
    #expect(copies.allSatisfy { $0.count == 1 } && copies.flatMap(\.self).sorted() == [0, 1])
    #expect(reading.summary.nestedRecords == 1)
  }

  @Test(
    "beats come on the time of the record, in any language and zone, on both sides of a clock change",
    arguments: [
      ("2024-01-15 12:17:19 +0200", ["11:17:20.53 AM", "11:17:21.40 AM"]),
      ("2024-01-15 00:17:19 +0100", ["00:17:20,53", "00:17:21,40"]),
      ("2024-07-15 23:59:59 +0530", ["12:00:00.53\u{202F}AM", "12:00:01.40\u{202F}AM"]),
      ("2024-07-15 09:00:00 +0000", ["08:59:58,53", "08:59:59,40"]),
      ("2024-07-15 10:17:19 +0000", ["١٠:١٧:٢٠٫٥٣", "١٠:١٧:٢١٫٤٠"]),
      // Exported in Kathmandu, and on Lord Howe Island, where summer is half an hour.
      ("2024-07-15 16:02:19 +0545", ["12:17:20,53", "12:17:21,40"]),
      ("2024-07-15 20:47:19 +1030", ["20:17:20,53", "20:17:21,40"]),
    ])
  func beats(start: String, times: [String]) throws {
    let list = times.map { "<InstantaneousBeatsPerMinute bpm=\"62\" time=\"\($0)\"/>" }.joined()
    let reading = try Reading(
      export(
        record(
          type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", unit: "ms", value: "43",
          start: start, end: start,
          children: "<HeartRateVariabilityMetadataList>\(list)</HeartRateVariabilityMetadataList>"))
    )
    let row = try #require(reading.beatLists.first)
    let expected = start.contains("09:00:00") ? [-1.47, -0.6] : [1.53, 2.4]
    #expect(row.rates == [62, 62])
    for (offset, wanted) in zip(row.offsets, expected) {
      #expect(abs(offset - wanted) < (start.contains("23:59:59") ? 0.01 : 1e-9))
    }
    #expect(try row.record.start == instant(start))
    #expect(row.record.value == 43)
    #expect(reading.summary.elements[.beatList] == TypeCount(read: 1))
  }

  @Test("rings keep a date that comes twice and first days of zeros")
  func rings() throws {
    func day(_ date: String, _ energy: String) -> String {
      "<ActivitySummary dateComponents=\"\(date)\" activeEnergyBurned=\"\(energy)\" "
        + "activeEnergyBurnedGoal=\"500\" activeEnergyBurnedUnit=\"Cal\" appleExerciseTime=\"0\" "
        + "appleExerciseTimeGoal=\"30\" appleStandHours=\"0\" appleStandHoursGoal=\"12\"/>"
    }
    let reading = try Reading(
      export(
        day("2001-01-01", "0") + day("2020-11-20", "410.5") + day("2020-11-20", "0")
          + day("1969-12-30", "0") + day("2020-02-30", "1")))
    #expect(reading.activitySummaries.map(\.day) == [0, 7263, 7263, -11325])
    #expect(reading.activitySummaries.map(\.activeEnergy) == [0, 410.5, 0, 0])
    #expect(reading.activitySummaries.allSatisfy { $0.moveMinutes == nil && $0.standHours == 0 })
    #expect(
      reading.summary.elements[.activitySummary]
        == TypeCount(read: 5, skipped: [.invalidDate: 1]))
  }

  @Test("the date of the export, and the person")
  func person() throws {
    let reading = try Reading(
      export(
        "<ExportDate value=\"2026-05-13 10:00:00 +0200\"/>"
          + "<Me HKCharacteristicTypeIdentifierBloodType=\"HKBloodTypeNotSet\" "
          + "HKCharacteristicTypeIdentifierDateOfBirth=\"\" novelty=\"1\"/>"))
    #expect(try reading.exported == instant("2026-05-13 10:00:00 +0200"))
    #expect(
      reading.characteristics.first?.entries.map(\.value) == ["HKBloodTypeNotSet", "", "1"])
    #expect(reading.summary.unknownAttributes == ["novelty": 1])
  }

  @Test("the file of a clinical record is read beside the text, nothing else is")
  func clinicalRecord() throws {
    func element(_ path: String) -> String {
      "<ClinicalRecord type=\"HKClinicalTypeIdentifierLabResultRecord\" identifier=\"\(path)\" "
        + "sourceName=\"Clinic\" sourceURL=\"https://x\" fhirVersion=\"4.0.1\" "
        + "receivedDate=\"2025-01-02 03:04:05 +0000\" resourceFilePath=\"\(path)\"/>"
    }
    let paths = [
      "/clinical-records/a.json", "clinical-records/missing.json", "/../secret.json",
      "/clinical-records/../secret.json", "/secret.json", "//clinical-records/a.json",
      "/clinical-records/link.json", "/etc/passwd", "/clinical-records/", "/workout-routes/a.json",
    ]
    let text = export(paths.map(element).joined())
    let resource = "{\"resourceType\":\"Observation\"}"
    let folder = try TemporaryFolder()
    _ = try folder.write(text, to: "export.xml")
    _ = try folder.write(resource, to: "clinical-records/a.json")
    _ = try folder.write(resource, to: "workout-routes/a.json")
    let secret = try folder.write("secret", to: "secret.json")
    #expect(symlink(secret, folder.path + "/clinical-records/link.json") == 0)
    let archive = ZipWriter([
      .init("apple_health_export/export.xml", text), .init("clinical-records/a.json", "other"),
      .init("apple_health_export/clinical-records/a.json", resource),
      .init("apple_health_export/secret.json", "secret"), .init("secret.json", "secret"),
    ])
    let zip = try folder.write(archive.bytes, to: "a.zip")
    for path in [folder.path + "/export.xml", zip] {
      let reading = try Reading(path: path)
      let read = reading.clinicalRecords.filter { !$0.resource.isEmpty }
      #expect(read.map(\.path) == ["/clinical-records/a.json"])
      #expect(read.first.map { String(decoding: $0.resource, as: UTF8.self) } == resource)
      #expect(reading.clinicalRecords.count == paths.count)
      #expect(reading.summary.missingFiles == paths.count - 1)
    }
  }

  @Test("a hearing test and a prescription keep every number")
  func earsAndEyes() throws {
    let reading = try Reading(
      export(
        "<Audiogram type=\"HKDataTypeIdentifierAudiogram\" \(facts)><SensitivityPoint "
          + "frequencyValue=\"1\" frequencyUnit=\"kHz\" leftEarValue=\"12.5\" "
          + "leftEarUnit=\"dBHL\" rightEarValue=\"20\" rightEarUnit=\"dBHL\" "
          + "leftEarMasked=\"false\" rightEarClampingRangeUpperBound=\"80\"/></Audiogram>"
          + "<VisionPrescription type=\"Glasses\" dateIssued=\"2025-01-02 03:04:05 +0000\" "
          + "brand=\"x\"><RightEye sphere=\"-1.25\" sphereUnit=\"D\" axis=\"90\" "
          + "axisUnit=\"deg\"/><LeftEye add=\"2\"/><Attachment identifier=\"A\"/>"
          + "</VisionPrescription>"))
    let point = try #require(reading.audiograms.first?.points.first)
    #expect(point.frequency == 1000)
    #expect(point.left.sensitivity == 12.5 && point.left.isMasked == false)
    #expect(point.right.clampingUpperBound == 80 && point.right.isMasked == nil)
    let prescription = try #require(reading.visionPrescriptions.first)
    #expect(prescription.rightEye.map(\.name) == ["sphere", "axis"])
    #expect(prescription.rightEye.map(\.value) == [-1.25, 90])
    #expect(prescription.rightEye.map(\.unit) == ["D", "deg"])
    #expect(prescription.leftEye.map(\.value) == [2])
    #expect(prescription.attachments == ["A"])
    #expect(reading.summary.unknownAttributes.isEmpty)
  }

  @Test("metadata keys that iOS 8.3 wrote as names of attributes break nothing")
  func attributeNames() throws {
    let text = record(more: " Health Mate App Version=\"2.6.0\" modifiedDate=\"x\"")
    let reading = try Reading(export(text + record()))
    #expect(reading.records.count == 2)
    #expect(reading.summary.unknownAttributes["Version"] == 1)
  }

  @Test("more parts than any workout has are refused, in bounded memory, and the next is read")
  func manyParts() throws {
    let event = "<WorkoutEvent type=\"a\" date=\"2025-09-26 07:00:00 +0100\"/>"
    let text = export(
      "<Workout \(facts)>" + String(repeating: event, count: 150_000) + "</Workout>"
        + "<Workout \(facts)>" + event + "</Workout>"
        + "<Workout \(facts)>"
        + String(repeating: "<WorkoutActivity startDate=\"x\">", count: 50_000) + "</Workout>"
        + "</HealthData>")
    let reading = try Reading(text)
    #expect(reading.workouts.map(\.events.count) == [1])
    #expect(
      reading.summary.elements[.workout] == TypeCount(read: 2, skipped: [.tooManyParts: 1]))
  }

  @Test("an attribute of 100 MB in an element is left out", .timeLimit(.minutes(1)))
  func longAttribute() throws {
    let limits = ImportLimits(elementBytes: 1 << 20)
    let long = String(repeating: "x", count: 3 << 20)
    let text = export(
      "<Correlation type=\"\(long)\" \(facts)></Correlation>"
        + "<Correlation type=\"a\" \(facts)><MetadataEntry key=\"a\" "
        + "value=\"\(long)\"/></Correlation>"
        + "<Correlation type=\"b\" \(facts)/>")
    let reading = try Reading(Array(text.utf8), limits: limits)
    #expect(reading.summary.oversizedElements == 2)
    #expect(reading.correlations.map(\.type) == ["a", "b"])
  }
}
