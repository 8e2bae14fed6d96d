import Foundation

/// A query for the measurements of quantity samples.
public struct HKQuantitySeriesSampleQueryDescriptor: HKAsyncSequenceQuery {
  /// The samples.
  public var predicate: HKSamplePredicate<HKQuantitySample>
  /// What each measurement has, and the order.
  public var options: HKQuantitySeriesSampleQueryDescriptor.Options

  /// Makes a query.
  public init(
    predicate: HKSamplePredicate<HKQuantitySample>,
    options: HKQuantitySeriesSampleQueryDescriptor.Options = []
  ) {
    (self.predicate, self.options) = (predicate, options)
  }

  /// What each measurement has, and the order.
  public struct Options: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int
    /// Makes options of bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Each measurement has its sample.
    public static let includeSample = Options(rawValue: 1)
    /// The measurements of a sample stay together, samples by their start.
    public static let orderByQuantitySampleStartDate = Options(rawValue: 2)
  }

  /// A measurement.
  public struct Result: Hashable, Sendable {
    /// When it was.
    public let dateInterval: DateInterval
    /// What was measured.
    public let quantity: HKQuantity
    /// The sample; `nil` unless asked for.
    public let sample: HKQuantitySample?
  }

  /// The measurements, up to the last one.
  public typealias Results = QueryResults<Result>

  /// The measurements, up to the last one.
  public func results(
    for healthStore: HKHealthStore
  ) -> HKQuantitySeriesSampleQueryDescriptor.Results {
    Results(of: healthStore) { answers in
      let query = HKQuantitySeriesSampleQuery(
        quantityType: try predicate.quantityType, predicate: predicate.nsPredicate
      ) { _, quantity, interval, sample, isDone, error in
        if let quantity, let interval {
          answers.add(Result(dateInterval: interval, quantity: quantity, sample: sample))
        }
        if isDone { answers.end(error) }
      }
      query.includeSample = options.contains(.includeSample)
      query.orderByQuantitySampleStartDate = options.contains(.orderByQuantitySampleStartDate)
      return query
    }
  }
}

/// A query for the heartbeats of a series.
public struct HKHeartbeatSeriesQueryDescriptor: HKAsyncSequenceQuery {
  /// The series.
  public var sample: HKHeartbeatSeriesSample

  /// Makes a query.
  public init(_ sample: HKHeartbeatSeriesSample) { self.sample = sample }

  /// A heartbeat.
  public struct Heartbeat: Hashable, Sendable {
    /// Whether beats before it are missing.
    public let precededByGap: Bool
    /// Seconds after the start of the series.
    public let timeIntervalSinceStart: TimeInterval
  }

  /// The heartbeats, up to the last one.
  public typealias Results = QueryResults<Heartbeat>

  /// The heartbeats, up to the last one.
  public func results(for healthStore: HKHealthStore) -> HKHeartbeatSeriesQueryDescriptor.Results {
    Results(of: healthStore) { answers in
      let isEmpty = sample.count == 0
      return HKHeartbeatSeriesQuery(heartbeatSeries: sample) { _, offset, gap, isDone, error in
        if error == nil, !isEmpty {
          answers.add(Heartbeat(precededByGap: gap, timeIntervalSinceStart: offset))
        }
        if isDone { answers.end(error) }
      }
    }
  }
}

/// A query for the voltages of an electrocardiogram.
public struct HKElectrocardiogramQueryDescriptor: HKAsyncSequenceQuery {
  /// The electrocardiogram.
  public var electrocardiogram: HKElectrocardiogram

  /// Makes a query.
  public init(_ electrocardiogram: HKElectrocardiogram) {
    self.electrocardiogram = electrocardiogram
  }

  /// The voltages, up to the last one.
  public typealias Results = QueryResults<HKElectrocardiogram.VoltageMeasurement>

  /// The voltages, up to the last one.
  public func results(
    for healthStore: HKHealthStore
  ) -> HKElectrocardiogramQueryDescriptor.Results {
    Results(of: healthStore) { answers in
      HKElectrocardiogramQuery(electrocardiogram) { _, result in
        switch result {
        case .measurement(let measurement): answers.add(measurement)
        case .done: answers.end()
        case .error(let error): answers.end(error)
        }
      }
    }
  }
}

/// A query for the places of a route.
public struct HKWorkoutRouteQueryDescriptor: HKAsyncSequenceQuery {
  /// The route.
  public var workoutRoute: HKWorkoutRoute

  /// Makes a query.
  public init(_ workoutRoute: HKWorkoutRoute) { self.workoutRoute = workoutRoute }

  /// The places by time, up to the last one.
  public typealias Results = QueryResults<RouteLocation>

  /// The places by time, up to the last one.
  public func results(for healthStore: HKHealthStore) -> HKWorkoutRouteQueryDescriptor.Results {
    Results(of: healthStore) { answers in
      HKWorkoutRouteQuery(route: workoutRoute) { _, places, isDone, error in
        for place in places ?? [] { answers.add(place) }
        if isDone { answers.end(error) }
      }
    }
  }
}
