import Foundation
internal import HealthSamples
internal import HealthStore
import Synchronization

extension HKWorkoutBuilder {
  /// Sets the zones of a type for this workout, in place of those that the person prefers; `nil`
  /// takes these again.
  ///
  /// Errors: `errorInvalidArgument` once the workout has begun, and for zones of another type.
  public func setCustomZoneConfiguration(
    _ configuration: HKWorkoutZoneConfiguration?, for quantityType: HKQuantityType
  ) async throws {
    try await finishing {
      access.perform(.builder, $0) { [self] _ in
        guard HKWorkoutZoneConfiguration.types.contains(quantityType) else {
          throw HKWorkoutZoneConfiguration.unknownType(quantityType)
        }
        guard configuration.map({ $0.quantityType == quantityType }) ?? true else {
          throw HKError.invalid("The zones are of another type")
        }
        try progress.withLock { progress in
          try progress.check(.notBegun)
          progress.customZones[quantityType] = configuration
        }
      }
    }
  }

  /// The zones of a type: those that were set, else those that the person prefers; see
  /// ``HKHealthStore/preferredWorkoutZoneConfiguration(for:)``.
  public func zoneConfiguration(
    for quantityType: HKQuantityType
  ) async throws -> HKWorkoutZoneConfiguration? {
    let custom = progress.withLock { $0.customZones[quantityType] }
    return try await access.zonesLater(custom, of: quantityType, as: .builder)
  }

  /// The time in the zones of a type up to the end of the last sample, or of the workout once that
  /// is ended; `nil` without zones or samples.
  public func zoneGroup(for quantityType: HKQuantityType) -> HKWorkoutZoneGroup? {
    progress.withLock { $0 }.zoneGroup(for: quantityType)
  }
}

extension HKWorkoutBuilder.Progress {
  /// The time in the zones of a type so far.
  func zoneGroup(for type: HKQuantityType) -> HKWorkoutZoneGroup? {
    guard let start, let samples = zoneSamples(of: type), let last = samples.values.map(\.end).max()
    else { return nil }
    let end = end ?? Date(timeIntervalSinceReferenceDate: last)
    return samples.group(from: start, to: end, without: pauses(from: start, to: end))
  }

  /// The time in zones from a start to an end, by type.
  func zoneGroups(from start: Date, to end: Date) -> [HKQuantityType: HKWorkoutZoneGroup] {
    let pauses = pauses(from: start, to: end)
    var groups: [HKQuantityType: HKWorkoutZoneGroup] = [:]
    for type in zones.keys {
      guard let samples = zoneSamples(of: type) else { continue }
      groups[type] = samples.group(from: start, to: end, without: pauses)
    }
    return groups
  }

  /// The samples of a type with zones; `nil` without zones or samples.
  func zoneSamples(of type: HKQuantityType) -> ZoneSamples? {
    let found = zones[type].map { ZoneSamples(samples, $0) }
    return found.flatMap { $0.values.isEmpty ? nil : $0 }
  }

  func pauses(from start: Date, to end: Date) -> [DateInterval] {
    ActiveTime.pauses(from: start, to: end, events: events)
  }
}

extension HKHealthStore {
  /// The zones of a type that the person prefers: those of ``HealthHost/workoutZones``, else, for the
  /// heart rate, zones by what the app may read of the person.
  ///
  /// These end at 60, 70, 80 and 90 % of the way from the resting heart rate to 220 less the age in
  /// years. A reference adult stands in for what is not recorded, or not to be read: 30 years, and 60
  /// beats a minute.
  ///
  /// Errors: `errorInvalidArgument` for a type without zones, and that of permission for one that
  /// the app never asked for.
  ///
  /// - Returns: the zones; `nil` for cycling power if the person has none
  public func preferredWorkoutZoneConfiguration(
    for quantityType: HKQuantityType
  ) async throws -> HKWorkoutZoneConfiguration? {
    try await session.zonesLater(of: quantityType, as: .workoutZones(quantityType))
  }
}

extension HealthSession {
  /// The zones that were set, or else those that the person prefers, after what was asked before.
  fileprivate func zonesLater(
    _ custom: HKWorkoutZoneConfiguration? = nil, of type: HKQuantityType, as call: HealthCall
  ) async throws -> HKWorkoutZoneConfiguration? {
    try await answering { answer in
      perform(call) {
        try custom ?? $0.preferredZones(of: type)
      } then: { result in
        answer(result.value ?? nil, result.error)
      }
    }
  }

  /// The zones that the person prefers, of the types for which the app has asked.
  func preferredZones() -> [HKQuantityType: HKWorkoutZoneConfiguration] {
    var zones: [HKQuantityType: HKWorkoutZoneConfiguration] = [:]
    for type in HKWorkoutZoneConfiguration.types {
      zones[type] = try? preferredZones(of: type)
    }
    return zones
  }

  func preferredZones(of type: HKQuantityType) throws -> HKWorkoutZoneConfiguration? {
    guard HKWorkoutZoneConfiguration.types.contains(type) else {
      throw HKWorkoutZoneConfiguration.unknownType(type)
    }
    try checkReading(of: [type])
    if let own = workoutZones.first(where: { $0.quantityType == type }) {
      return own.made(by: .user)
    }
    guard type == HKQuantityType(.heartRate) else { return nil }
    let (store, now) = (try reader(), host.now())
    return try store.snapshot {
      let unit = HKUnit.count().unitDivided(by: .minute())
      let years = try store.person().age(at: now).map { $0.rounded(.down) } ?? 30
      let resting = try store.lastQuantity(.restingHeartRate, before: now)?.number(in: unit) ?? 60
      let reserve = 220 - years - resting
      guard resting > 0, reserve > 0 else { return nil }
      return HKWorkoutZoneConfiguration(
        type, boundaries: [0.6, 0.7, 0.8, 0.9].map { HKQuantity(resting + $0 * reserve, unit) },
        source: .system)
    }
  }
}
