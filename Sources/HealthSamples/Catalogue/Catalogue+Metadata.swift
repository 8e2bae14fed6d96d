extension Catalogue {
  /// A row of ``metadataKeys``.
  public struct MetadataKey: Sendable, Hashable {
    /// The kind of value of a key.
    public enum Value: Sendable, Hashable {
      case boolean
      case number
      case text
      case date
      /// A raw value of the named enumeration.
      case enumeration(String)
      /// A quantity; the text names its unit or its dimension.
      case quantity(String)
      /// The key is seen in exports only.
      case undocumented
    }

    /// The objects that a key is meant for.
    public enum Object: Sendable, Hashable {
      case common
      case sample
      case quantitySample
      case categorySample
      case workout
      case workoutEvent
    }

    /// The constant, such as `HKMetadataKeyTimeZone`; `nil` when the SDK has none.
    public let constant: String?
    /// The key in samples and exports, such as `HKTimeZone`; it follows no rule.
    public let key: String
    /// What the value is.
    public let value: Value
    /// The iOS version that introduced the key; `nil` when it is not public.
    public let introduced: String?
    /// The objects that it is meant for; empty when not known.
    public let objects: [Object]

    init(
      _ suffix: String?, _ key: String, _ value: Value, _ introduced: String?, _ objects: [Object]
    ) {
      self.constant = suffix.map { "HKMetadataKey" + $0 }
      self.key = key
      self.value = value
      self.introduced = introduced
      self.objects = objects
    }
  }

  /// The key that marks a hand-entered sample (`HKMetadataKeyWasUserEntered`).
  public static let wasUserEnteredKey = "HKWasUserEntered"
  /// The key of the time zone in which a sample was taken (`HKMetadataKeyTimeZone`).
  public static let timeZoneKey = "HKTimeZone"
}
