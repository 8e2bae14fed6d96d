public import Foundation
internal import HealthQuery
internal import HealthSamples
internal import HealthStore
import Synchronization

/// A query for what was added and deleted since an anchor, and from then on.
open class HKAnchoredObjectQuery: HKQuery, @unchecked Sendable {
  private typealias Handler =
    QueryHandler<
      @Sendable (
        HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
      ) -> Void
    >

  private let descriptors: [HKQueryDescriptor]
  private let start: HKQueryAnchor?
  private let most: Int
  private let handler: Handler
  private let update = Handler()
  /// The state after what a handler got last.
  private let last = Mutex<HKQueryAnchor?>(nil)
  /// Whether the query goes on after an error, such as while the store is locked.
  private let outlivesErrors = Atomic(false)

  /// Makes a query for samples of one type.
  ///
  /// - Parameters:
  ///   - type: the type
  ///   - predicate: what added samples must be; deleted ones are all of the type
  ///   - anchor: the state after which changes count; `nil` for all
  ///   - limit: the most objects of the first answer, or `HKObjectQueryNoLimit`; the next query
  ///     with the anchor of the answer goes on from there
  ///   - handler: gets the changes and the new anchor, or the error, once
  @preconcurrency
  public init(
    type: HKSampleType, predicate: NSPredicate?, anchor: HKQueryAnchor?, limit: Int,
    resultsHandler handler:
      @escaping @Sendable (
        HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
      ) -> Void
  ) {
    descriptors = [HKQueryDescriptor(sampleType: type, predicate: predicate)]
    start = anchor
    most = limit
    self.handler = Handler(handler)
    super.init(objectType: type, predicate: predicate)
  }

  /// Makes a query for samples that match any of some descriptors.
  @preconcurrency
  public init(
    queryDescriptors: [HKQueryDescriptor], anchor: HKQueryAnchor?, limit: Int,
    resultsHandler handler:
      @escaping @Sendable (
        HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
      ) -> Void
  ) {
    descriptors = queryDescriptors
    start = anchor
    most = limit
    self.handler = Handler(handler)
    super.init(objectType: nil, predicate: nil)
  }

  /// Makes a query with a number as anchor, which does not report deleted samples.
  ///
  /// Deprecated: use the initializer with an ``HKQueryAnchor``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  @preconcurrency
  public init(
    type: HKSampleType, predicate: NSPredicate?, anchor: Int, limit: Int,
    completionHandler handler:
      @escaping @Sendable (
        HKAnchoredObjectQuery, [HKSample]?, Int, (any Error)?
      ) -> Void
  ) {
    descriptors = [HKQueryDescriptor(sampleType: type, predicate: predicate)]
    start = HKQueryAnchor(fromValue: anchor)
    most = limit
    self.handler = Handler({ query, samples, _, next, error in
      let serial = next.flatMap { StoreAnchor($0.text) }?.serial
      handler(query, samples, serial.map { Int($0) } ?? anchor, error)
    })
    super.init(objectType: type, predicate: predicate)
  }

  /// Gets what any process changes after the first answer, until the query is stopped; it must be
  /// set before the query is executed.
  ///
  /// After an error the query is over.
  @preconcurrency
  open var updateHandler:
    (
      @Sendable (
        HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
      ) -> Void
    )?
  {
    get { update.function }
    set { update.function = newValue }
  }

  override func check() throws(ObjectError) {
    try check(descriptors, of: "HKAnchoredObjectQuery")
  }

  /// Goes on after an error; called before the query is executed.
  func outliveErrors() { outlivesErrors.store(true, ordering: .relaxed) }

  override func run(_ execution: QueryExecution) {
    // Observed before the first answer, so that no change falls between.
    if updateHandler != nil,
      let error = execution.observe(
        descriptors.map(\.sampleType), { [self] in readChange(execution, $0) })
    {
      return execution.end { [self] in handler.function?(self, nil, nil, nil, error) }
    }
    let limit = most > HKObjectQueryNoLimit ? most : nil
    guard let result = changes(execution, after: start, limit: limit) else { return }
    last.withLock { $0 = result.value?.anchor ?? start }
    tell(result, handler, execution)
  }

  private func readChange(_ execution: QueryExecution, _ failure: HKError?) {
    if let failure {
      return execution.end { [self] in update.function?(self, nil, nil, nil, failure) }
    }
    let before = last.withLock { $0 }
    guard let result = changes(execution, after: before, limit: nil) else { return }
    if let changes = result.value {
      last.withLock { $0 = changes.anchor }
      guard !changes.isEmpty else { return }
    }
    tell(result, update, execution)
  }

  private func tell(
    _ result: Result<ObjectChanges, HKError>, _ handler: Handler, _ execution: QueryExecution
  ) {
    let call: @Sendable (Result<ObjectChanges, HKError>) -> Void = { [self] in
      handler.function?(self, $0.value?.added, $0.value?.deleted, $0.value?.anchor, $0.error)
    }
    if outlivesErrors.load(ordering: .relaxed) {
      execution.tell { call(result) }
    } else {
      execution.tell(result, call)
    }
  }

  override func releaseHandlers() { (handler.function, update.function) = (nil, nil) }

  private func changes(
    _ execution: QueryExecution, after anchor: HKQueryAnchor?, limit: Int?
  ) -> Result<ObjectChanges, HKError>? {
    execution.result(of: descriptors.map(\.sampleType)) { store in
      try SampleRequest(
        descriptors.map { ($0.sampleType, $0.predicate) }, order: .store([]), limit: limit
      ).changes(after: anchor, in: store)
    }
  }
}

/// A query that reports that something changed, in any process.
///
/// Its handler is called once when the query begins, and after every change of a matching sample;
/// after an error the query is over. An app that has enabled the background delivery of a type calls the completion handler when it has
/// handled an update; ``HKHealthStore/enableBackgroundDelivery(for:frequency:withCompletion:)`` says
/// what happens when it does not.
open class HKObserverQuery: HKQuery, @unchecked Sendable {
  private typealias Handler =
    QueryHandler<
      @Sendable (
        HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler,
        (any Error)?
      ) -> Void
    >

  private let descriptors: [HKQueryDescriptor]
  private let handler: Handler
  private let last = Mutex<HKQueryAnchor?>(nil)
  private let deliveries = Mutex<ObserverDeliveries?>(nil)

  /// Makes a query for samples of one type.
  ///
  /// - Parameters:
  ///   - sampleType: the type
  ///   - predicate: what added samples must be; deleted ones are all of the type
  ///   - updateHandler: gets what it calls when it has handled the change, and the error
  @preconcurrency
  public init(
    sampleType: HKSampleType, predicate: NSPredicate?,
    updateHandler:
      @escaping @Sendable (
        HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?
      ) -> Void
  ) {
    descriptors = [HKQueryDescriptor(sampleType: sampleType, predicate: predicate)]
    handler = Handler({ updateHandler($0, $2, $3) })
    super.init(objectType: sampleType, predicate: predicate)
  }

  /// Makes a query for samples that match any of some descriptors; the handler gets the types that
  /// changed.
  @preconcurrency
  public init(
    queryDescriptors: [HKQueryDescriptor],
    updateHandler:
      @escaping @Sendable (
        HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler,
        (any Error)?
      ) -> Void
  ) {
    descriptors = queryDescriptors
    handler = Handler(updateHandler)
    super.init(objectType: nil, predicate: nil)
  }

  override func check() throws(ObjectError) { try check(descriptors, of: "HKObserverQuery") }

  override func run(_ execution: QueryExecution) {
    let types = descriptors.map(\.sampleType)
    if let error = execution.observe(types, { [self] in readChange(execution, $0) }) {
      return execution.end { [self] in handler.function?(self, nil, {}, error) }
    }
    let deliveries = ObserverDeliveries(execution.session)
    self.deliveries.withLock { $0 = deliveries }
    let now = execution.result(of: types) { store -> Begin in
      _ = try request
      return try store.snapshot {
        let anchor = HKQueryAnchor(text: try store.anchor().description)
        let change = try store.lastChange()
        return Begin(
          anchor: anchor,
          completion: try deliveries.begin(Set(types), upTo: change, isFirst: true) {})
      }
    }
    guard let now else { return }
    last.withLock { $0 = now.value?.anchor }
    let nothing: @Sendable () -> Void = {}
    let completion = now.value.map { $0.completion } ?? nothing
    let all = now.error == nil ? Set(types) : nil
    execution.tell(now) { [self] in handler.function?(self, all, completion, $0.error) }
  }

  private var request: SampleRequest {
    get throws(HKError) {
      try SampleRequest(
        descriptors.map { ($0.sampleType, $0.predicate) }, order: .store([]), limit: nil)
    }
  }

  private func readChange(_ execution: QueryExecution, _ failure: HKError?) {
    if let failure { return execution.end { [self] in handler.function?(self, nil, {}, failure) } }
    guard let deliveries = deliveries.withLock({ $0 }) else { return }
    let goOn: @Sendable () -> Void = { execution.noteChange() }
    let anchor = last.withLock { $0 }
    let result = execution.result(of: descriptors.map(\.sampleType)) { store -> Update? in
      if let seconds = try deliveries.wait() {
        deliveries.wait(seconds, in: execution, goOn)
        return nil
      }
      let (changes, change) = try store.snapshot {
        (try request.changes(after: anchor, in: store), try store.lastChange())
      }
      last.withLock { $0 = changes.anchor }
      let types = changes.isEmpty ? [] : try deliveries.allowed(changes.types)
      guard !types.isEmpty else { return nil }
      return Update(
        types: types,
        completion: try deliveries.begin(types, upTo: change, isFirst: false, goOn: goOn))
    }
    guard let result else { return }
    switch result {
    case .success(let update?):
      execution.tell { [self] in handler.function?(self, update.types, update.completion, nil) }
    case .success(nil): break
    case .failure(let error): execution.end { [self] in handler.function?(self, nil, {}, error) }
    }
  }

  override func releaseHandlers() { handler.function = nil }

  private struct Begin: Sendable {
    let anchor: HKQueryAnchor
    let completion: @Sendable () -> Void
  }

  private struct Update: Sendable {
    let types: Set<HKSampleType>
    let completion: @Sendable () -> Void
  }
}

/// What changed after an anchor.
struct ObjectChanges: Sendable {
  var added: [HKSample] = []
  var deleted: [HKDeletedObject] = []
  /// The types of all of them.
  var types: Set<HKSampleType> = []
  var anchor: HKQueryAnchor

  var isEmpty: Bool { added.isEmpty && deleted.isEmpty }
}

extension SampleRequest {
  /// What was added and deleted after an anchor, at most as many as the limit.
  func changes(after anchor: HKQueryAnchor?, in store: SampleStore) throws -> ObjectChanges {
    try store.snapshot { try resolved(in: store).changesNow(after: anchor, in: store) }
  }

  private func changesNow(
    after anchor: HKQueryAnchor?, in store: SampleStore
  ) throws -> ObjectChanges {
    guard elementParts.isEmpty else { return try allChanges(after: anchor, in: store) }
    var query = SampleQuery(types: parts.map(\.type), predicate: condition)
    let now = try store.anchor()
    query.after = try anchor?.anchor(in: store, now: now)
    var changes = ObjectChanges(anchor: HKQueryAnchor(text: now.description))
    while true {
      query.limit = limit.map { $0 - changes.added.count - changes.deleted.count }
      let page = try store.changes(query)
      for batch in page.added {
        guard let part = parts.first(where: { $0.type == batch.type }) else { continue }
        for sample in try store.objects(batch)
        where try part.rows.isExact || part.tree.holds(for: sample) {
          changes.added.append(sample)
          changes.types.insert(sample.sampleType)
        }
      }
      for row in page.deleted {
        changes.deleted.append(HKDeletedObject(row))
        if let type = row.type?.healthKitType { changes.types.insert(type) }
      }
      changes.anchor = HKQueryAnchor(text: page.anchor.description)
      let isFull = limit.map { $0 <= changes.added.count + changes.deleted.count } ?? true
      if page.isComplete || isFull { return changes }
      query.after = page.anchor
    }
  }

  /// What was added and deleted after an anchor where some samples are elements: rows and elements
  /// in the order in which the store got them.
  private func allChanges(
    after anchor: HKQueryAnchor?, in store: SampleStore
  ) throws -> ObjectChanges {
    let now = try store.anchor()
    let start = try anchor?.anchor(in: store, now: now) ?? StoreAnchor(before: now)
    try store.check(start)
    var added: [(serial: Int64, sample: HKSample)] = []
    if !parts.isEmpty {
      var query = SampleQuery(types: parts.map(\.type), predicate: condition)
      query.after = start
      for batch in try store.changes(query).added {
        guard let part = parts.first(where: { $0.type == batch.type }) else { continue }
        for (serial, sample) in zip(batch.serials, try store.objects(batch))
        where try part.rows.isExact || part.tree.holds(for: sample) {
          added.append((serial, sample))
        }
      }
    }
    for part in elementParts {
      try part.forEach(in: store, serials: start.serial + 1 ..< .max) { sample, serial in
        added.append((serial, sample))
        return true
      }
    }
    added.sort { $0.serial < $1.serial }
    var changes = ObjectChanges(anchor: HKQueryAnchor(text: now.description))
    func take(_ sample: HKSample) {
      changes.added.append(sample)
      changes.types.insert(sample.sampleType)
    }
    func stop(serial: Int64, deletion: Int64) throws {
      let anchor = try store.anchor(now, serial: serial, deletion: deletion)
      changes.anchor = HKQueryAnchor(text: anchor.description)
    }
    let most = limit ?? .max
    for (serial, sample) in added {
      if changes.added.count == most { return changes }
      take(sample)
      // The next query goes on after this sample.
      if changes.added.count == most { try stop(serial: serial, deletion: start.deletion) }
    }
    if changes.added.count == most { return changes }
    for row in try store.deletions(after: start) {
      guard let type = deletedType(row) else { continue }
      if changes.added.count + changes.deleted.count == most { return changes }
      changes.deleted.append(HKDeletedObject(row))
      changes.types.insert(type)
      if changes.added.count + changes.deleted.count == most {
        try stop(serial: now.serial, deletion: row.deletion)
      }
    }
    return changes
  }

  /// The type of a deleted row among those of the request; `nil` if it is none of them.
  ///
  /// Of an imported element only the kind is known: it counts for each type of that kind.
  private func deletedType(_ row: DeletedRow) -> HKSampleType? {
    if let type = row.type {
      return parts.contains { $0.type == type } ? type.healthKitType : nil
    }
    guard let kind = row.kind else { return nil }
    return elementParts.first { part in
      part.type.elementKinds.contains(kind)
        && (row.name.map { $0 == part.type.identifier } ?? true)
    }?.type
  }

  /// The condition for rows of all types.
  private var condition: SamplePredicate {
    if parts.count == 1 { return parts[0].rows.condition }
    return .any(
      parts.map { part in
        let type = part.type
        return .all([.rows(RowTest { batch, _ in batch.type == type }), part.rows.condition])
      })
  }
}

extension SampleType {
  /// The type of the samples.
  fileprivate var healthKitType: HKSampleType? {
    switch kind {
    case .quantity: HKQuantityType.types[identifier]
    case .category: HKCategoryType.types[identifier]
    }
  }
}

extension HKQueryAnchor {
  /// The anchor of a store; `nil` before the first change.
  ///
  /// A number, which anybody can make up, means the present state at most: there is nothing after it
  /// that the app sees.
  ///
  /// - Throws: `HKError` for a text that no store wrote
  func anchor(in store: SampleStore, now: StoreAnchor) throws -> StoreAnchor? {
    if let anchor = StoreAnchor(text) { return anchor }
    guard let serial = Int64(text), serial >= 0 else {
      throw HKError.invalid("The anchor is not one of a health store")
    }
    return serial == 0 ? nil : try store.anchor(now, serial: min(serial, now.serial), deletion: 0)
  }
}
