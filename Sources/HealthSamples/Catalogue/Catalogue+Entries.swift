public import HealthUnits

extension Catalogue {
  /// The chapter of Apple's documentation that lists a type.
  public enum Chapter: String, Sendable, Hashable, CaseIterable {
    case bodyMeasurements, deprecated, fitness, hearingHealth, heart, mindfulness, mobility
    case nutrition, other, reproductiveHealth, respiratory, sleep, symptoms, vitalSigns
  }

  /// Whether apps may write samples of a type on Apple's systems.
  public enum Access: Sendable, Hashable {
    case readOnly
    case readWrite
  }

  /// How Health Connect adds up the records of a type.
  public enum HealthConnectRule: Sendable, Hashable {
    /// Each moment belongs to one record, by the priority of its source.
    case priority
    /// The same in whole numbers: amounts are of type `Long`, so sums and means are truncated.
    case wholeNumbers
    /// Every record counts, at the instant where it starts: nutrition, hydration and vitals have no
    /// priority list.
    case plainSum
  }

  /// A row of ``quantityTypes``.
  public struct QuantityType: Sendable, Hashable {
    /// The key of the row.
    public let identifier: HKQuantityTypeIdentifier
    /// The canonical unit, as HealthKit prints it.
    public let unit: String
    /// The aggregation style in the newest ``Version``.
    public let style: AggregationStyle
    /// The iOS version that introduced the type, such as `13.0`.
    public let introduced: String
    /// The chapter that lists the type.
    public let chapter: Chapter
    /// Whether apps may write it.
    public let access: Access
    /// What is measured, where a mole in the unit is a mole of one known substance.
    public let substance: Substance?
    /// How Health Connect adds up its records.
    public let healthConnect: HealthConnectRule

    /// The name of the static member of ``HKQuantityTypeIdentifier``.
    public var swiftName: String {
      Catalogue.swiftName(of: identifier.rawValue.dropFirst(HKQuantityTypeIdentifier.prefix.count))
    }

    init(
      _ suffix: String, _ unit: String, _ style: AggregationStyle, _ introduced: String,
      _ chapter: Chapter, _ access: Access, of substance: Substance? = nil,
      healthConnect: HealthConnectRule = .priority
    ) {
      self.identifier = HKQuantityTypeIdentifier(suffix: suffix)
      self.substance = substance
      self.healthConnect = healthConnect
      self.unit = unit
      self.style = style
      self.introduced = introduced
      self.chapter = chapter
      self.access = access
    }
  }

  /// The style of a type up to some version.
  struct StyleChange: Sendable, Hashable {
    let identifier: HKQuantityTypeIdentifier
    let style: AggregationStyle
    /// The last version with this style.
    let last: Version

    init(_ suffix: String, _ style: AggregationStyle, through last: Version) {
      self.identifier = HKQuantityTypeIdentifier(suffix: suffix)
      self.style = style
      self.last = last
    }
  }

  /// A row of ``categoryTypes``.
  public struct CategoryType: Sendable, Hashable {
    /// The type that the constant names; two constants may name one type.
    public let identifier: HKCategoryTypeIdentifier
    /// The name of the constant, such as `HKCategoryTypeIdentifierSleepAnalysis`.
    public let constant: String
    /// The enumeration of its values, such as `HKCategoryValueSleepAnalysis`.
    public let enumeration: String
    /// The iOS version that introduced the constant.
    public let introduced: String
    /// The chapter that lists the type.
    public let chapter: Chapter
    /// Whether apps may write it.
    public let access: Access
    /// Lists of mutually exclusive values; empty for most types.
    ///
    /// Of two open values of one list, the earlier in the list counts.
    public let exclusiveValues: [[Double]]

    /// The name of the static member of ``HKCategoryTypeIdentifier``.
    public var swiftName: String {
      Catalogue.swiftName(of: constant.dropFirst(HKCategoryTypeIdentifier.prefix.count))
    }

    init(
      _ suffix: String, _ values: String, _ introduced: String, _ chapter: Chapter,
      _ access: Access, raw: String? = nil, exclusive: [[Double]] = []
    ) {
      self.identifier = HKCategoryTypeIdentifier(suffix: raw ?? suffix)
      self.constant = HKCategoryTypeIdentifier(suffix: suffix).rawValue
      self.enumeration = "HKCategoryValue" + values
      self.exclusiveValues = exclusive
      self.introduced = introduced
      self.chapter = chapter
      self.access = access
    }
  }

  /// A correlation type: samples that belong together.
  public struct CorrelationType: Sendable, Hashable {
    /// The key of the row.
    public let identifier: HKCorrelationTypeIdentifier
    /// The iOS version that introduced the type.
    public let introduced: String
    /// The types of which a correlation must have one sample each.
    public let required: [HKQuantityTypeIdentifier]
    /// The types whose samples a correlation may have.
    public let allowed: [HKQuantityTypeIdentifier]

    init(_ suffix: String, _ introduced: String, required: [String], allowed prefix: String) {
      self.identifier = HKCorrelationTypeIdentifier(suffix: suffix)
      self.introduced = introduced
      self.required = required.map(HKQuantityTypeIdentifier.init(suffix:))
      let start = HKQuantityTypeIdentifier(suffix: prefix).rawValue
      self.allowed = Catalogue.quantityTypes.map(\.identifier).filter {
        $0.rawValue.hasPrefix(start)
      }
    }
  }

  /// A characteristic type: a fact about a person, not a measurement.
  public struct CharacteristicType: Sendable, Hashable {
    /// The key of the row.
    public let identifier: HKCharacteristicTypeIdentifier
    /// The iOS version that introduced the type; `nil` when it is not public.
    public let introduced: String?
    /// The enumeration of its values; `nil` for a date, or when it is not public.
    public let enumeration: String?
    /// Whether the `Me` element of an export has an attribute of this name.
    public let isInExport: Bool

    init(_ suffix: String, _ introduced: String?, _ enumeration: String?, isInExport: Bool) {
      self.identifier = HKCharacteristicTypeIdentifier(suffix: suffix)
      self.introduced = introduced
      self.enumeration = enumeration
      self.isInExport = isInExport
    }
  }

  /// A row of ``otherTypes``.
  public struct OtherType: Sendable, Hashable {
    /// A description for display.
    public let kind: String
    /// The full identifier; `nil` when there is none.
    public let identifier: String?
    /// The class of the type; `nil` when it has none of its own.
    public let typeClass: String?
    /// The classes of its samples or objects.
    public let sampleClasses: [String]
    /// The iOS version that introduced the type; `nil` when it is not public.
    public let introduced: String?
    /// Whether the identifier has been seen in Apple's interface or in an export.
    public let isVerified: Bool

    init(
      _ kind: String, _ identifier: String?, _ typeClass: String?, _ sampleClasses: [String],
      _ introduced: String?, isVerified: Bool = true
    ) {
      self.kind = kind
      self.identifier = identifier
      self.typeClass = typeClass
      self.sampleClasses = sampleClasses
      self.introduced = introduced
      self.isVerified = isVerified
    }
  }

  /// A row of ``workoutActivities``.
  public struct WorkoutActivity: Sendable, Hashable {
    /// The constant, which is also what exports print.
    public let constant: String
    /// The raw value of `HKWorkoutActivityType`.
    public let rawValue: Int
    /// The iOS version that introduced the activity.
    public let introduced: String
    /// The iOS that deprecated it; `nil` when none did.
    public let deprecated: String?

    /// The name of the Swift case.
    public var swiftName: String { Catalogue.swiftName(of: suffix) }

    /// The part of the constant after `HKWorkoutActivityType`.
    let suffix: String

    init(_ suffix: String, _ rawValue: Int, _ introduced: String, deprecated: String? = nil) {
      self.suffix = suffix
      self.constant = "HKWorkoutActivityType" + suffix
      self.rawValue = rawValue
      self.introduced = introduced
      self.deprecated = deprecated
    }
  }

  /// The Swift name that Apple's importer gives to the Objective-C name `name`.
  ///
  /// Leading capitals become lower case; the last of several stays when a lower-case letter
  /// follows: `StepCount` → `stepCount`, `UVExposure` → `uvExposure`, `VO2Max` → `vo2Max`.
  package static func swiftName(of name: some StringProtocol) -> String {
    let capitals = name.prefix(while: \.isUppercase)
    let rest = name.dropFirst(capitals.count)
    guard capitals.count > 1, rest.first?.isLowercase == true else {
      return capitals.lowercased() + rest
    }
    return capitals.dropLast().lowercased() + capitals.suffix(1) + rest
  }
}
