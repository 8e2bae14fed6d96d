import Foundation
import Testing
import _HealthTestSupport

@Suite("FHIR resources, by the published structures of R4 and R5")
struct ClinicalExportTests {
  private let generated: GeneratedStore

  init() throws { generated = try GeneratedStore(seed: 6, version: "14") }

  private var store: String { generated.path }

  private func resources(_ names: String..., version: String = "R5") throws -> [[String: Any]] {
    let run = try ProgramRun.hkstats(
      ["export"] + names + ["--format", "fhir-ndjson", "--fhir-version", version, "--store", store])
    try #require(run.exitCode == 0, "\(run.errors)")
    return try run.lines.map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test(
    "Every Observation has what its version asks for and nothing that it does not know",
    arguments: ["R4", "R5"])
  func structure(version: String) throws {
    let run = try ProgramRun.hkstats([
      "export", "--format", "fhir", "--fhir-version", version, "--store", store,
    ])
    let bundle = try run.object()
    #expect(bundle["resourceType"] as? String == "Bundle")
    let entries = try #require(bundle["entry"] as? [[String: Any]])
    #expect(entries.allSatisfy { $0.keys.sorted() == ["resource"] })
    let all = try resources(version: version)
    #expect((entries.compactMap { $0["resource"] } as NSArray).isEqual(to: all))
    for resource in all where resource["id"] == nil {
      ObservationRules.check(resource, version: version)
    }
    // What is left out is named and counted.
    for word in ["workout: ", "workoutRoute: ", "activitySummary: ", "visionPrescription: "] {
      #expect(run.errors.contains(word))
    }
    #expect(run.errors.contains("because FHIR \(version) has no form for it"))
    #expect(!run.errors.contains("electrocardiogram") && !run.errors.contains("clinicalRecord: "))
  }

  @Test("R4 and R5 have the same Observations but for the time between samples of a signal")
  func versions() throws {
    let (old, new) = (try resources(version: "R4"), try resources())
    let (oldOwn, newOwn) = (old.filter { $0["id"] == nil }, new.filter { $0["id"] == nil })
    try #require(oldOwn.count == newOwn.count && !oldOwn.isEmpty)
    var signals = 0
    for (old, new) in zip(oldOwn, newOwn) {
      var (old, new) = (old, new)
      if let (rest, spacing) = Self.signal(in: &old),
        let (newRest, newSpacing) = Self.signal(in: &new)
      {
        signals += 1
        #expect((rest as NSDictionary).isEqual(to: newRest))
        #expect(spacing.keys.sorted() == ["period"])
        #expect(newSpacing.keys.sorted() == ["interval", "intervalUnit"])
        #expect(spacing["period"] as? Double == newSpacing["interval"] as? Double)
      }
      #expect((old as NSDictionary).isEqual(to: new))
    }
    #expect(signals > 0)
  }

  /// Takes the SampledData out of an Observation, and the time between samples out of that.
  private static func signal(
    in observation: inout [String: Any]
  ) -> (rest: [String: Any], spacing: [String: Any])? {
    guard var component = (observation["component"] as? [[String: Any]])?.first,
      let signal = component.removeValue(forKey: "valueSampledData") as? [String: Any]
    else { return nil }
    observation["component"] = [component]
    let spacing: Set = ["period", "interval", "intervalUnit"]
    return (
      signal.filter { !spacing.contains($0.key) }, signal.filter { spacing.contains($0.key) }
    )
  }

  @Test("A blood pressure is one Observation with two components, and its records are no others")
  func bloodPressure() throws {
    let correlations = try ProgramRun.hkstats([
      "samples", "bloodPressure", "--format", "json", "--store", store,
    ])
    let known = try #require(try correlations.json() as? [[String: Any]])
    let all = try resources()
    let panels = all.filter {
      ObservationRules.codes($0, in: "http://loinc.org").contains("85354-9")
    }
    #expect(panels.count == known.count && !known.isEmpty)
    for (panel, correlation) in zip(panels, known) {
      let components = try #require(panel["component"] as? [[String: Any]])
      let codes = components.flatMap { ObservationRules.codes($0, in: "http://loinc.org") }
      #expect(codes == ["8480-6", "8462-4"])
      let values = components.compactMap {
        ($0["valueQuantity"] as? [String: Any])?["value"] as? Double
      }
      let members = try #require(correlation["members"] as? [[String: Any]])
      #expect(values == members.compactMap { $0["value"] as? Double })
      #expect(panel["valueQuantity"] == nil)
    }
    for code in ["8480-6", "8462-4"] {
      #expect(!all.contains { ObservationRules.codes($0, in: "http://loinc.org").contains(code) })
    }
    // Who asks for one of the two alone gets it.
    #expect(try resources("bloodPressureSystolic").count == known.count)
  }

  @Test("An electrocardiogram is one Observation with its signal as SampledData")
  func electrocardiogram() throws {
    let run = try ProgramRun.hkstats(["samples", "ecg", "--format", "json", "--store", store])
    let known = try #require(try run.json() as? [[String: Any]])
    let observations = try resources("ecg")
    try #require(observations.count == known.count && !known.isEmpty)
    for (observation, electrocardiogram) in zip(observations, known) {
      let component = try #require((observation["component"] as? [[String: Any]])?.first)
      let signal = try #require(component["valueSampledData"] as? [String: Any])
      let data = try #require(signal["data"] as? String).split(separator: " ").map { Double($0) }
      #expect(data == electrocardiogram["voltages"] as? [Double])
      let rate = try #require(electrocardiogram["sampleRate"] as? Double)
      #expect(try #require(signal["interval"] as? Double) * rate == 1000)
      #expect(
        observation["valueString"] as? String == electrocardiogram["classification"] as? String)
    }
  }

  @Test("Values have the digits of their records: of the decimal product, or in the recorded unit")
  func decimals() throws {
    var export = SmallExport()
    let records = [
      ("DistanceWalkingRunning", "15.1668", "km", "15166.8", "m"),
      ("DistanceCycling", "3", "mi", "4828.032", "m"), ("BodyMass", "64", "kg", "64", "kg"),
      ("BodyMass", "154.2", "lb", "154.2", "[lb_av]"), ("Height", "1.78", "m", "178", "cm"),
      ("BodyFatPercentage", "0.208", "%", "20.8", "%"),
      ("BodyTemperature", "98.6", "degF", "98.6", "[degF]"),
      ("BodyTemperature", "37.1", "degC", "37.1", "Cel"),
      ("DietarySodium", "0.0123", "g", "12.3", "mg"), ("StepCount", "12", "count", "12", "{steps}"),
      ("HeartRate", "1.1", "count/s", "66", "/min"),
      ("DistanceSwimming", "0.1000000000000000055", "ft", "0.03048", "m"),
      ("BloodGlucose", "5.5", "mmol&lt;180.1558800000541&gt;/L", "5.5", "mmol/L"),
      ("BloodAlcoholContent", "0.0008", "%", "0.08", "g/dL"),
    ]
    for (hour, record) in records.enumerated() {
      let time = "2024-03-05T\(hour < 10 ? "0" : "")\(hour):00:00"
      export.add(
        "HKQuantityTypeIdentifier" + record.0, record.1, unit: record.2, from: time, to: time)
    }
    let scratch = try Scratch()
    let path = try scratch.file("export.xml", export.data)
    let run = try ProgramRun.hkstats(["export", "--format", "fhir-ndjson", "--export", path])
    var found: [String] = []
    for line in run.lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let observation = try #require(object)
      ObservationRules.check(observation)
      let quantity = try #require(observation["valueQuantity"] as? [String: Any])
      let type = try #require(
        ObservationRules.codes(observation, in: ObservationRules.apple).first?.dropFirst(24))
      let digits = try #require(line.firstMatch(of: /"value":([^,]*),/)?.1)
      found.append("\(type) \(digits) \(quantity["code"] ?? "")")
    }
    #expect(found.sorted() == records.map { "\($0.0) \($0.3) \($0.4)" }.sorted())
  }

  @Test("Records of a clinic leave as they came")
  func clinicalRecords() throws {
    let run = try ProgramRun.hkstats([
      "samples", "clinicalRecord", "--format", "json", "--store", store,
    ])
    let known = try #require(try run.json() as? [[String: Any]])
    let kept = known.compactMap { $0["resource"] as? [String: Any] }
    let left = try resources("clinicalRecord")
    #expect(!kept.isEmpty && (kept as NSArray).isEqual(to: left))
  }

  /// R4 is for readers that validate, so a document of DSTU2 stays out, and is counted.
  @Test("R4 has the documents of R4 alone", arguments: ["8", "14"])
  func documents(version: String) throws {
    let generated = try GeneratedStore(seed: 6, version: version)
    func lines(_ version: String) throws -> ProgramRun {
      try ProgramRun.hkstats([
        "export", "clinicalRecord", "--format", "fhir-ndjson", "--fhir-version", version, "--store",
        generated.path,
      ])
    }
    let (old, new) = (try lines("R4"), try lines("R5"))
    try #require(!new.lines.isEmpty)
    if version == "8" {
      #expect(old.lines.isEmpty)
      #expect(old.errors.contains("clinicalRecord of another version: \(new.lines.count)"))
    } else {
      #expect(old.lines == new.lines)
    }
  }

  @Test("A folder has a file for each type of resource, with the lines of one file in their order")
  func folder() throws {
    let folder = generated.scratch.path("resources")
    let whole = try ProgramRun.hkstats(["export", "--format", "fhir-ndjson", "--store", store])
    for again in [[], ["--force"]] {
      let run = try ProgramRun.hkstats(
        ["export", "--format", "fhir-ndjson", "--out", folder, "--store", store] + again)
      try #require(run.exitCode == 0, "\(run.errors)")
    }
    var expected: [String: [String]] = [:]
    for line in whole.lines {
      let resource = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      expected["\(resource?["resourceType"] ?? "").ndjson", default: []].append(String(line))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(names) == Set(expected.keys) && names.count > 2)
    for name in names {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      #expect(text.split(separator: "\n").map(String.init) == expected[name], "\(name)")
    }
    let refused = try ProgramRun.hkstats([
      "export", "--format", "fhir-ndjson", "--out", folder, "--store", store,
    ])
    #expect(refused.exitCode != 0)
  }

  @Test(
    "Codes and units are those of the published table")
  func codes() throws {
    let table = try References.table("catalogue/quantity_types.tsv")
    let rows = Dictionary(
      table.compactMap { row in row["identifier"].map { ($0, row) } }, uniquingKeysWith: { $1 })
    for observation in try resources()
    where observation["valueQuantity"] != nil && observation["id"] == nil {
      let type = try #require(
        ObservationRules.codes(observation, in: ObservationRules.apple).first)
      let loinc = ObservationRules.codes(observation, in: "http://loinc.org")
      let row = rows[type] ?? [:]
      let quantity = observation["valueQuantity"] as? [String: Any]
      let isOfMoles = (quantity?["code"] as? String)?.contains("mol") == true
      // A published code of a part is none of an observation, and one of mass none of moles.
      let published = isOfMoles ? "14743-9" : row["loinc"] ?? ""
      #expect(published.hasPrefix("LP") || (loinc.first ?? "") == published, "\(type)")
    }
  }
}

/// What FHIR says of an Observation (https://hl7.org/fhir/R5/observation.html,
/// https://hl7.org/fhir/R4/observation.html) and of the data types in it
/// (https://hl7.org/fhir/R5/datatypes.html, https://hl7.org/fhir/R4/datatypes.html), as far as an
/// export can break it.
private enum ObservationRules {
  static let apple = "http://developer.apple.com/documentation/healthkit"

  private static let members: Set = [
    "resourceType", "status", "category", "code", "subject", "effectiveDateTime", "effectivePeriod",
    "issued", "valueQuantity", "valueCodeableConcept", "valueString", "device", "component",
  ]
  // A regex literal within a function is parsed at each call.
  private nonisolated(unsafe) static let date =
    /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})/
  private nonisolated(unsafe) static let code = /[^\s]+( [^\s]+)*/
  private nonisolated(unsafe) static let signal = /-?\d{1,9}(\.\d+)?( -?\d{1,9}(\.\d+)?)*/

  private static func isDate(_ text: String) -> Bool { text.wholeMatch(of: date) != nil }

  static func check(_ observation: [String: Any], version: String = "R5") {
    #expect(observation["resourceType"] as? String == "Observation")
    #expect(observation["status"] as? String == "final")
    #expect(Set(observation.keys).isSubset(of: members), "\(observation.keys)")
    check(concept: observation["code"])
    for category in observation["category"] as? [Any] ?? [] { check(concept: category) }
    #expect((observation["subject"] as? [String: Any])?["display"] is String)
    let moment = observation["effectiveDateTime"] as? String
    let period = observation["effectivePeriod"] as? [String: String]
    #expect((moment == nil) != (period == nil))
    for date in [moment, observation["issued"] as? String].compactMap(\.self) {
      #expect(isDate(date))
    }
    if let period {
      #expect(period.keys.sorted() == ["end", "start"])
      #expect(period.values.allSatisfy(isDate))
    }
    checkValue(in: observation, version: version)
    let components = observation["component"] as? [[String: Any]]
    #expect(components?.isEmpty != true)
    for component in components ?? [] {
      check(concept: component["code"])
      checkValue(in: component, version: version)
    }
    let values = observation.keys.filter { $0.hasPrefix("value") }
    #expect(values.count <= 1)
    if let device = observation["device"] as? [String: Any] {
      #expect((device["display"] as? String)?.isEmpty == false)
    }
  }

  /// The codes of a system.
  static func codes(_ thing: [String: Any], in system: String) -> [String] {
    let code = thing["code"] as? [String: Any]
    return (code?["coding"] as? [[String: Any]] ?? [])
      .filter { $0["system"] as? String == system }.compactMap { $0["code"] as? String }
  }

  private static func check(concept: Any?) {
    let concept = concept as? [String: Any]
    let codings = concept?["coding"] as? [[String: Any]]
    #expect(codings?.isEmpty != true && (codings != nil || concept?["text"] is String))
    for coding in codings ?? [] {
      #expect((coding["system"] as? String).flatMap(URL.init(string:)) != nil)
      // A code has no white space at its ends and no two blanks side by side.
      #expect((coding["code"] as? String)?.wholeMatch(of: code) != nil)
    }
  }

  private static func checkValue(in thing: [String: Any], version: String) {
    if let quantity = thing["valueQuantity"] as? [String: Any] { check(quantity: quantity) }
    if thing["valueCodeableConcept"] != nil { check(concept: thing["valueCodeableConcept"]) }
    if let signal = thing["valueSampledData"] as? [String: Any] {
      #expect(signal["origin"] is [String: Any])
      if let origin = signal["origin"] as? [String: Any] { check(quantity: origin) }
      #expect((signal["dimensions"] as? Int ?? 0) > 0)
      let spacing = version == "R4" ? ["period"] : ["interval", "intervalUnit"]
      #expect(signal.keys.sorted() == (["data", "dimensions", "origin"] + spacing).sorted())
      #expect(signal[spacing[0]] is Double)
      #expect(version == "R4" || signal["intervalUnit"] as? String == "ms")
      let data = signal["data"] as? String ?? ""
      #expect(data.wholeMatch(of: Self.signal) != nil)
    }
  }

  private static func check(quantity: [String: Any]) {
    #expect(quantity.keys.sorted() == ["code", "system", "unit", "value"])
    #expect(quantity["value"] is Double)
    #expect(quantity["system"] as? String == "http://unitsofmeasure.org")
    #expect((quantity["code"] as? String)?.isEmpty == false)
  }
}
