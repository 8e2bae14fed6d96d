/// The time zones that samples name in their metadata (`HKTimeZone`), as columns in any order.
public struct RecordedZones: Sendable, Hashable {
  /// Start instants of the samples, in seconds since 2001-01-01 UTC.
  public private(set) var starts: [Double] = []
  /// End instants; never before the start.
  public private(set) var ends: [Double] = []
  /// Index into ``zoneTable``.
  public private(set) var zones: [UInt32] = []
  /// Identifiers such as `Europe/Paris`, as written.
  public private(set) var zoneTable: [String] = []

  private var places: [String: UInt32] = [:]

  /// Makes columns without rows.
  public init() {}

  /// Adds a sample.
  public mutating func append(start: Double, end: Double, zone: String) {
    if places[zone] == nil {
      places[zone] = UInt32(zoneTable.count)
      zoneTable.append(zone)
    }
    starts.append(start)
    ends.append(max(start, end))
    zones.append(places[zone] ?? 0)
  }
}
