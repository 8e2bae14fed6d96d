import HealthSamples
import HealthUnits

/// What samples say before any rounding: numbers as they were recorded, and their units.
///
/// Each value is a whole multiple of 1 / ``denominator`` times a double, so that sums over several
/// units need no fractions.
struct ExactValues {
  /// The number of each sample.
  let numbers: [Double]
  /// The unit of each; `nil` where all numbers are values as they stand.
  private let places: [UInt32]?
  let units: [Unit]
  /// What every value is divided by.
  let denominator: Dyadic

  /// The way from numbers of one unit to values, times the denominator of all.
  struct Unit {
    let factor: Dyadic
    let offset: Dyadic
    /// Whether numbers are values, but for the denominator.
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

  /// The values of some samples, in the order in which they are named.
  init(_ values: ExactValues, of samples: [Int]) {
    numbers = samples.map { values.numbers[$0] }
    places = values.places.map { places in samples.map { places[$0] } }
    (units, denominator) = (values.units, values.denominator)
  }

  /// The place of a sample's unit in ``units``.
  func unit(_ sample: Int) -> Int { places.map { Int($0[sample]) } ?? 0 }

  /// A value times ``denominator``.
  func value(_ sample: Int) -> Dyadic {
    let unit = units[unit(sample)]
    return (Dyadic(numbers[sample]) * unit.factor + unit.offset).reduced
  }
}

extension Dyadic {
  /// A ratio that is a whole number.
  fileprivate init(_ ratio: ExactRatio) {
    let limbs = ratio.numerator.limbs
    let words = stride(from: 0, to: limbs.count, by: 2).map { index in
      UInt(limbs[index]) | (index + 1 < limbs.count ? UInt(limbs[index + 1]) << 32 : 0)
    }
    self = Dyadic(isNegative: ratio.isNegative, magnitude: Natural(trimming: words)).reduced
  }
}

/// The exact sum of some values, times ``ExactValues/denominator``.
///
/// Numbers of each unit are added on their own; only the result multiplies them.
struct ExactTotal {
  private var sums: [ExactSum]
  private var weights: [ExactSum]
  /// What is no product of two doubles.
  private var rest = ExactSum()

  init(_ values: ExactValues) {
    sums = values.units.map { _ in ExactSum() }
    weights = sums
  }

  /// Adds a value, or takes it away with a sign of -1. - Complexity: O(1)
  mutating func add(_ sample: Int, of values: ExactValues, sign: Double = 1) {
    let unit = values.unit(sample)
    sums[unit].add(sign * values.numbers[sample])
    if !values.units[unit].offset.magnitude.isZero { weights[unit].add(sign) }
  }

  /// Adds a value times a weight; an exact one where no double is the product's rest.
  mutating func add(_ sample: Int, of values: ExactValues, times weight: Double) {
    let unit = values.unit(sample)
    guard sums[unit].add(productOf: values.numbers[sample], and: weight) else {
      rest.add(values.value(sample) * Dyadic(weight), over: Dyadic(1))
      return
    }
    if !values.units[unit].offset.magnitude.isZero { weights[unit].add(weight) }
  }

  /// Adds a fraction that is multiplied already.
  mutating func add(_ numerator: Dyadic, over denominator: Dyadic) {
    rest.add(numerator, over: denominator)
  }

  /// The sum without what was added as fractions.
  func whole(of values: ExactValues) -> Dyadic {
    var total = Dyadic(0)
    for (unit, place) in zip(values.units, sums.indices) {
      total =
        total + sums[place].wholePart.reduced * unit.factor
        + weights[place].wholePart.reduced * unit.offset
    }
    return total.reduced
  }

  /// The correctly rounded sum divided by a number above zero.
  func quotient(by divisor: Dyadic, of values: ExactValues) -> Double {
    if values.units.count == 1, values.units[0].isPlain, rest.fractions.isEmpty {
      return sums[0].quotient(by: divisor)
    }
    var sum = rest
    sum.add(whole(of: values), over: Dyadic(1))
    return sum.quotient(by: divisor * values.denominator)
  }
}
