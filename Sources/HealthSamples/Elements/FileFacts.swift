/// What a file says besides its data, for the questions that its owner leaves open.
public struct FileFacts: Sendable, Hashable, Codable {
  /// The names of sources in the order of their ranks, highest first, by the identifier of the type.
  public var sourceOrders: [String: [String]]
  /// The time zones of its dates, in order of time.
  public var zones: [ZoneSpan]

  /// Makes facts, by default none.
  public init(sourceOrders: [String: [String]] = [:], zones: [ZoneSpan] = []) {
    (self.sourceOrders, self.zones) = (sourceOrders, zones)
  }

  /// Whether it says nothing.
  public var isEmpty: Bool { sourceOrders.isEmpty && zones.isEmpty }

  /// A span of time in one zone.
  public struct ZoneSpan: Sendable, Hashable, Codable {
    /// The start instant, in seconds since 2001-01-01 UTC.
    public let start: Double
    /// The end; not before the start.
    public let end: Double
    /// The identifier of the zone, such as `GMT+0200`.
    public let zone: String

    /// Makes a span.
    public init(start: Double, end: Double, zone: String) {
      (self.start, self.end, self.zone) = (start, end, zone)
    }
  }
}
