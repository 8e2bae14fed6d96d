import Foundation
internal import HealthSamples
internal import HealthStore

// Keys that only a store can answer: the workout, correlation or electrocardiogram of an object.

extension PredicateTree {
  /// Whether a key of the tree can be answered only by a store.
  private var asksStore: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.asksStore)
    case .not(let part): part.asksStore
    case .condition(let condition): condition.relation != nil
    case .always, .some, .opaque: false
    }
  }

  /// The tree with identities in place of the keys that only a store can answer.
  func resolved(in store: SampleStore) throws -> PredicateTree {
    guard asksStore else { return self }
    return switch self {
    case .all(let parts): .all(try parts.map { try $0.resolved(in: store) })
    case .any(let parts): .any(try parts.map { try $0.resolved(in: store) })
    case .not(let part): .not(try part.resolved(in: store))
    case .condition(let condition): try condition.resolved(in: store)
    case .always, .some, .opaque: self
    }
  }
}

/// A relation of an object to another one, its owner.
private enum Relation: String, CaseIterable {
  case workout, correlation, effort, electrocardiogram

  init?(path: [String]) {
    switch path {
    case [HKPredicateKeyPathWorkout]: self = .workout
    case [HKPredicateKeyPathCorrelation]: self = .correlation
    case [HKPredicateKeyPathWorkoutEffortRelationship]: self = .effort
    case [PredicateKey.electrocardiogram]: self = .electrocardiogram
    default: return nil
    }
  }

  private var kind: Association.Kind {
    switch self {
    case .workout: .workout
    case .correlation: .correlation
    case .effort: .effort
    case .electrocardiogram: .electrocardiogram
    }
  }

  /// The objects that have any owner.
  func members(in store: SampleStore) throws -> Set<UUID> {
    var members = Set(try store.associations(kind).map(\.member))
    switch self {
    case .workout:
      try store.forEachObject(of: .workout) { try members.formUnion(store.importedMembers(of: $0)) }
    case .correlation:
      try store.forEachObject(of: .correlation) {
        members.formUnion(($0 as? HKCorrelation)?.objects.map(\.uuid) ?? [])
      }
    case .effort, .electrocardiogram: break
    }
    return members
  }

  /// The objects of an owner; `nil` for an owner of another class.
  func members(of owner: Operand, in store: SampleStore) throws -> Set<UUID>? {
    switch (self, owner) {
    case (.workout, .object(let workout as HKWorkout)):
      let saved = Set(try store.associations(kind, of: [workout.uuid]).map(\.member))
      return try saved.union(store.importedMembers(of: workout))
    case (.correlation, .object(let correlation as HKCorrelation)):
      var members: Set<UUID> = []
      try store.forEachObject(of: .correlation, uuids: [correlation.uuid]) {
        members.formUnion(($0 as? HKCorrelation)?.objects.map(\.uuid) ?? [])
      }
      return members
    case (.effort, .object(let workout as HKWorkout)):
      let all = try store.associations(kind, of: [workout.uuid])
      return Set(all.filter { $0.part == nil }.map(\.member))
    case (.effort, .object(let activity as HKWorkoutActivity)):
      let all = try store.associations(kind)
      return Set(all.filter { $0.part == activity.uuid }.map(\.member))
    case (.electrocardiogram, .object(let electrocardiogram as HKElectrocardiogram)):
      return Set(try store.associations(kind, of: [electrocardiogram.uuid]).map(\.member))
    default: return nil
    }
  }
}

extension Condition {
  /// The relation that the condition is about; `nil` for one that an object can answer itself.
  fileprivate var relation: Relation? { propertyAndValue.flatMap { Relation(path: $0.path) } }

  fileprivate func resolved(in store: SampleStore) throws -> PredicateTree {
    guard let (_, operation, value) = propertyAndValue, let relation else {
      return .condition(self)
    }
    switch (operation, value) {
    case (.equal, .null): return .not(.identities(try relation.members(in: store)))
    case (.notEqual, .null): return .identities(try relation.members(in: store))
    case (.equal, _), (.notEqual, _), (.isIn, .list):
      var members: Set<UUID> = []
      for owner in operation == .isIn ? value.elements : [value] {
        guard let found = try relation.members(of: owner, in: store) else {
          return .condition(self)
        }
        members.formUnion(found)
      }
      return operation == .notEqual ? .not(.identities(members)) : .identities(members)
    default: return .condition(self)
    }
  }
}

extension PredicateTree {
  /// The objects with some identities.
  fileprivate static func identities(_ uuids: Set<UUID>) -> PredicateTree {
    guard !uuids.isEmpty else { return .always(false) }
    let list = uuids.sorted { $0.uuidString < $1.uuidString }.map(Operand.uuid)
    return .condition(
      Condition(HKPredicateKeyPathUUID, operation: .isIn, value: .list(OperandList(list))))
  }
}

extension SampleStore {
  /// Visits the samples that are elements of a kind.
  fileprivate func forEachObject(
    of kind: ElementKind, uuids: Set<UUID>? = nil, _ body: (HKSample) throws -> Void
  ) throws {
    // Collected, because bodies ask the store.
    var elements: [IdentifiedElement] = []
    try forEachIdentifiedElement(of: kind, uuids: uuids) {
      elements.append($0)
      return true
    }
    let members = kind == .correlation ? try self.members(of: elements) : [:]
    for element in elements {
      if let sample = element.object(members: members[element.uuid]) { try body(sample) }
    }
  }

  /// The samples that an export relates to a workout: records and routes.
  fileprivate func importedMembers(of workout: HKSample) throws -> Set<UUID> {
    var stored: Workouts.Row?
    try forEachIdentifiedElement(of: .workout, uuids: [workout.uuid]) { element in
      if case .workouts(let columns) = element.element { stored = columns.rows.first }
      return true
    }
    guard let stored else { return [] }
    var members = Set(try samples(of: stored.records).values.joined().map(\.uuid))
    try forEachIdentifiedElement(of: .route, in: stored.facts.time) { element in
      if case .routes(let columns) = element.element, let route = columns.rows.first,
        route.activity == stored.activity, route.workoutStart == stored.facts.start,
        route.workoutEnd == stored.facts.end
      {
        members.insert(element.uuid)
      }
      return true
    }
    return members
  }
}
