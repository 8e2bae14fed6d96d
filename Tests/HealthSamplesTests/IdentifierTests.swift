import HealthSamples
import Testing
import _HealthTestSupport

@Suite
struct IdentifierTests {
  @Test("Every quantity type has a static member of its published name")
  func quantityMembers() {
    #expect(
      IdentifierMembers.quantity.map { [$0.0, $0.1.rawValue] }
        == Catalogue.quantityTypes.map { [$0.swiftName, $0.identifier.rawValue] })
  }

  @Test("Every category type has a static member of its published name")
  func categoryMembers() {
    #expect(
      IdentifierMembers.category.map { [$0.0, $0.1.rawValue] }
        == Catalogue.categoryTypes.map { [$0.swiftName, $0.identifier.rawValue] })
  }

  @Test(
    "Members have the published names and raw values")
  func publishedMembers() throws {
    let quantities = try References.table("catalogue/quantity_types.tsv")
    #expect(
      IdentifierMembers.quantity.map { [$0.0, $0.1.rawValue] }
        == quantities.map { [$0["swift_name"], $0["identifier"]] })
    let categories = try References.table("catalogue/category_types.tsv")
    #expect(
      IdentifierMembers.category.map { [$0.0, $0.1.rawValue] }
        == categories.map { [$0["swift_name"], $0["identifier_string"]] })
    let characteristics = try References.table("catalogue/characteristic_types.tsv")
      .filter { $0["swift_name"] != "-" }
    #expect(
      IdentifierMembers.characteristic.map { [$0.0, $0.1.rawValue] }
        == characteristics.map { [$0["swift_name"], $0["identifier"]] })
    let correlations = try References.table("catalogue/correlation_types.tsv")
    #expect(
      [("bloodPressure", HKCorrelationTypeIdentifier.bloodPressure), ("food", .food)]
        .map { [$0.0, $0.1.rawValue] } == correlations.map { [$0["swift_name"], $0["identifier"]] })
    let others = Set(
      try References.table("catalogue/other_types.tsv").compactMap { $0["identifier_string"] })
    let clinical = IdentifierMembers.clinical.map(\.1.rawValue)
    #expect(Set(clinical) == others.filter { $0.hasPrefix("HKClinicalTypeIdentifier") })
    for (name, identifier) in IdentifierMembers.clinical {
      #expect(identifier.rawValue.lowercased().hasSuffix(name.lowercased()))
    }
    #expect(others.contains(HKDocumentTypeIdentifier.CDA.rawValue))
    let assessments = [HKScoredAssessmentTypeIdentifier.GAD7, .PHQ9].map(\.rawValue)
    #expect(
      Set(assessments) == others.filter { $0.hasPrefix("HKScoredAssessmentTypeIdentifier") })
  }

  @Test("A sample type is made from an identifier")
  func sampleTypes() throws {
    #expect(SampleType(.stepCount).identifier == HKQuantityTypeIdentifier.stepCount.rawValue)
    #expect(SampleType(.stepCount).style == .cumulative)
    #expect(SampleType(.sleepAnalysis).kind == .category)
    #expect(SampleType(HKCategoryTypeIdentifier(rawValue: "HKNew")).identifier == "HKNew")
  }

  @Test("A quantity identifier that the catalogue lacks stops the program with a sentence")
  func unknownQuantity() async {
    await #expect(processExitsWith: .failure) {
      _ = SampleType(HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifierNew"))
    }
  }
}
