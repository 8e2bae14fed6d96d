import Foundation
import HealthSamples
import HealthStore
import HealthUnits

/// What a condition may be for the rows within bounds.
struct TruthBounds: Equatable {
  /// Whether it may hold for any row.
  var canHold: Bool
  /// Whether it may fail for any row.
  var canFail: Bool

  static let unknown = TruthBounds(canHold: true, canFail: true)

  /// A condition that is the same for all rows.
  static func always(_ holds: Bool) -> TruthBounds { TruthBounds(canHold: holds, canFail: !holds) }
}

extension SamplePredicate {
  /// What the condition may be for rows within bounds: the outcomes of all rows are among these.
  ///
  /// `known` has the serials of the UUIDs that the store has.
  ///
  /// - Complexity: O(conditions)
  func truthBounds(within bounds: ChunkBounds, _ known: [UUID: Int64]) -> TruthBounds {
    var values: [UnitExpression?: ClosedRange<Double>?] = [:]
    return truthBounds(within: bounds, known, &values)
  }

  /// The same, with the values in the units that conditions have asked for: thousands may ask for one.
  private func truthBounds(
    within bounds: ChunkBounds, _ known: [UUID: Int64],
    _ values: inout [UnitExpression?: ClosedRange<Double>?]
  ) -> TruthBounds {
    switch self {
    case .all(let parts):
      let parts = parts.map { $0.truthBounds(within: bounds, known, &values) }
      return TruthBounds(
        canHold: parts.allSatisfy(\.canHold), canFail: parts.contains(where: \.canFail))
    case .any(let parts):
      let parts = parts.map { $0.truthBounds(within: bounds, known, &values) }
      return TruthBounds(
        canHold: parts.contains(where: \.canHold), canFail: parts.allSatisfy(\.canFail))
    case .not(let part):
      let part = part.truthBounds(within: bounds, known, &values)
      return TruthBounds(canHold: part.canFail, canFail: part.canHold)
    case .start(let compares, let instant): return compares.truthBounds(bounds.starts, instant)
    case .end(let compares, let instant):
      return compares.truthBounds(bounds.ends, instant)
    case .duration(let compares, let seconds):
      return compares.truthBounds(0...bounds.longest, seconds)
    case .value(let compares, let number, let unit):
      if values[unit] == nil { values[unit] = .some(bounds.values(in: unit)) }
      return values[unit]?.map { compares.truthBounds($0, number) } ?? .unknown
    case .constant(let name):
      guard bounds.type.canonicalUnit == nil else { return .always(false) }
      return bounds.label.map { .always($0 == name) } ?? .unknown
    case .source(let name): return .always(bounds.source.isNamed(name))
    case .sources(let sources): return .always(sources.contains(SourceName(bounds.source)))
    case .userEntered(let isUserEntered):
      return .always(bounds.source.isUserEntered == isUserEntered)
    case .uuid(let uuids):
      let mayHold = uuids.contains { known[$0].map(bounds.serials.contains) ?? false }
      return TruthBounds(canHold: mayHold, canFail: true)
    case .sourceVersion, .device, .metadata, .rows: return .unknown
    }
  }

  /// The UUIDs that the tree asks for.
  var uuids: Set<UUID> {
    var uuids: Set<UUID> = []
    addUUIDs(to: &uuids)
    return uuids
  }

  private func addUUIDs(to all: inout Set<UUID>) {
    switch self {
    case .all(let parts), .any(let parts): for part in parts { part.addUUIDs(to: &all) }
    case .not(let part): part.addUUIDs(to: &all)
    case .uuid(let uuids): all.formUnion(uuids)
    default: break
    }
  }

  /// Whether ``truthBounds(within:_:)`` uses labels or values of chunks.
  var asksForValues: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.asksForValues)
    case .not(let part): part.asksForValues
    case .value, .constant: true
    default: false
    }
  }
}

extension Comparison {
  /// The bounds of the truth for values of a range; each bound may be a value.
  fileprivate func truthBounds(_ range: ClosedRange<Double>, _ given: Double) -> TruthBounds {
    let (low, high) = (range.lowerBound, range.upperBound)
    return switch self {
    case .less: TruthBounds(canHold: low < given, canFail: !(high < given))
    case .lessOrEqual: TruthBounds(canHold: low <= given, canFail: !(high <= given))
    case .greater: TruthBounds(canHold: high > given, canFail: !(low > given))
    case .greaterOrEqual: TruthBounds(canHold: high >= given, canFail: !(low >= given))
    case .equal:
      TruthBounds(canHold: low <= given && given <= high, canFail: !(low == given && high == given))
    case .notEqual:
      TruthBounds(canHold: !(low == given && high == given), canFail: low <= given && given <= high)
    }
  }
}

extension ChunkBounds {
  /// Where rows end.
  fileprivate var ends: ClosedRange<Double> {
    SampleTime.closed(from: starts.lowerBound, to: lastEnd)
  }

  /// The most seconds from start to end.
  fileprivate var longest: Double {
    let longest = ends.upperBound - starts.lowerBound
    return longest.isNaN ? .infinity : max(0, longest)
  }

  /// The values in a unit; `nil` when they cannot be told.
  fileprivate func values(in unit: UnitExpression?) -> ClosedRange<Double>? {
    guard type.canonicalUnit != nil else { return unit == nil ? values : nil }
    guard let label, let conversion = type.conversion(from: label, to: unit), conversion.isLinear
    else { return nil }
    // Nearest doubles of a linear function ascend or descend with the numbers.
    let (low, high) = (conversion(values.lowerBound), conversion(values.upperBound))
    guard low <= high || high <= low else { return nil }
    return min(low, high)...max(low, high)
  }
}

/// The time of the rows for which a condition may hold, told by their first end and the limit of their
/// starts.
extension SamplePeriod {
  static let always = SamplePeriod()
  static let never = SamplePeriod(firstEnd: .infinity, startLimit: -.infinity)

  /// The rows in both.
  fileprivate func intersection(_ other: Self) -> Self {
    guard self != .never, other != .never else { return .never }
    return Self(
      firstEnd: max(firstEnd, other.firstEnd), startLimit: min(startLimit, other.startLimit))
  }

  /// At least the rows in either.
  fileprivate func union(_ other: Self) -> Self {
    if self == .never { return other }
    if other == .never { return self }
    return Self(
      firstEnd: min(firstEnd, other.firstEnd), startLimit: max(startLimit, other.startLimit))
  }
}

extension SamplePredicate {
  /// At least the time of all rows for which the condition holds, or with `isNegated` fails.
  ///
  /// - Complexity: O(conditions)
  func window(isNegated: Bool = false) -> SamplePeriod {
    switch self {
    case .all(let parts), .any(let parts):
      let windows = parts.map { $0.window(isNegated: isNegated) }
      var isIntersection = isNegated
      if case .all = self { isIntersection.toggle() }
      return isIntersection
        ? windows.reduce(.always) { $0.intersection($1) }
        : windows.reduce(.never) { $0.union($1) }
    case .not(let part): return part.window(isNegated: !isNegated)
    case .start(let compares, let instant), .end(let compares, let instant):
      return (isNegated ? compares.negated : compares).window(of: instant)
    default: return .always
    }
  }
}

extension SamplePredicate {
  /// Whether the condition says no more than that rows are in its window.
  func isWindow(_ window: SamplePeriod) -> Bool {
    isOfTimeOnly && window.firstEnd <= window.startLimit
  }

  private var isOfTimeOnly: Bool {
    switch self {
    case .all(let parts): parts.allSatisfy(\.isOfTimeOnly)
    case .start(.less, let instant): instant.isFinite || instant == .infinity
    case .end(.greaterOrEqual, let instant): instant.isFinite || instant == -.infinity
    default: false
    }
  }
}

extension Comparison {
  /// The comparison that holds where this one fails.
  fileprivate var negated: Self {
    switch self {
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .equal: .notEqual
    case .notEqual: .equal
    case .greaterOrEqual: .less
    case .greater: .lessOrEqual
    }
  }

  /// The window of rows whose start or end compares so with an instant: one that starts at it or
  /// later ends no earlier, one that ends at it or earlier starts no later.
  fileprivate func window(of instant: Double) -> SamplePeriod {
    // A comparison with NaN and its negation are not each other's opposites.
    guard instant.isFinite else { return .always }
    return switch self {
    case .less: SamplePeriod(startLimit: instant)
    case .lessOrEqual: SamplePeriod(startLimit: instant.nextUp)
    case .equal: SamplePeriod(firstEnd: instant, startLimit: instant.nextUp)
    case .notEqual: .always
    case .greaterOrEqual, .greater: SamplePeriod(firstEnd: instant)
    }
  }
}
