internal import CKernels
package import _HealthNumerics

/// A conversion from one unit to another, prepared once for many values.
///
/// Every result is the double nearest to the exact product (and sum, for temperatures), ties to
/// even, for every finite value: no intermediate overflows, underflows or rounds. Conversions with
/// π (degrees of arc) use π to 60 digits. Conversion between two levels is just as exact;
/// conversion between a level and its quantity is within 2 ulp. A column gives the same bits as its
/// values one by one, on every processor.
///
/// ```swift
/// let conversion = try UnitConversion(from: UnitExpression("lb"), to: UnitExpression("kg"))
/// conversion(154)                     // 69.85322498
/// ```
public struct UnitConversion: Sendable {
  /// The constants of the fast path, and which path applies.
  @usableFromInline let linear: LinearConstants
  @usableFromInline let kind: Kind

  /// The data of the slow paths; a reference, so that a conversion is cheap to copy.
  private let details: Details

  @usableFromInline enum Kind: Sendable {
    case identity
    /// The factor is one double, so one multiplication rounds once.
    case product
    /// The factor is a double-double that needs no rounding test.
    case doubleDoubleProduct
    case linear
    /// Factor or offset are out of the range in which double-double arithmetic is safe.
    case exact
    case level
    case healthKit
  }

  private final class Details: Sendable {
    let factor: ExactRatio
    let offset: ExactRatio
    let source: LevelConversion?
    let target: LevelConversion?
    let healthKit: HealthKitArithmetic?
    let kernel: hk_conversion

    init(
      factor: ExactRatio, offset: ExactRatio, kernel: hk_conversion, source: LevelConversion?,
      target: LevelConversion?, healthKit: HealthKitArithmetic?
    ) {
      self.factor = factor
      self.offset = offset
      self.kernel = kernel
      self.source = source
      self.target = target
      self.healthKit = healthKit
    }
  }

  /// The exact factor and the offset added after it; between a level and a quantity, the linear
  /// part outside the level function.
  package var exactFactor: ExactRatio { details.factor }
  package var exactOffset: ExactRatio { details.offset }
  /// Whether factor and offset define the whole conversion: there is no level.
  package var isLinear: Bool { details.source == nil && details.target == nil }

  /// How a conversion computes.
  public enum Arithmetic: Sendable {
    /// The double nearest to the exact result.
    case nearest
    /// HealthKit's `(value × scale + offset − offset′) / scale′` in doubles, with each of its
    /// roundings: the same bits as numbers that HealthKit computed.
    case healthKit
  }

  /// Prepares the conversion between two units.
  ///
  /// Units of two dialects convert through the mapping between the dialects, so that HealthKit's
  /// mmHg and UCUM's mm[Hg] have the same numbers.
  ///
  /// - Throws: `UnitError` with reason `incompatible` when the dimensions differ.
  public init(
    from source: UnitExpression, to target: UnitExpression, arithmetic: Arithmetic = .nearest
  ) throws(UnitError) {
    guard let (from, to, scale) = source.comparable(with: target) else {
      throw UnitError.incompatible(from: source, to: target)
    }
    let table = UnitTable.standard
    let ratio = table.exactRatio(of: from.terms, to: to.terms) * scale
    // base = factor × (value + shift), applied for the source and inverted for the target.
    let offset = table.shift(of: from.terms) * ratio - table.shift(of: to.terms)
    if arithmetic == .healthKit, table.level(of: from.terms) == nil,
      table.level(of: to.terms) == nil
    {
      self.init(
        factor: ratio, offset: offset, healthKit: HealthKitArithmetic(from: from, to: to))
      return
    }
    switch (table.level(of: from.terms), table.level(of: to.terms)) {
    case (nil, nil): self.init(factor: ratio, offset: offset)
    case (.some(let source), .some(let target)):
      if let (factor, offset) = source.linear(to: target, reference: ratio) {
        self.init(factor: factor, offset: offset)
      } else {
        self.init(
          factor: ratio, source: LevelConversion(source, factor: ratio),
          target: LevelConversion(target, factor: .one))
      }
    case (let source, let target):
      self.init(
        factor: ratio, source: source.map { LevelConversion($0, factor: ratio) },
        target: target.map { LevelConversion($0, factor: ratio) })
    }
  }

  package init(factor: ExactRatio, offset: ExactRatio = .zero) {
    self.init(factor: factor, offset: offset, source: nil, target: nil)
  }

  private init(
    factor: ExactRatio, offset: ExactRatio = .zero, source: LevelConversion? = nil,
    target: LevelConversion? = nil, healthKit: HealthKitArithmetic? = nil
  ) {
    let nearest = LinearConstants(factor: factor, offset: offset)
    var doubleDouble: LinearConstants?
    if healthKit != nil {
      kind = .healthKit
    } else if source != nil || target != nil {
      kind = .level
    } else if factor == .one, offset.isZero {
      kind = .identity
    } else if !nearest.isSafe {
      kind = .exact
    } else if offset.isZero, ExactRatio(exactly: nearest.factor) == factor {
      kind = .product
    } else {
      doubleDouble = offset.isZero ? LinearConstants(doubleDouble: factor) : nil
      kind = doubleDouble == nil ? .linear : .doubleDoubleProduct
    }
    linear = doubleDouble ?? nearest
    details = Details(
      factor: factor, offset: offset, kernel: nearest.kernel(with: doubleDouble), source: source,
      target: target, healthKit: healthKit)
  }

  /// Whether every value stays unchanged.
  public var isIdentity: Bool {
    if case .identity = kind { true } else { false }
  }

  /// The converted value; NaN and infinities stay unchanged.
  ///
  /// - Complexity: O(1), some nanoseconds; a value next to a tie takes about a microsecond.
  @inlinable public func callAsFunction(_ value: Double) -> Double {
    switch kind {
    case .identity: return value
    case .product: return value * linear.factor
    case .doubleDoubleProduct: return linear.nearestOfDoubleDouble(value) ?? slowly(value)
    case .linear: return linear.nearest(value) ?? slowly(value)
    case .exact, .level, .healthKit: return slowly(value)
    }
  }

  @usableFromInline func slowly(_ value: Double) -> Double {
    switch kind {
    case .identity, .product, .doubleDoubleProduct, .linear, .exact: exactly(value)
    case .level: level(value)
    case .healthKit: details.healthKit?(value) ?? value
    }
  }

  private func exactly(_ value: Double) -> Double {
    guard value.isFinite else { return value }
    if value == 0, exactOffset.isZero { return value }
    let result = exactFactor.nearestDouble(times: value, plus: exactOffset)
    return result == 0 && value < 0 && exactOffset.isZero ? -0.0 : result
  }

  private func level(_ value: Double) -> Double {
    let quantity = details.source?.quantity(of: value) ?? value
    return details.target?.level(of: quantity) ?? quantity
  }

  /// Converts a whole column in place, each value as the call for one value does.
  ///
  /// - Complexity: O(n) at memory speed; values next to a tie take longer.
  public func apply(to column: inout [Double]) {
    column.withUnsafeMutableBufferPointer { column in
      apply(from: UnsafeBufferPointer(column), to: column, on: .best)
    }
  }

  /// The converted column.
  public func converted(_ column: [Double]) -> [Double] {
    [Double](unsafeUninitializedCapacity: column.count) { target, count in
      column.withUnsafeBufferPointer { source in
        apply(from: source, to: target, on: .best)
      }
      count = column.count
    }
  }

  /// Converts one buffer into another, or in place, with a given instruction set.
  package func apply(
    from source: UnsafeBufferPointer<Double>, to target: UnsafeMutableBufferPointer<Double>,
    on instructions: InstructionSet
  ) {
    let set = instructions.code
    guard let values = source.baseAddress, let results = target.baseAddress else { return }
    switch kind {
    case .identity:
      if values != UnsafePointer(results) { results.update(from: values, count: source.count) }
    case .product: hk_multiply(set, values, results, source.count, linear.factor)
    case .doubleDoubleProduct, .linear:
      var constants = details.kernel
      var done = 0
      while done < source.count {
        done += hk_convert(set, values + done, results + done, source.count - done, &constants)
        // The kernel stopped before this block: convert it value by value.
        let end = min(done + 32, source.count)
        while done < end {
          results[done] = self(values[done])
          done += 1
        }
      }
    case .exact, .level, .healthKit:
      for index in source.indices { results[index] = self(values[index]) }
    }
  }

  /// The constants for the kernel of mixed units; nil where the kernel cannot convert.
  var kernel: hk_conversion? {
    switch kind {
    case .identity, .product, .doubleDoubleProduct, .linear: details.kernel
    case .exact, .level, .healthKit: nil
    }
  }

  /// π to 60 decimal places.
  static let pi =
    ExactRatio(3_141_592_653_589_793_238 as UInt64) * .powerOfTen(-18)
    + ExactRatio(4_626_433_832_795_028_841 as UInt64) * .powerOfTen(-37)
    + ExactRatio(9_716_939_937_510_582_097 as UInt64) * .powerOfTen(-56)
    + ExactRatio(4944 as UInt64) * .powerOfTen(-60)
}

extension UnitTable {
  /// The offset added to a value of a temperature scale before the factor; 0 for all other units.
  ///
  /// Only a single unit is a point on a scale: in a product its degree is an interval.
  func shift(of terms: [UnitTerm]) -> ExactRatio {
    guard let (unit, multiple) = scale(of: terms),
      case .shifted(let shift) = definitions[Int(unit.unit)].scale
    else { return .zero }
    return shift.rational / multiple
  }

  /// The level function of a unit that is not part of a product.
  fileprivate func level(of terms: [UnitTerm]) -> LevelScale? {
    guard let (unit, multiple) = scale(of: terms),
      case .level(let function) = definitions[Int(unit.unit)].scale
    else { return nil }
    return LevelScale(function, prefix: multiple)
  }

  /// The single unit of a product, and the numbers and the prefix that multiply its values.
  private func scale(of terms: [UnitTerm]) -> (unit: UnitTerm, multiple: ExactRatio)? {
    if terms.count == 1, terms[0].power == 1 {
      return (terms[0], UnitPrefix.all[Int(terms[0].prefix)].factor)
    }
    guard terms.count > 1, UnitTermList(terms).isScale(by: facts),
      let unit = terms.first(where: { !facts[Int($0.unit)].isNumeric })
    else { return nil }
    let numbers = terms.filter { facts[Int($0.unit)].isNumeric }
    return (unit, factor(of: numbers).rational * UnitPrefix.all[Int(unit.prefix)].factor)
  }

  /// How many of the target unit one source unit is.
  package func exactRatio(of source: [UnitTerm], to target: [UnitTerm]) -> ExactRatio {
    let (above, below) = (factor(of: source), factor(of: target))
    let ratio = above.rational / below.rational
    let exponentOfPi = above.exponentOfPi - below.exponentOfPi
    return exponentOfPi == 0 ? ratio : ratio * UnitConversion.pi.raised(to: exponentOfPi)
  }
}

extension UnitExpression {
  /// Both units in one dialect, and the factor that values get from the mapping.
  fileprivate func comparable(
    with other: UnitExpression
  ) -> (from: UnitExpression, to: UnitExpression, scale: ExactRatio)? {
    if isCompatible(with: other), !needsRelabelling(to: other) { return (self, other, .one) }
    // HealthKit distinguishes more units than UCUM, so its dialect decides.
    guard let from = try? UnitMapping(of: self, to: .healthKit),
      let to = try? UnitMapping(of: other, to: .healthKit), from.unit.isCompatible(with: to.unit)
    else { return nil }
    return (from.unit, to.unit, from.conversion.exactFactor / to.conversion.exactFactor)
  }

  /// Whether one unit is a HealthKit column of mercury or water and the other a UCUM one.
  private func needsRelabelling(to other: UnitExpression) -> Bool {
    (hasHealthKitColumn && other.hasUCUMColumn) || (hasUCUMColumn && other.hasHealthKitColumn)
  }

  private var hasHealthKitColumn: Bool {
    terms.contains {
      $0.unit == UnitIndices.millimeterOfMercury || $0.unit == UnitIndices.centimeterOfWater
        || $0.unit == UnitIndices.inchOfMercury
    }
  }

  private var hasUCUMColumn: Bool {
    terms.contains {
      $0.unit == UnitIndices.meterOfMercury || $0.unit == UnitIndices.meterOfWater
        || $0.unit == UnitIndices.ucumInchOfMercury
    }
  }
}

extension UnitError {
  /// The error for two units that do not convert, with a hint for common mistakes.
  static func incompatible(from source: UnitExpression, to target: UnitExpression) -> UnitError {
    let (a, b) = (source.dimension, target.dimension)
    let acceleration = UnitDimension(length: 1, time: -2)
    var hint: Hint?
    if a == b.reciprocal {
      hint = .reciprocal
    } else if a.multiplied(by: acceleration, power: 1) == b
      || b.multiplied(by: acceleration, power: 1) == a
    {
      hint = .massIsNotForce
    }
    return UnitError(.incompatible(from: a, to: b), at: 0, expected: .sameDimension, hint: hint)
  }
}
