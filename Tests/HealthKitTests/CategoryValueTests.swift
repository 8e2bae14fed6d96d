import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthKit

@Suite
struct CategoryValueTests {
  @Test("A category type has the published values of its enumeration, and no other")
  func values() throws {
    let values = Dictionary(
      grouping: try References.table("catalogue/category_values.tsv"), by: { $0["enum"] })
    let types = try References.table("catalogue/category_types.tsv")
    #expect(types.count == 72)
    for type in types {
      let identifier = HKCategoryTypeIdentifier(
        rawValue: try #require(type["identifier_string"]))
      let rows = try #require(values[type["value_enum"]], "\(identifier)")
      let published = Set(rows.compactMap { $0["raw"].flatMap { Int($0) } })
      for value in [Int.min, .max] + Array(-5...50) {
        #expect(
          HKCategoryType(identifier).hasValue(value)
            == (published.isEmpty || published.contains(value)),
          "\(identifier) \(value)")
      }
    }
  }
}
