public import HealthSamples

/// What a store holds of one type.
public struct TypeSummary: Sendable, Hashable {
  /// The type; for one that the catalogue does not know as it was first imported.
  public let type: SampleType
  /// The number of samples.
  public let count: Int
  /// The start of the first sample, in seconds since 2001-01-01 UTC.
  public let firstStart: Double
  /// The start of the last sample.
  public let lastStart: Double
  /// The latest end of a sample.
  public let lastEnd: Double
  /// The unit that most samples were recorded in; `nil` for a category type.
  public let recordedUnit: String?
}

/// What a store holds of one type from one source.
public struct SourceSummary: Sendable, Hashable {
  /// The type.
  public let type: SampleType
  /// The source.
  public let source: Source
  /// The number of samples.
  public let count: Int
  /// The start of the first sample, in seconds since 2001-01-01 UTC.
  public let firstStart: Double
  /// The start of the last sample.
  public let lastStart: Double
  /// The latest end of a sample.
  public let lastEnd: Double
  /// The device description that most samples have; it may be empty.
  public let device: String
  /// The kind of that device.
  public let deviceKind: DeviceKind
}
