import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthSamples

@Suite
struct CatalogueTests {
  @Test("An unknown identifier, constant or raw value is nothing")
  func unknown() {
    #expect(Catalogue.type("HKQuantityTypeIdentifierSteps") == nil)
    #expect(Catalogue.type("") == nil)
    #expect(Catalogue.rawValue(ofCategoryConstant: "HKCategoryValueSleepAnalysisNap") == nil)
    #expect(Catalogue.style(of: HKQuantityTypeIdentifier(rawValue: "HKNew")) == nil)
    #expect(Catalogue.constant(ofRawValue: 99, of: .sleepAnalysis) == nil)
    #expect(Catalogue.constant(ofRawValue: 0, of: .init(rawValue: "HKNew")) == nil)
    #expect(Catalogue.clinicalCode(of: .nikeFuel) == nil)
  }

  @Test("Old and new spellings of a category value are one value, written in the newest spelling")
  func spellingsOfValues() {
    let old = "HKCategoryValueSleepAnalysisAsleep"
    let new = "HKCategoryValueSleepAnalysisAsleepUnspecified"
    let raw = Catalogue.rawValue(ofCategoryConstant: old)
    #expect(raw == Catalogue.rawValue(ofCategoryConstant: new))
    #expect(raw.flatMap { Catalogue.constant(ofRawValue: $0, of: .sleepAnalysis) } == new)
  }

  @Test("Every value of every category type has one constant that reads back to it")
  func constantsRoundTrip() {
    for type in Catalogue.categoryTypes {
      let cases = Catalogue.enumerationCases.filter { $0.enumeration == type.enumeration }
      #expect(!cases.isEmpty, "\(type.constant)")
      for raw in Set(cases.compactMap(\.rawValue)) {
        let constant = Catalogue.constant(ofRawValue: raw, of: type.identifier)
        #expect(constant.flatMap(Catalogue.rawValue(ofCategoryConstant:)) == raw)
        let entry = cases.first { $0.constant == constant }
        #expect(entry?.isDeprecated == false, "\(type.constant)")
      }
    }
  }

  @Test("Versions stand in the order of their SDKs")
  func versions() {
    #expect(Catalogue.Version.allCases.sorted() == Catalogue.Version.allCases)
    #expect(Catalogue.Version.allCases.max() == .newest)
  }

  @Test("Tables that lean on another table name only what stands there")
  func references() {
    let types = Set(Catalogue.quantityTypes.map(\.identifier))
    #expect(Catalogue.styleChanges.allSatisfy { types.contains($0.identifier) })
    #expect(Set(Catalogue.styleChanges.map(\.identifier)).count == Catalogue.styleChanges.count)
    #expect(Catalogue.clinicalCodes.allSatisfy { types.contains($0.identifier) })
    #expect(
      Catalogue.loincTerms.map(\.code).sorted()
        == Set(Catalogue.clinicalCodes.flatMap { $0.loinc + $0.loincOfOtherProperties }).sorted())
    let enumerations = Set(Catalogue.enumerationCases.map(\.enumeration))
    #expect(Catalogue.categoryTypes.allSatisfy { enumerations.contains($0.enumeration) })
    let constants = Catalogue.enumerationCases.map(\.constant)
    #expect(Set(constants).count == constants.count)
  }

  @Test("Every LOINC code is that of a term, with the check digit that LOINC gives it")
  func loinc() throws {
    for code in Catalogue.loincTerms.map(\.code) {
      let parts = code.split(separator: "-")
      try #require(parts.count == 2 && parts[1].count == 1, "\(code)")
      let digits = try parts[0].reversed().map { try #require($0.wholeNumberValue, "\(code)") }
      // The digits in odd places from the right count double, and a double digit by its digits
      // (LOINC Users' Guide, appendix on check digits).
      let sum = digits.enumerated().reduce(0) { sum, digit in
        let value = digit.element * (digit.offset.isMultiple(of: 2) ? 2 : 1)
        return sum + value / 10 + value % 10
      }
      let check = try #require(parts[1].first?.wholeNumberValue, "\(code)")
      #expect((sum + check).isMultiple(of: 10), "\(code)")
    }
  }

  @Test("Every LOINC code has the property of the published table, and a unit of it")
  func loincProperties() throws {
    let table = try References.table("LOINCProperties.tsv")
    #expect(table.count == Catalogue.loincTerms.count)
    for row in table {
      let code = try #require(row["loinc"])
      let term = try #require(Catalogue.loincTerm(of: code), "\(code)")
      #expect(term.property == row["property"], "\(code)")
      let known = try UnitExpression(try #require(row["ucum"]), dialect: .ucum)
      #expect(try UnitExpression(term.ucum, dialect: .ucum).isCompatible(with: known), "\(code)")
    }
    #expect(Catalogue.loincTerm(of: "LP203183-1") == nil)
  }

  @Test("Every UCUM code is valid, and says the same as the unit beside it")
  func ucum() throws {
    for code in Catalogue.clinicalCodes {
      guard let text = code.ucum else { continue }
      let ucum = try UnitExpression(text, dialect: .ucum)
      let unit = try UnitExpression(code.unit)
      // A body mass index is a plain number in HealthKit, and UCUM has no A-weighted level: the
      // number stays, and the code says more or less than the unit.
      if code.identifier == .bodyMassIndex || code.unit == "dBASPL" { continue }
      let conversion = try UnitConversion(from: unit, to: ucum)
      #expect(conversion(1) == (code.unit == "%" ? 100 : 1), "\(code.identifier.rawValue)")
    }
  }
}
