import Foundation
import Testing

@testable import ExportGenerator

@Suite("Generated exports of every version and profile")
struct GenerateExportShapesTests {
  /// A week in which everything happens once, from few records.
  private static func sample(
    _ version: ExportVersion, _ profile: Profile, seed: UInt64 = 1
  ) throws -> ExportPlan {
    try .sample(seed: seed, days: 7, version: version, density: 0.02, profile: profile)
  }

  private static let all = ExportVersion.allCases.flatMap { version in
    Profile.allCases.map { (version, $0) }
  }

  @Test("Another parser finds what the truth counts", arguments: all)
  func counts(version: ExportVersion, profile: Profile) throws {
    let export = try GeneratedExport(Self.sample(version, profile))
    // Metadata in names of attributes are the one thing that no parser takes in iOS 8.
    let text = export.text.replacing(" Health Mate App Version=\"2.6.0\"", with: "")
    let parser = GenerateExportParser(text)
    #expect(parser.isWellFormed)
    #expect(parser.elements == export.truth.elements)
    #expect(
      parser.records == export.truth.records.mapValues(\.records).filter { $0.value > 0 })
    #expect(parser.elements["Workout", default: 0] == export.truth.workouts.count)
    #expect(parser.elements["ActivitySummary", default: 0] == export.truth.summaries.count)
    #expect(parser.elements["ClinicalRecord", default: 0] == export.truth.clinicalRecords.count)
    #expect(parser.elements["Correlation", default: 0] == export.truth.correlations.count)
    #expect(export.truth.bytes == export.text.utf8.count)
  }

  @Test("Files of iOS 8 are not well-formed, and this parser says so of any broken text")
  func malformed() throws {
    #expect(
      try !GenerateExportParser(GeneratedExport(Self.sample(.ios8, .watch)).text).isWellFormed)
    for text in [
      "<a><b></a>", "<a x=\"1\" x=\"2\"/>", "<a x=\"&q;\"/>", "<a><b/>", "<a b c=\"1\"/>", "",
    ] {
      #expect(!GenerateExportParser(text).isWellFormed, "\(text)")
    }
  }

  @Test("The document type of version 12 breaks where that of iOS 16 does")
  func malformedDocumentType() {
    let header = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    let lines = (header + ExportVersion.version12.documentType).split(separator: "\n")
    #expect(lines[155] == "<!ELEMENT RightEye EMPTY>" && !lines[154].hasSuffix(">"))
    #expect(lines.count == 213 && lines[212] == "]>")
  }

  @Test(
    "The same options give the same bytes, another seed gives others", arguments: Profile.allCases)
  func determinism(profile: Profile) throws {
    let export = try GeneratedExport(Self.sample(.ios27, profile)).text
    #expect(try GeneratedExport(Self.sample(.ios27, profile)).text == export)
    #expect(try GeneratedExport(Self.sample(.ios27, profile, seed: 2)).text != export)
  }

  @Test("Workouts have totals until iOS 15, statistics since", arguments: ExportVersion.allCases)
  func workouts(version: ExportVersion) throws {
    let export = try GeneratedExport(Self.sample(version, .watch))
    let parser = GenerateExportParser(export.text)
    let workouts = parser.attributes(of: "Workout")
    #expect(workouts.isEmpty == (version == .ios8))
    let hasTotals = workouts.contains { $0["totalEnergyBurned"] != nil }
    #expect(hasTotals == (version > .ios8 && version < .version12))
    #expect(parser.attributes(of: "WorkoutStatistics").isEmpty == (version < .version12))
    #expect(parser.attributes(of: "WorkoutZoneGroup").isEmpty == (version < .ios27))
    let hasDurations = parser.attributes(of: "WorkoutEvent").contains { $0["duration"] != nil }
    #expect(hasDurations == (version >= .version8))
    for (workout, truth) in zip(workouts, export.truth.workouts) {
      #expect(workout["workoutActivityType"] == "HKWorkoutActivityType" + truth.activity)
      let minutes = try #require(workout["duration"].flatMap(Double.init))
      #expect(abs(minutes - truth.minutes) <= 1e-5 * minutes)
      #expect(truth.minutes * 60 <= Double(truth.end - truth.start))
      if let energy = workout["totalEnergyBurned"].flatMap(Double.init) {
        #expect(energy == truth.kilocalories)
      }
    }
  }

  @Test("Statistics of a workout add up over its parts")
  func parts() throws {
    let plan = try ExportPlan.sample(days: 40, density: 0.02)
    var severalParts = 0
    for index in 0..<40 {
      for workout in plan.workouts(of: plan.person.plan(ofDay: index)) {
        severalParts += workout.parts.count > 1 ? 1 : 0
        #expect(workout.parts.first?.range.lowerBound == workout.start)
        #expect(workout.parts.last?.range.upperBound == workout.end)
        let seconds = workout.parts.reduce(0) { $0 + workout.seconds(in: $1.range) }
        #expect(seconds == workout.seconds && seconds > 0)
        for pause in workout.pauses {
          #expect(workout.start < pause.lowerBound && pause.upperBound < workout.end)
        }
      }
    }
    #expect(severalParts > 0)
  }

  @Test("Routes are missing, stand inside, or are files", arguments: ExportVersion.allCases)
  func routes(version: ExportVersion) throws {
    let plan = try ExportPlan.sample(
      days: 7, version: version, density: 0.02, profile: .iphone)
    let export = try GeneratedExport(plan)
    let points = export.truth.workouts.reduce(0) { $0 + $1.points }
    #expect((points > 0) == (version >= .version8))
    #expect(export.truth.elements["Location", default: 0] == (version == .version8 ? points : 0))
    #expect((export.truth.elements["FileReference"] != nil) == (version >= .version11a))
  }

  @Test("Rings have the names of their version")
  func rings() throws {
    func names(_ version: ExportVersion) throws -> Set<String> {
      let export = try GeneratedExport(Self.sample(version, .watch))
      let parser = GenerateExportParser(export.text)
      return parser.attributes(of: "ActivitySummary").reduce(into: []) { $0.formUnion($1.keys) }
    }
    #expect(try !names(.version8).contains { $0.hasPrefix("appleMove") })
    #expect(try names(.version11a).contains("appleMoveMinutes"))
    #expect(try names(.version11).contains("appleMoveTime"))
  }

  @Test("Every attribute of an element stands in its document type, but for known leaks")
  func declaredAttributes() throws {
    for version in ExportVersion.allCases where version.isWellFormed {
      let export = try GeneratedExport(Self.sample(version, .watch))
      let parser = GenerateExportParser(export.text)
      for (name, attributes) in parser.rare
      where !name.hasPrefix("WorkoutZone") && !attributes.isEmpty {
        let declaration = try #require(
          version.documentType.range(of: "<!ATTLIST \(name)\n").map {
            version.documentType[$0.upperBound...].prefix { $0 != ">" }
          }, "\(version) \(name)")
        for attribute in attributes.keys where name != "Me" {
          #expect(declaration.contains("  \(attribute) "), "\(version) \(name) \(attribute)")
        }
      }
    }
  }

  @Test("Some records of foods stand inside their correlation alone")
  func nestedOnly() throws {
    let plan = try ExportPlan.sample(days: 20, density: 0.02, profile: .food)
    let export = try GeneratedExport(plan)
    let elements = export.elements
    let top = Set(elements.records.map(\.attributes))
    let nested = elements.filter { $0.name == "Record" && $0.depth == 2 }
    let alone = nested.count { !top.contains($0.attributes) }
    #expect(alone == export.truth.records.values.reduce(0) { $0 + $1.nestedOnly })
    #expect(alone > 0 && alone * 10 < nested.count)
  }

  @Test("An hour of iOS 8 sums up the records that other versions have")
  func firstVersion() throws {
    let hours = try GeneratedExport(Self.sample(.ios8, .watch))
    let records = try GeneratedExport(Self.sample(.version3, .watch))
    let first = hours.elements
    let third = records.elements.records
    for type in ["StepCount", "ActiveEnergyBurned"] {
      let type = "HKQuantityTypeIdentifier" + type
      let count = first.filter { $0["type"] == type }
        .reduce(0) { $0 + (Int($1["recordCount"]) ?? 0) }
      let whole = try #require(records.truth.records[type])
      #expect(count == whole.records - whole.copies)
      let sum = first.filter { $0["type"] == type }
        .reduce(0) { $0 + (Double($1["value"]) ?? .nan) }
      let expected = third.filter { $0["type"] == type }
      let groups = Dictionary(grouping: expected) {
        [$0["startDate"], $0["endDate"], $0["sourceName"]]
      }
      let raw = groups.values.reduce(0) { $0 + (Double($1[0]["value"]) ?? .nan) }
      #expect(abs(sum - raw) < 1e-5 * raw)
    }
  }

  /// Shares of all records in percent, as two people published them (`export-format.md`, e).
  private static let published: [(Profile, [(String, Double)])] = [
    (
      .watch,
      [
        ("ActiveEnergyBurned", 34.1), ("HeartRate", 17.5), ("BasalEnergyBurned", 11.2),
        ("DistanceWalkingRunning", 10.1), ("StepCount", 8.4), ("PhysicalEffort", 2.7),
        ("AppleExerciseTime", 2.4), ("AppleStandTime", 2.3), ("EnvironmentalAudioExposure", 1.7),
        ("WalkingSpeed", 1.1), ("RespiratoryRate", 1.1), ("FlightsClimbed", 0.9),
      ]
    ),
    (
      .iphone,
      [
        ("ActiveEnergyBurned", 10), ("BasalEnergyBurned", 13.6), ("DistanceWalkingRunning", 10.7),
        ("StepCount", 10.2), ("WalkingSpeed", 10), ("WalkingStepLength", 10),
        ("WalkingDoubleSupportPercentage", 8.8), ("WalkingAsymmetryPercentage", 4.7),
        ("HeadphoneAudioExposure", 6.6), ("HeartRate", 7.3),
      ]
    ),
    (.garmin, [("HeartRate", 76)]),
  ]

  @Test("Types have about the shares that people published", arguments: published)
  func shares(profile: Profile, types: [(String, Double)]) throws {
    let plan = try ExportPlan.sample(days: profile == .watch ? 10 : 45, profile: profile)
    var writer = ExportWriter(plan: plan, sink: CountingSink(), detail: .counts)
    try writer.writeDocument()
    let all = writer.truth.records.values.reduce(0) { $0 + $1.records }
    for (type, percent) in types {
      let count = writer.truth.records["HKQuantityTypeIdentifier" + type]?.records ?? 0
      let ratio = 100 * Double(count) / Double(all) / percent
      #expect((0.4...2.5).contains(ratio), "\(profile) \(type): \(ratio)")
    }
  }

  @Test("A record of a watch is as long, and has as much inside, as people published")
  func density() throws {
    var writer = ExportWriter(
      plan: try .sample(days: 20, version: .version14), sink: CountingSink(), detail: .counts)
    try writer.writeDocument()
    let truth = writer.truth
    let records = Double(truth.records.values.reduce(0) { $0 + $1.records })
    func ratio(_ element: String, _ count: Double) -> Double {
      Double(truth.elements[element] ?? 0) / count
    }
    #expect((400...480).contains(Double(truth.bytes) / records))
    #expect((0.18...0.33).contains(ratio("MetadataEntry", records)))
    #expect((0.0005...0.005).contains(ratio("HeartRateVariabilityMetadataList", records)))
    let lists = Double(truth.elements["HeartRateVariabilityMetadataList"] ?? 0)
    #expect((33...46).contains(ratio("InstantaneousBeatsPerMinute", lists)))
    #expect((28...93).contains(truth.records.count))
  }
}
