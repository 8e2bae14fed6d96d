public import Foundation
internal import HealthSamples

/// A range of values of a quantity, such as of the heart rate.
///
/// The minimum belongs to the zone, the maximum to the one above it.
public struct HKWorkoutZone: Sendable {
  /// The place among the zones of the configuration, counted from 0 and the lowest.
  public let index: Int
  /// The lower bound; `nil` if the zone has none.
  public let minimum: HKQuantity?
  /// The upper bound; `nil` if the zone has none.
  public let maximum: HKQuantity?
}

/// The zones of a quantity type, and who made them.
public struct HKWorkoutZoneConfiguration: Sendable {
  /// Who made zones.
  public enum Source: Hashable, Codable, Sendable {
    /// The system, by what it knows of the person.
    case system
    /// The person.
    case user
    /// An app, for one workout.
    case app
  }

  /// The type: the heart rate or the power of cycling.
  public let quantityType: HKQuantityType
  /// The zones from the lowest up, without gaps.
  public let zones: [HKWorkoutZone]
  /// Who made them.
  public let source: Source

  /// Makes zones of an app by the bounds between them, of which the lowest zone has none below and
  /// the highest none above.
  ///
  /// - Parameters:
  ///   - quantityType: the heart rate or the power of cycling
  ///   - zoneBoundaries: 2 to 8 bounds, ascending
  /// - Throws: `errorInvalidArgument` for another type, another number of bounds, bounds that do not
  ///   ascend from above 0, and units of something else
  public init(quantityType: HKQuantityType, zoneBoundaries: [HKQuantity]) throws {
    guard Self.types.contains(quantityType) else { throw Self.unknownType(quantityType) }
    guard (2...8).contains(zoneBoundaries.count) else {
      throw HKError.invalid("A configuration has 3 to 9 zones, with one bound less")
    }
    guard zoneBoundaries.allSatisfy({ quantityType.is(compatibleWith: $0.unit) }) else {
      throw HKError.invalid("A bound has a unit that does not measure \(quantityType.identifier)")
    }
    let numbers = zoneBoundaries.compactMap { $0.number(in: zoneBoundaries[0].unit) }
    guard numbers.allSatisfy({ $0.isFinite && $0 > 0 }),
      zip(numbers, numbers.dropFirst()).allSatisfy(<)
    else { throw HKError.invalid("The bounds of zones must ascend from above 0") }
    self.init(quantityType, boundaries: zoneBoundaries, source: .app)
  }

  /// Zones by the bounds between them.
  init(_ type: HKQuantityType, boundaries: [HKQuantity], source: Source) {
    let bounds = [nil] + boundaries.map(Optional.some) + [nil]
    self.init(
      type,
      zones: zip(bounds, bounds.dropFirst()).enumerated().map {
        HKWorkoutZone(index: $0.offset, minimum: $0.element.0, maximum: $0.element.1)
      }, source: source)
  }

  fileprivate init(_ type: HKQuantityType, zones: [HKWorkoutZone], source: Source) {
    (quantityType, self.zones, self.source) = (type, zones, source)
  }

  /// The same zones, made by another.
  func made(by source: Source) -> Self { Self(quantityType, zones: zones, source: source) }

  /// The types that have zones.
  static let types: [HKQuantityType] = [HKQuantityType(.heartRate), HKQuantityType(.cyclingPower)]

  /// The error for a type without zones.
  static func unknownType(_ type: HKQuantityType) -> HKError {
    .invalid("\(type.identifier) has no zones: the heart rate and the power of cycling have")
  }
}

/// The time in a zone.
public struct HKWorkoutZoneDuration: Sendable {
  /// The zone.
  public let zone: HKWorkoutZone
  /// Seconds.
  public let duration: TimeInterval
}

/// The time in each zone of a configuration, over a workout or a part of it.
public struct HKWorkoutZoneGroup: Sendable {
  /// The zones.
  public let configuration: HKWorkoutZoneConfiguration
  /// The time in each, from the lowest up.
  public let zoneDurations: [HKWorkoutZoneDuration]

  init(_ configuration: HKWorkoutZoneConfiguration, seconds: [Double]) {
    self.configuration = configuration
    zoneDurations = zip(configuration.zones, seconds).map(HKWorkoutZoneDuration.init)
  }
}

/// What a live builder tells its delegate when the person comes into another zone.
open class HKLiveWorkoutZoneUpdate: NSObject, @unchecked Sendable {
  private let processed: Date?
  /// The zone that the person came into, with the time in it so far; always one here.
  public final let currentZoneDuration: HKWorkoutZoneDuration?
  /// The zone that the person left, with the time in it so far; `nil` before the first.
  public final let previousZoneDuration: HKWorkoutZoneDuration?
  /// The time in all zones so far.
  public final let zoneGroup: HKWorkoutZoneGroup?

  init(_ group: HKWorkoutZoneGroup, from previous: Int?, to current: Int, at date: Date) {
    processed = date
    currentZoneDuration = group.zoneDurations[current]
    previousZoneDuration = previous.map { group.zoneDurations[$0] }
    zoneGroup = group
  }

  /// The end of the last sample that counts.
  open var lastSampleProcessedDate: Date? { processed }
}

extension HKWorkout {
  /// The time in zones over the workout, by type; `nil` without any.
  public var zoneGroupsByType: [HKQuantityType: HKWorkoutZoneGroup]? {
    content.zones.isEmpty ? nil : content.zones
  }

  /// The time in the zones of a type; `nil` without any.
  public func zoneGroup(for quantityType: HKQuantityType) -> HKWorkoutZoneGroup? {
    content.zones[quantityType]
  }
}

extension HKWorkoutActivity {
  /// The time in zones over the activity, by type; `nil` without any.
  public var zoneGroupsByType: [HKQuantityType: HKWorkoutZoneGroup]? {
    facts.zones.isEmpty ? nil : facts.zones
  }

  /// The time in the zones of a type; `nil` without any.
  public func zoneGroup(for quantityType: HKQuantityType) -> HKWorkoutZoneGroup? {
    facts.zones[quantityType]
  }
}

// MARK: Calculation

/// The samples of a type in order, ready to be counted in zones.
struct ZoneSamples {
  private let configuration: HKWorkoutZoneConfiguration
  /// The bounds between the zones, in the unit of the first.
  private let bounds: [Double]
  /// The measurements by start, in that unit.
  let values: [TimeInZones.Value]

  /// Measurements of several sources all count.
  ///
  /// - Complexity: O(*n* log *n*)
  init(_ samples: [HKSample], _ configuration: HKWorkoutZoneConfiguration) {
    self.configuration = configuration
    let boundaries = configuration.zones.dropFirst().compactMap(\.minimum)
    let unit = boundaries.first?.unit ?? HKUnit(configuration.quantityType.core.unit)
    bounds = boundaries.compactMap { $0.number(in: unit) }
    values = samples.compactMap { $0 as? HKQuantitySample }
      .filter { $0.quantityType == configuration.quantityType }
      .flatMap(\.measurements).compactMap { one in
        one.quantity.number(in: unit).map {
          TimeInZones.Value(
            start: one.interval.start.timeIntervalSinceReferenceDate,
            end: one.interval.end.timeIntervalSinceReferenceDate, value: $0)
        }
      }.sorted { $0.start < $1.start }
  }

  /// The index of the zone of a value.
  func zone(of value: TimeInZones.Value) -> Int {
    TimeInZones.zone(of: value.value, bounds: bounds)
  }

  /// The time in zones of the first values between two dates, without pauses.
  func group(
    of count: Int? = nil, from start: Date, to end: Date, without pauses: [DateInterval]
  ) -> HKWorkoutZoneGroup {
    let counted = TimeInZones(bounds: bounds, values: Array(values.prefix(count ?? values.count)))
    return HKWorkoutZoneGroup(
      configuration,
      seconds: counted.seconds(
        from: start.timeIntervalSinceReferenceDate, to: end.timeIntervalSinceReferenceDate,
        without: pauses.map {
          $0.start.timeIntervalSinceReferenceDate...$0.end.timeIntervalSinceReferenceDate
        }))
  }
}

// MARK: Rows

extension Workouts.ZoneGroup {
  /// The groups of the types and units that HealthKit has, by type.
  static func objects(_ groups: [Self]) -> [HKQuantityType: HKWorkoutZoneGroup] {
    Dictionary(groups.compactMap(\.object).map { ($0.configuration.quantityType, $0) }) {
      first, _ in first
    }
  }

  private var object: HKWorkoutZoneGroup? {
    guard let type = HKQuantityType.types[typeIdentifier], let unit = try? HKUnit.parsed(unit),
      type.is(compatibleWith: unit), !zones.isEmpty
    else { return nil }
    // Files may have them in any order.
    let ascending = zones.sorted { left, right in
      (left.minimum ?? -.infinity, left.maximum ?? .infinity)
        < (right.minimum ?? -.infinity, right.maximum ?? .infinity)
    }
    func quantity(_ number: Double?) -> HKQuantity? { number.map { HKQuantity($0, unit) } }
    let configuration = HKWorkoutZoneConfiguration(
      type,
      zones: ascending.enumerated().map { index, zone in
        HKWorkoutZone(
          index: index, minimum: quantity(zone.minimum), maximum: quantity(zone.maximum))
      }, source: HKWorkoutZoneConfiguration.Source(words: source))
    return HKWorkoutZoneGroup(configuration, seconds: ascending.map { $0.duration ?? 0 })
  }

  /// The groups as rows, in the order of their types.
  static func rows(_ groups: [HKQuantityType: HKWorkoutZoneGroup]) -> [Self] {
    groups.sorted { $0.key.identifier < $1.key.identifier }.map { Self($0.value) }
  }

  fileprivate init(_ group: HKWorkoutZoneGroup) {
    self.init()
    let configuration = group.configuration
    // As exports write it.
    let name = configuration.quantityType.identifier.dropFirst("HKQuantityTypeIdentifier".count)
    type = name.prefix(1).lowercased() + name.dropFirst()
    source = configuration.source.words
    let bounds = configuration.zones.lazy.flatMap { [$0.minimum, $0.maximum] }.compactMap { $0 }
    let unit = bounds.first?.unit ?? HKUnit(configuration.quantityType.core.unit)
    self.unit = unit.unitString
    zones = group.zoneDurations.map { one in
      var row = Workouts.Zone()
      row.minimum = one.zone.minimum?.number(in: unit)
      row.maximum = one.zone.maximum?.number(in: unit)
      row.duration = one.duration
      return row
    }
  }
}

extension HKWorkoutZoneConfiguration.Source {
  /// As exports write it.
  fileprivate var words: String {
    switch self {
    case .system: "system"
    case .user: "user"
    case .app: "app"
    }
  }

  /// The source of an export; the system's is the usual one.
  fileprivate init(words: String) {
    switch words.lowercased() {
    case "user", "manual": self = .user
    case "app", "custom": self = .app
    default: self = .system
    }
  }
}

// MARK: Archives

/// A group in an archive: structures cannot stand in one.
final class ArchivedZoneGroup: NSObject, NSSecureCoding {
  let row: Workouts.ZoneGroup

  init(_ group: HKWorkoutZoneGroup) { row = Workouts.ZoneGroup(group) }

  static var supportsSecureCoding: Bool { true }

  init?(coder: NSCoder) {
    guard let type = coder.decodeText("quantityType"), let source = coder.decodeText("source"),
      let unit = coder.decodeText("unit"), let columns = coder.decodeColumns(3, "zones")
    else { return nil }
    var row = Workouts.ZoneGroup()
    (row.type, row.source, row.unit) = (type, source, unit)
    for index in columns[0].indices {
      var zone = Workouts.Zone()
      let numbers = columns.map { $0[index].isNaN ? nil : $0[index] }
      guard numbers.allSatisfy({ $0?.isFinite ?? true }) else { return nil }
      (zone.minimum, zone.maximum, zone.duration) = (numbers[0], numbers[1], numbers[2])
      row.zones.append(zone)
    }
    self.row = row
  }

  func encode(with coder: NSCoder) {
    coder.encodeText(row.type, "quantityType")
    coder.encodeText(row.source, "source")
    coder.encodeText(row.unit, "unit")
    // No number stands for no bound.
    func column(_ number: (Workouts.Zone) -> Double?) -> [Double] {
      row.zones.map { number($0) ?? .nan }
    }
    coder.encodeColumns([column(\.minimum), column(\.maximum), column(\.duration)], "zones")
  }

  override func isEqual(_ object: Any?) -> Bool { (object as? ArchivedZoneGroup)?.row == row }

  override var hash: Int { row.hashValue }
}

extension NSCoder {
  func encodeZones(_ groups: [HKQuantityType: HKWorkoutZoneGroup], _ key: String) {
    guard !groups.isEmpty else { return }
    let ordered = groups.sorted { $0.key.identifier < $1.key.identifier }
    encodeMany(ordered.map { ArchivedZoneGroup($0.value) }, key)
  }

  /// The groups by type; none where the archive has none, `nil` where it is damaged.
  func decodeZones(_ key: String) -> [HKQuantityType: HKWorkoutZoneGroup]? {
    guard containsValue(forKey: key) else { return [:] }
    guard let groups = decodeMany(ArchivedZoneGroup.self, key) else { return nil }
    let objects = Workouts.ZoneGroup.objects(groups.map(\.row))
    return objects.count == groups.count ? objects : nil
  }
}
