import Foundation
import _HealthTestSupport

@testable import HealthKit

/// Random trees over what quantity and category samples have.
struct RandomPredicates {
  var random: SplitMix64
  /// Whether values may be objects, which formats cannot print.
  var hasObjects = true
  var sources: [HKSource] = [.default()]
  var devices: [HKDevice] = [Trial.watch, Trial.scale]
  var uuids: [UUID] = []

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func tree(depth: Int = 3) -> PredicateTree {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random) {
    case 0..<4: return .condition(condition())
    case 4: return .not(tree(depth: depth - 1))
    case let kind:
      let parts = (0..<Int.random(in: 2..<4, using: &random)).map { _ in tree(depth: depth - 1) }
      return kind < 6 ? .all(parts) : .any(parts)
    }
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private mutating func condition() -> Condition {
    var conditions = [
      property([HKPredicateKeyPathStartDate], instant),
      property([HKPredicateKeyPathEndDate], instant),
      property([HKPredicateKeyPathCategoryValue], number),
      property([HKPredicateKeyPathMetadata, pick(Self.keys)], metadata),
      property([HKPredicateKeyPathDevice, "name"], name),
      property([HKPredicateKeyPathDevice, HKDevicePropertyKeyManufacturer], name),
    ]
    if hasObjects {
      conditions += [
        property([HKPredicateKeyPathQuantity], quantity),
        property([HKPredicateKeyPathQuantity], quantity),
        property([HKPredicateKeyPathSource]) { .object($0.pick($0.sources)) },
        property([HKPredicateKeyPathSourceRevision]) {
          .object(
            HKSourceRevision(
              source: $0.pick($0.sources), version: $0.pick([nil, "1", "2"]),
              productType: $0.pick([nil, "Watch6,1"]),
              operatingSystemVersion: $0.pick([.unknown, Self.system])))
        },
        property([HKPredicateKeyPathSourceRevision, PredicateKey.version]) {
          .text($0.pick(["", "1", "2"]))
        },
        property([HKPredicateKeyPathSourceRevision, PredicateKey.productType]) {
          .text($0.pick(["", "Watch6,1"]))
        },
        property([HKPredicateKeyPathDevice]) { .object($0.pick($0.devices)) },
        property([HKPredicateKeyPathUUID]) { .uuid($0.pick($0.uuids)) },
      ]
    }
    var condition = pick(conditions)
    // Some with their sides exchanged.
    if Int.random(in: 0..<8, using: &random) == 0, condition.operation != .between {
      swap(&condition.left, &condition.right)
    }
    return condition
  }

  /// That of the watch of ``Trial``.
  static let system = OperatingSystemVersion(majorVersion: 10, minorVersion: 1, patchVersion: 0)

  static let keys = ["HKWasUserEntered", "a", "b.c", "HKTimeZone"]

  private mutating func property(
    _ path: [String], _ value: (inout Self) -> Operand
  ) -> Condition {
    let operation = pick(Condition.Operation.allCases)
    let operand: Operand =
      switch operation {
      case .isIn:
        .list(
          OperandList(
            (0..<[3, 12][Int.random(in: 0..<2, using: &random)]).map { _ in value(&self) }))
      case .between: .list([value(&self), value(&self)])
      case .matches: .text(pick(["a.*", "[0-9]+", "Watch"]))
      default: value(&self)
      }
    return Condition(left: .path(path), operation: operation, right: .value(operand))
  }

  private var instant: (inout Self) -> Operand {
    { .date(Trial.date(Double.random(in: 0..<16, using: &$0.random).rounded() / 2)) }
  }
  private var number: (inout Self) -> Operand {
    { .number(Double(Int.random(in: -1..<6, using: &$0.random))) }
  }
  private var name: (inout Self) -> Operand {
    { .text($0.pick(["Watch", "Scale", "Apple Inc.", "a \"quoted\" \\ text\n", ""])) }
  }
  private var metadata: (inout Self) -> Operand {
    {
      switch Int.random(in: 0..<5, using: &$0.random) {
      case 0: .null
      case 1: .text($0.pick(["1", "a", "Europe/Berlin"]))
      case 2: .date(Trial.date(Double(Int.random(in: 0..<4, using: &$0.random))))
      default: .number($0.pick([0, 1, 1, 1.5, 75]))
      }
    }
  }
  private var quantity: (inout Self) -> Operand {
    {
      let number = Double(Int.random(in: 0..<8, using: &$0.random)) / 2
      return switch Int.random(in: 0..<4, using: &$0.random) {
      case 0: .quantity(HKQuantity(unit: .count(), doubleValue: number))
      case 1: .quantity(HKQuantity(unit: .gram(), doubleValue: number * 1000))
      case 2: .quantity(HKQuantity(unit: .pound(), doubleValue: number * 2.2046226218487757))
      default: .quantity(HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: number))
      }
    }
  }
}
