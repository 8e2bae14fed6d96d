public import Foundation

/// A query for documents, with their texts or without.
open class HKDocumentQuery: HKQuery, @unchecked Sendable {
  private let type: HKDocumentType
  private let most: Int
  private let sorts: [NSSortDescriptor]?
  private let includesData: Bool
  private let handler:
    QueryHandler<@Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void>

  /// Makes a query.
  ///
  /// - Parameters:
  ///   - documentType: the type
  ///   - predicate: what documents must be; all match without one
  ///   - limit: the most documents, or `HKObjectQueryNoLimit`
  ///   - sortDescriptors: the order; by start without one
  ///   - includeDocumentData: whether ``HKCDADocument/documentData`` is there, which may be large
  ///   - resultsHandler: gets one document at a time, and with the last one, or without any, that
  ///     there are no more; or the error
  @preconcurrency
  public init(
    documentType: HKDocumentType, predicate: NSPredicate?, limit: Int,
    sortDescriptors: [NSSortDescriptor]?, includeDocumentData: Bool,
    resultsHandler:
      @escaping @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void
  ) {
    type = documentType
    most = limit
    sorts = sortDescriptors
    includesData = includeDocumentData
    handler = QueryHandler(resultsHandler)
    super.init(objectType: documentType, predicate: predicate)
  }

  /// The most documents; `HKObjectQueryNoLimit` for all.
  open var limit: Int { most }
  /// The order.
  open var sortDescriptors: [NSSortDescriptor]? { sorts }
  /// Whether documents have their texts.
  open var includeDocumentData: Bool { includesData }

  override func run(_ execution: QueryExecution) {
    let result = execution.result(of: [type]) { store in
      try SampleRequest(
        [(type, predicate)], order: (sorts ?? []).sampleOrder,
        limit: most > HKObjectQueryNoLimit ? most : nil
      ).samples(in: store).compactMap { sample -> HKDocumentSample? in
        includesData
          ? sample as? HKDocumentSample
          : (sample as? HKCDADocumentSample)?.withoutData ?? sample as? HKDocumentSample
      }
    }
    guard let result else { return }
    guard let documents = result.value, let last = documents.last else {
      return execution.tell(result) { [self] in
        handler.function?(self, $0.value, true, $0.error)
      }
    }
    for document in documents.dropLast() {
      execution.tell { [self] in handler.function?(self, [document], false, nil) }
    }
    execution.tell { [self] in handler.function?(self, [last], true, nil) }
  }

  override func releaseHandlers() { handler.function = nil }
}
