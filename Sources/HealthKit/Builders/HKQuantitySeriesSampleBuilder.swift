public import Foundation

/// A builder of the samples of a quantity that is measured often.
///
/// When the series is finished, each measurement becomes a sample of its own, so that statistics of
/// any interval have the measurements in it. Inserting fails with `errorInvalidArgument` once the
/// series is finished or discarded.
open class HKQuantitySeriesSampleBuilder: NSObject, @unchecked Sendable {
  private struct Measurement {
    var quantity: HKQuantity
    var end: Date
  }

  private let access: HealthSession
  private let type: HKQuantityType
  private let start: Date
  private let ownDevice: HKDevice?
  /// The measurements by their start.
  private let collected = Collected([Date: Measurement]())

  /// Makes a builder of a series that starts at a date.
  public init(
    healthStore: HKHealthStore, quantityType: HKQuantityType, startDate: Date, device: HKDevice?
  ) {
    access = healthStore.session
    type = quantityType
    start = startDate
    ownDevice = device
  }

  /// What is measured.
  open var quantityType: HKQuantityType { type }
  /// When the series starts.
  open var startDate: Date { start }
  /// The device that measures.
  open var device: HKDevice? { ownDevice }

  /// Adds a measurement of an instant; see the form with an interval.
  open func insert(_ quantity: HKQuantity, at date: Date) throws {
    try insert(quantity, for: DateInterval(start: date, duration: 0))
  }

  /// Adds a measurement; it replaces one with the same start.
  ///
  /// - Throws: `errorInvalidArgument` for an interval that begins before ``startDate``, and for a
  ///   quantity that no sample of the type can have
  open func insert(_ quantity: HKQuantity, for dateInterval: DateInterval) throws {
    do {
      try access.note(.builder)
      guard dateInterval.start >= start else {
        throw HKError.invalid("A quantity is before the start of the series")
      }
      // The checks of a sample; those of metadata follow at the end of the series.
      guard type.is(compatibleWith: quantity.unit) else {
        throw HKError.invalid("A quantity has a unit that \(type.identifier) does not have")
      }
      guard quantity.value.isFinite else {
        throw HKError.invalid("A quantity is not a finite number")
      }
      try HKSample.check(type: type, start: dateInterval.start, end: dateInterval.end)
      try collected.change {
        $0[dateInterval.start] = Measurement(quantity: quantity, end: dateInterval.end)
      }
    } catch {
      throw HKError(error)
    }
  }

  /// Saves the samples; see the form with an end date.
  @preconcurrency
  open func finishSeries(
    metadata: [String: Any]?,
    completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
  ) {
    finishSeries(metadata: metadata, endDate: nil, completion: completion)
  }

  /// Saves the samples; see the form with an end date.
  @discardableResult
  open func finishSeries(metadata: [String: Any]?) async throws -> [HKQuantitySample] {
    try await finishing { finishSeries(metadata: metadata, completion: $0) }
  }

  /// Saves a sample for each measurement: all of them, or none.
  ///
  /// The error is `errorInvalidArgument` without measurements, for an end before that of one of them
  /// or before the start, and for a sync identifier, which several samples cannot share. The builder
  /// cannot be used any more, whether it worked or not.
  ///
  /// - Parameters:
  ///   - metadata: the metadata of each sample
  ///   - endDate: when the last sample ends; with its measurement without one
  ///   - completion: gets the samples by start, or the error
  @preconcurrency
  open func finishSeries(
    metadata: [String: Any]?, endDate: Date?,
    completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
  ) {
    let metadata = Unchecked(metadata)
    access.perform(.builder, completion) { [self] in try finish(metadata.value, endDate, in: $0) }
  }

  /// Saves the samples; see the form with a completion handler.
  @discardableResult
  open func finishSeries(
    metadata: [String: Any]?, endDate: Date?
  ) async throws -> [HKQuantitySample] {
    try await finishing { finishSeries(metadata: metadata, endDate: endDate, completion: $0) }
  }

  private func finish(
    _ metadata: [String: Any]?, _ endDate: Date?, in session: HealthSession
  ) throws -> [HKQuantitySample] {
    try collected.finish { measurements, _ in
      guard let last = measurements.keys.max() else {
        throw HKError.invalid("The series has no quantities")
      }
      if let endDate {
        guard endDate >= start, measurements.values.allSatisfy({ $0.end <= endDate }) else {
          throw HKError.invalid("The series ends before one of its quantities")
        }
      }
      guard measurements.count == 1 || metadata?[HKMetadataKeySyncIdentifier] == nil else {
        throw HKError.invalid("The samples of a series cannot share a sync identifier")
      }
      let samples = try measurements.sorted { $0.key < $1.key }.map { start, measurement in
        try HKQuantitySample.validated(
          type: type, quantity: measurement.quantity, start: start,
          end: start == last ? endDate ?? measurement.end : measurement.end,
          device: ownDevice, metadata: metadata)
      }
      try session.save(samples)
      return try session.readBack(samples)
    }
  }

  /// Discards the measurements; the builder cannot be used any more.
  open func discard() {
    access.record(.builder)
    collected.discard(leaving: [:])
  }
}
