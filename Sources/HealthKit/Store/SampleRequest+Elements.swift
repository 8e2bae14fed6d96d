import Foundation
internal import HealthQuery
internal import HealthSamples
internal import HealthStore

/// A request for samples of one type that a store has as elements.
struct ElementPart {
  var type: HKSampleType
  /// What any of the samples must match.
  var tree: PredicateTree

  /// Visits the samples in order of start, those with serials of a range, until a body returns false.
  func forEach(
    in store: SampleStore, isNewestFirst: Bool = false, serials: Range<Int64>? = nil,
    _ body: (HKSample, Int64) throws -> Bool
  ) throws {
    let bounds = tree.bounds
    if let uuids = bounds.uuids, uuids.isEmpty { return }
    var waiting: [IdentifiedElement] = []
    var isStopped = false
    func visit(_ sample: HKSample?, _ serial: Int64) throws {
      guard !isStopped, let sample, sample.sampleType == type, try tree.holds(for: sample) else {
        return
      }
      isStopped = try !body(sample, serial)
    }
    for kind in type.elementKinds {
      try store.forEachIdentifiedElement(
        of: kind, in: bounds.span, serials: serials, uuids: bounds.uuids,
        isNewestFirst: isNewestFirst
      ) { element in
        if kind == .correlation {
          // Their samples are read together, afterwards.
          waiting.append(element)
          return true
        }
        try visit(element.object(), element.serial)
        return !isStopped
      }
    }
    guard !waiting.isEmpty else { return }
    let members = try store.members(of: waiting)
    for element in waiting {
      try visit(element.object(members: members[element.uuid]), element.serial)
    }
  }
}

/// Bounds of times and identities: every object that matches a predicate is within them.
struct ElementBounds {
  /// Objects end at or after the lower bound, and start at or before the upper one.
  var span = -Double.infinity...Double.infinity
  /// The identities; `nil` for any.
  var uuids: Set<UUID>?

  fileprivate mutating func limit(to other: ElementBounds) {
    let lower = max(span.lowerBound, other.span.lowerBound)
    // Bounds that exclude each other match nothing; so does an instant.
    span = lower...max(lower, min(span.upperBound, other.span.upperBound))
    if let more = other.uuids { uuids = uuids?.intersection(more) ?? more }
  }
}

extension PredicateTree {
  /// The bounds of all objects that match.
  var bounds: ElementBounds {
    var bounds = ElementBounds()
    switch self {
    case .all(let parts):
      for part in parts { bounds.limit(to: part.bounds) }
    case .any(let parts) where parts.count == 1: return parts[0].bounds
    case .always(false): bounds.uuids = []
    case .condition(let condition):
      guard let (path, operation, value) = condition.propertyAndValue else { return bounds }
      // A date that is not a number bounds nothing.
      if case .date(let date) = value, date.timeIntervalSinceReferenceDate.isNaN { return bounds }
      switch (path, operation, value) {
      case ([HKPredicateKeyPathUUID], .equal, .uuid(let uuid)): bounds.uuids = [uuid]
      case ([HKPredicateKeyPathUUID], .isIn, .list(let list)):
        bounds.uuids = Set(list.compactMap { if case .uuid(let uuid) = $0 { uuid } else { nil } })
      case ([HKPredicateKeyPathStartDate], .less, .date(let date)),
        ([HKPredicateKeyPathStartDate], .lessOrEqual, .date(let date)),
        ([HKPredicateKeyPathEndDate], .less, .date(let date)),
        ([HKPredicateKeyPathEndDate], .lessOrEqual, .date(let date)):
        bounds.span = -.infinity...date.timeIntervalSinceReferenceDate
      case ([HKPredicateKeyPathStartDate], .greater, .date(let date)),
        ([HKPredicateKeyPathStartDate], .greaterOrEqual, .date(let date)),
        ([HKPredicateKeyPathEndDate], .greater, .date(let date)),
        ([HKPredicateKeyPathEndDate], .greaterOrEqual, .date(let date)):
        bounds.span = date.timeIntervalSinceReferenceDate ... .infinity
      default: break
      }
    case .any, .not, .always, .some, .opaque: break
    }
    return bounds
  }
}

// MARK: Samples of several measurements

extension SampleStore {
  /// Samples of one type with their single measurements, where an app saved several.
  func withMeasurements(_ samples: [HKSample]) throws -> [HKSample] {
    guard let type = samples.first?.sampleType as? HKQuantityType,
      try hasSavedObjects(ofType: type.identifier)
    else { return samples }
    let starts = samples.map(\.startDate.timeIntervalSinceReferenceDate)
    var series: [UUID: QuantitySeries] = [:]
    let span = (starts.min() ?? 0)...(starts.max() ?? 0)
    try forEachIdentifiedElement(of: .savedObject, in: span) { element in
      if case .savedObjects(let columns) = element.element, let row = columns.rows.first,
        row.type == type.identifier
      {
        series[element.uuid] = row.measurements
      }
      return true
    }
    let owners = Dictionary(
      try associations(.measurements, ofMembers: Array(series.keys)).map { ($0.owner, $0.member) }
    ) { first, _ in first }
    return samples.map { sample in
      guard let sample = sample as? HKQuantitySample, let member = owners[sample.uuid],
        let series = series[member]
      else { return sample }
      return HKQuantitySample.make(
        type, sample.value, sample.unit, start: sample.startDate, end: sample.endDate,
        facts: sample.facts, series: series)
    }
  }
}

// MARK: Samples of correlations

/// The properties by which links refer to a record.
struct LinkKey: Hashable {
  let type: String
  let source: Source
  let start: Double
  let end: Double

  fileprivate init(_ link: RecordLink) {
    (type, source, start, end) = (link.type, link.source, link.start, link.end)
  }

  fileprivate init(_ batch: RecordColumns, _ row: Int) {
    (type, source) = (batch.type.identifier, batch.source)
    (start, end) = (batch.starts[row], batch.ends[row])
  }
}

extension SampleStore {
  /// The samples of correlations, by the identity of the correlation.
  ///
  /// Those that an app saved are found by their associations, those of exports by their records.
  func members(of correlations: [IdentifiedElement]) throws -> [UUID: Set<HKSample>] {
    var members: [UUID: Set<HKSample>] = [:]
    let saved = try associations(.correlation, of: correlations.map(\.uuid))
    let samples = try self.samples(withIdentities: Set(saved.map(\.member)))
    for association in saved {
      guard let sample = samples[association.member] else { continue }
      members[association.owner, default: []].insert(sample)
    }
    let owners = Set(saved.map(\.owner))
    let others = correlations.filter { !owners.contains($0.uuid) }
    let links = others.map { ($0.uuid, $0.links) }
    let found = try self.samples(of: links.flatMap(\.1))
    for (uuid, links) in links {
      members[uuid] = Set(links.compactMap { link in found[LinkKey(link)]?.first(equalTo: link) })
    }
    return members
  }

  /// Samples that are rows, by identity; unknown ones and those that the reader may not see are left
  /// out.
  func samples(withIdentities uuids: Set<UUID>) throws -> [UUID: HKSample] {
    guard !uuids.isEmpty else { return [:] }
    let history = try ReadableHistory(of: self)
    var samples: [UUID: HKSample] = [:]
    for batch in try records(SampleQuery(types: types().map(\.type), predicate: .uuid(uuids))) {
      for (row, sample) in try objects(batch).enumerated() where history.contains(row, of: batch) {
        samples[sample.uuid] = sample
      }
    }
    return samples
  }

  /// The samples of records, by what links say of them.
  func samples(of links: [RecordLink]) throws -> [LinkKey: [HKSample]] {
    guard let first = links.map(\.start).min(), let last = links.map(\.start).max() else {
      return [:]
    }
    let keys = Set(links.map { LinkKey($0) })
    let types = Set(links.map(\.type))
    let isLinked = RowTest { batch, row in
      keys.contains(LinkKey(batch, row))
    }
    let query = SampleQuery(
      types: try self.types().map(\.type).filter { types.contains($0.identifier) },
      predicate: .all([
        .start(.greaterOrEqual, first), .start(.lessOrEqual, last), .rows(isLinked),
      ]))
    var samples: [LinkKey: [HKSample]] = [:]
    for batch in try records(query) {
      for (row, sample) in try objects(batch).enumerated() {
        samples[LinkKey(batch, row), default: []].append(sample)
      }
    }
    return samples
  }
}

extension IdentifiedElement {
  /// The records of a correlation; none for another element.
  fileprivate var links: [RecordLink] {
    if case .correlations(let columns) = element { columns.rows.flatMap(\.members) } else { [] }
  }
}

extension [HKSample] {
  /// The sample with the value of a link; of samples of one time the first without such a value.
  fileprivate func first(equalTo link: RecordLink) -> HKSample? {
    guard count > 1 else { return first }
    return first { sample in
      switch sample {
      case let sample as HKQuantitySample:
        let unit = HKUnit(sample.quantityType.core.unit)
        guard let value = try? sample.quantity.value(in: unit) else { return false }
        return (value - link.value).magnitude <= 1e-9 * link.value.magnitude
      case let sample as HKCategorySample: return Double(sample.value) == link.value
      default: return false
      }
    } ?? first
  }
}
