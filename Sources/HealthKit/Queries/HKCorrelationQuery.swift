public import Foundation
internal import HealthStore

/// A query for correlations by their own properties, and by those of their samples.
open class HKCorrelationQuery: HKQuery, @unchecked Sendable {
  private let type: HKCorrelationType
  private let predicates: [HKSampleType: NSPredicate]?
  private let handler:
    QueryHandler<@Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void>

  /// Makes a query for correlations of a type.
  ///
  /// - Parameters:
  ///   - correlationType: the type
  ///   - predicate: what correlations must be; all match without one
  ///   - samplePredicates: what samples of a type must be: a correlation needs one that matches for
  ///     each of the types
  ///   - completion: gets the correlations, by start, or the error, once
  @preconcurrency
  public init(
    type correlationType: HKCorrelationType, predicate: NSPredicate?,
    samplePredicates: [HKSampleType: NSPredicate]?,
    completion: @escaping @Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void
  ) {
    type = correlationType
    predicates = samplePredicates
    handler = QueryHandler(completion)
    super.init(objectType: correlationType, predicate: predicate)
  }

  /// The type of the correlations.
  open var correlationType: HKCorrelationType { type }

  /// What samples of a type must be.
  open var samplePredicates: [HKSampleType: NSPredicate]? { predicates }

  override func run(_ execution: QueryExecution) {
    let result = execution.result(of: [type]) { store in
      try store.snapshot {
        let trees = try (predicates ?? [:]).mapValues { try $0.tree.resolved(in: store) }
        var correlations: [HKCorrelation] = []
        try SampleRequest([(type, predicate)], order: .store([]), limit: nil).forEach(in: store) {
          guard let correlation = $0 as? HKCorrelation else { return true }
          let isWanted = try trees.allSatisfy { type, tree in
            try correlation.objects(for: type).contains { try tree.holds(for: $0) }
          }
          if isWanted { correlations.append(correlation) }
          return true
        }
        return correlations
      }
    }
    if let result {
      execution.tell(result) { [self] in handler.function?(self, $0.value, $0.error) }
    }
  }

  override func releaseHandlers() { handler.function = nil }
}
