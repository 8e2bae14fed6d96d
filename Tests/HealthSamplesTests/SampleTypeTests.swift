import HealthSamples
import HealthUnits
import Testing

@Suite
struct SampleTypeTests {
  @Test("A type is its identifier, whatever it holds")
  func identity() throws {
    let kilograms = try UnitExpression("kg")
    let quantity = SampleType(
      identifier: "own", kind: .quantity(canonicalUnit: kilograms, style: .cumulative))
    let category = SampleType(identifier: "own", kind: .category)
    #expect(quantity == category)
    #expect(Set([quantity, category]).count == 1)
    #expect(quantity.canonicalUnit == kilograms && quantity.style == .cumulative)
    #expect(category.canonicalUnit == nil && category.style == nil)
    #expect(quantity.description == "own")
  }

  @Test("Only one style adds values up")
  func cumulative() {
    #expect(AggregationStyle.allCases.filter(\.isCumulative) == [.cumulative])
  }
}
