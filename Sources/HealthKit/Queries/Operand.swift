import Foundation

/// A value of a comparison, in the form in which values compare.
enum Operand: Hashable, @unchecked Sendable {
  /// No value: `nil` in a format.
  case null
  /// A number, a Boolean (0 or 1) or the raw value of a constant.
  case number(Double)
  /// A text.
  case text(String)
  /// An instant.
  case date(Date)
  /// The identity of an object.
  case uuid(UUID)
  /// An amount in a unit.
  case quantity(HKQuantity)
  /// A day, as a person perceives it.
  case day(DateComponents)
  /// Several values.
  case list(OperandList)
  /// An object that compares by its own equality.
  case object(NSObject)

  /// The operand of a value as clients pass it; `nil` for a value that predicates do not know.
  ///
  /// Members of sets are in the order of their texts.
  init?(_ value: Any?) {
    switch value {
    case nil, is NSNull: self = .null
    case let text as String: self = .text(text)
    case let date as Date: self = .date(date)
    case let quantity as HKQuantity: self = .quantity(quantity)
    case let number as NSNumber: self = .number(number.nearestDouble)
    case let uuid as UUID: self = .uuid(uuid)
    case let components as DateComponents: self = .day(components)
    case let set as Set<AnyHashable>:
      guard let list = Self.list(set.map(\.base)) else { return nil }
      self = .list(OperandList(list.sorted { $0.format < $1.format }))
    case let list as [Any]:
      guard let list = Self.list(list) else { return nil }
      self = .list(OperandList(list))
    case let text as Substring: self = .text(String(text))
    case let constant as any RawRepresentable: self.init(constant.rawValue)
    case let optional as any OptionalValue: self.init(optional.wrapped)
    case let object as NSObject: self = .object(object)
    default: return nil
    }
  }

  private static func list(_ values: [Any]) -> [Operand]? {
    let list = values.compactMap { Operand($0) }
    return list.count == values.count ? list : nil
  }

  /// The operand of a property that may have no value.
  static func optional<Value>(_ value: Value?, _ operand: (Value) -> Operand) -> Operand {
    value.map(operand) ?? .null
  }
}

/// Several values, in which one is found without asking all.
struct OperandList: Hashable, RandomAccessCollection, ExpressibleByArrayLiteral {
  private let elements: [Operand]
  /// The values of a long list.
  private let members: Set<Operand>?

  init(_ elements: [Operand]) {
    self.elements = elements
    members = elements.count > 8 ? Set(elements) : nil
  }

  init(arrayLiteral elements: Operand...) { self.init(elements) }

  var startIndex: Int { elements.startIndex }
  var endIndex: Int { elements.endIndex }
  subscript(index: Int) -> Operand { elements[index] }

  /// Whether a value is equal to one of the list.
  func containsEqual(to value: Operand) -> Bool {
    switch value {
    // Days and lists of them compare by other rules than hashes do.
    case .day, .list, .object: elements.contains { $0.equals(value) }
    default: members?.contains(value) ?? elements.contains { $0.equals(value) }
    }
  }

  static func == (left: Self, right: Self) -> Bool { left.elements == right.elements }
  func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

/// An optional inside of an `Any`.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { self }
}

extension Operand {
  /// The order of two values; `nil` for values that have none.
  func order(relativeTo other: Operand) -> ComparisonResult? {
    switch (self, other) {
    case (.number(let left), .number(let right)):
      left < right
        ? .orderedAscending
        : left > right ? .orderedDescending : left == right ? .orderedSame : nil
    case (.text(let left), .text(let right)): left.compare(right)
    case (.date(let left), .date(let right)): left.compare(right)
    case (.quantity(let left), .quantity(let right)): try? left.order(relativeTo: right)
    case (.day(let left), .day(let right)): left.order(relativeTo: right)
    default: order(ofSummary: other)
    }
  }

  /// The order of an activity summary and a day, in the calendar of the day.
  private func order(ofSummary other: Operand) -> ComparisonResult? {
    switch (self, other) {
    case (.object(let left as HKActivitySummary), .day(let right)):
      return left.dateComponents(for: right.calendar ?? .current).order(relativeTo: right)
    case (.day(let left), .object(let right as HKActivitySummary)):
      return left.order(relativeTo: right.dateComponents(for: left.calendar ?? .current))
    default: return nil
    }
  }

  /// Whether two values are equal.
  func equals(_ other: Operand) -> Bool {
    switch (self, other) {
    case (.day, _), (_, .day): order(relativeTo: other) == .orderedSame
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.equals($1) }
    default: self == other
    }
  }
}

extension DateComponents {
  /// The order of two days; `nil` without year, month and day.
  fileprivate func order(relativeTo other: DateComponents) -> ComparisonResult? {
    guard let left = day(), let right = other.day() else { return nil }
    return left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  private func day() -> (Int, Int, Int, Int)? {
    guard let year, let month, let day else { return nil }
    return (era ?? 1, year, month, day)
  }
}

// MARK: - Text

extension Operand {
  /// The value as a predicate format has it; dates keep every digit.
  var format: String {
    switch self {
    case .null: "nil"
    case .number(let number): Self.text(of: number)
    case .text(let text): Self.quoted(text)
    case .date(let date):
      "CAST(\(Self.decimals(of: date.timeIntervalSinceReferenceDate)), \"NSDate\")"
    case .uuid(let uuid): uuid.uuidString
    case .quantity(let quantity): quantity.description
    case .day(let components):
      [components.year, components.month, components.day].map { $0.map(String.init) ?? "?" }
        .joined(separator: "-")
    case .list(let list): "{" + list.map(\.format).joined(separator: ", ") + "}"
    case .object(let object): object.description
    }
  }

  /// The shortest text that reads back, whole numbers without a point.
  private static func text(of number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
  }

  /// Six decimals, as Foundation prints, where they read back.
  private static func decimals(of seconds: Double) -> String {
    let text = String(format: "%f", seconds)
    return Double(text) == seconds ? text : "\(seconds)"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for character in text.unicodeScalars {
      switch character {
      case "\"", "\\": quoted += "\\\(character)"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(character)
      }
    }
    return quoted + "\""
  }

  /// The value as an argument of `%@`, which an archive may hold; `nil` for no value.
  var argument: NSObject? {
    switch self {
    case .null: nil
    case .number(let number): NSNumber(value: number)
    case .text(let text): text as NSString
    case .date(let date): date as NSDate
    case .uuid(let uuid): uuid as NSUUID
    case .quantity(let quantity): quantity
    case .day(let components): components as NSDateComponents
    case .list(let list): NSArray(array: list.map { $0.argument ?? NSNull() })
    case .object(let object): object
    }
  }
}
