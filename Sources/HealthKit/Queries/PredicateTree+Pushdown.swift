import Foundation
internal import HealthQuery
internal import HealthSamples
internal import HealthUnits

/// What a store can tell of a predicate by its rows.
struct RowCondition {
  /// Holds at least for every row whose object the predicate matches.
  var condition: SamplePredicate
  /// Whether it holds for no other row, so that no object needs to be asked.
  var isExact: Bool

  /// For all rows or none, exactly.
  static func always(_ holds: Bool) -> RowCondition {
    RowCondition(condition: holds ? .all([]) : .any([]), isExact: true)
  }

  /// For all rows: only objects can tell.
  static let unknown = RowCondition(condition: .all([]), isExact: false)

  private var isAlways: Bool { condition == .all([]) }

  fileprivate static func all(_ parts: [RowCondition]) -> RowCondition {
    RowCondition(
      condition: .all(parts.filter { !$0.isAlways }.map(\.condition)),
      isExact: parts.allSatisfy(\.isExact))
  }

  fileprivate static func any(_ parts: [RowCondition]) -> RowCondition {
    let isExact = parts.allSatisfy(\.isExact)
    if parts.contains(where: \.isAlways) {
      return RowCondition(condition: .all([]), isExact: isExact)
    }
    return RowCondition(condition: .any(parts.map(\.condition)), isExact: isExact)
  }
}

extension PredicateTree {
  /// The condition on rows of a type; with `isNegated` that of the predicate's opposite.
  func rows(of type: SampleType, isNegated: Bool = false) -> RowCondition {
    switch self {
    case .all(let parts), .any(let parts):
      let parts = parts.map { $0.rows(of: type, isNegated: isNegated) }
      var isAll = isNegated
      if case .all = self { isAll.toggle() }
      return isAll ? .all(parts) : .any(parts)
    case .not(let part): return part.rows(of: type, isNegated: !isNegated)
    case .always(let holds): return .always(holds != isNegated)
    case .condition(let condition):
      guard let (path, operation, value) = condition.propertyAndValue else { return .unknown }
      let comparison = RowComparison(
        path: path, operation: operation, value: value, type: type, isNegated: isNegated)
      return comparison.rows ?? .unknown
    case .some, .opaque: return .unknown
    }
  }
}

/// A comparison of a property of rows of a type with a value.
private struct RowComparison {
  var path: [String]
  var operation: Condition.Operation
  var value: Operand
  var type: SampleType
  var isNegated: Bool

  /// The condition on rows; `nil` when only objects can tell.
  var rows: RowCondition? {
    switch path {
    case [HKPredicateKeyPathStartDate]: return numbers(\.time) { .start($0, $1) }
    case [HKPredicateKeyPathEndDate]: return numbers(\.time) { .end($0, $1) }
    case [HKPredicateKeyPathUUID]:
      return members(\.identity) { .uuid(Set($0)) }
    case [HKPredicateKeyPathCategoryValue]:
      guard type.canonicalUnit == nil else { return withoutValue }
      return numbers(\.number) { .value($0, $1, unit: nil) }
    case [HKPredicateKeyPathQuantity]: return quantities
    case [HKPredicateKeyPathSource]:
      return members(\.source, sources)
    case [HKPredicateKeyPathSourceRevision]: return atLeast(members(\.revision, revisions))
    case [HKPredicateKeyPathDevice]: return atLeast(members(\.device, devices))
    default: break
    }
    guard path.count == 2 else { return nil }
    switch path[0] {
    case HKPredicateKeyPathDevice:
      guard let field = Self.deviceFields[path[1]] else { return nil }
      return atLeast(members(\.text) { .any($0.map { Self.device(field, $0) }) })
    case HKPredicateKeyPathSourceRevision where path[1] == PredicateKey.version:
      return atLeast(members(\.text) { .any($0.map(SamplePredicate.sourceVersion)) })
    case PredicateKey.metadata: return metadata(of: path[1])
    default: return nil
    }
  }

  /// Either side of a comparison that the rows decide.
  private func exactly(_ condition: SamplePredicate) -> RowCondition {
    RowCondition(condition: isNegated ? .not(condition) : condition, isExact: true)
  }

  /// A condition that also holds for rows whose objects do not match; of it there is no opposite.
  private func atLeast(_ rows: RowCondition?) -> RowCondition? {
    guard let rows, operation != .notEqual, !isNegated else { return nil }
    return RowCondition(condition: rows.condition, isExact: false)
  }

  /// The comparison for objects that do not have the property.
  private var withoutValue: RowCondition? {
    let condition = Condition(left: .path(path), operation: operation, right: .value(value))
    return (try? condition.compare(.null, value)).map { .always($0 != isNegated) }
  }

  // MARK: By number

  /// A property that is a number, compared with one, with bounds or with several.
  private func numbers(
    _ number: (Operand) -> Double?, _ make: (Comparison, Double) -> SamplePredicate
  ) -> RowCondition? {
    let given = value.elements.compactMap(number)
    guard given.count == value.elements.count, given.allSatisfy(\.isFinite) else { return nil }
    if !value.isList { return operation.comparison.map { exactly(make($0, given[0])) } }
    switch operation {
    case .isIn: return exactly(.any(given.map { make(.equal, $0) }))
    case .between where given.count == 2:
      return exactly(.all([make(.greaterOrEqual, given[0]), make(.lessOrEqual, given[1])]))
    default: return nil
    }
  }

  /// Quantities, whose conversions differ from the core's in the last digits: a little more than
  /// what the comparison says.
  private var quantities: RowCondition? {
    guard let canonical = type.canonicalUnit else { return withoutValue }
    let elements = value.elements
    // Only membership and bounds compare with several values.
    if value.isList, operation != .isIn, operation != .between { return nil }
    let given = elements.compactMap { element -> (number: Double, unit: UnitExpression)? in
      guard case .quantity(let quantity) = element, quantity.value.isFinite else { return nil }
      return (quantity.value, quantity.unit.scale.unit)
    }
    guard given.count == elements.count else { return nil }
    guard given.allSatisfy({ (try? UnitConversion(from: canonical, to: $0.unit)) != nil }) else {
      return value.isList ? nil : withoutValue
    }
    func bound(_ comparison: Comparison, _ index: Int) -> SamplePredicate {
      let (number, unit) = given[index]
      let margin = number.magnitude * 1e-9 + 1e-9
      return .value(
        comparison, comparison == .lessOrEqual ? number + margin : number - margin, unit: unit)
    }
    func around(_ index: Int) -> SamplePredicate {
      .all([bound(.greaterOrEqual, index), bound(.lessOrEqual, index)])
    }
    let condition: SamplePredicate
    switch (operation, isNegated) {
    case (.less, false), (.lessOrEqual, false), (.greater, true), (.greaterOrEqual, true):
      condition = bound(.lessOrEqual, 0)
    case (.greater, false), (.greaterOrEqual, false), (.less, true), (.lessOrEqual, true):
      condition = bound(.greaterOrEqual, 0)
    case (.equal, false), (.notEqual, true): condition = around(0)
    case (.isIn, false) where value.isList: condition = .any(given.indices.map(around))
    case (.between, false) where value.isList && given.count == 2:
      condition = .all([bound(.greaterOrEqual, 0), bound(.lessOrEqual, 1)])
    default: return nil
    }
    return RowCondition(condition: condition, isExact: false)
  }

  // MARK: By equality

  /// A property that equals a value, or one of several.
  private func members<Member>(
    _ member: (Operand) -> Member?, _ make: ([Member]) -> SamplePredicate
  ) -> RowCondition? {
    let given = value.elements.compactMap(member)
    guard given.count == value.elements.count else { return nil }
    switch operation {
    case .equal where !value.isList: return exactly(make(given))
    case .notEqual where !value.isList: return exactly(.not(make(given)))
    case .isIn where value.isList: return exactly(make(given))
    default: return nil
    }
  }

  /// Rows of any of some sources: of those of imports by whether a person entered them, of others all.
  private func sources(_ sources: [HKSource]) -> SamplePredicate {
    func named(_ sources: [HKSource], _ bundle: (HKSource) -> String) -> SamplePredicate {
      .sources(
        Set(
          sources.map {
            SamplePredicate.SourceName(
              Source(name: $0.name, bundleIdentifier: bundle($0)))
          }))
    }
    let imported = [true, false].compactMap { byHand -> SamplePredicate? in
      let sources = sources.filter { $0.isImported(byHand: byHand) }
      return sources.isEmpty ? nil : .all([named(sources) { _ in "" }, .userEntered(byHand)])
    }
    let saved = named(sources, \.bundleIdentifier)
    return imported.isEmpty ? saved : .any([saved] + imported)
  }

  private func revisions(_ revisions: [HKSourceRevision]) -> SamplePredicate {
    .any(
      revisions.map { .all([sources([$0.source]), .sourceVersion($0.version ?? "")]) })
  }

  private func devices(_ devices: [HKDevice]) -> SamplePredicate {
    .any(
      devices.map { device in
        .all(
          Self.fields.compactMap { field, path in
            device[keyPath: path].map { Self.device(field, $0) }
          })
      })
  }

  /// A field of the device; a text that does not parse is a name as a whole.
  private static func device(_ field: Device.Field, _ text: String) -> SamplePredicate {
    guard field == .name else { return .device(field, text) }
    let isName = RowTest { batch, row in batch.originTable[Int(batch.origins[row])].device == text }
    return .any([.device(field, text), .rows(isName)])
  }

  private static let fields: [(Device.Field, any KeyPath<HKDevice, String?> & Sendable)] = [
    (.name, \.name), (.manufacturer, \.manufacturer), (.model, \.model),
    (.hardwareVersion, \.hardwareVersion), (.firmwareVersion, \.firmwareVersion),
    (.softwareVersion, \.softwareVersion), (.localIdentifier, \.localIdentifier),
    (.udiDeviceIdentifier, \.udiDeviceIdentifier),
  ]

  private static let deviceFields = PredicateKey.deviceFields.compactMapValues { path in
    fields.first { $0.1 == path }?.0
  }

  // MARK: Metadata

  private func metadata(of key: String) -> RowCondition? {
    switch (operation, value) {
    case (.equal, .null): return exactly(.not(.metadata(key: key, .exists)))
    case (.notEqual, .null): return exactly(.metadata(key: key, .exists))
    // Whether a sample was entered by hand is part of its source in the core.
    case (.equal, .number(1)) where key == HKMetadataKeyWasUserEntered:
      return exactly(.userEntered(true))
    case (.notEqual, .number(1)) where key == HKMetadataKeyWasUserEntered:
      return exactly(.userEntered(false))
    default: break
    }
    guard let test = entries(of: key) else { return nil }
    return atLeast(RowCondition(condition: test, isExact: false))
  }

  /// A row may have several entries of a key, its object has the first.
  private func entries(of key: String) -> SamplePredicate? {
    switch operation {
    case .equal where !value.isList: return entry(of: key, .equal, value)
    case .isIn where value.isList:
      let tests = value.elements.map { entry(of: key, .equal, $0) ?? .metadata(key: key, .exists) }
      return .any(tests)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let comparison = operation.comparison else { return nil }
      return entry(of: key, comparison, value)
    case .between, .beginsWith, .endsWith, .contains, .like, .matches:
      return .metadata(key: key, .exists)
    case .equal, .notEqual, .isIn: return nil
    }
  }

  private func entry(
    of key: String, _ comparison: Comparison, _ value: Operand
  ) -> SamplePredicate? {
    switch value {
    case .number(let number): .metadata(key: key, .number(comparison, number))
    case .date(let date):
      .metadata(key: key, .date(comparison, date.timeIntervalSinceReferenceDate))
    case .text(let text) where comparison == .equal: .metadata(key: key, .text(.equal, text))
    case .text, .quantity: .metadata(key: key, .exists)
    case .null where comparison == .equal: .not(.metadata(key: key, .exists))
    case .null, .uuid, .day, .list, .object: nil
    }
  }
}

extension Condition.Operation {
  /// The comparison of the core; `nil` for what is none.
  fileprivate var comparison: Comparison? {
    switch self {
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .equal: .equal
    case .notEqual: .notEqual
    default: nil
    }
  }
}

extension Operand {
  fileprivate var isList: Bool { if case .list = self { true } else { false } }
  fileprivate var number: Double? { if case .number(let number) = self { number } else { nil } }
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
  fileprivate var identity: UUID? { if case .uuid(let uuid) = self { uuid } else { nil } }

  /// The seconds since 2001-01-01 UTC.
  fileprivate var time: Double? {
    if case .date(let date) = self { date.timeIntervalSinceReferenceDate } else { nil }
  }

  fileprivate var source: HKSource? { object(HKSource.self) }
  fileprivate var revision: HKSourceRevision? { object(HKSourceRevision.self) }
  fileprivate var device: HKDevice? { object(HKDevice.self) }

  private func object<Object>(_ type: Object.Type) -> Object? {
    if case .object(let object) = self { object as? Object } else { nil }
  }
}
