public import Foundation
internal import HealthQuery
import Synchronization

/// A query for the measurements of quantity samples, one after the other.
///
/// A sample of one measurement gives that one.
open class HKQuantitySeriesSampleQuery: HKQuery, @unchecked Sendable {
  private typealias Handler =
    QueryHandler<
      @Sendable (
        HKQuantitySeriesSampleQuery, HKQuantity?, DateInterval?, HKQuantitySample?, Bool,
        (any Error)?
      ) -> Void
    >

  private let type: HKQuantityType
  /// Whether the query is for a sample, which must be there.
  private let isOfSample: Bool
  private let handler: Handler
  private let settings = Mutex((sample: false, order: false))

  /// Makes a query for the measurements of the samples of a type that match a predicate.
  ///
  /// - Parameters:
  ///   - quantityType: the type
  ///   - predicate: what samples must be; all match without one
  ///   - quantityHandler: gets each measurement with its time, by time; the flag is true with the
  ///     last one, with an error, and with no measurement when there is none
  @preconcurrency
  public init(
    quantityType: HKQuantityType, predicate: NSPredicate?,
    quantityHandler:
      @escaping @Sendable (
        HKQuantitySeriesSampleQuery, HKQuantity?, DateInterval?, HKQuantitySample?, Bool,
        (any Error)?
      ) -> Void
  ) {
    type = quantityType
    isOfSample = false
    handler = Handler(quantityHandler)
    super.init(objectType: quantityType, predicate: predicate)
  }

  /// Makes a query for the measurements of a sample.
  ///
  /// The error is `errorNoData` when the store does not have the sample any more.
  ///
  /// - Parameters:
  ///   - quantitySample: the sample
  ///   - quantityHandler: gets each measurement with its start, by time; the flag is true with the
  ///     last one, and with an error
  @preconcurrency
  public init(
    sample quantitySample: HKQuantitySample,
    quantityHandler:
      @escaping @Sendable (
        HKQuantitySeriesSampleQuery, HKQuantity?, Date?, Bool, (any Error)?
      ) -> Void
  ) {
    type = quantitySample.quantityType
    isOfSample = true
    handler = Handler({ quantityHandler($0, $1, $2?.start, $4, $5) })
    super.init(of: quantitySample)
  }

  /// Whether the handler gets the sample of each measurement; it must be set before the query is
  /// executed.
  open var includeSample: Bool {
    get { settings.withLock { $0.sample } }
    set { settings.withLock { $0.sample = newValue } }
  }

  /// Whether the measurements of a sample stay together, samples by their start, where otherwise all
  /// measurements are ordered by their own; it must be set before the query is executed.
  open var orderByQuantitySampleStartDate: Bool {
    get { settings.withLock { $0.order } }
    set { settings.withLock { $0.order = newValue } }
  }

  /// The measurements that a page has, if not less.
  private static let pageCount = 10_000

  /// Where a page goes on: by time, with the samples of that time that earlier pages had.
  private struct Place: Sendable {
    var start: Date?
    var seen: Set<UUID> = []
    /// Measurements that wait, because later samples may have earlier ones; never empty after the
    /// first sample, so that the last measurement is known.
    var waiting: [SeriesMeasurement] = []
  }

  override func run(_ execution: QueryExecution) { readPage(execution, from: Place()) }

  /// Reads a page in a snapshot, calls the handler without it, and goes on.
  private func readPage(_ execution: QueryExecution, from start: Place) {
    let (includesSample, staysTogether) = settings.withLock { $0 }
    var place = start
    var page: [SeriesMeasurement] = []
    var isLast = true
    let result = execution.result(of: [type]) { store in
      let later = place.start.map {
        HKQuery.predicateForSamples(withStart: $0, end: nil, options: .strictStartDate)
      }
      let both = TreePredicate(.all([predicate, later].compactMap { $0?.tree }))
      let request = try SampleRequest(
        [(type, both)], order: .store([SampleSort(.start)]), limit: nil)
      try request.forEach(in: store) { sample in
        guard !execution.isStopped else { return false }
        guard let sample = sample as? HKQuantitySample, !place.seen.contains(sample.uuid) else {
          return true
        }
        guard page.count < Self.pageCount else {
          isLast = false
          return false
        }
        let ready =
          staysTogether
          ? place.waiting.count
          : place.waiting.firstIndex { $0.interval.start > sample.startDate } ?? place.waiting.count
        page += place.waiting.prefix(ready)
        place.waiting.removeFirst(ready)
        place.waiting += sample.measurements
        if !staysTogether { place.waiting.sort { $0.interval.start < $1.interval.start } }
        if place.start != sample.startDate { (place.start, place.seen) = (sample.startDate, []) }
        place.seen.insert(sample.uuid)
        return true
      }
      if isOfSample, place.start == nil { throw HKError(.errorNoData) }
    }
    guard let result else { return }
    if let error = result.error {
      return execution.end { [self] in handler.function?(self, nil, nil, nil, true, error) }
    }
    if isLast { page += place.waiting }
    execution.tell { [self, page, isLast] in
      for (index, one) in page.enumerated() where !execution.isStopped {
        handler.function?(
          self, one.quantity, one.interval, includesSample ? one.sample : nil,
          isLast && index == page.count - 1, nil)
      }
      if isLast, page.isEmpty { handler.function?(self, nil, nil, nil, true, nil) }
    }
    if !isLast { execution.perform { [self, place] in readPage(execution, from: place) } }
  }

  override func releaseHandlers() { handler.function = nil }
}

/// One of the measurements of a sample.
struct SeriesMeasurement {
  let quantity: HKQuantity
  let interval: DateInterval
  let sample: HKQuantitySample
}

extension HKQuantitySample {
  /// The measurements, in order.
  var measurements: [SeriesMeasurement] {
    guard let series else {
      let interval = DateInterval(ofSampleFrom: startDate, to: endDate)
      return [SeriesMeasurement(quantity: quantity, interval: interval, sample: self)]
    }
    return series.values.indices.map { index in
      let start = Date(timeIntervalSinceReferenceDate: series.starts[index])
      let end = Date(timeIntervalSinceReferenceDate: series.ends[index])
      return SeriesMeasurement(
        quantity: HKQuantity(series.values[index], unit),
        interval: DateInterval(ofSampleFrom: start, to: end), sample: self)
    }
  }
}

/// A query for the heartbeats of a series.
open class HKHeartbeatSeriesQuery: HKQuery, @unchecked Sendable {
  private let series: HKHeartbeatSeriesSample
  private let handler:
    QueryHandler<@Sendable (HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?) -> Void>

  /// Makes a query.
  ///
  /// The error is `errorNoData` when the store does not have the series any more.
  ///
  /// - Parameters:
  ///   - heartbeatSeries: the series
  ///   - dataHandler: gets the seconds of each heartbeat after the start, in order, whether beats
  ///     before it are missing, and whether it is the last; 0 with the error
  @preconcurrency
  public init(
    heartbeatSeries: HKHeartbeatSeriesSample,
    dataHandler:
      @escaping @Sendable (
        HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?
      ) -> Void
  ) {
    series = heartbeatSeries
    handler = QueryHandler(dataHandler)
    super.init(of: heartbeatSeries)
  }

  override func run(_ execution: QueryExecution) {
    guard let result = execution.stored(series) else { return }
    execution.tell(result) { [self] in
      guard let beats = $0.value?.beats, !beats.offsets.isEmpty else {
        handler.function?(self, 0, false, true, $0.error)
        return
      }
      for index in beats.offsets.indices where !execution.isStopped {
        handler.function?(
          self, beats.offsets[index], beats.areAfterGaps[index],
          index == beats.offsets.count - 1, nil)
      }
    }
  }

  override func releaseHandlers() { handler.function = nil }
}

/// A query for the voltages of an electrocardiogram.
open class HKElectrocardiogramQuery: HKQuery, @unchecked Sendable {
  /// What the handler gets.
  public enum Result: Sendable {
    /// A voltage.
    case measurement(HKElectrocardiogram.VoltageMeasurement)
    /// There are no more.
    case done
    /// What failed; nothing follows.
    case error(any Error)
  }

  private let electrocardiogram: HKElectrocardiogram
  private let handler: QueryHandler<@Sendable (HKElectrocardiogramQuery, Result) -> Void>

  /// Makes a query.
  ///
  /// The error is `errorNoData` when the store does not have the electrocardiogram any more.
  ///
  /// - Parameters:
  ///   - electrocardiogram: the electrocardiogram
  ///   - dataHandler: gets each voltage in order, and last of all no voltage with a flag that is true
  @preconcurrency
  public init(
    electrocardiogram: HKElectrocardiogram,
    dataHandler:
      @escaping @Sendable (
        HKElectrocardiogramQuery, HKElectrocardiogram.VoltageMeasurement?, Bool, (any Error)?
      ) -> Void
  ) {
    self.electrocardiogram = electrocardiogram
    handler = QueryHandler({ query, result in
      switch result {
      case .measurement(let measurement): dataHandler(query, measurement, false, nil)
      case .done: dataHandler(query, nil, true, nil)
      case .error(let error): dataHandler(query, nil, true, error)
      }
    })
    super.init(of: electrocardiogram)
  }

  /// Makes a query; see the form with several arguments.
  @preconcurrency
  public convenience init(
    _ ecg: HKElectrocardiogram,
    dataHandler: @escaping @Sendable (HKElectrocardiogramQuery, Result) -> Void
  ) {
    self.init(electrocardiogram: ecg) { query, measurement, _, error in
      if let measurement {
        dataHandler(query, .measurement(measurement))
      } else {
        dataHandler(query, error.map(Result.error) ?? .done)
      }
    }
  }

  override func run(_ execution: QueryExecution) {
    guard let result = execution.stored(electrocardiogram) else { return }
    execution.tell(result) { [self] in
      guard let stored = $0.value else {
        handler.function?(self, .error($0.error ?? HKError(.unknownError)))
        return
      }
      for index in 0..<stored.numberOfVoltageMeasurements {
        if execution.isStopped { return }
        handler.function?(self, .measurement(stored.measurement(at: index)))
      }
      if !execution.isStopped { handler.function?(self, .done) }
    }
  }

  override func releaseHandlers() { handler.function = nil }
}

/// A query for the places of a route, in batches.
///
/// Linux has no Core Location: places are ``RouteLocation``, which has the properties of
/// `CLLocation`.
open class HKWorkoutRouteQuery: HKQuery, @unchecked Sendable {
  private let route: HKWorkoutRoute
  private let interval: DateInterval?
  private let handler:
    QueryHandler<@Sendable (HKWorkoutRouteQuery, [RouteLocation]?, Bool, (any Error)?) -> Void>

  /// The most places of a batch.
  private static let most = 100

  /// Makes a query.
  ///
  /// The error is `errorNoData` when the store does not have the route any more.
  ///
  /// - Parameters:
  ///   - workoutRoute: the route
  ///   - dataHandler: gets the places by time, and whether they are the last
  @preconcurrency
  public init(
    route workoutRoute: HKWorkoutRoute,
    dataHandler:
      @escaping @Sendable (HKWorkoutRouteQuery, [RouteLocation]?, Bool, (any Error)?) -> Void
  ) {
    route = workoutRoute
    interval = nil
    handler = QueryHandler(dataHandler)
    super.init(of: workoutRoute)
  }

  /// Makes a query for the places of a part of the time, its end not included.
  @preconcurrency
  public init(
    route workoutRoute: HKWorkoutRoute, dateInterval: DateInterval,
    dataHandler:
      @escaping @Sendable (HKWorkoutRouteQuery, [RouteLocation]?, Bool, (any Error)?) -> Void
  ) {
    route = workoutRoute
    interval = dateInterval
    handler = QueryHandler(dataHandler)
    super.init(of: workoutRoute)
  }

  override func run(_ execution: QueryExecution) {
    guard let result = execution.stored(route) else { return }
    execution.tell(result) { [self] in
      guard let places = $0.value?.locations else {
        handler.function?(self, nil, true, $0.error)
        return
      }
      let wanted = places.times.indices.filter { row in
        let time = Date(timeIntervalSinceReferenceDate: places.times[row])
        return interval.map { $0.start <= time && time < $0.end } ?? true
      }
      var rest = wanted[...]
      repeat {
        if execution.isStopped { return }
        let batch = rest.prefix(Self.most)
        rest = rest.dropFirst(Self.most)
        handler.function?(self, batch.map(places.location), rest.isEmpty, nil)
      } while !rest.isEmpty
    }
  }

  override func releaseHandlers() { handler.function = nil }
}
