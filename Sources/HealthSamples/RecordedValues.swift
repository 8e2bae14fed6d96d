package import HealthUnits
package import _HealthNumerics

/// The numbers as which samples were recorded, row by row, where the columns have converted ones:
/// the input of exact sums and means.
package struct RecordedValues: Sendable, Hashable {
  /// The conversion of a number to the unit of the columns: `number * factor + offset`.
  package struct Conversion: Sendable, Hashable {
    /// What a number is multiplied by.
    package let factor: ExactRatio
    /// The number that is added after it.
    package let offset: ExactRatio
    /// The unit of the numbers; `nil` for that of the columns, and where nobody asks for it.
    package let unit: UnitExpression?

    /// The exact constants of a conversion; `nil` for a level, which is not linear.
    package init?(_ conversion: UnitConversion, from unit: UnitExpression? = nil) {
      guard conversion.isLinear else { return nil }
      (factor, offset) = (conversion.exactFactor, conversion.exactOffset)
      self.unit = unit
    }

    private init() { (factor, offset, unit) = (.one, .zero, nil) }

    /// Leaves every number unchanged.
    package static let identity = Conversion()
  }

  /// The numbers.
  package private(set) var values: [Double] = []
  /// The index of each number's conversion.
  package private(set) var units: [UInt32] = []
  /// The conversions; the first is the identity.
  package private(set) var conversions = [Conversion.identity]

  /// Makes no numbers.
  package init() {}

  /// Numbers that are all in one unit.
  package init(_ values: [Double], _ conversion: Conversion) {
    self.values = values
    units = Array(repeating: 1, count: values.count)
    conversions.append(conversion)
  }

  /// The index of a conversion, which is appended if it is new.
  package mutating func place(of conversion: Conversion) -> UInt32 {
    if let place = conversions.firstIndex(of: conversion) { return UInt32(place) }
    conversions.append(conversion)
    return UInt32(conversions.count - 1)
  }

  /// Appends a number.
  package mutating func append(_ value: Double, unit: UInt32) {
    values.append(value)
    units.append(unit)
  }

  /// Appends the recorded numbers of some rows of samples, which default to their values.
  package mutating func append(_ rows: Range<Int>, of samples: SampleColumns) {
    guard let recorded = samples.recorded else {
      for row in rows { append(samples.values[row], unit: 0) }
      return
    }
    let places = recorded.conversions.map { place(of: $0) }
    for row in rows {
      append(recorded.values[row], unit: places[Int(recorded.units[row])])
    }
  }

  /// The numbers of some rows.
  package func keeping(rows: some Sequence<Int>) -> RecordedValues {
    var kept = self
    kept.values = rows.map { values[$0] }
    kept.units = rows.map { units[$0] }
    return kept
  }

  /// Reorders the numbers of some rows.
  package mutating func reorder(_ rows: Range<Int>, by order: [Int]) {
    values.replaceSubrange(rows, with: order.map { values[$0] })
    units.replaceSubrange(rows, with: order.map { units[$0] })
  }
}
