import HealthKit

/// The third screen: blood pressures, which the person types in.
@MainActor
public final class BloodPressureModel {
  /// One measurement, in millimetres of mercury.
  public struct Reading: Sendable, Equatable, Identifiable {
    /// The identity of its correlation.
    public let id: UUID
    /// When it was measured.
    public let date: Date
    /// The pressure while the heart beats.
    public let systolic: Double
    /// The pressure between beats.
    public let diastolic: Double
  }

  /// Why a reading cannot be logged.
  public enum Problem: Error, Equatable {
    /// A pressure is outside the plausible range.
    case unlikely
    /// The person did not allow the diary to save blood pressures.
    case notAllowed
  }

  /// What to show: the latest readings, newest first.
  public private(set) var readings: Screen<[Reading]> = .empty

  private let store: HKHealthStore
  private let most: Int
  private let unit = HKUnit.millimeterOfMercury()
  private let type = HKCorrelationType(.bloodPressure)

  /// Makes the model, which queries nothing before ``refresh()``.
  public init(store: HKHealthStore, most: Int = 20) {
    (self.store, self.most) = (store, most)
  }

  /// Saves a reading, after asking for permission if the person was not asked before.
  public func log(systolic: Double, diastolic: Double, at date: Date) async throws {
    guard (40...300).contains(systolic), (20..<systolic).contains(diastolic) else {
      throw Problem.unlikely
    }
    try await HealthAccess.request(of: store)
    let parts = [(HealthAccess.systolic, systolic), (HealthAccess.diastolic, diastolic)]
    let samples = parts.map { type, pressure in
      HKQuantitySample(
        type: type, quantity: HKQuantity(unit: unit, doubleValue: pressure), start: date, end: date)
    }
    let reading = HKCorrelation(
      type: type, start: date, end: date, objects: Set(samples),
      metadata: [HKMetadataKeyWasUserEntered: true])
    do {
      try await store.save(reading)
    } catch HKError.errorAuthorizationDenied {
      throw Problem.notAllowed
    }
    await refresh()
  }

  /// Queries the latest readings.
  public func refresh() async {
    let query = HKSampleQueryDescriptor(
      predicates: [.correlation(type: type)],
      sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: most)
    do {
      let found = try await query.result(for: store).compactMap(reading)
      readings = found.isEmpty ? .noData : .content(found)
    } catch {
      readings = Screen(error)
    }
  }

  private func reading(_ correlation: HKCorrelation) -> Reading? {
    func pressure(_ type: HKQuantityType) -> Double? {
      let sample = correlation.objects(for: type).first as? HKQuantitySample
      return sample?.quantity.doubleValue(for: unit)
    }
    guard let systolic = pressure(HealthAccess.systolic),
      let diastolic = pressure(HealthAccess.diastolic)
    else { return nil }
    return Reading(
      id: correlation.uuid, date: correlation.startDate, systolic: systolic, diastolic: diastolic)
  }
}
