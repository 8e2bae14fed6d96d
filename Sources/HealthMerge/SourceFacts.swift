public import HealthSamples

/// What the default order of sources asks about one source of a type.
public struct SourceFacts: Sendable, Hashable {
  /// The source.
  public let source: Source
  /// The kind of device behind it.
  public let deviceKind: DeviceKind
  /// The start of its first sample, in seconds since 2001-01-01 UTC.
  public let firstStart: Double

  /// Makes facts.
  public init(source: Source, deviceKind: DeviceKind, firstStart: Double) {
    self.source = source
    self.deviceKind = deviceKind
    self.firstStart = firstStart
  }
}
