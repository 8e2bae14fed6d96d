public import Foundation
internal import HealthStore

/// A query for samples, in an order and up to a number of them.
open class HKSampleQuery: HKQuery, @unchecked Sendable {
  private let descriptors: [HKQueryDescriptor]
  private let most: Int
  private let sorts: [NSSortDescriptor]?
  private let order: SampleOrder
  private let handler: QueryHandler<@Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void>

  /// Makes a query for samples of one type.
  ///
  /// - Parameters:
  ///   - sampleType: the type
  ///   - predicate: what samples must be; all match without one
  ///   - limit: the most samples, or `HKObjectQueryNoLimit`
  ///   - sortDescriptors: the order; by start without one
  ///   - resultsHandler: gets the samples or the error, once
  @preconcurrency
  public init(
    sampleType: HKSampleType, predicate: NSPredicate?, limit: Int,
    sortDescriptors: [NSSortDescriptor]?,
    resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
  ) {
    descriptors = [HKQueryDescriptor(sampleType: sampleType, predicate: predicate)]
    most = limit
    sorts = sortDescriptors
    order = (sortDescriptors ?? []).sampleOrder
    handler = QueryHandler(resultsHandler)
    super.init(objectType: sampleType, predicate: predicate)
  }

  /// Makes a query for samples that match any of some descriptors.
  @preconcurrency
  public init(
    queryDescriptors: [HKQueryDescriptor], limit: Int,
    resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
  ) {
    descriptors = queryDescriptors
    most = limit
    sorts = nil
    order = .store([])
    handler = QueryHandler(resultsHandler)
    super.init(objectType: nil, predicate: nil)
  }

  /// Makes a query for samples that match any of some descriptors, in an order.
  @preconcurrency
  public init(
    queryDescriptors: [HKQueryDescriptor], limit: Int, sortDescriptors: [NSSortDescriptor],
    resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
  ) {
    descriptors = queryDescriptors
    most = limit
    sorts = sortDescriptors
    order = sortDescriptors.sampleOrder
    handler = QueryHandler(resultsHandler)
    super.init(objectType: nil, predicate: nil)
  }

  /// A query in the order of a descriptor of Swift's.
  init(
    _ descriptors: [HKQueryDescriptor], limit: Int, order: SampleOrder,
    resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
  ) {
    self.descriptors = descriptors
    most = limit
    sorts = nil
    self.order = order
    handler = QueryHandler(resultsHandler)
    super.init(objectType: nil, predicate: nil)
  }

  /// The most samples; `HKObjectQueryNoLimit` for all.
  open var limit: Int { most }

  /// The order.
  open var sortDescriptors: [NSSortDescriptor]? { sorts }

  override func check() throws(ObjectError) { try check(descriptors, of: "HKSampleQuery") }

  override func run(_ execution: QueryExecution) {
    let result = execution.result(of: descriptors.map(\.sampleType)) { store in
      try SampleRequest(
        descriptors.map { ($0.sampleType, $0.predicate) }, order: order,
        limit: most > HKObjectQueryNoLimit ? most : nil
      ).samples(in: store)
    }
    if let result {
      execution.tell(result) { [self] in handler.function?(self, $0.value, $0.error) }
    }
  }

  override func releaseHandlers() { handler.function = nil }
}

/// A query for the sources of samples.
open class HKSourceQuery: HKQuery, @unchecked Sendable {
  private let type: HKSampleType
  private let handler: QueryHandler<@Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void>

  /// Makes a query for the sources of the samples of a type that match a predicate.
  @preconcurrency
  public init(
    sampleType: HKSampleType, samplePredicate objectPredicate: NSPredicate?,
    completionHandler: @escaping @Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void
  ) {
    type = sampleType
    handler = QueryHandler(completionHandler)
    super.init(objectType: sampleType, predicate: objectPredicate)
  }

  override func run(_ execution: QueryExecution) {
    let predicate = predicate
    let result = execution.result(of: [type]) { store in
      let request = try SampleRequest([(type, predicate)], order: .store([]), limit: nil)
      if predicate == nil, let stored = type.storedType,
        try store.historyLimits()[stored.identifier] == nil
      {
        return Set(try store.sources(of: stored).map { HKSource($0.source) })
      }
      var sources: Set<HKSource> = []
      try request.forEach(in: store) {
        sources.insert($0.sourceRevision.source)
        return true
      }
      return sources
    }
    if let result {
      execution.tell(result) { [self] in handler.function?(self, $0.value, $0.error) }
    }
  }

  override func releaseHandlers() { handler.function = nil }
}
