import Foundation
internal import HealthQuery
internal import HealthSamples
internal import HealthStore

/// A question for samples: types with predicates, the order, and the most samples.
///
/// Rows of the store decide as much of a predicate as they can; the objects decide the rest.
struct SampleRequest {
  /// One type with the tree that any of its samples must match.
  struct Part {
    var type: SampleType
    var tree: PredicateTree
    var rows: RowCondition
  }

  /// Types that are rows.
  private(set) var parts: [Part] = []
  /// Types that are elements.
  private(set) var elementParts: [ElementPart] = []
  private let order: SampleOrder
  let limit: Int?

  /// Makes a request; several predicates of one type ask for the samples that match any.
  ///
  /// - Throws: `HKError` for a type of which a store has no samples
  init(
    _ descriptors: [(type: HKSampleType, predicate: NSPredicate?)], order: SampleOrder, limit: Int?
  ) throws(HKError) {
    self.order = order
    self.limit = limit
    for (type, predicate) in descriptors {
      let tree = predicate?.tree ?? .always(true)
      guard let stored = type.storedType else {
        try add(type, tree)
        continue
      }
      if let known = parts.firstIndex(where: { $0.type == stored }) {
        parts[known].tree = .any([parts[known].tree, tree])
      } else {
        parts.append(Part(type: stored, tree: tree, rows: .always(true)))
      }
    }
    for index in parts.indices {
      parts[index].rows = parts[index].tree.rows(of: parts[index].type)
    }
  }

  private mutating func add(_ type: HKSampleType, _ tree: PredicateTree) throws(HKError) {
    guard !type.elementKinds.isEmpty else {
      throw HKError.invalid("There are no samples of \(type.identifier)")
    }
    if let known = elementParts.firstIndex(where: { $0.type == type }) {
      elementParts[known].tree = .any([elementParts[known].tree, tree])
    } else {
      elementParts.append(ElementPart(type: type, tree: tree))
    }
  }

  /// The samples in their order.
  func samples(in store: SampleStore) throws -> [HKSample] {
    var samples: [HKSample] = []
    try forEach(in: store) {
      samples.append($0)
      return true
    }
    return samples
  }

  /// Visits the samples in their order until a body returns false.
  func forEach(in store: SampleStore, _ body: (HKSample) throws -> Bool) throws {
    try store.snapshot { try resolved(in: store).forEachNow(in: store, body) }
  }

  /// The request with identities instead of what only a store can answer, and for samples that its
  /// reader may see alone.
  func resolved(in store: SampleStore) throws -> SampleRequest {
    var request = self
    let history = try ReadableHistory(of: store)
    for index in parts.indices {
      let tree = history.limiting(
        try parts[index].tree.resolved(in: store), of: parts[index].type)
      guard tree != parts[index].tree else { continue }
      request.parts[index].tree = tree
      request.parts[index].rows = tree.rows(of: parts[index].type)
    }
    for index in elementParts.indices {
      request.elementParts[index].tree = try elementParts[index].tree.resolved(in: store)
    }
    return request
  }

  private func forEachNow(in store: SampleStore, _ body: (HKSample) throws -> Bool) throws {
    switch order {
    case .store(let sorts) where parts.count == 1 && elementParts.isEmpty:
      try visit(parts[0], sorts, limit, in: store, body)
    case .store(let sorts) where sorts.isByStart && isOneKindOfElement:
      var left = limit ?? .max
      try elementParts[0].forEach(
        in: store, isNewestFirst: sorts.first?.isDescending ?? false
      ) { sample, _ in
        left -= 1
        return try body(sample) && left > 0
      }
    case .store(let sorts):
      try forEachSorted(
        by: sorts, limit: limit, in: store, { sorts.areInOrder($0, $1) }, body)
    case .objects(let areInOrder):
      try forEachSorted(by: [], limit: nil, in: store, areInOrder, body)
    }
  }

  /// Whether all samples are elements of one kind, which a store has in order.
  private var isOneKindOfElement: Bool {
    parts.isEmpty && elementParts.count == 1 && elementParts[0].type.elementKinds.count == 1
  }

  /// Visits the samples of all types in an order of objects; samples that are alike stay in the
  /// order of types and of the store.
  private func forEachSorted(
    by sorts: [SampleSort], limit most: Int?, in store: SampleStore,
    _ areInOrder: (HKSample, HKSample) -> Bool, _ body: (HKSample) throws -> Bool
  ) throws {
    var samples: [HKSample] = []
    for part in parts {
      try visit(part, sorts, most, in: store) {
        samples.append($0)
        return true
      }
    }
    for part in elementParts {
      try part.forEach(in: store) { sample, _ in
        samples.append(sample)
        return true
      }
    }
    // `sort` is stable, although it does not promise to be.
    let places = samples.indices.sorted { left, right in
      if areInOrder(samples[left], samples[right]) { return true }
      return !areInOrder(samples[right], samples[left]) && left < right
    }
    for place in places.prefix(limit ?? .max) {
      guard try body(samples[place]) else { return }
    }
  }

  /// Visits the samples of one type in an order that the store knows.
  private func visit(
    _ part: Part, _ sorts: [SampleSort], _ limit: Int?, in store: SampleStore,
    _ body: (HKSample) throws -> Bool
  ) throws {
    let query = SampleQuery(
      types: [part.type], predicate: part.rows.condition, sort: sorts,
      limit: part.rows.isExact ? limit : nil)
    var left = limit ?? .max
    var waiting = WaitingRows()
    func goesOn() throws -> Bool {
      for sample in try waiting.samples(in: store) {
        guard try part.rows.isExact || part.tree.holds(for: sample) else { continue }
        left -= 1
        guard try body(sample), left > 0 else { return false }
      }
      return true
    }
    var isStopped = false
    try store.forEachSample(query) { batch, rows in
      waiting.append(rows, of: batch)
      if waiting.count < WaitingRows.most { return true }
      isStopped = try !goesOn()
      return !isStopped
    }
    if !isStopped { _ = try goesOn() }
  }
}

/// Runs of rows that become samples together: where sources alternate, a run is one row.
private struct WaitingRows {
  /// The rows at which they become samples.
  static let most = 4_096

  private(set) var count = 0
  private var runs: [(batch: RecordColumns, rows: [Int])] = []
  private var writer = SampleWriter()

  mutating func append(_ rows: [Int], of batch: RecordColumns) {
    runs.append((batch, rows))
    count += rows.count
  }

  /// The samples of all rows, which wait no longer.
  mutating func samples(in store: SampleStore) throws -> [HKSample] {
    let uuids = try store.identities(
      of: runs.flatMap { run in run.rows.map { run.batch.serials[$0] } })
    var first = 0
    for run in runs {
      writer.append(run.rows, of: run.batch) { uuids[first + $0] }
      first += run.rows.count
    }
    (runs, count) = ([], 0)
    defer { writer.samples = [] }
    return try store.withMeasurements(writer.samples)
  }
}

extension SampleStore {
  /// Rows of the store as samples with their UUIDs.
  func objects(_ rows: RecordColumns) throws -> [HKSample] {
    try withMeasurements(rows.samples(identities: identities(of: rows.serials)))
  }
}

extension [SampleSort] {
  /// Whether the order is that of starts alone.
  fileprivate var isByStart: Bool { isEmpty || count == 1 && self[0].key == .start }

  /// Whether the first sample comes before the second, by start or end.
  fileprivate func areInOrder(_ left: HKSample, _ right: HKSample) -> Bool {
    for sort in self {
      let dates =
        sort.key == .end ? (left.endDate, right.endDate) : (left.startDate, right.startDate)
      if dates.0 != dates.1 { return (dates.0 < dates.1) != sort.isDescending }
    }
    return false
  }
}
