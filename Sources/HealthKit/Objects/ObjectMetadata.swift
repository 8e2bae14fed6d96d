internal import HealthSamples
internal import HealthUnits

/// The metadata of an object: as an app gave it, or as the core has it, read when it is asked for.
final class ObjectMetadata: @unchecked Sendable {
  /// The entries of the core, with their texts; `nil` for an object that an app made.
  let entries: Metadata?
  private var values: [String: Any]?
  /// Guards ``values``; the thread sanitizer knows this lock, but not `Mutex`.
  private let lock = NSLock()

  init(_ dictionary: [String: Any]) {
    entries = nil
    values = dictionary
  }

  init(_ entries: Metadata) { self.entries = entries }

  /// The values by key; of entries with one key the first.
  var dictionary: [String: Any] {
    lock.withLock {
      if let values { return values }
      let made = Dictionary(
        (entries?.entries ?? []).map { ($0.key, $0.typed.object) },
        uniquingKeysWith: { first, _ in first })
      values = made
      return made
    }
  }

  /// The entries for the core, in the order of keys if an app gave them.
  var columns: Metadata {
    if let entries { return entries }
    return Metadata(
      dictionary.sorted { $0.key < $1.key }.compactMap { key, value in
        MetadataValue(value).map { Metadata.Entry(key: key, $0) }
      })
  }

  /// Checks that every value is a text, a number, a date or a quantity, that those of the
  /// catalogue's keys are of the kind that the catalogue says, and that entries which belong
  /// together are there.
  ///
  /// - Throws: ``ObjectError``
  static func check(_ metadata: [String: Any]?) throws(ObjectError) {
    for (key, value) in metadata ?? [:] {
      guard let value = MetadataValue(value) else {
        throw ObjectError(
          .invalidMetadata(key: key, expected: "a string, a number, a date or a quantity"))
      }
      let row = Catalogue.metadataKey(key)
      guard value.suits(row?.value) else {
        throw ObjectError(.invalidMetadata(key: key, expected: row?.value.words ?? ""))
      }
    }
    for (key, other) in [("HKMetadataKeySyncVersion", "HKMetadataKeySyncIdentifier")] {
      if metadata?[key] != nil, metadata?[other] == nil {
        throw ObjectError(.metadataWithout(key: key, other: other))
      }
      if metadata?[other] != nil, metadata?[key] == nil {
        throw ObjectError(.metadataWithout(key: other, other: key))
      }
    }
  }

  /// Checks the metadata of a sample, and that it has the entry that its type requires.
  ///
  /// - Throws: ``ObjectError``
  static func check(
    _ metadata: [String: Any]?, for type: HKSampleType
  ) throws(ObjectError) {
    try check(metadata)
    if let key = requiredKeys[type.identifier], metadata?[key.string] == nil {
      throw ObjectError(.missingMetadata(key: key.constant, type: type.identifier))
    }
  }

  /// The metadata of a sample with more entries; an entry replaces that of its key.
  ///
  /// - Throws: ``ObjectError`` if the sample cannot have them
  static func adding(
    _ more: [String: Any], to metadata: [String: Any]?, for type: HKSampleType
  ) throws(ObjectError) -> [String: Any] {
    let joined = (metadata ?? [:]).merging(more) { _, new in new }
    try check(joined, for: type)
    return joined
  }

  /// The entry without which Apple's framework makes no sample of a type.
  private static let requiredKeys: [String: (constant: String, string: String)] = [
    HKCategoryTypeIdentifier.menstrualFlow.rawValue:
      ("HKMetadataKeyMenstrualCycleStart", "HKMenstrualCycleStart"),
    HKQuantityTypeIdentifier.insulinDelivery.rawValue:
      ("HKMetadataKeyInsulinDeliveryReason", "HKInsulinDeliveryReason"),
  ]
}

extension MetadataValue {
  /// The value of an object of Foundation or of this module; `nil` for another class.
  init?(_ value: Any) {
    // The usual types first: a cast to a class of Foundation takes as long as all else of a row.
    let type = type(of: value)
    if type == Int.self, let whole = value as? Int {
      self = .number(Double(whole))
      return
    }
    if type == Bool.self, let flag = value as? Bool {
      self = .number(flag ? 1 : 0)
      return
    }
    if type == Double.self, let number = value as? Double {
      self = .number(number)
      return
    }
    switch value {
    case let text as String: self = .string(text)
    case let text as NSString: self = .string(String(describing: text))
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let date as NSDate: self = .date(date.timeIntervalSinceReferenceDate)
    case let quantity as HKQuantity: self = .quantity(quantity.value, quantity.unit.scale.unit)
    default:
      guard let number = NSNumber(metadata: value) else { return nil }
      self = .number(number.doubleValue)
    }
  }

  /// The value as clients read it: `String`, `NSNumber`, `Date` or ``HKQuantity``.
  var object: Any {
    switch self {
    case .string(let text): return text
    case .number(let number):
      if let whole = Int(exactly: number) { return NSNumber(value: whole) }
      return NSNumber(value: number)
    case .date(let instant): return Date(timeIntervalSinceReferenceDate: instant)
    case .quantity(let number, let unit): return HKQuantity(number, HKUnit(unit))
    }
  }

  /// A unit of the dimensions that the catalogue names in words.
  private static let units = [
    "length": "m", "length/time": "m/s", "lux": "lx", "percent": "%", "pressure": "Pa",
    "temperature": "K", "time": "s",
  ]

  /// Whether the value is of the kind that the catalogue says.
  func suits(_ kind: Catalogue.MetadataKey.Value?) -> Bool {
    switch (kind, self) {
    case (.boolean, .number), (.number, .number), (.enumeration, .number): true
    case (.text, .string), (.date, .date), (.undocumented, _), (nil, _): true
    case (.quantity(let text), .quantity(_, let unit)):
      (try? UnitExpression(colloquial: Self.units[text] ?? text)).map {
        HealthKitScale(of: $0).isCompatible(with: HealthKitScale(of: unit))
      } ?? true
    default: false
    }
  }
}

extension Catalogue.MetadataKey.Value {
  /// What the value must be, in words.
  fileprivate var words: String {
    switch self {
    case .boolean, .number, .enumeration: "of class NSNumber"
    case .text: "of class NSString"
    case .date: "of class NSDate"
    case .quantity(let unit): "of class HKQuantity (\(unit))"
    case .undocumented: "a string, a number, a date or a quantity"
    }
  }
}

extension NSNumber {
  /// The number as the nearest `Double`.
  ///
  /// On Linux `JSONSerialization` reads numbers of more than 17 characters as `NSDecimalNumber`, whose
  /// `doubleValue` is some units in the last place off.
  var nearestDouble: Double {
    (self as? NSDecimalNumber).flatMap { Double($0.stringValue) } ?? doubleValue
  }

  /// A number or a Boolean; `nil` for a value of another type.
  convenience init?(metadata value: Any) {
    switch value {
    case let number as NSNumber: self.init(value: number.nearestDouble)
    case let flag as Bool: self.init(value: flag)
    case let whole as any BinaryInteger: self.init(value: Int64(clamping: whole))
    case let number as any BinaryFloatingPoint: self.init(value: Double(number))
    default: return nil
    }
  }
}
