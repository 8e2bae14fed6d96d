public import HealthQuery
import HealthSamples
public import HealthStore
public import HealthUnits

/// The units in which workouts and rings are told: a unit of distances and one of energies.
///
/// They are those in which `stats` answers for distance and active energy. Paces and speeds follow
/// from the distance, climbs are in metres.
///
/// ```swift
/// let units = try store.activityUnits()
/// units.value(5000, of: .distance)     // 3.107 where distances are in miles
/// units.unit(of: .pace)                // s/mi
/// ```
public struct ActivityUnits: Sendable {
  /// The unit of distances.
  public let distance: UnitExpression
  /// The unit of energies.
  public let energy: UnitExpression
  /// For each number its unit, and the conversion from ``WorkoutStatistic/unit``.
  private let units: [WorkoutStatistic: (unit: UnitExpression, conversion: UnitConversion)]

  /// Makes units.
  ///
  /// - Throws: `UnitError` for a unit of something else
  public init(distance: UnitExpression, energy: UnitExpression) throws(UnitError) {
    (self.distance, self.energy) = (distance, energy)
    let text = distance.shortDescription
    let length = SplitLength(followedBy: distance)
    var units: [WorkoutStatistic: (unit: UnitExpression, conversion: UnitConversion)] = [:]
    for statistic in WorkoutStatistic.allCases {
      guard
        let known = try statistic.unit.map({ name throws(UnitError) in try UnitExpression(name) })
      else { continue }
      let unit =
        switch statistic {
        case .distance: distance
        case .energy: energy
        case .pace: try UnitExpression("s/\(length.rawValue)")
        case .speed: try UnitExpression(text == "m" ? "m/s" : "\(length.rawValue)/hr")
        case .count, .duration, .elevation, .heartRate, .heartRateMax, .best1k, .best5k, .best10k:
          known
        }
      units[statistic] = (unit, try UnitConversion(from: known, to: unit))
    }
    self.units = units
  }

  /// The unit of a number; `nil` for a count.
  public func unit(of statistic: WorkoutStatistic) -> UnitExpression? { units[statistic]?.unit }

  /// A number that is in ``WorkoutStatistic/unit``, in these units.
  public func value(_ value: Double, of statistic: WorkoutStatistic) -> Double {
    units[statistic]?.conversion(value) ?? value
  }

  /// The unit of an amount of a ring.
  public func unit(of ring: ActivityRing) -> String {
    ring == .move ? energy.shortDescription : ring.unit
  }

  /// An amount of a ring that is in ``ActivityRing/unit``, in these units.
  public func value(_ value: Double, of ring: ActivityRing) -> Double {
    ring == .move ? self.value(value, of: .energy) : value
  }

  /// The length of splits, and of paces.
  public var splitLength: SplitLength { SplitLength(followedBy: distance) }
}

/// The length of a split.
public enum SplitLength: String, Sendable, Hashable, CaseIterable {
  /// A kilometre.
  case kilometre = "km"
  /// A mile.
  case mile = "mi"

  /// In metres.
  public var metres: Double { self == .kilometre ? 1000 : 1609.344 }

  /// The one that goes with a unit of distances: a mile with miles, yards, feet and inches.
  init(followedBy distance: UnitExpression) {
    self = ["mi", "yd", "ft", "in"].contains(distance.shortDescription) ? .mile : .kilometre
  }
}

extension SampleStore {
  /// The units in which workouts and rings are told.
  ///
  /// A unit is the one that is named, else the preferred one, else that of most samples, else the one
  /// in which most workouts and rings were recorded, else the everyday one.
  ///
  /// - Parameter names: units as people write them, each of a distance or of an energy, such as `mi`
  /// - Returns: the units
  /// - Throws: `QueryError`, with reason `QueryError.Reason.unit(_:named:of:)` for a name that is a
  ///   unit of neither
  public func activityUnits(named names: [String] = []) throws(QueryError) -> ActivityUnits {
    let (length, energy) = (SampleType(.distanceWalkingRunning), SampleType(.activeEnergyBurned))
    var named: (distance: UnitExpression?, energy: UnitExpression?)
    for name in names {
      do throws(UnitError) {
        named.distance = try length.unit(colloquial: name)
      } catch {
        guard let unit = try? energy.unit(colloquial: name) else {
          throw QueryError(.unit(error, named: name, of: length))
        }
        named.energy = unit
      }
    }
    let distances =
      [.distanceWalkingRunning, .distanceCycling].map(SampleType.init)
      + Catalogue.quantityTypes.map { SampleType($0.identifier) }.filter(\.isDistance)
    let distance = try chosenUnit(named.distance, among: distances) { workouts, _ in
      workouts.flatMap(\.statistics).filter { SampleType.isDistance($0.type) }.map(\.recordedUnit)
    }
    let burned = try chosenUnit(named.energy, among: [energy]) { workouts, days in
      workouts.flatMap(\.statistics).filter { $0.type == energy.identifier }.map(\.recordedUnit)
        + days.map(\.recordedEnergyUnit)
    }
    do throws(UnitError) {
      return try ActivityUnits(distance: distance, energy: burned)
    } catch {
      throw QueryError(.unit(error, named: distance.description, of: length))
    }
  }

  /// The named unit, else that of answers for the first of some types that has one, else the most frequent one of
  /// labels of workouts and rings, else the everyday unit of the first type.
  private func chosenUnit(
    _ named: UnitExpression?, among types: [SampleType],
    else labels: ([Workouts.Row], [ActivitySummaries.Row]) -> [String]
  ) throws(QueryError) -> UnitExpression {
    if let named { return named }
    let first = types[0]
    for type in types {
      let label = try stored { () throws(StoreError) in try outputUnit(of: type) }
      if let unit = label.flatMap({ try? first.unit(colloquial: $0) }) { return unit }
    }
    let (workouts, days) = try stored { () throws(StoreError) in
      (try self.workouts().rows, try activitySummaries().rows)
    }
    let counts = labels(workouts, days).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    let units = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .lazy.compactMap { try? first.unit(colloquial: $0.key) }
    return units.first ?? first.everydayUnit() ?? .null
  }
}

extension SampleType {
  fileprivate var isDistance: Bool { Self.isDistance(identifier) }

  /// Whether a type is a distance by its identifier.
  fileprivate static func isDistance(_ identifier: String) -> Bool {
    identifier.hasPrefix("HKQuantityTypeIdentifierDistance")
  }
}
