import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import Testing

@Suite("Clinical records by type")
struct ClinicalSelectionTests {
  private static let vitalSign = """
    {"resourceType": "Observation", "category": [{"coding": [{"system": \
    "http://terminology.hl7.org/CodeSystem/observation-category", "code": "vital-signs"}]}]}
    """

  /// A document of each FHIR resource type, as exports write it, and some of HealthKit's types.
  private static let rows: [ClinicalRecords.Row] = {
    var rows = ClinicalRecords.typesOfResources.map { row(type: $0.resource, "{}") }
    rows.append(row(type: "Observation", vitalSign))
    rows.append(row(type: HKClinicalTypeIdentifier.labResultRecord.rawValue, ""))
    return rows
  }()

  private static func row(type: String, _ resource: String) -> ClinicalRecords.Row {
    var row = ClinicalRecords.Row()
    (row.type, row.resource) = (type, Array(resource.utf8))
    row.identifier = "\(type) \(resource.count)"
    return row
  }

  private func types(_ name: String, in store: SampleStore) throws -> [String] {
    guard case .elements(let kind, let type) = try StoredSelection(named: name) else {
      Issue.record("\(name) is no kind of elements")
      return []
    }
    var types: [String] = []
    let period = StoredPeriod(range: -.infinity ..< .infinity, zones: ZoneTimeline(.gmt))
    try store.forEachElement(of: kind, type: type, in: period) { batch in
      if case .clinicalRecords(let records) = batch {
        types += records.rows.map { $0.resource.count > 2 ? "vital" : $0.type }
      }
      return true
    }
    return types.sorted()
  }

  @Test("are found by HealthKit's types and by those of FHIR resources")
  func names() throws {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    try session.add(.clinicalRecords(ClinicalRecords(Self.rows)))
    _ = try session.finish()
    let labResult = HKClinicalTypeIdentifier.labResultRecord.rawValue
    #expect(
      try types("labResultRecord", in: store) == ["DiagnosticReport", labResult, "Observation"])
    #expect(try types("vitalSignRecord", in: store) == ["vital"])
    #expect(try types("allergyRecord", in: store) == ["AllergyIntolerance"])
    #expect(try types("MedicationRecord", in: store).count == 4)
    #expect(try types("observation", in: store) == ["Observation", "vital"])
    #expect(try types("clinicalRecords", in: store).count == Self.rows.count)
    // Each record is of exactly one type, and no type is without any.
    let all = Catalogue.otherTypes.compactMap(\.identifier)
      .filter { $0.hasPrefix("HKClinicalTypeIdentifier") }
    let found = try all.map { try types($0, in: store) }
    #expect(found.allSatisfy { !$0.isEmpty } && found.joined().count == Self.rows.count)
  }
}
