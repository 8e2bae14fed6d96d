import Foundation

/// Reads the format of a predicate.
///
/// Predicates nest at most ``deepest`` levels; `AND` and `OR` may join any number.
///
/// - Complexity: O(*n*) in the length of the format
struct FormatParser {
  /// The most parentheses, braces and `NOT` within each other.
  static let deepest = 200

  private var lexer: FormatLexer
  private var token = FormatToken.end
  private var offset = 0
  private var depth = 0
  /// The names of the variables of the subqueries around.
  private var variables: [String] = []

  /// The tree of a format.
  ///
  /// - Throws: ``ObjectError`` for a format that is none, and for arguments that are missing or wrong
  static func parse(_ format: String, _ arguments: [Any?]) throws(ObjectError) -> PredicateTree {
    var parser = FormatParser(lexer: FormatLexer(format, arguments))
    try parser.advance()
    let node = try parser.takeAlternatives()
    guard parser.token == .end, case .predicate(let tree) = node else { throw parser.failure }
    return tree
  }

  private init(lexer: FormatLexer) { self.lexer = lexer }

  /// What stands in parentheses: a predicate, or one side of a comparison.
  private enum Node {
    case predicate(PredicateTree)
    case term(Condition.Term)
  }

  private var failure: ObjectError { ObjectError(.invalidFormat(offset: offset)) }

  private mutating func advance() throws(ObjectError) {
    (token, offset) = try lexer.next()
  }

  /// Whether the word is a keyword, which is not read on.
  private func isWord(_ keyword: String) -> Bool {
    if case .word(let word) = token { word.uppercased() == keyword } else { false }
  }

  private mutating func take(_ keywords: String...) throws(ObjectError) -> Bool {
    for keyword in keywords where token == .symbol(keyword) || isWord(keyword) {
      try advance()
      return true
    }
    return false
  }

  private mutating func expect(_ symbol: String) throws(ObjectError) {
    guard try take(symbol) else { throw failure }
  }

  private mutating func nested<Result>(
    _ body: (inout Self) throws(ObjectError) -> Result
  ) throws(ObjectError) -> Result {
    guard depth < Self.deepest else { throw failure }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  // MARK: Predicates

  private mutating func takeAlternatives() throws(ObjectError) -> Node {
    try takeParts(PredicateTree.any, "OR", "||") { parser throws(ObjectError) in
      try parser.takeParts(PredicateTree.all, "AND", "&&") { parser throws(ObjectError) in
        try parser.takeNegated()
      }
    }
  }

  private mutating func takeParts(
    _ join: ([PredicateTree]) -> PredicateTree, _ word: String, _ symbol: String,
    _ part: (inout Self) throws(ObjectError) -> Node
  ) throws(ObjectError) -> Node {
    let first = try part(&self)
    guard isWord(word) || token == .symbol(symbol) else { return first }
    var parts = [try predicate(first)]
    while try take(word, symbol) { parts.append(try predicate(try part(&self))) }
    return .predicate(join(parts))
  }

  private func predicate(_ node: Node) throws(ObjectError) -> PredicateTree {
    guard case .predicate(let tree) = node else { throw failure }
    return tree
  }

  private mutating func takeNegated() throws(ObjectError) -> Node {
    guard try take("NOT", "!") else { return try takeComparison() }
    return try nested { parser throws(ObjectError) in
      .predicate(.not(try parser.predicate(try parser.takeNegated())))
    }
  }

  private mutating func takeComparison() throws(ObjectError) -> Node {
    if try take("TRUEPREDICATE") { return .predicate(.always(true)) }
    if try take("FALSEPREDICATE") { return .predicate(.always(false)) }
    let quantifier = try takeQuantifier()
    let left: Condition.Term
    if quantifier == nil, isWord("SUBQUERY") { return .predicate(try takeSubquery()) }
    if token == .symbol("(") {
      try advance()
      let inner = try nested { parser throws(ObjectError) in try parser.takeAlternatives() }
      try expect(")")
      guard case .term(let term) = inner else {
        guard quantifier == nil else { throw failure }
        return inner
      }
      left = term
    } else {
      left = try takeTerm()
    }
    guard let operation = try takeOperation() else {
      guard quantifier == nil, depth > 0 else { throw failure }
      return .term(left)
    }
    let options = try takeOptions()
    let right = try takeRight()
    if operation == .between, case .value(let bounds) = right {
      guard case .list(let list) = bounds, list.count == 2 else { throw failure }
    }
    return .predicate(
      .condition(
        Condition(
          left: left, operation: operation, right: right, options: options, quantifier: quantifier))
    )
  }

  private mutating func takeRight() throws(ObjectError) -> Condition.Term {
    guard token == .symbol("(") else { return try takeTerm() }
    try advance()
    let term = try nested { parser throws(ObjectError) in try parser.takeRight() }
    try expect(")")
    return term
  }

  private mutating func takeQuantifier() throws(ObjectError) -> Condition.Quantifier? {
    if try take("ANY", "SOME") { return .any }
    if try take("ALL") { return .all }
    if try take("NONE") { return Condition.Quantifier.none }
    return nil
  }

  private static let operations: [String: Condition.Operation] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
    "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ].merging(
    Condition.Operation.allCases.map { ($0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

  private mutating func takeOperation() throws(ObjectError) -> Condition.Operation? {
    let operation: Condition.Operation? =
      switch token {
      case .symbol(let symbol): Self.operations[symbol]
      case .word(let word): Self.operations[word.uppercased()]
      default: nil
      }
    if operation != nil { try advance() }
    return operation
  }

  private mutating func takeOptions() throws(ObjectError) -> Condition.Options {
    guard case .options(let letters) = token else { return [] }
    var options: Condition.Options = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.ignoringCase)
      case "d": options.insert(.ignoringDiacritics)
      // Texts are compared without regard to the language in any case.
      case "n", "l": break
      default: throw failure
      }
    }
    try advance()
    return options
  }

  /// Whether any object at a path passes: `SUBQUERY(path, $name, predicate).@count > 0`.
  private mutating func takeSubquery() throws(ObjectError) -> PredicateTree {
    try advance()
    try expect("(")
    guard case .path(let path) = try takeTerm() else { throw failure }
    try expect(",")
    try expect("$")
    guard case .word(let name) = token else { throw failure }
    try advance()
    try expect(",")
    variables.append(name)
    let node = try nested { parser throws(ObjectError) in try parser.takeAlternatives() }
    let part = try predicate(node)
    variables.removeLast()
    try expect(")")
    try expect(".")
    try expect("@")
    guard try take("COUNT"), let operation = try takeOperation() else { throw failure }
    guard case .value(.number(let count)) = token else { throw failure }
    let any: Bool
    switch (operation, count) {
    case (.greater, 0), (.notEqual, 0), (.greaterOrEqual, 1): any = true
    case (.equal, 0), (.lessOrEqual, 0), (.less, 1): any = false
    default: throw failure
    }
    try advance()
    return any ? .some(path, part) : .not(.some(path, part))
  }

  // MARK: Terms

  private mutating func takeTerm() throws(ObjectError) -> Condition.Term {
    switch token {
    case .value, .symbol("{"), .symbol("-"): return .value(try takeValue())
    case .key: return .path(try takePath())
    case .symbol("$"):
      try advance()
      guard case .word(let name) = token, name == variables.last else { throw failure }
      try advance()
      guard try take(".") else { return .path([]) }
      return .path(try takePath())
    case .word(let word):
      guard let constant = Self.constants[word.uppercased()] else {
        switch word.uppercased() {
        case "CAST": return .value(try takeCast())
        case "SELF":
          try advance()
          guard try take(".") else { return .path([]) }
          return .path(try takePath())
        case let keyword where Self.reserved.contains(keyword): throw failure
        default: return .path(try takePath())
        }
      }
      try advance()
      return .value(constant)
    default: throw failure
    }
  }

  private static let constants: [String: Operand] = [
    "TRUE": .number(1), "YES": .number(1), "FALSE": .number(0), "NO": .number(0), "NIL": .null,
    "NULL": .null,
  ]

  /// The keywords that are keys only after `#`.
  private static let reserved: Set<String> = [
    "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH",
    "ENDSWITH", "LIKE", "MATCHES", "SUBQUERY", "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  /// Keys joined by points.
  private mutating func takePath() throws(ObjectError) -> [String] {
    var text = ""
    repeat {
      switch token {
      case .word(let key), .key(let key): text += text.isEmpty ? key : "." + key
      default: throw failure
      }
      try advance()
    } while try take(".")
    return Self.keys(of: text)
  }

  /// The keys of a path, of which what follows `metadata` is one, with its points.
  static func keys(of path: String) -> [String] {
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard keys.first == PredicateKey.metadata, keys.count > 1 else { return keys }
    return [PredicateKey.metadata, keys.dropFirst().joined(separator: ".")]
  }

  private mutating func takeValue() throws(ObjectError) -> Operand {
    switch token {
    case .value(let value):
      try advance()
      return value
    case .symbol("-"):
      try advance()
      guard case .value(.number(let number)) = token else { throw failure }
      try advance()
      return .number(-number)
    case .symbol("{"):
      try advance()
      var list: [Operand] = []
      if try take("}") { return .list([]) }
      repeat {
        list.append(try nested { parser throws(ObjectError) in try parser.takeValue() })
      } while try take(",")
      try expect("}")
      return .list(OperandList(list))
    case .word(let word):
      if word.uppercased() == "CAST" { return try takeCast() }
      guard let constant = Self.constants[word.uppercased()] else { throw failure }
      try advance()
      return constant
    default: throw failure
    }
  }

  /// A date as formats print it: `CAST(seconds, "NSDate")`, in seconds since 2001-01-01 UTC.
  private mutating func takeCast() throws(ObjectError) -> Operand {
    try advance()
    try expect("(")
    let value = try nested { parser throws(ObjectError) in try parser.takeValue() }
    guard case .number(let seconds) = value else { throw failure }
    try expect(",")
    guard token == .value(.text("NSDate")) else { throw failure }
    try advance()
    try expect(")")
    return .date(Date(timeIntervalSinceReferenceDate: seconds))
  }
}
