public import Foundation

/// How a predicate compares: `NSComparisonPredicate.Operator`.
///
/// Foundation on Linux declares it inside of a deprecated class, and to write its name is a warning;
/// to write `.equalTo` is not.
public typealias PredicateOperator = OperatorInference.Operator

/// What has an operator.
public protocol OperatorNaming {
  /// The operator.
  associatedtype Operator
  /// From its parameter the compiler infers ``Operator``.
  static func name(_ operatorType: Operator)
}

/// Names `NSComparisonPredicate.Operator` without the name of its class.
public enum OperatorInference: OperatorNaming {
  /// Does nothing: its parameter is what matters.
  @available(*, deprecated)
  public static func name(_ operatorType: NSComparisonPredicate.Operator) {}
}

extension Condition.Operation {
  /// The operation of an operator; `nil` for one that is none of them.
  init?(_ operatorType: PredicateOperator) {
    switch operatorType {
    case .lessThan: self = .less
    case .lessThanOrEqualTo: self = .lessOrEqual
    case .greaterThan: self = .greater
    case .greaterThanOrEqualTo: self = .greaterOrEqual
    case .equalTo: self = .equal
    case .notEqualTo: self = .notEqual
    case .matches: self = .matches
    case .like: self = .like
    case .beginsWith: self = .beginsWith
    case .endsWith: self = .endsWith
    case .in: self = .isIn
    case .contains: self = .contains
    case .between: self = .between
    @unknown default: return nil
    }
  }

  /// Whether it compares by order or equality.
  var isOrdering: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual: true
    default: false
    }
  }
}

extension NSPredicate {
  /// A predicate that compares a property with a value: the form of the factories of ``HKQuery``
  /// that throws where they trap.
  ///
  /// ```swift
  /// try NSPredicate.comparing(HKPredicateKeyPathQuantity, .greaterThan, to: quantity)
  /// try NSPredicate.comparing("metadata.\(HKMetadataKeyFoodType)", .in, to: ["Pizza", "Tofu"])
  /// ```
  ///
  /// - Throws: ``ObjectError`` for an operator that values of the kind do not have, a value that
  ///   predicates do not know, a quantity in a unit of something else, days without a calendar, and a
  ///   key that no object has
  public static func comparing(
    _ keyPath: String, _ operatorType: PredicateOperator, to value: Any
  ) throws(ObjectError) -> NSPredicate {
    try Condition.comparing(FormatParser.keys(of: keyPath), operatorType, to: value).predicate
  }
}

extension Condition {
  /// The comparison as a predicate.
  var predicate: NSPredicate { TreePredicate(.condition(self)) }

  /// A comparison of a property with a value, checked.
  static func comparing(
    _ path: [String], _ operatorType: PredicateOperator, to value: Any
  ) throws(ObjectError) -> Condition {
    guard let operation = Operation(operatorType) else { throw ObjectError(.invalidOperator) }
    guard let key = path.first, PredicateKey.knows(path) else {
      throw ObjectError(.undefinedKey(path.joined(separator: ".")))
    }
    guard let operand = Operand(value) else { throw ObjectError(.invalidPredicateValue) }
    if key == PredicateKey.metadata, !operand.isMetadata {
      throw ObjectError(
        .invalidMetadata(
          key: path.last ?? key, expected: "NSString, NSNumber, NSDate or HKQuantity"))
    }
    guard operand.allows(operation) else { throw ObjectError(.invalidOperator) }
    for operand in operand.elements { try operand.check(at: path) }
    return Condition(left: .path(path), operation: operation, right: .value(operand))
  }
}

extension Operand {
  /// The values of a list, or this one.
  var elements: [Operand] {
    if case .list(let list) = self { Array(list) } else { [self] }
  }

  /// Whether metadata may hold the value, or those of a list.
  fileprivate var isMetadata: Bool {
    elements.allSatisfy { element in
      switch element {
      case .number, .text, .date, .quantity: true
      case .null, .uuid, .day, .list, .object: false
      }
    }
  }

  /// Whether a property can be compared so with the value.
  fileprivate func allows(_ operation: Condition.Operation) -> Bool {
    switch self {
    case .number, .date, .quantity, .day: operation.isOrdering
    case .text: operation != .between
    case .list(let list): operation == .isIn || operation == .between && list.count == 2
    case .null, .uuid, .object: operation == .equal || operation == .notEqual
    }
  }

  /// Checks what a property asks of values.
  fileprivate func check(at path: [String]) throws(ObjectError) {
    switch self {
    case .day(let day): try day.checkDay()
    case .quantity(let quantity):
      guard let unit = PredicateKey.unit(at: path), !quantity.is(compatibleWith: unit) else {
        return
      }
      throw ObjectError(
        .incompatibleUnits(from: quantity.unit.unitString, to: unit.unitString))
    default: break
    }
  }
}

extension DateComponents {
  /// Checks that the components are those of a day of a calendar.
  fileprivate func checkDay() throws(ObjectError) {
    guard calendar != nil else { throw ObjectError(.dayWithout("Calendar")) }
    guard year != nil else { throw ObjectError(.dayWithout("Year")) }
    guard month != nil else { throw ObjectError(.dayWithout("Month")) }
    guard day != nil else { throw ObjectError(.dayWithout("Day")) }
    guard hour == nil else { throw ObjectError(.dayWithHour) }
  }
}
