internal import CKernels

/// The way from values in one unit to values in another, prepared once for many values.
///
/// Every result is the double nearest to the exact product (and sum, for temperatures), ties to
/// even, for every finite value: no intermediate overflows, underflows or rounds. Where π takes part
/// (degrees of arc) the result is that of π to 60 digits; levels are within 2 ulp. A column converts
/// to the same bits as its values one by one, on every processor.
///
/// ```swift
/// let conversion = try UnitConversion(from: UnitExpression("lb"), to: UnitExpression("kg"))
/// conversion(154)                     // 69.85322498
/// ```
public struct UnitConversion: Sendable {
  /// The exact factor and what is added behind it; of a level, what its function leaves.
  package let exactFactor: ExactRatio
  package let exactOffset: ExactRatio

  private let linear: hk_conversion
  private let kind: Kind

  private enum Kind: Sendable {
    case identity
    /// The factor is one double, so one multiplication rounds once.
    case product
    case linear
    /// Factor or offset leave the range in which sums of two doubles are safe.
    case exact
    case level(source: LevelScale?, target: LevelScale?)
    case healthKit(HealthKitArithmetic)
  }

  /// In which order a conversion computes.
  public enum Arithmetic: Sendable {
    /// The double nearest to the exact result.
    case nearest
    /// HealthKit's `(value × scale + offset − offset′) / scale′` in doubles, with each of its
    /// roundings: bits that agree with numbers which HealthKit computed.
    case healthKit
  }

  /// Prepares the way between two units.
  ///
  /// Units of two dialects convert through the mapping between them, so that HealthKit's mmHg and
  /// UCUM's mm[Hg] have the same numbers.
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
    // base = factor × (value + shift), once there and once back.
    let offset = table.shift(of: from.terms) * ratio - table.shift(of: to.terms)
    if arithmetic == .healthKit, !from.isLevel, !to.isLevel {
      self.init(
        factor: ratio, offset: offset, healthKit: HealthKitArithmetic(from: from, to: to))
    } else {
      self.init(
        factor: ratio, offset: offset, source: from.level(in: table), target: to.level(in: table))
    }
  }

  package init(factor: ExactRatio, offset: ExactRatio = .zero) {
    self.init(factor: factor, offset: offset, source: nil, target: nil)
  }

  private init(
    factor: ExactRatio, offset: ExactRatio, source: LevelScale? = nil, target: LevelScale? = nil,
    healthKit: HealthKitArithmetic? = nil
  ) {
    exactFactor = factor
    exactOffset = offset
    linear = hk_conversion(factor: factor, offset: offset)
    if let healthKit {
      kind = .healthKit(healthKit)
    } else if source != nil || target != nil {
      kind = source == target ? .identity : .level(source: source, target: target)
    } else if factor == .one, offset.isZero {
      kind = .identity
    } else if !linear.isSafe {
      kind = .exact
    } else if linear.factor_rest == 0, offset.isZero,
      ExactRatio(exactly: linear.factor) == factor
    {
      kind = .product
    } else {
      kind = .linear
    }
  }

  /// Whether every value stays as it is.
  public var isIdentity: Bool {
    if case .identity = kind { true } else { false }
  }

  /// The converted value; not-a-number and infinities stay what they are.
  public func callAsFunction(_ value: Double) -> Double {
    switch kind {
    case .identity: return value
    case .product: return value * linear.factor
    case .linear: return linear.nearest(value) ?? exactly(value)
    case .exact: return exactly(value)
    case .healthKit(let arithmetic): return arithmetic(value)
    case .level(let source, let target): return level(value, source, target)
    }
  }

  private func exactly(_ value: Double) -> Double {
    guard value.isFinite else { return value }
    if value == 0, exactOffset.isZero { return value }
    let result = exactFactor.nearestDouble(times: value, plus: exactOffset)
    return result == 0 && value < 0 && exactOffset.isZero ? -0.0 : result
  }

  private func level(_ value: Double, _ source: LevelScale?, _ target: LevelScale?) -> Double {
    switch (source, target) {
    case (.some(let source), nil):
      return source.ratio(of: value, times: linear.factor, linear.factor_rest)
    case (nil, .some(let target)):
      return target.level(of: value, times: linear.factor, linear.factor_rest)
    case (.some(let source), .some(let target)):
      return target.level(
        of: source.ratio(of: value, times: linear.factor, linear.factor_rest), times: 1, 0)
    case (nil, nil): return value
    }
  }

  /// Converts a whole column in place, each value as the call for one value does.
  ///
  /// - Complexity: O(n) at the speed of memory; values next to a tie take longer.
  public func apply(to column: inout [Double]) {
    column.withUnsafeMutableBufferPointer { column in
      apply(from: UnsafeBufferPointer(column), to: column, path: .best)
    }
  }

  /// The converted column.
  public func converted(_ column: [Double]) -> [Double] {
    [Double](unsafeUninitializedCapacity: column.count) { target, count in
      column.withUnsafeBufferPointer { source in
        apply(from: source, to: target, path: .best)
      }
      count = column.count
    }
  }

  /// Converts one buffer into another, or into itself, on a given path.
  package func apply(
    from source: UnsafeBufferPointer<Double>, to target: UnsafeMutableBufferPointer<Double>,
    path: KernelPath
  ) {
    let path = path.path
    guard let values = source.baseAddress, let results = target.baseAddress else { return }
    switch kind {
    case .identity:
      if values != UnsafePointer(results) { results.update(from: values, count: source.count) }
    case .product: hk_multiply(path, values, results, source.count, linear.factor)
    case .linear:
      var done = 0
      while done < source.count {
        done += withUnsafePointer(to: linear) { linear in
          hk_convert(path, values + done, results + done, source.count - done, linear)
        }
        // The block in front of which the kernel stopped goes one by one.
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

  /// The conversion for the kernel of mixed units; nil where a value needs more than it does.
  var kernel: hk_conversion? {
    switch kind {
    case .identity, .product, .linear: linear
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

extension hk_conversion {
  init(factor exactFactor: ExactRatio, offset exactOffset: ExactRatio) {
    let factor = exactFactor.nearestDouble
    let offset = exactOffset.nearestDouble
    // 2^27 + 1 splits a double into halves whose products are exact (Veltkamp).
    let spread = factor * 134_217_729
    let high = spread - (spread - factor)
    self.init(
      factor: factor,
      factor_rest: factor.isNormal
        ? (exactFactor - ExactRatio(exactly: factor)).nearestDouble : 0,
      factor_high: high, factor_low: factor - high, offset: offset,
      offset_rest: offset.isFinite ? (exactOffset - ExactRatio(exactly: offset)).nearestDouble : 0,
      least: 0x1p-700, unused: 0)
  }

  /// Whether no intermediate result of a value whose product is not tiny leaves the normal range.
  var isSafe: Bool {
    (0x1p-100...0x1p100).contains(factor) && (offset == 0 || offset.magnitude > 0x1p-100)
      && offset.magnitude < 0x1p100
  }

  /// The nearest double to value × factor + offset, or nil when exact arithmetic has to tell.
  ///
  /// The same steps as in the kernels, with the error of the product from halves (Dekker).
  func nearest(_ value: Double) -> Double? {
    let product = value * factor
    let spread = value * 134_217_729
    let high = spread - (spread - value)
    let low = value - high
    let lost =
      ((high * factor_high - product) + high * factor_low + low * factor_high) + low * factor_low
    let sum = product + offset
    let back = sum - product
    let sumLost = (product - (sum - back)) + (offset - back)
    let rest = sumLost + ((lost + offset_rest) + value * factor_rest)
    let size = product.magnitude
    // All that the rest leaves out is smaller than the doubt: when both ends round to one double,
    // it is the nearest (Ziv's test).
    let doubt = (size + offset.magnitude) * 0x1p-100
    let (least, most) = (sum + (rest - doubt), sum + (rest + doubt))
    guard least == most, size >= self.least || value == 0 else { return nil }
    return value == 0 && offset == 0 ? value : least
  }
}

extension UnitTable {
  /// What is added to a value of a temperature scale before the factor; 0 for all other units.
  ///
  /// Only a scale that stands alone is a point: in a product its degree is an interval.
  func shift(of terms: [UnitTerm]) -> ExactRatio {
    guard terms.count == 1, terms[0].power == 1,
      case .shifted(let shift) = definitions[Int(terms[0].unit)].scale
    else { return .zero }
    return shift.rational / UnitPrefix.all[Int(terms[0].prefix)].factor
  }

  /// How many of the second unit are one of the first.
  package func exactRatio(of source: [UnitTerm], to target: [UnitTerm]) -> ExactRatio {
    let (above, below) = (factor(of: source), factor(of: target))
    let ratio = above.rational / below.rational
    let exponentOfPi = above.exponentOfPi - below.exponentOfPi
    return exponentOfPi == 0 ? ratio : ratio * UnitConversion.pi.raised(to: exponentOfPi)
  }
}

extension UnitExpression {
  /// The function of a level that stands alone.
  fileprivate func level(in table: UnitTable) -> LevelScale? {
    guard terms.count == 1,
      case .level(let function) = table.definitions[Int(terms[0].unit)].scale
    else { return nil }
    return LevelScale(function, prefix: UnitPrefix.all[Int(terms[0].prefix)].factor)
  }

  fileprivate var isLevel: Bool {
    guard terms.count == 1 else { return false }
    if case .level = UnitTable.standard.definitions[Int(terms[0].unit)].scale { return true }
    return false
  }

  /// Both units in words that can be compared, and what values get on the way there.
  fileprivate func comparable(
    with other: UnitExpression
  ) -> (from: UnitExpression, to: UnitExpression, scale: ExactRatio)? {
    if isCompatible(with: other), !needsRelabelling(to: other) { return (self, other, .one) }
    // HealthKit tells apart more than UCUM does, so its words decide.
    guard let from = try? UnitMapping(of: self, to: .healthKit),
      let to = try? UnitMapping(of: other, to: .healthKit), from.unit.isCompatible(with: to.unit)
    else { return nil }
    return (from.unit, to.unit, from.conversion.exactFactor / to.conversion.exactFactor)
  }

  /// Whether a column of mercury or water of one dialect meets one of the other.
  private func needsRelabelling(to other: UnitExpression) -> Bool {
    (hasHealthKitColumn && other.hasUCUMColumn) || (hasUCUMColumn && other.hasHealthKitColumn)
  }

  private var hasHealthKitColumn: Bool {
    terms.contains {
      $0.unit == UnitPlaces.millimeterOfMercury || $0.unit == UnitPlaces.centimeterOfWater
        || $0.unit == UnitPlaces.inchOfMercury
    }
  }

  private var hasUCUMColumn: Bool {
    terms.contains {
      $0.unit == UnitPlaces.meterOfMercury || $0.unit == UnitPlaces.meterOfWater
        || $0.unit == UnitPlaces.ucumInchOfMercury
    }
  }
}

extension UnitError {
  /// The error of two units that do not convert, with a hint for the slips that people make.
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
