import HealthSamples
import _HealthNumerics

/// The values of samples before any rounding: the recorded numbers and their units.
///
/// Each value is an integer multiple of 1 / ``denominator`` times a double, so that sums over
/// several units need no fractions.
struct ExactValues {
  /// The number of each sample.
  let numbers: [Double]
  /// The unit index of each; `nil` where all numbers are values.
  private let places: [UInt32]?
  let units: [Unit]
  /// The common divisor of all values.
  let denominator: Dyadic

  /// The conversion of the numbers of one unit to values, times the common denominator.
  struct Unit {
    let factor: Dyadic
    let offset: Dyadic
    /// Whether numbers are values, except for the denominator.
    var isPlain: Bool { factor == Dyadic(1) && offset.magnitude.isZero }
  }

  init(_ samples: SampleColumns) {
    guard let recorded = samples.recorded else {
      (numbers, places, denominator) = (samples.values, nil, Dyadic(1))
      units = [Unit(factor: Dyadic(1), offset: Dyadic(0))]
      return
    }
    numbers = recorded.values
    places = recorded.units
    let denominator = recorded.conversions.reduce(ExactRatio.one) { product, conversion in
      product * ExactRatio(conversion.factor.denominator)
        * ExactRatio(conversion.offset.denominator)
    }
    self.denominator = Dyadic(denominator)
    units = recorded.conversions.map {
      Unit(factor: Dyadic($0.factor * denominator), offset: Dyadic($0.offset * denominator))
    }
  }

  /// The values of some samples, in the given order.
  init(_ values: ExactValues, of samples: [Int]) {
    numbers = samples.map { values.numbers[$0] }
    places = values.places.map { places in samples.map { places[$0] } }
    (units, denominator) = (values.units, values.denominator)
  }

  /// The index of a sample's unit in ``units``.
  func unit(_ sample: Int) -> Int { places.map { Int($0[sample]) } ?? 0 }

  /// A value times ``denominator``.
  func value(_ sample: Int) -> Dyadic {
    let unit = units[unit(sample)]
    return (Dyadic(numbers[sample]) * unit.factor + unit.offset).reduced
  }
}

extension Dyadic {
  /// A ratio that is an integer.
  fileprivate init(_ ratio: ExactRatio) {
    self = Dyadic(isNegative: ratio.isNegative, magnitude: ratio.numerator).reduced
  }
}

/// The exact sum of some values, times ``ExactValues/denominator``.
///
/// Numbers of each unit are added separately; only the results are multiplied.
struct ExactTotal {
  private var sums: [ExactSum]
  private var weights: [ExactSum]
  /// The terms that are not a product of two doubles.
  private var rest = ExactSum()

  init(_ values: ExactValues) {
    sums = values.units.map { _ in ExactSum() }
    weights = sums
  }

  /// Adds a value, or subtracts it with a sign of -1. - Complexity: O(1)
  mutating func add(_ sample: Int, of values: ExactValues, sign: Double = 1) {
    let unit = values.unit(sample)
    sums[unit].add(sign * values.numbers[sample])
    if !values.units[unit].offset.magnitude.isZero { weights[unit].add(sign) }
  }

  /// Adds a value times a weight; as exact fraction where the rounding error is not a double.
  mutating func add(_ sample: Int, of values: ExactValues, times weight: Double) {
    let unit = values.unit(sample)
    guard sums[unit].add(productOf: values.numbers[sample], and: weight) else {
      rest.add(values.value(sample) * Dyadic(weight), over: Dyadic(1))
      return
    }
    if !values.units[unit].offset.magnitude.isZero { weights[unit].add(weight) }
  }

  /// Adds a fraction that is already multiplied.
  mutating func add(_ numerator: Dyadic, over denominator: Dyadic) {
    rest.add(numerator, over: denominator)
  }

  /// The sum without the terms that were added as fractions.
  func whole(of values: ExactValues) -> Dyadic {
    var total = Dyadic(0)
    for (unit, place) in zip(values.units, sums.indices) {
      total =
        total + sums[place].wholePart.reduced * unit.factor
        + weights[place].wholePart.reduced * unit.offset
    }
    return total.reduced
  }

  /// The correctly rounded sum divided by a positive number.
  func quotient(by divisor: Dyadic, of values: ExactValues) -> Double {
    if values.units.count == 1, values.units[0].isPlain, rest.fractions.isEmpty {
      return sums[0].quotient(by: divisor)
    }
    var sum = rest
    sum.add(whole(of: values), over: Dyadic(1))
    return sum.quotient(by: divisor * values.denominator)
  }
}
