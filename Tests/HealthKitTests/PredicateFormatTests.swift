import Foundation
import Testing
import _HealthTestSupport

@testable import HealthKit

@Suite struct PredicateFormatTests {
  /// The pairs of a factory and a format that Apple's documentation calls equivalent.
  @Test func formatsSayWhatFactoriesSay() {
    let (start, end) = (Trial.date(100), Trial.date(200))
    let uuid = UUID()
    let quantity = HKQuantity(unit: .foot(), doubleValue: 6)
    let source = HKSource.default()
    let day = DateComponents(
      calendar: Calendar(identifier: .gregorian), era: 1, year: 2024, month: 3, day: 9)
    var later = day
    later.day = 12
    let pairs: [(NSPredicate, NSPredicate)] = [
      (
        HKQuery.predicateForSamples(withStart: start, end: end),
        NSPredicate(
          format: "%K >= %@ AND %K < %@", HKPredicateKeyPathEndDate, start as NSDate,
          HKPredicateKeyPathStartDate, end as NSDate)
      ),
      (
        HKQuery.predicateForSamples(withStart: start, end: end, options: .strictStartDate),
        NSPredicate(format: "startDate >= %@ && startDate < %@", start, end)
      ),
      (
        HKQuery.predicateForSamples(withStart: nil, end: end, options: .strictEndDate),
        NSPredicate(format: "endDate < %@", argumentArray: [end])
      ),
      (
        HKQuery.predicateForQuantitySamples(with: .lessThan, quantity: quantity),
        NSPredicate(format: "%K < %@", HKPredicateKeyPathQuantity, quantity)
      ),
      (
        HKQuery.predicateForCategorySamples(with: .equalTo, value: 1),
        NSPredicate(format: "%K == %d", HKPredicateKeyPathCategoryValue, 1)
      ),
      (
        HKQuery.predicateForObject(with: uuid),
        NSPredicate(format: "%K == %@", HKPredicateKeyPathUUID, uuid as NSUUID)
      ),
      (
        HKQuery.predicateForObjects(with: [uuid]),
        NSPredicate(format: "%K IN %@", HKPredicateKeyPathUUID, [uuid])
      ),
      (
        HKQuery.predicateForObjects(from: source),
        NSPredicate(format: "%K = %@", HKPredicateKeyPathSource, source)
      ),
      (
        HKQuery.predicateForObjects(from: [source] as Set),
        NSPredicate(format: "%K in %@", HKPredicateKeyPathSource, NSSet(array: [source]))
      ),
      (
        HKQuery.predicateForObjects(from: [Trial.watch] as Set),
        NSPredicate(format: "%K IN %@", HKPredicateKeyPathDevice, [Trial.watch] as Set)
      ),
      (
        HKQuery.predicateForObjects(
          withDeviceProperty: HKDevicePropertyKeyName, allowedValues: ["a", "b"]),
        NSPredicate(
          format: "%K.%K IN {'a', \"b\"}", HKPredicateKeyPathDevice,
          HKDevicePropertyKeyName)
      ),
      (
        HKQuery.predicateForObjects(withMetadataKey: HKMetadataKeyFoodType),
        NSPredicate(format: "%K.%K != nil", HKPredicateKeyPathMetadata, HKMetadataKeyFoodType)
      ),
      (
        HKQuery.predicateForObjects(
          withMetadataKey: HKMetadataKeyFoodType, allowedValues: ["Pizza", "Tofu"]),
        NSPredicate(
          format: "%K.%K IN %@", HKPredicateKeyPathMetadata, HKMetadataKeyFoodType,
          ["Pizza", "Tofu"])
      ),
      (
        HKQuery.predicateForObjects(
          withMetadataKey: "com.example.accuracy", operatorType: .greaterThan, value: 75.0),
        NSPredicate(format: "%K.%K > %d", HKPredicateKeyPathMetadata, "com.example.accuracy", 75.0)
      ),
      (
        HKQuery.predicateForObjects(
          withMetadataKey: HKMetadataKeyWasUserEntered, operatorType: .notEqualTo, value: true),
        NSPredicate(format: "metadata.%K != YES", HKMetadataKeyWasUserEntered)
      ),
      (
        HKQuery.predicateForObjectsWithNoCorrelation(),
        NSPredicate(format: "%K == nil", HKPredicateKeyPathCorrelation)
      ),
      (
        HKQuery.predicateForActivitySummary(with: day),
        NSPredicate(format: "%K == %@", HKPredicateKeyPathDateComponents, day)
      ),
      (
        HKQuery.predicate(forActivitySummariesBetweenStart: day, end: later),
        NSPredicate(
          format: "%K >= %@ AND %K <= %@", HKPredicateKeyPathDateComponents,
          day as NSDateComponents, HKPredicateKeyPathDateComponents, later as NSDateComponents)
      ),
    ]
    for (factory, format) in pairs { #expect(factory == format, "\(format.description)") }
  }

  /// Forms of clients, and whether they hold for a sample from 100 s to 200 s with metadata.
  @Test(arguments: [
    ("startDate >= CAST(100, 'NSDate') AND endDate < CAST(200.5, \"NSDate\")", true),
    ("(startDate >= CAST(101, 'NSDate')) OR (endDate == CAST(200, 'NSDate'))", true),
    ("metadata.HKWasUserEntered != YES", false), ("metadata.HKWasUserEntered == true", true),
    ("metadata.HKWasUserEntered == 1", true), ("metadata.missing != TRUE", true),
    ("metadata.missing == FALSE", false), ("metadata.missing == NULL", true),
    ("NOT metadata.text BEGINSWITH 'Cr'", false), ("!(metadata.text == 'x')", true),
    ("metadata.text CONTAINS[cd] 'creme'", true), ("metadata.text CONTAINS[c] 'creme'", false),
    ("metadata.text like[d] 'Creme*'", true), ("metadata.text ==[cd] 'CREME BRULEE'", true),
    ("metadata.text MATCHES 'C.+e'", true), ("metadata.text ENDSWITH 'ée'", true),
    ("'rème' IN metadata.text", true), ("metadata.text IN {'a', 'Crème brûlée'}", true),
    ("metadata.number BETWEEN {-1, 2.5e0}", true), ("metadata.number between {2, 3}", false),
    ("-1.5 < metadata.number", true), ("0x10 > metadata.number", true),
    ("metadata.number <> 1.5 || metadata.number =< 1.5", true),
    ("metadata.number => 1.5 and not metadata.number > 1.5", true),
    ("TRUEPREDICATE AND NOT FALSEPREDICATE", true), ("truepredicate && falsepredicate", false),
    ("device.name = 'Watch' AND device.#model == 'Watch'", true),
    ("source.bundleIdentifier != 'x' AND SELF.source.name != nil", true),
    ("sampleType.identifier == 'HKQuantityTypeIdentifierStepCount'", true),
    ("startDate < endDate", true), ("(startDate) < (endDate)", true), ("SELF != nil", true),
    ("ANY {'a', 'b'} == 'b'", true), ("ALL metadata != 'HKWasUserEntered'", false),
    ("NONE metadata BEGINSWITH 'z'", true), ("SOME metadata == 'text'", true),
    ("count == 1", true), ("value == 1", false), ("value != 1", true),
    ("metadata.text == 'a\\'b' OR metadata.text == '\\u0043r\\xe8me br\\u00FBl\\u00e9e'", true),
    ("1 == 1", true), ("metadata.number == .15e1", true), ("{1, {2}} == {1, {2}}", true),
  ]) func clientsFormsEvaluate(format: String, expected: Bool) throws {
    let sample = Trial.steps(
      from: 100, to: 200, device: Trial.watch,
      metadata: [HKMetadataKeyWasUserEntered: true, "text": "Crème brûlée", "number": 1.5])
    let predicate = try NSPredicate.parsed(format: format)
    #expect(try predicate.matches(sample) == expected)
    let again = try NSPredicate.parsed(format: predicate.description)
    #expect(again == predicate, "\(predicate.description)")
  }

  @Test func placeholdersTakeTheirArguments() throws {
    let sample = Trial.steps(3, metadata: ["n": 7, "t": "x%@y"])
    let cases: [(String, [Any], Bool)] = [
      ("metadata.n == %d", [7], true), ("metadata.n == %i", [NSNumber(value: 7)], true),
      ("metadata.n == %ld AND metadata.n == %lu", [Int64(7), UInt(7)], true),
      ("metadata.n == %lld", [7.0], true), ("metadata.n < %f", [Float(7.5)], true),
      ("metadata.n < %.2f", [7.25], true), ("metadata.n == %@", [7], true),
      ("metadata.t == 'x%@y'", [], true), ("metadata.%K == %s", ["t", "x%@y"], true),
      ("%K.%K == %@", ["metadata", "t", "x%@y" as NSString], true),
      ("%K == %@", ["metadata.t", "x%@y"], true), ("metadata.n == %@", [NSNull()], false),
      ("metadata.n == %@", [Optional<Int>.none as Any], false),
      ("metadata.n IN {%d, %@}", [6, 7], true), ("metadata.n == %d", [true], false),
      ("%@ == metadata.n", [7, "one that is not used"], true),
      ("metadata.n == %@", [HKWeatherCondition.haze], true),
    ]
    for (format, arguments, expected) in cases {
      let predicate = try NSPredicate.parsed(format: format, argumentArray: arguments)
      #expect(try predicate.matches(sample) == expected, "\(format)")
    }
  }

  @Test(arguments: [
    "", " ", "startDate", "startDate >=", ">= 1", "a == 1 AND", "a == 1 b == 2", "(a == 1",
    "a == 1)",
    "a == 'x", "a == \"x", "a == 'x\\", "a == '\\u12'", "a ==[q] 'x'", "a ==[c 'x'", "a IN {1, 2",
    "a IN {1, b}", "a BETWEEN {1}", "a BETWEEN 1", "a == %", "a == %y", "étrange == 1", "a == 1x",
    "a == 0xg", "a == 1..2", "a == 1e", "a. == 1", "a.1 == 2", "a == - b", "a ~ 1", "# == 1",
    "AND == 1", "NOT", "NOT a", "(a) AND b == 1", "a == (b == 1)", "a == 1 XOR b == 1", "ANY a",
    "ANY (a == 1)", "a == $x", "CAST(1, 'NSString') == a", "CAST('1', 'NSDate') == a",
    "SUBQUERY(a, $x, $x.b == 1).@count > 3", "SUBQUERY(a, $x, $y.b == 1).@count > 0",
    "SUBQUERY(a, x, b == 1)", "a == {", "a == }", "a = = 1", "a NOT IN {1}", "%",
  ]) func textsThatAreNoFormatsThrow(format: String) {
    #expect(throws: ObjectError.self) { try NSPredicate.parsed(format: format) }
  }

  @Test func errorsSayWhereTheFormatIsWrong() {
    let cases: [(String, [Any], ObjectError.Reason)] = [
      ("a == 1 AND ~", [], .invalidFormat(offset: 11)), ("a == 1 b", [], .invalidFormat(offset: 7)),
      ("a == %@", [], .missingFormatArgument), ("%K == %@", ["a"], .missingFormatArgument),
      ("%K == 1", [1], .invalidFormatArgument(offset: 0)),
      ("a == %d", ["1"], .invalidFormatArgument(offset: 5)),
      ("a == %@", [{ 1 } as () -> Int], .invalidFormatArgument(offset: 5)),
    ]
    for (format, arguments, reason) in cases {
      #expect(throws: ObjectError(reason)) {
        try NSPredicate.parsed(format: format, argumentArray: arguments)
      }
    }
  }

  @Test func formatsTrap() async {
    let parser = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = NSPredicate(format: "startDate >=") }
    expectWords("Unable to parse the format string", parser)
    let arguments = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = NSPredicate(format: "%K == %@", argumentArray: ["startDate"]) }
    expectWords(
      "Insufficient arguments for conversion characters specified in format string", arguments)
    let subclass = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      final class Own: NSPredicate {}
      _ = Own(format: "startDate == nil")
    }
    expectWords("A subclass cannot be made from a format or a key", subclass)
  }

  @Test func dictionariesAndValuesAreObjectsToo() {
    let dictionary: [String: Any] = ["a": 1, "b": ["c": "x"]]
    #expect(NSPredicate(format: "a == 1 AND b.c == 'x'").evaluate(with: dictionary))
    #expect(!NSPredicate(format: "d.e == 1 OR d != nil").evaluate(with: dictionary))
    #expect(NSPredicate(format: "SELF > 2").evaluate(with: 3))
    let words = NSArray(array: ["alpha", "beta"])
      .filtered(using: NSPredicate(format: "SELF CONTAINS[c] 'ALP'"))
    #expect(words as? [String] == ["alpha"])
  }

  // MARK: Laws

  @Test func printedTreesParseBack() throws {
    var predicates = RandomPredicates(seed: 5)
    predicates.hasObjects = false
    for _ in 0..<3000 {
      let tree = predicates.tree()
      #expect(try FormatParser.parse(tree.format, []) == tree, "\(tree.format)")
    }
  }

  @Test func formatsWithArgumentsParseBack() throws {
    var predicates = RandomPredicates(seed: 6)
    predicates.uuids = [UUID(), UUID()]
    for _ in 0..<3000 {
      let tree = predicates.tree()
      let (format, arguments) = try TreePredicate(tree).formatAndArguments()
      #expect(try FormatParser.parse(format, arguments) == tree, "\(format)")
    }
  }

  @Test func compoundsPrintAsFoundationDoes() {
    let (one, two) = (NSPredicate(format: "a == 1"), NSPredicate(format: "b CONTAINS[c] 'x'"))
    func tree(_ type: NSCompoundPredicate.LogicalType, _ parts: NSPredicate...) -> NSPredicate {
      NSCompoundPredicate(type: type, subpredicates: parts)
    }
    let cases: [(NSPredicate, String)] = [
      (tree(.and, one, two), "a == 1 AND b CONTAINS[c] \"x\""),
      (tree(.or, tree(.and, one, two), one), "(a == 1 AND b CONTAINS[c] \"x\") OR a == 1"),
      (tree(.not, tree(.or, one, two)), "NOT (a == 1 OR b CONTAINS[c] \"x\")"),
      (
        tree(.and, NSPredicate(value: true), NSPredicate { _, _ in true }),
        "TRUEPREDICATE AND BLOCKPREDICATE"
      ),
    ]
    for (predicate, format) in cases { #expect(predicate.tree.format == format) }
    #expect(
      NSPredicate(format: "d == %@", Trial.date(1.5)).description
        == "d == CAST(1.500000, \"NSDate\")")
  }

  // MARK: Hostile input

  @Test func nestingIsBounded() throws {
    let deepest = FormatParser.deepest
    func nested(_ open: String, _ inner: String, _ close: String, _ depth: Int) -> String {
      String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
    }
    for (open, inner, close) in [
      ("(", "a == 1", ")"), ("NOT ", "a == 1", ""), ("!", "a == 1", ""),
      ("SUBQUERY(a, $x, ", "b == 1", ").@count > 0"),
    ] {
      let accepted = try NSPredicate.parsed(format: nested(open, inner, close, deepest))
      #expect(accepted == (try NSPredicate.parsed(format: accepted.tree.format)))
      #expect(throws: ObjectError.self) {
        try NSPredicate.parsed(format: nested(open, inner, close, deepest + 1))
      }
      #expect(throws: ObjectError.self) {
        try NSPredicate.parsed(format: nested(open, inner, close, 100_000))
      }
      #expect(throws: ObjectError.self) {
        try NSPredicate.parsed(format: String(repeating: open, count: 100_000))
      }
    }
    for text in [
      "a == " + nested("(", "1", ")", 100_000), "a == " + nested("{", "1", "}", 100_000),
      "a == " + nested("CAST(", "1", ", 'NSDate')", 100_000),
      "a == " + String(repeating: "-", count: 100_000) + "1",
    ] {
      #expect(throws: ObjectError.self) { try NSPredicate.parsed(format: text) }
    }
  }

  @Test func chainsMayBeLong() throws {
    let count = 50_000
    let chain = (0..<count).map { "value == \($0)" }.joined(separator: " OR ")
    let predicate = try NSPredicate.parsed(format: chain)
    #expect(predicate.evaluate(with: Trial.sleep(.asleepREM)))
    guard case .any(let parts) = predicate.tree else { return #expect(Bool(false)) }
    #expect(parts.count == count)
    let path = Array(repeating: "name", count: count).joined(separator: ".")
    #expect(try !NSPredicate.parsed(format: path + " == 1").matches(Trial.steps()))
  }

  @Test func anyTextIsParsedOrRefused() {
    let words = [
      "startDate", "metadata", ".", "%@", "%K", "%d", "==", "<", "AND", "OR", "NOT", "(", ")", "{",
      "}", ",", "'x'", "1", "nil", "IN", "BETWEEN", "[c]", "ANY", "SUBQUERY", "$x", "@count",
      "CAST",
      "-", "!", "&&", "#", "é", "\u{0}", "'", "%", "LIKE", "SELF", "TRUEPREDICATE", " ",
    ]
    var random = SplitMix64(seed: 13)
    var parsed = 0
    for _ in 0..<20_000 {
      let format = (0..<Int.random(in: 1..<9, using: &random)).map { _ in
        words[Int.random(in: 0..<words.count, using: &random)]
      }.joined(separator: Bool.random(using: &random) ? " " : "")
      if (try? NSPredicate.parsed(format: format, argumentArray: ["a", 1, "b"])) != nil {
        parsed += 1
      }
    }
    #expect(parsed > 20, "some are formats")
    let whole = "NOT (startDate >= CAST(1.5, 'NSDate') AND metadata.x IN {1, 'a\\n'}) OR ANY a > -1"
    for length in 0..<whole.count {
      _ = try? NSPredicate.parsed(format: String(whole.prefix(length)))
    }
  }

  @Test func expressionsThatTakeTooLongEnd() throws {
    let text = String(repeating: "a", count: 60) + "b"
    let predicate = try NSPredicate.parsed(format: "SELF MATCHES '(a+)+'")
    #expect(throws: ObjectError(.endlessPattern)) { try predicate.matches(text) }
    #expect(try predicate.matches(String(repeating: "a", count: 100_000)))
    let plain = try NSPredicate.parsed(format: "SELF MATCHES '[ab]*c'")
    #expect(try !plain.matches(String(repeating: "ab", count: 100_000)))
  }

  @Test func patternsOfLikeTakeNoExponentialTime() {
    let text = String(repeating: "a", count: 2000)
    let pattern = String(repeating: "a*", count: 1000) + "b"
    #expect(!NSPredicate(format: "%@ LIKE %@", text, pattern).evaluate(with: nil))
    #expect(NSPredicate(format: "%@ LIKE %@", text, "*a*a*?").evaluate(with: nil))
    #expect(NSPredicate(format: "'a*b' LIKE 'a\\\\*b'").evaluate(with: nil))
    #expect(!NSPredicate(format: "'axb' LIKE 'a\\\\*b'").evaluate(with: nil))
  }
}
