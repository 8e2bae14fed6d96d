import Foundation
import HealthExchange
import HealthSamples
import HealthStore
import HealthUnits
import Testing
import _HealthTestSupport

@Suite("Codes and units of FHIR's Observations")
struct ObservationUnitTests {
  private let folder: TemporaryFolder
  private let store: SampleStore

  init() throws {
    folder = try TemporaryFolder()
    store = try SampleStore(path: folder.path + "/store.sqlite", mode: .readWrite)
  }

  /// Units beside the everyday ones, of every dimension that a coded type has.
  private static let others = [
    "mol<12>", "mmol<180.16>/L", "mol<180.1558800000541>/L", "g/L", "mg/L", "kPa", "cmAq", "inHg",
    "atm", "K", "degF", "mK", "count/hr", "count/s", "Hz", "st", "oz", "mg", "ft", "mm", "yd", "mi",
    "cup_us", "L/s", "min", "kJ", "cal", "J", "count", "%",
  ]

  /// A sample of a type in a unit, exported as R4.
  private struct Exported {
    let type: SampleType
    let unit: UnitExpression
    let recorded: Double
    let observation: [String: Any]

    var quantity: [String: Any] { observation["valueQuantity"] as? [String: Any] ?? [:] }
    var ucum: String { quantity["code"] as? String ?? "" }
    var value: Double { quantity["value"] as? Double ?? .nan }
    var loinc: [String] { Self.codes(observation["code"], in: "http://loinc.org") }

    static func codes(_ concept: Any?, in system: String) -> [String] {
      let codings = (concept as? [String: Any])?["coding"] as? [[String: Any]] ?? []
      return codings.filter { $0["system"] as? String == system }
        .compactMap { $0["code"] as? String }
    }
  }

  /// Every type with a LOINC code in every unit that can be asked for.
  private func exported() throws -> [Exported] {
    var kept: [(type: SampleType, unit: UnitExpression, value: Double)] = []
    for code in Catalogue.clinicalCodes where !code.loinc.isEmpty {
      let type = SampleType(code.identifier)
      let canonical = try #require(type.canonicalUnit)
      let names = Set((type.everydayUnits + Self.others).map(type.recordedUnit))
      for name in names.sorted() {
        let unit = try UnitExpression(name)
        guard unit.isCompatible(with: canonical) else { continue }
        kept.append((type, unit, 1.25))
      }
    }
    try store.save(
      kept.enumerated().map { place, row in
        NewSample(
          type: row.type, source: Source(name: "\(place)"), start: Double(place),
          end: Double(place), value: row.value, label: row.unit.description)
      })
    let path = folder.path + "/lines"
    var request = ExportRequest(format: .fhirLines)
    request.fhirVersion = .r4
    _ = try store.export(request, to: .file(path: path))
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == kept.count && kept.count > 100)
    return try lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let observation = try #require(object)
      let device = observation["device"] as? [String: Any]
      let place = try #require(Int(device?["display"] as? String ?? ""))
      let row = kept[place]
      return Exported(
        type: row.type, unit: row.unit, recorded: row.value, observation: observation)
    }
  }

  @Test("A unit has the property of every LOINC code beside it, and its value is the recorded one")
  func properties() throws {
    let units = Dictionary(
      uniqueKeysWithValues: try References.table("LOINCProperties.tsv").map { row in
        (
          try #require(row["loinc"]),
          try UnitExpression(try #require(row["ucum"]), dialect: .ucum)
        )
      })
    var coded: Set<String> = []
    for one in try exported() {
      let place = "\(one.type.identifier) in \(one.unit)"
      let ucum = try UnitExpression(one.ucum, dialect: .ucum)
      for code in one.loinc {
        let known = try #require(units[code], "\(code)")
        #expect(ucum.isCompatible(with: known), "\(place): \(code) in \(one.ucum)")
        coded.insert(one.type.identifier)
      }
      // Fibre has a code for a day alone.
      #expect(
        one.loinc.isEmpty
          == (one.type.identifier == HKQuantityTypeIdentifier.dietaryFiber.rawValue), "\(place)")
      let expected: Double
      switch HKQuantityTypeIdentifier(rawValue: one.type.identifier) {
      case .bodyMassIndex:
        expected = try UnitConversion(from: one.unit, to: UnitExpression("count"))(one.recorded)
      case .bloodAlcoholContent:
        // A percentage of a mass in a volume: one is 10 g in a litre.
        expected = 100 * (try UnitConversion(from: one.unit, to: UnitExpression("%"))(one.recorded))
      default:
        let isOfMoles = one.ucum.contains("mol")
        let from = isOfMoles ? try UnitExpression(one.unit.shortDescription) : one.unit
        // A column of mercury keeps its number between the dialects.
        let target = one.ucum == "mm[Hg]" ? try UnitExpression("mmHg") : ucum
        expected = try UnitConversion(from: from, to: target)(one.recorded)
      }
      #expect(abs(one.value - expected) <= 1e-12 * abs(expected), "\(place): \(one.value)")
    }
    #expect(coded.count == Catalogue.clinicalCodes.count { !$0.loinc.isEmpty } - 1)
  }

  /// https://hl7.org/fhir/R4/observation-vitalsigns.html and the profiles that it lists.
  private static let profiles: [String: Set<String>] = [
    "8867-4": ["/min"], "9279-1": ["/min"], "2708-6": ["%"], "8310-5": ["Cel", "[degF]"],
    "8302-2": ["cm", "[in_i]"], "29463-7": ["g", "kg", "[lb_av]"], "39156-5": ["kg/m2"],
    "8480-6": ["mm[Hg]"], "8462-4": ["mm[Hg]"],
  ]

  @Test("Vital signs have the category, a subject and a unit of their profile; others no category")
  func vitalSigns() throws {
    let system = "http://terminology.hl7.org/CodeSystem/observation-category"
    var seen: Set<String> = []
    for one in try exported() {
      let categories = one.observation["category"] as? [Any] ?? []
      let subject = one.observation["subject"] as? [String: Any]
      #expect(subject?["type"] as? String == "Patient" && subject?["display"] is String)
      #expect(one.observation["status"] as? String == "final")
      #expect(
        (one.observation["effectiveDateTime"] != nil)
          != (one.observation["effectivePeriod"] != nil))
      let profile = one.loinc.first { Self.profiles[$0] != nil }
      if let profile {
        seen.insert(profile)
        #expect(categories.count == 1)
        #expect(Exported.codes(categories.first, in: system) == ["vital-signs"])
        #expect(Self.profiles[profile]?.contains(one.ucum) == true, "\(profile) in \(one.ucum)")
      } else {
        #expect(categories.isEmpty, "\(one.type.identifier)")
      }
    }
    #expect(seen == Set(Self.profiles.keys))
  }

  @Test("Glucose has the code of moles in mmol/L, and of mass in mg/dL")
  func glucose() throws {
    let glucose = try exported().filter {
      $0.type.identifier == HKQuantityTypeIdentifier.bloodGlucose.rawValue
    }
    #expect(glucose.count >= 4)
    for one in glucose {
      #expect(one.loinc == [one.ucum.contains("mol") ? "14743-9" : "41653-7"], "\(one.ucum)")
      #expect(one.ucum.contains("mol") == one.unit.description.contains("mol"))
    }
  }

  @Test("A blood pressure with one number says that the other is absent")
  func halfOfPressure() throws {
    let source = Source(name: "Cuff")
    var row = Correlations.Row()
    row.type = "HKCorrelationTypeIdentifierBloodPressure"
    (row.facts.source, row.facts.start, row.facts.end) = (source, 0, 0)
    row.members = [
      RecordLink(
        type: HKQuantityTypeIdentifier.bloodPressureSystolic.rawValue, source: source, start: 0,
        end: 0, value: 120, label: "mmHg")
    ]
    let session = try store.beginImport()
    try session.add(.correlations(Correlations([row])))
    _ = try session.finish()
    let path = folder.path + "/lines"
    _ = try store.export(ExportRequest(format: .fhirLines), to: .file(path: path))
    let line = try String(contentsOfFile: path, encoding: .utf8)
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let components = try #require(object?["component"] as? [[String: Any]])
    let codes = components.map { Exported.codes($0["code"], in: "http://loinc.org") }
    #expect(codes == [["8480-6"], ["8462-4"]])
    #expect((components[0]["valueQuantity"] as? [String: Any])?["value"] as? Double == 120)
    let absent = "http://terminology.hl7.org/CodeSystem/data-absent-reason"
    #expect(Exported.codes(components[1]["dataAbsentReason"], in: absent) == ["unknown"])
    #expect(components[1]["valueQuantity"] == nil && components[0]["dataAbsentReason"] == nil)
    #expect((object?["category"] as? [Any])?.count == 1)
  }
}
