public import Foundation
import HealthQuery

/// A sort by a property, which has a key.
final class KeySort: NSSortDescriptor {
  /// The key: one of `HKSampleSortIdentifier…` or a path of properties; the object itself for `nil`.
  let path: String?
  private let comparison: Comparator?

  init(path: String?, ascending: Bool, comparison: Comparator? = nil) {
    self.path = path
    self.comparison = comparison
    super.init(keyPath: \NSString.length, ascending: ascending)
  }

  /// Foundation's sort descriptors have no archives on Linux.
  required init?(coder: NSCoder) { nil }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override var reversedSortDescriptor: Any {
    KeySort(path: path, ascending: !ascending, comparison: comparison)
  }

  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    raising { () throws(ObjectError) in try order(object1, object2) }
  }

  /// The order of two objects; objects without a value are the smallest.
  func order(_ left: Any, _ right: Any) throws(ObjectError) -> ComparisonResult {
    let keys = (path.map { FormatParser.keys(of: $0) } ?? [])[...]
    let values = (
      try PredicateKey.value(at: keys, of: left), try PredicateKey.value(at: keys, of: right)
    )
    let order =
      if let comparison {
        comparison(values.0.argument ?? NSNull(), values.1.argument ?? NSNull())
      } else {
        values.0.sortOrder(relativeTo: values.1)
      }
    return ascending ? order : order.reversed
  }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeySort else { return false }
    return self === other
      || path == other.path && ascending == other.ascending && comparison == nil
        && other.comparison == nil
  }

  override var hash: Int { path.hashValue }

  /// The key as a store knows it; `nil` for one that only objects have.
  var storeSort: SampleSort? {
    guard comparison == nil, let path else { return nil }
    let key: SampleSort.Key
    switch path {
    case HKSampleSortIdentifierStartDate, HKPredicateKeyPathStartDate: key = .start
    case HKSampleSortIdentifierEndDate, HKPredicateKeyPathEndDate: key = .end
    default: return nil
    }
    return SampleSort(key, isDescending: !ascending)
  }
}

extension Operand {
  /// The order in sorts: no value first; values that cannot be compared are alike.
  fileprivate func sortOrder(relativeTo other: Operand) -> ComparisonResult {
    switch (self, other) {
    case (.null, .null): .orderedSame
    case (.null, _): .orderedAscending
    case (_, .null): .orderedDescending
    case (.uuid(let left), .uuid(let right)): left.uuidString.compare(right.uuidString)
    default: order(relativeTo: other) ?? .orderedSame
    }
  }
}

extension ComparisonResult {
  fileprivate var reversed: ComparisonResult {
    switch self {
    case .orderedAscending: .orderedDescending
    case .orderedSame: .orderedSame
    case .orderedDescending: .orderedAscending
    }
  }
}

extension NSSortDescriptor {
  /// A sort by a key: `HKSampleSortIdentifierStartDate` and its kin, or a path such as
  /// `"startDate"`.
  ///
  /// To compare by a key that no object has traps.
  public convenience init(key: String?, ascending: Bool) {
    self.init(sort: KeySort(path: key, ascending: ascending))
  }

  /// A sort by a key with a comparison of its values.
  ///
  /// To compare by a key that no object has traps.
  @preconcurrency
  public convenience init(
    key: String?, ascending: Bool, comparator cmptr: @escaping Comparator
  ) {
    self.init(sort: KeySort(path: key, ascending: ascending, comparison: cmptr))
  }

  private convenience init(sort: KeySort) {
    guard let sort = sort as? Self else { raise(ObjectError(.subclassed)) }
    self.init(substitute: sort)
  }

  /// The key; `nil` for a sort by something else.
  public var key: String? { (self as? KeySort)?.path }

  /// The order of two objects.
  ///
  /// `compare(_:to:)` of a sort by a key traps where this throws.
  ///
  /// - Throws: ``ObjectError`` for a key that no object has
  public func order(of left: Any, and right: Any) throws(ObjectError) -> ComparisonResult {
    if let sort = self as? KeySort { return try sort.order(left, right) }
    return compare(left, to: right)
  }
}

// MARK: - Sorts of queries

/// How the samples of a query are sorted.
enum SampleOrder {
  /// By keys that a store knows.
  case store([SampleSort])
  /// Only by comparing objects: whether the first comes before the second.
  case objects((HKSample, HKSample) -> Bool)
}

extension Collection<NSSortDescriptor> {
  /// The order of the samples.
  var sampleOrder: SampleOrder {
    let sorts = compactMap { ($0 as? KeySort)?.storeSort }
    guard sorts.count != count else { return .store(sorts) }
    return .objects { left, right in
      for descriptor in self {
        switch descriptor.compare(left, to: right) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return false
    }
  }
}

extension Array {
  /// The order of the samples.
  func sampleOrder<Sample: HKSample>() -> SampleOrder where Element == SortDescriptor<Sample> {
    let start: PartialKeyPath<Sample> = \Sample.startDate
    let end: PartialKeyPath<Sample> = \Sample.endDate
    let sorts = compactMap { descriptor -> SampleSort? in
      guard let path = descriptor.keyPath else { return nil }
      let isDescending = descriptor.order == .reverse
      if path == start { return SampleSort(.start, isDescending: isDescending) }
      if path == end { return SampleSort(.end, isDescending: isDescending) }
      return nil
    }
    guard sorts.count != count else { return .store(sorts) }
    return .objects { left, right in
      guard let left = left as? Sample, let right = right as? Sample else { return false }
      return compare(left, right) == .orderedAscending
    }
  }
}
