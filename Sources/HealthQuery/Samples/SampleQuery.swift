import Foundation
public import HealthSamples
public import HealthStore
import HealthUnits

/// A query for the samples themselves, as they were recorded.
///
/// ```swift
/// var query = SampleQuery(types: [heartRate])
/// query.predicate = .value(.greater, 120, unit: try UnitExpression("count/min"))
/// query.sort = [SampleSort(.start, isDescending: true)]
/// query.limit = 10
/// try store.forEachSample(query) { batch, rows in … }
/// ```
public struct SampleQuery: Sendable, Hashable, Codable {
  /// The types; one that repeats counts once.
  public var types: [SampleType]
  /// What samples must be.
  public var predicate: SamplePredicate
  /// The order, the most important first; by start, the oldest first, when it is empty.
  ///
  /// Samples that are equal in all of these are in the order of start, end, type of ``types`` and
  /// source; where the only sort is by descending start, in the reverse of it.
  public var sort: [SampleSort]
  /// The most samples; all for `nil`.
  public var limit: Int?
  /// Only samples that were added after it, in the order in which they were, unless there is a
  /// ``sort``.
  ///
  /// The next page after a limit begins after the serial of the last sample.
  public var after: StoreAnchor?

  /// Makes a query for all samples of some types.
  public init(
    types: [SampleType], predicate: SamplePredicate = .all([]), sort: [SampleSort] = [],
    limit: Int? = nil
  ) {
    (self.types, self.predicate, self.sort, self.limit) = (types, predicate, sort, limit)
  }
}

/// A sort of samples by one property.
public struct SampleSort: Sendable, Hashable, Codable {
  /// A property.
  public enum Key: String, Sendable, Hashable, Codable, CaseIterable {
    /// The start.
    case start
    /// The end; one before its start is treated as the start.
    case end
    /// The value in the canonical unit, or the raw value of a category.
    case value
    /// The name of the source.
    case source
    /// The order in which the store got the samples.
    case added
  }

  /// The property.
  public var key: Key
  /// Whether the largest come first.
  public var isDescending: Bool

  /// Makes a sort, of the smallest first by default.
  public init(_ key: Key, isDescending: Bool = false) {
    (self.key, self.isDescending) = (key, isDescending)
  }
}

extension SampleQuery {
  /// The sorts that decide.
  var order: [SampleSort] { sort.isEmpty && after != nil ? [SampleSort(.added)] : sort }

  /// Whether the store has samples in the order of the query, or in its reverse.
  var isInOrderOfTime: Bool {
    order.first.map { $0.key == .start && order.count == 1 } ?? true
  }

  /// What the store must read, with the serials of the UUIDs that it has: a scan for each type, and
  /// none if no sample can match.
  func scans(_ known: [UUID: Int64]) throws(QueryError) -> [SampleScan] {
    try checkUnits(of: predicate)
    let predicate = predicate.merged
    let window = predicate.window()
    guard window != .never else { return [] }
    var seen: Set<SampleType> = []
    return types.filter { seen.insert($0).inserted }.map { type in
      var scan = SampleScan(
        of: type, in: window == .always ? nil : window.range, after: after?.serial ?? 0)
      guard !predicate.isWindow(window) else { return scan }
      scan.mayContain = { predicate.truthBounds(within: $0, known).canHold }
      scan.asksForValues = predicate.asksForValues
      scan.rows = { batch in (0..<batch.count).filter(predicate.test(of: batch, known)) }
      return scan
    }
  }

  /// A unit that none of the types has is a mistake.
  private func checkUnits(of predicate: SamplePredicate) throws(QueryError) {
    var (units, known): ([UnitExpression], Set<UnitExpression>) = ([], [])
    predicate.addUnits(to: &units, &known)
    let canonicals = types.compactMap(\.canonicalUnit)
    for unit in units {
      guard let canonical = canonicals.first else {
        if let type = types.first { throw QueryError(.notAQuantity(type)) }
        return
      }
      guard !canonicals.contains(where: { (try? UnitConversion(from: $0, to: unit)) != nil }) else {
        continue
      }
      throw QueryError(.incompatibleUnit(unit, canonical: canonical))
    }
  }
}

extension SamplePredicate {
  /// Adds the units of values, each once.
  fileprivate func addUnits(
    to units: inout [UnitExpression], _ known: inout Set<UnitExpression>
  ) {
    switch self {
    case .all(let parts), .any(let parts): for part in parts { part.addUnits(to: &units, &known) }
    case .not(let part): part.addUnits(to: &units, &known)
    case .value(_, _, .some(let unit)): if known.insert(unit).inserted { units.append(unit) }
    default: return
    }
  }
}
