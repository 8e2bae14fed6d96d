import Foundation

// What predicates and sort descriptors know of objects. Foundation on Linux has no key-value coding,
// so every key is a line of a table here, under the words of HKPredicateKeyPath… and under those of
// the property itself.

extension Condition.Term {
  /// The value of the term for an object.
  ///
  /// - Throws: ``ObjectError`` for a key that no object has
  func value(of object: Any?) throws(ObjectError) -> Operand {
    switch self {
    case .value(let value): value
    case .path(let path): try PredicateKey.value(at: path[...], of: object)
    }
  }
}

/// A property of objects by its key.
struct PredicateKey: Sendable {
  /// The value for an object, no value for an object that does not have the property.
  let value: @Sendable (NSObject) -> Operand

  /// The value at the end of a path of keys.
  ///
  /// - Throws: ``ObjectError`` for a key that no object has
  static func value(at path: ArraySlice<String>, of object: Any?) throws(ObjectError) -> Operand {
    guard let key = path.first else { return Operand(object) ?? .null }
    guard let object else { return .null }
    let rest = path.dropFirst()
    if !(object is HKObject), let dictionary = object as? [String: Any] {
      return try value(at: rest, of: dictionary[key])
    }
    if key == metadata, let words = rest.first {
      let metadata = (object as? HKObject)?.metadata ?? (object as? HKWorkoutActivity)?.metadata
      return Operand(metadata?[words]) ?? .null
    }
    let statistic = Statistic(rawValue: key)
    if let statistic, let type = rest.first { return statistic.value(ofType: type, in: object) }
    guard let property = table[key] else {
      if statistic != nil { return .null }
      throw ObjectError(.undefinedKey(key))
    }
    guard let object = object as? NSObject else { return .null }
    let value = property.value(object)
    guard !rest.isEmpty else { return value }
    switch value {
    case .object(let object): return try Self.value(at: rest, of: object)
    case .list(let elements):
      let values = try elements.map { element throws(ObjectError) -> Operand in
        guard case .object(let object) = element else { return .null }
        return try Self.value(at: rest, of: object)
      }
      return .list(OperandList(values))
    default: return .null
    }
  }

  /// The key of metadata: what follows it in a path is one key.
  static let metadata = HKPredicateKeyPathMetadata

  // Keys for which Apple's interface has no constant.
  static let electrocardiogram = "electrocardiogram"
  static let relevantDate = "relevantDate"
  static let kind = "kind"
  static let valence = "valence"
  static let labels = "labels"
  static let associations = "associations"
  static let resource = "FHIRResource"
  static let resourceType = "resourceType"
  static let identifier = "identifier"
  static let version = "version"
  static let productType = "productType"
  static let system = "operatingSystemVersion"

  /// The properties of every class by their keys.
  private static let table = [
    objects, samples, origins, workouts, activities, records, summaries,
  ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }

  /// Whether any object has the keys of a path.
  static func knows(_ path: [String]) -> Bool {
    guard let key = path.first else { return true }
    if key == metadata { return true }
    if path.count <= 2, Statistic(rawValue: key) != nil { return true }
    if path.count == 2, key == HKPredicateKeyPathDevice { return deviceFields[path[1]] != nil }
    return path.allSatisfy { table[$0] != nil }
  }

  /// The unit of the quantities at a path; `nil` where it depends on the object.
  static func unit(at path: [String]) -> HKUnit? {
    if path.count == 2, Statistic(rawValue: path[0]) != nil {
      return HKQuantityType.types[path[1]].map { HKUnit(scale: $0.canonicalScale) }
    }
    return path.count == 1 ? units[path[0]] : nil
  }

  private static let units: [String: HKUnit] = [
    HKPredicateKeyPathWorkoutTotalEnergyBurned: .kilocalorie(),
    HKPredicateKeyPathWorkoutTotalDistance: .meter(),
    HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount: .count(),
    HKPredicateKeyPathWorkoutTotalFlightsClimbed: .count(),
    HKPredicateKeyPathAverageHeartRate: HKUnit(from: "count/min"),
  ]

  /// A property of objects of a class.
  init<Object>(_ value: @escaping @Sendable (Object) -> Operand) {
    self.value = { ($0 as? Object).map(value) ?? .null }
  }

  /// A property of objects of two classes.
  init<One, Other>(
    _ one: @escaping @Sendable (One) -> Operand, or other: @escaping @Sendable (Other) -> Operand
  ) {
    value = { object in
      switch object {
      case let object as One: one(object)
      case let object as Other: other(object)
      default: .null
      }
    }
  }

  /// A property that only a store knows: in memory it has no value.
  static let unknownInMemory = PredicateKey { (_: NSObject) in .null }

  private static let objects: [String: PredicateKey] = [
    HKPredicateKeyPathUUID: PredicateKey { (one: HKObject) in .uuid(one.uuid) },
    "uuid": PredicateKey { (one: HKObject) in .uuid(one.uuid) },
    HKPredicateKeyPathSource: PredicateKey(
      { (one: HKObject) in .object(one.sourceRevision.source) },
      or: { (one: HKSourceRevision) in .object(one.source) }),
    HKPredicateKeyPathSourceRevision: PredicateKey { (one: HKObject) in .object(one.sourceRevision)
    },
    HKPredicateKeyPathDevice: PredicateKey { (one: HKObject) in
      .optional(one.device, Operand.object)
    },
    metadata: PredicateKey { (one: HKObject) in
      .optional(one.metadata) { .list(OperandList($0.keys.sorted().map(Operand.text))) }
    },
    HKPredicateKeyPathCorrelation: unknownInMemory,
    HKPredicateKeyPathWorkout: unknownInMemory,
    HKPredicateKeyPathWorkoutEffortRelationship: unknownInMemory,
    electrocardiogram: unknownInMemory,
    relevantDate: unknownInMemory,
  ]

  private static let samples: [String: PredicateKey] = [
    HKPredicateKeyPathStartDate: start,
    HKSampleSortIdentifierStartDate: start,
    HKPredicateKeyPathEndDate: end,
    HKSampleSortIdentifierEndDate: end,
    "sampleType": PredicateKey { (one: HKSample) in .object(one.sampleType) },
    "hasUndeterminedDuration": PredicateKey { (one: HKSample) in
      .number(one.hasUndeterminedDuration ? 1 : 0)
    },
    HKPredicateKeyPathQuantity: PredicateKey { (one: HKQuantitySample) in .quantity(one.quantity) },
    "quantityType": PredicateKey { (one: HKQuantitySample) in .object(one.quantityType) },
    HKPredicateKeyPathCount: PredicateKey { (one: HKQuantitySample) in .number(Double(one.count)) },
    HKPredicateKeyPathMin: lowest,
    "minimumQuantity": lowest,
    HKPredicateKeyPathMax: highest,
    "maximumQuantity": highest,
    HKPredicateKeyPathMostRecent: latest,
    "mostRecentQuantity": latest,
    "averageQuantity": PredicateKey { (one: HKDiscreteQuantitySample) in
      .quantity(one.averageQuantity)
    },
    "sumQuantity": PredicateKey { (one: HKCumulativeQuantitySample) in .quantity(one.sumQuantity) },
    HKPredicateKeyPathMostRecentStartDate: PredicateKey { (one: HKDiscreteQuantitySample) in
      .date(one.mostRecentQuantityDateInterval.start)
    },
    HKPredicateKeyPathMostRecentEndDate: PredicateKey { (one: HKDiscreteQuantitySample) in
      .date(one.mostRecentQuantityDateInterval.end)
    },
    HKPredicateKeyPathMostRecentDuration: PredicateKey { (one: HKDiscreteQuantitySample) in
      .number(one.mostRecentQuantityDateInterval.duration)
    },
    HKPredicateKeyPathCategoryValue: PredicateKey { (one: HKCategorySample) in
      .number(Double(one.value))
    },
    "categoryType": PredicateKey { (one: HKCategorySample) in .object(one.categoryType) },
    "correlationType": PredicateKey { (one: HKCorrelation) in .object(one.correlationType) },
    "objects": PredicateKey { (one: HKCorrelation) in
      .list(OperandList(one.objects.map(Operand.object)))
    },
  ]

  private static let start = PredicateKey { (one: HKSample) in .date(one.startDate) }
  private static let end = PredicateKey { (one: HKSample) in
    .date(DateInterval(ofSampleFrom: one.startDate, to: one.endDate).end)
  }
  private static let lowest = PredicateKey { (one: HKDiscreteQuantitySample) in
    .quantity(one.minimumQuantity)
  }
  private static let highest = PredicateKey { (one: HKDiscreteQuantitySample) in
    .quantity(one.maximumQuantity)
  }
  private static let latest = PredicateKey { (one: HKDiscreteQuantitySample) in
    .quantity(one.mostRecentQuantity)
  }

  private static let origins: [String: PredicateKey] = [
    "bundleIdentifier": PredicateKey { (one: HKSource) in .text(one.bundleIdentifier) },
    version: PredicateKey { (one: HKSourceRevision) in .optional(one.version, Operand.text) },
    productType: PredicateKey { (one: HKSourceRevision) in .optional(one.productType, Operand.text)
    },
    system: PredicateKey { (one: HKSourceRevision) in .text(one.operatingSystemVersion.words) },
    "name": PredicateKey(
      { (one: HKSource) in .text(one.name) },
      or: { (one: HKDevice) in .optional(one.name, Operand.text) }),
  ].merging(
    deviceFields.mapValues { field in
      PredicateKey { (one: HKDevice) in .optional(one[keyPath: field], Operand.text) }
    }, uniquingKeysWith: { first, _ in first })

  /// The fields of a device under two words each.
  static let deviceFields: [String: any KeyPath<HKDevice, String?> & Sendable] = [
    "name": \.name, HKDevicePropertyKeyName: \.name,
    "manufacturer": \.manufacturer, HKDevicePropertyKeyManufacturer: \.manufacturer,
    "model": \.model, HKDevicePropertyKeyModel: \.model,
    "hardwareVersion": \.hardwareVersion, HKDevicePropertyKeyHardwareVersion: \.hardwareVersion,
    "firmwareVersion": \.firmwareVersion, HKDevicePropertyKeyFirmwareVersion: \.firmwareVersion,
    "softwareVersion": \.softwareVersion, HKDevicePropertyKeySoftwareVersion: \.softwareVersion,
    "localIdentifier": \.localIdentifier, HKDevicePropertyKeyLocalIdentifier: \.localIdentifier,
    "udiDeviceIdentifier": \.udiDeviceIdentifier,
    HKDevicePropertyKeyUDIDeviceIdentifier: \.udiDeviceIdentifier,
  ]
}
