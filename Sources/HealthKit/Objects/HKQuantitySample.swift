internal import HealthSamples
internal import HealthUnits

/// Makes the class of sample that a type asks for, as the initializers of Apple's class cluster do.
///
/// No type but ``HKQuantitySample`` conforms; a program does not use the protocol.
public protocol QuantitySampleCluster {}

extension QuantitySampleCluster {
  /// Makes a sample of the class that is asked: of ``HKQuantitySample`` a
  /// ``HKCumulativeQuantitySample`` or a ``HKDiscreteQuantitySample``, by its type.
  ///
  /// A quantity that is not finite can be made, and not saved. Traps for a unit that the type does not
  /// have, an end before the start, or a duration that the type does not allow;
  /// ``HKQuantitySample/validated(type:quantity:start:end:device:metadata:)`` throws.
  public init(
    type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
    end endDate: Date
  ) {
    self.init(
      type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil,
      metadata: nil)
  }

  /// Makes a sample with metadata; see ``init(type:quantity:start:end:)``.
  public init(
    type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
    end endDate: Date, metadata: [String: Any]?
  ) {
    self.init(
      type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil,
      metadata: metadata)
  }

  /// Makes a sample with a device and metadata; see ``init(type:quantity:start:end:)``.
  public init(
    type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
    end endDate: Date, device: HKDevice?, metadata: [String: Any]?
  ) {
    let sample = raising { () throws(ObjectError) in
      try HKQuantitySample.checked(
        quantityType, quantity, start: startDate, end: endDate, device, metadata,
        as: Self.self as? HKQuantitySample.Type)
    }
    guard let own = sample as? Self else {
      raise(ObjectError(.invalid("\(Self.self) has no initializer for \(quantityType)")))
    }
    self = own
  }
}

/// A sample with a number and a unit.
open class HKQuantitySample: HKSample, QuantitySampleCluster, @unchecked Sendable {
  private let ownType: HKQuantityType
  let unit: HKUnit
  /// The number in ``unit``; of several measurements the sum or the mean.
  let value: Double
  let series: QuantitySeries?

  init(
    _ type: HKQuantityType, _ value: Double, _ unit: HKUnit, start: Date, end: Date,
    facts: ObjectFacts, series: QuantitySeries? = nil
  ) {
    ownType = type
    self.value = value
    self.unit = unit
    self.series = series
    super.init(type: type, start: start, end: end, facts: facts)
  }

  /// Reads a sample from an archive.
  public required init?(coder: NSCoder) {
    guard let type = coder.decodeOne(HKQuantityType.self, "sampleType"),
      let quantity = coder.decodeOne(HKQuantity.self, "quantity"),
      type.is(compatibleWith: quantity.unit)
    else { return nil }
    ownType = type
    value = quantity.value
    unit = quantity.unit
    series = QuantitySeries(coder: coder)
    super.init(coder: coder)
  }

  /// Writes the sample.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(HKQuantity(value, unit), forKey: "quantity")
    series?.encode(with: coder)
  }

  /// The type.
  open var quantityType: HKQuantityType { ownType }

  /// The number and the unit; of several measurements their sum or mean.
  open var quantity: HKQuantity { HKQuantity(value, unit) }

  /// The number and its unit as the store has them.
  package var recorded: (value: Double, unit: String) {
    (value, facts.row?.label ?? unit.unitString)
  }

  /// How many measurements the sample has.
  open var count: Int { series?.values.count ?? 1 }

  /// Makes a sample of the class that the type asks for.
  ///
  /// - Throws: ``ObjectError``
  public static func validated(
    type: HKQuantityType, quantity: HKQuantity, start: Date, end: Date, device: HKDevice? = nil,
    metadata: [String: Any]? = nil
  ) throws(ObjectError) -> HKQuantitySample {
    try checked(type, quantity, start: start, end: end, device, metadata)
  }

  /// A sample of a class, or of the class that the type asks for.
  fileprivate static func checked(
    _ type: HKQuantityType, _ quantity: HKQuantity, start: Date, end: Date, _ device: HKDevice?,
    _ metadata: [String: Any]?, as kind: HKQuantitySample.Type? = nil
  ) throws(ObjectError) -> HKQuantitySample {
    guard type.is(compatibleWith: quantity.unit) else {
      throw ObjectError(
        .unitOfSample(
          objectClass: isCumulative(type)
            ? "HKCumulativeQuantitySample" : "HKDiscreteQuantitySample",
          dimension: type.core.unit.dimension.name, unit: quantity.unit.unitString))
    }
    try check(type: type, start: start, end: end, metadata: metadata)
    return make(
      type, quantity.value, quantity.unit, start: start, end: end,
      facts: ObjectFacts(device: device, metadata: metadata), as: kind)
  }

  /// A sample of a class, or of the class that the type asks for.
  static func make(
    _ type: HKQuantityType, _ value: Double, _ unit: HKUnit, start: Date, end: Date,
    facts: ObjectFacts, series: QuantitySeries? = nil, as kind: HKQuantitySample.Type? = nil
  ) -> HKQuantitySample {
    let own =
      isCumulative(type) ? HKCumulativeQuantitySample.self : HKDiscreteQuantitySample.self
    return switch kind ?? own {
    case let kind as HKCumulativeQuantitySample.Type:
      kind.cumulative(type, value, unit, start: start, end: end, facts: facts, series: series)
    case is HKDiscreteQuantitySample.Type:
      HKDiscreteQuantitySample(
        type, value, unit, start: start, end: end, facts: facts, series: series)
    default:
      make(type, value, unit, start: start, end: end, facts: facts, series: series, as: own)
    }
  }

  private static func isCumulative(_ type: HKQuantityType) -> Bool {
    type.core.style == .cumulative
  }

  /// The sample's class, identity, quantity and dates.
  open override var description: String { "\(Self.self) \(uuid) \(quantity)" }
}

/// The measurements of one sample, in order.
struct QuantitySeries: Sendable, Hashable {
  /// In the unit of the sample.
  var values: [Double]
  /// Seconds since 2001-01-01 UTC.
  var starts: [Double]
  var ends: [Double]
}

extension QuantitySeries {
  init?(coder: NSCoder) {
    guard let numbers = coder.decodeMany(NSNumber.self, "series") else { return nil }
    let count = numbers.count / 3
    guard numbers.count == count * 3, count > 0 else { return nil }
    let all = numbers.map(\.doubleValue)
    guard all.allSatisfy(\.isFinite) else { return nil }
    values = Array(all[..<count])
    starts = Array(all[count..<2 * count])
    ends = Array(all[(2 * count)...])
  }

  func encode(with coder: NSCoder) {
    coder.encodeMany((values + starts + ends).map { NSNumber(value: $0) }, "series")
  }
}

/// A sample of a type whose values add up.
open class HKCumulativeQuantitySample: HKQuantitySample, @unchecked Sendable {
  /// The sum of the measurements.
  open var sumQuantity: HKQuantity { quantity }

  /// A sample of this class, or of the nearest class of the module for a subclass of an app.
  fileprivate class func cumulative(
    _ type: HKQuantityType, _ value: Double, _ unit: HKUnit, start: Date, end: Date,
    facts: ObjectFacts, series: QuantitySeries?
  ) -> HKCumulativeQuantitySample {
    HKCumulativeQuantitySample(
      type, value, unit, start: start, end: end, facts: facts, series: series)
  }
}

/// A sample of a type whose values add up, with several measurements.
///
/// Deprecated: samples of one measurement and of several are ``HKCumulativeQuantitySample``.
#if AppleDeprecations
@available(*, deprecated)
#endif
open class HKCumulativeQuantitySeriesSample: HKCumulativeQuantitySample, @unchecked Sendable {
  /// The sum of the measurements.
  open var sum: HKQuantity { sumQuantity }

  fileprivate override class func cumulative(
    _ type: HKQuantityType, _ value: Double, _ unit: HKUnit, start: Date, end: Date,
    facts: ObjectFacts, series: QuantitySeries?
  ) -> HKCumulativeQuantitySample {
    HKCumulativeQuantitySeriesSample(
      type, value, unit, start: start, end: end, facts: facts, series: series)
  }
}

/// A sample of a type whose values do not add up.
open class HKDiscreteQuantitySample: HKQuantitySample, @unchecked Sendable {
  /// The mean of the measurements.
  open var averageQuantity: HKQuantity { quantity }

  /// The largest measurement.
  open var maximumQuantity: HKQuantity { HKQuantity(series?.values.max() ?? value, unit) }

  /// The smallest measurement.
  open var minimumQuantity: HKQuantity { HKQuantity(series?.values.min() ?? value, unit) }

  /// The last measurement.
  open var mostRecentQuantity: HKQuantity { HKQuantity(series?.values.last ?? value, unit) }

  /// When the last measurement started and ended.
  open var mostRecentQuantityDateInterval: DateInterval {
    let start = series?.starts.last.map(Date.init(timeIntervalSinceReferenceDate:)) ?? startDate
    let end = series?.ends.last.map(Date.init(timeIntervalSinceReferenceDate:)) ?? endDate
    return DateInterval(ofSampleFrom: start, to: end)
  }
}

extension DateInterval {
  /// The time of a sample, whose end some exports have before its start.
  init(ofSampleFrom start: Date, to end: Date) {
    let end = SampleTime.end(
      from: start.timeIntervalSinceReferenceDate, to: end.timeIntervalSinceReferenceDate)
    self.init(start: start, end: Date(timeIntervalSinceReferenceDate: end))
  }
}
