import Foundation
import HealthUnits

extension SamplePredicate {
  /// The same condition in fewer parts: what many parts say of one fact, one part says.
  ///
  /// - Complexity: O(conditions)
  var merged: SamplePredicate {
    switch self {
    case .all(let parts):
      var conjunction = Conjunction()
      for part in parts { conjunction.add(part.merged) }
      return conjunction.predicate
    case .any(let parts):
      var disjunction = Disjunction()
      for part in parts { disjunction.add(part.merged) }
      return disjunction.predicate
    case .not(let part): return .not(part.merged)
    default: return self
    }
  }
}

/// A number of a sample.
enum SampleNumber: Hashable {
  case start
  case end
  case duration
  case value(UnitExpression?)

  /// The comparison of it.
  func condition(_ compares: Comparison, _ given: Double) -> SamplePredicate {
    switch self {
    case .start: .start(compares, given)
    case .end: .end(compares, given)
    case .duration: .duration(compares, given)
    case .value(let unit): .value(compares, given, unit: unit)
    }
  }
}

extension SamplePredicate {
  /// The number that a condition compares, with what; `nil` for any other condition.
  var comparison: (number: SampleNumber, compares: Comparison, given: Double)? {
    switch self {
    case .start(let compares, let given): (.start, compares, given)
    case .end(let compares, let given): (.end, compares, given)
    case .duration(let compares, let given): (.duration, compares, given)
    case .value(let compares, let given, let unit): (.value(unit), compares, given)
    default: nil
    }
  }
}

/// Conditions that must all hold.
private struct Conjunction {
  /// The bounds of a number.
  private struct Bounds {
    var least: (compares: Comparison, given: Double)?
    var most: (compares: Comparison, given: Double)?

    /// Narrows them by a comparison other than ``Comparison/notEqual``; no number is NaN.
    mutating func add(_ compares: Comparison, _ given: Double) {
      switch compares {
      case .greater, .greaterOrEqual:
        let isNarrower =
          least.map { given > $0.given || given == $0.given && compares == .greater } ?? true
        if isNarrower { least = (compares, given) }
      case .less, .lessOrEqual:
        let isNarrower =
          most.map { given < $0.given || given == $0.given && compares == .less } ?? true
        if isNarrower { most = (compares, given) }
      case .equal, .notEqual:
        add(.greaterOrEqual, given)
        add(.lessOrEqual, given)
      }
    }
  }

  private var numbers: [SampleNumber: Bounds] = [:]
  private var uuids: Set<UUID>?
  /// None of these holds.
  private var denied = Disjunction()
  private var others: [SamplePredicate] = []
  private var known: Set<SamplePredicate> = []

  mutating func add(_ part: SamplePredicate) {
    switch part {
    case .all(let parts): for part in parts { add(part) }
    case .not(.not(let part)): add(part)
    case .not(let part): denied.add(part)
    case .uuid(let uuids): self.uuids = self.uuids?.intersection(uuids) ?? uuids
    default:
      guard let (number, compares, given) = part.comparison, !given.isNaN else {
        if known.insert(part).inserted { others.append(part) }
        return
      }
      guard compares == .notEqual else {
        return numbers[number, default: Bounds()].add(compares, given)
      }
      // A sample without the number does not differ.
      if case .value = number {
        numbers[number, default: Bounds()].add(.greaterOrEqual, -.infinity)
      }
      denied.add(number.condition(.equal, given))
    }
  }

  var predicate: SamplePredicate {
    var parts: [SamplePredicate] = []
    for (number, bounds) in numbers {
      if let least = bounds.least, let most = bounds.most, least.given == most.given,
        least.compares == .greaterOrEqual, most.compares == .lessOrEqual
      {
        parts.append(number.condition(.equal, least.given))
        continue
      }
      for bound in [bounds.least, bounds.most].compactMap(\.self) {
        parts.append(number.condition(bound.compares, bound.given))
      }
    }
    if let uuids { parts.append(.uuid(uuids)) }
    parts += others
    if !denied.isEmpty { parts.append(.not(denied.predicate)) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }
}

/// Conditions any of which must hold.
private struct Disjunction {
  private var uuids: Set<UUID>?
  private var others: [SamplePredicate] = []
  private var known: Set<SamplePredicate> = []

  var isEmpty: Bool { uuids == nil && others.isEmpty }

  mutating func add(_ part: SamplePredicate) {
    switch part {
    case .any(let parts): for part in parts { add(part) }
    case .uuid(let more):
      // In place: a copy for each part would take quadratic time.
      uuids = uuids ?? []
      uuids?.formUnion(more)
    default: if known.insert(part).inserted { others.append(part) }
    }
  }

  var predicate: SamplePredicate {
    let parts = (uuids.map { [.uuid($0)] } ?? []) + others
    return parts.count == 1 ? parts[0] : .any(parts)
  }
}
