package import HealthSamples
import HealthUnits

/// The number of a referenced record in its recorded unit.
package struct RecordedNumber {
  package let value: Double
  /// The unit; empty for a category.
  package let unit: String

  /// Converts from the canonical unit to the recorded one; if that is unknown, the number stays
  /// canonical.
  package init(_ link: RecordLink) {
    guard let type = Catalogue.type(link.type), let canonical = type.canonicalUnit else {
      value = link.value
      unit = link.type.hasPrefix("HKCategoryTypeIdentifier") ? "" : link.label
      return
    }
    if let recorded = try? UnitExpression(link.label),
      let back = try? UnitConversion(from: canonical, to: recorded),
      let there = try? UnitConversion(from: recorded, to: canonical)
    {
      value = NumberText.shortest(back(link.value), whereSurviving: { there($0) == link.value })
      unit = type.printedUnit(link.label)
    } else {
      value = link.value
      unit = canonical.description
    }
  }
}
