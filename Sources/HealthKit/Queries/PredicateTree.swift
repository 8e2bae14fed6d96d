import Foundation

/// A predicate as a tree, which a store can push down and a closure can evaluate.
indirect enum PredicateTree: Hashable {
  /// A comparison.
  case condition(Condition)
  /// Every part holds; always true for none.
  case all([PredicateTree])
  /// Any part holds; never true for none.
  case any([PredicateTree])
  /// The part does not hold.
  case not(PredicateTree)
  /// The same for all objects.
  case always(Bool)
  /// Any of the objects at the end of a path passes, such as an activity of a workout.
  case some([String], PredicateTree)
  /// A predicate of Foundation that only it can evaluate, such as a block.
  case opaque(OpaquePredicate)

  /// Whether code of the app evaluates a part of it, such as a block.
  var hasBlocks: Bool {
    switch self {
    case .opaque: true
    case .all(let parts), .any(let parts): parts.contains(where: \.hasBlocks)
    case .not(let part), .some(_, let part): part.hasBlocks
    case .condition, .always: false
    }
  }

  /// Whether it holds for an object.
  ///
  /// - Throws: ``ObjectError`` for a key that no object has, and for a pattern that is none
  func holds(for object: Any?) throws(ObjectError) -> Bool {
    switch self {
    case .condition(let condition): return try condition.holds(for: object)
    case .all(let parts):
      for part in parts { guard try part.holds(for: object) else { return false } }
      return true
    case .any(let parts):
      for part in parts { if try part.holds(for: object) { return true } }
      return false
    case .not(let part): return try !part.holds(for: object)
    case .always(let holds): return holds
    case .some(let path, let part):
      guard case .list(let elements) = try PredicateKey.value(at: path[...], of: object) else {
        return false
      }
      for case .object(let element) in elements {
        if try part.holds(for: element) { return true }
      }
      return false
    case .opaque(let predicate): return predicate.predicate.evaluate(with: object)
    }
  }
}

/// A predicate of Foundation, which equals only itself.
struct OpaquePredicate: Hashable {
  let predicate: NSPredicate

  static func == (left: Self, right: Self) -> Bool { left.predicate === right.predicate }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(predicate)) }
}

/// A predicate that is a tree.
final class TreePredicate: NSPredicate {
  let root: PredicateTree

  init(_ root: PredicateTree) {
    self.root = root
    super.init(value: false)
  }

  override func evaluate(with object: Any?, substitutionVariables: [String: Any]?) -> Bool {
    raising { () throws(ObjectError) in try root.holds(for: object) }
  }

  override var predicateFormat: String { root.format }
  override var description: String { root.format }
  override func copy(with zone: NSZone? = nil) -> Any { self }
  override var hash: Int { root.hashValue }

  override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPredicate).map { $0.tree == root } ?? false
  }
}

extension NSPredicate {
  /// The predicate as a tree, compounds of Foundation included.
  var tree: PredicateTree {
    switch self {
    case let predicate as TreePredicate: return predicate.root
    case let compound as NSCompoundPredicate:
      let parts = compound.subpredicates.map { $0.tree }
      return switch compound.compoundPredicateType {
      case .and: .all(parts)
      case .or: .any(parts)
      case .not: .not(parts.first ?? .always(true))
      }
    default:
      // Foundation tells a constant only by comparing with one.
      guard type(of: self) == NSPredicate.self else {
        return .opaque(OpaquePredicate(predicate: self))
      }
      if isEqual(NSPredicate(value: true)) { return .always(true) }
      if isEqual(NSPredicate(value: false)) { return .always(false) }
      return .opaque(OpaquePredicate(predicate: self))
    }
  }

  /// Whether the predicate holds for an object.
  ///
  /// `evaluate(with:)` of a predicate of this module traps where this throws.
  ///
  /// - Throws: ``ObjectError`` for a key that no object has, and for a pattern that is none
  public func matches(_ object: Any?) throws(ObjectError) -> Bool {
    try tree.holds(for: object)
  }
}

// MARK: - Format

extension PredicateTree {
  /// The text of the predicate in the manner of Foundation.
  var format: String {
    var printer = FormatPrinter()
    printer.write(self, isNested: false)
    return printer.format
  }

  /// The text with `%K` and `%@` for keys and values, and these: what an archive keeps.
  ///
  /// `nil` for a predicate that has no text, such as a block.
  var formatAndArguments: (format: String, arguments: [NSObject])? {
    var printer = FormatPrinter(arguments: [])
    printer.write(self, isNested: false)
    return printer.hasText ? (printer.format, printer.arguments ?? []) : nil
  }
}

private struct FormatPrinter {
  var format = ""
  /// What stands for the placeholders; `nil` when there are none.
  var arguments: [NSObject]?
  var hasText = true
  private var depth = 0

  init(arguments: [NSObject]? = nil) { self.arguments = arguments }

  mutating func write(_ tree: PredicateTree, isNested: Bool) {
    switch tree {
    case .condition(let condition):
      if let quantifier = condition.quantifier { format += quantifier.rawValue + " " }
      write(condition.left)
      format += " \(condition.operation.rawValue)\(condition.options.format) "
      write(condition.right)
    case .all(let parts): write(parts, joinedBy: " AND ", isNested: isNested, ofNone: true)
    case .any(let parts): write(parts, joinedBy: " OR ", isNested: isNested, ofNone: false)
    case .not(let part):
      format += "NOT "
      write(part, isNested: true)
    case .always(let holds): format += holds ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .some(let path, let part):
      format += "SUBQUERY("
      write(.path(path))
      format += ", $x, "
      depth += 1
      write(part, isNested: false)
      depth -= 1
      format += ").@count > 0"
    case .opaque:
      format += "BLOCKPREDICATE"
      hasText = false
    }
  }

  private mutating func write(
    _ parts: [PredicateTree], joinedBy word: String, isNested: Bool, ofNone value: Bool
  ) {
    guard let first = parts.first else { return write(.always(value), isNested: isNested) }
    guard parts.count > 1 else { return write(first, isNested: isNested) }
    if isNested { format += "(" }
    for (index, part) in parts.enumerated() {
      if index > 0 { format += word }
      write(part, isNested: true)
    }
    if isNested { format += ")" }
  }

  private mutating func write(_ term: Condition.Term) {
    switch term {
    case .path(let path):
      if depth > 0 { format += path.isEmpty ? "$x" : "$x." }
      if path.isEmpty {
        if depth == 0 { format += "SELF" }
      } else if arguments == nil {
        format += path.joined(separator: ".")
      } else {
        format += path.map { _ in "%K" }.joined(separator: ".")
        arguments? += path.map { $0 as NSString }
      }
    case .value(let operand):
      if arguments != nil, let argument = operand.argument {
        format += "%@"
        arguments?.append(argument)
      } else {
        format += operand.format
      }
    }
  }
}

extension Condition.Options {
  /// The options as they stand behind an operator.
  fileprivate var format: String {
    guard !isEmpty else { return "" }
    let letters = [(Self.ignoringCase, "c"), (.ignoringDiacritics, "d")]
    return "[" + letters.filter { contains($0.0) }.map(\.1).joined() + "]"
  }
}
