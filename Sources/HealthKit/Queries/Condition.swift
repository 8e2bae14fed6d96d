import Foundation

/// A comparison of two terms, such as `startDate >= %@`: the leaf of a predicate.
struct Condition: Hashable {
  /// How terms are compared, by the words of a format.
  enum Operation: String, Hashable, CaseIterable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case equal = "=="
    case notEqual = "!="
    case matches = "MATCHES"
    case like = "LIKE"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case isIn = "IN"
    case contains = "CONTAINS"
    case between = "BETWEEN"
  }

  /// How texts are compared.
  struct Options: OptionSet, Hashable {
    let rawValue: UInt8
    static let ignoringCase = Options(rawValue: 1)
    static let ignoringDiacritics = Options(rawValue: 2)
  }

  /// Which of the values of a left term that is a collection must pass.
  enum Quantifier: String, Hashable {
    case any = "ANY"
    case all = "ALL"
    case none = "NONE"
  }

  /// One side.
  enum Term: Hashable {
    /// A property, by the keys that lead to it; the object itself for none.
    case path([String])
    /// A value.
    case value(Operand)
  }

  var left: Term
  var operation: Operation
  var right: Term
  var options: Options = []
  var quantifier: Quantifier?
}

extension Condition {
  /// A comparison of a property with a value.
  init(_ path: String..., operation: Operation, value: Operand) {
    self.init(left: .path(path), operation: operation, right: .value(value))
  }

  /// The comparison as that of a property with a value; `nil` when it compares something else.
  var propertyAndValue: (path: [String], operation: Operation, value: Operand)? {
    guard quantifier == nil, options.isEmpty else { return nil }
    switch (left, right) {
    case (.path(let path), .value(let value)): return (path, operation, value)
    case (.value(let value), .path(let path)):
      return operation.mirrored.map { (path, $0, value) }
    default: return nil
    }
  }

  /// Whether the condition holds for an object.
  ///
  /// - Throws: ``ObjectError`` for a key that no object has, and for a pattern that is none or takes
  ///   too long
  func holds(for object: Any?) throws(ObjectError) -> Bool {
    let (left, right) = (try left.value(of: object), try right.value(of: object))
    guard let quantifier else { return try compare(left, right) }
    guard case .list(let list) = left else { return false }
    let passing = try list.count { element throws(ObjectError) in try compare(element, right) }
    return switch quantifier {
    case .any: passing > 0
    case .all: passing == list.count
    case .none: passing == 0
    }
  }

  /// Whether the comparison of two values holds.
  func compare(_ left: Operand, _ right: Operand) throws(ObjectError) -> Bool {
    switch operation {
    case .equal: equal(left, right)
    case .notEqual: !equal(left, right)
    case .less: folded(left).order(relativeTo: folded(right)) == .orderedAscending
    case .greater: folded(left).order(relativeTo: folded(right)) == .orderedDescending
    case .lessOrEqual: isOrdered(left, right)
    case .greaterOrEqual: isOrdered(right, left)
    case .between:
      if case .list(let bounds) = right, bounds.count == 2 {
        isOrdered(bounds[0], left) && isOrdered(left, bounds[1])
      } else {
        false
      }
    case .isIn: contains(right, left)
    case .contains: contains(left, right)
    case .beginsWith: compareTexts(left, right) { $0.hasPrefix($1) }
    case .endsWith: compareTexts(left, right) { $0.hasSuffix($1) }
    case .like: compareTexts(left, right) { Array($0).isLike(Array($1)) }
    case .matches:
      if case .text(let text) = left, case .text(let pattern) = right {
        try matches(text, pattern)
      } else {
        false
      }
    }
  }

  private func equal(_ left: Operand, _ right: Operand) -> Bool {
    folded(left).equals(folded(right))
  }

  private func isOrdered(_ left: Operand, _ right: Operand) -> Bool {
    switch folded(left).order(relativeTo: folded(right)) {
    case .orderedAscending, .orderedSame: true
    case .orderedDescending, nil: false
    }
  }

  private func contains(_ collection: Operand, _ element: Operand) -> Bool {
    if case .list(let list) = collection {
      return options.isEmpty
        ? list.containsEqual(to: element) : list.contains { equal($0, element) }
    }
    return compareTexts(collection, element) { $0.contains($1) }
  }

  private func compareTexts(
    _ left: Operand, _ right: Operand, _ holds: (String, String) -> Bool
  ) -> Bool {
    guard case .text(let left) = folded(left), case .text(let right) = folded(right) else {
      return false
    }
    return holds(left, right)
  }

  /// A text without what the options ignore.
  private func folded(_ operand: Operand) -> Operand {
    guard !options.isEmpty, case .text(let text) = operand else { return operand }
    var ignored: String.CompareOptions = []
    if options.contains(.ignoringCase) { ignored.insert(.caseInsensitive) }
    if options.contains(.ignoringDiacritics) { ignored.insert(.diacriticInsensitive) }
    return .text(text.folding(options: ignored, locale: nil))
  }

  /// Whether a regular expression describes a whole text.
  ///
  /// Some expressions take time that doubles with each character: they end with an error.
  private func matches(_ text: String, _ pattern: String) throws(ObjectError) -> Bool {
    let expression = try? NSRegularExpression(
      pattern: "\\A(?:\(pattern))\\z",
      options: options.contains(.ignoringCase) ? .caseInsensitive : [])
    guard let expression else { throw ObjectError(.invalidPattern) }
    let whole = NSRange(text.startIndex..., in: text)
    var isMatch = false
    var reports = 0
    expression.enumerateMatches(in: text, options: .reportProgress, range: whole) {
      result, flags, stop in
      if result != nil { isMatch = true }
      if flags.contains(.progress) { reports += 1 }
      if isMatch || reports > Self.mostReports { stop.pointee = true }
    }
    guard isMatch || reports <= Self.mostReports else { throw ObjectError(.endlessPattern) }
    return isMatch
  }

  /// How often a regular expression may report that it is still at work: some tenths of a second.
  private static let mostReports = 2000
}

extension [Character] {
  /// Whether a pattern describes the whole text: `?` is any character, `*` any number of them and a
  /// backslash makes the next one stand for itself.
  ///
  /// - Complexity: O(text × pattern)
  fileprivate func isLike(_ pattern: [Character]) -> Bool {
    var (place, step) = (0, 0)
    var retry: (place: Int, step: Int)?
    while place < count {
      let isEscape = step + 1 < pattern.count && pattern[step] == "\\"
      let expected = isEscape ? pattern[step + 1] : step < pattern.count ? pattern[step] : nil
      if !isEscape, expected == "*" {
        retry = (place, step)
        step += 1
      } else if let expected, expected == self[place] || expected == "?" && !isEscape {
        place += 1
        step += isEscape ? 2 : 1
      } else if let last = retry {
        retry = (last.place + 1, last.step)
        (place, step) = (last.place + 1, last.step + 1)
      } else {
        return false
      }
    }
    return pattern[step...].allSatisfy { $0 == "*" }
  }
}

extension Condition.Operation {
  /// The operation with its sides exchanged; `nil` for one that has none.
  fileprivate var mirrored: Self? {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .equal, .notEqual: self
    case .isIn: .contains
    case .contains: .isIn
    case .matches, .like, .beginsWith, .endsWith, .between: nil
    }
  }
}
