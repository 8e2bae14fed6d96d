import Foundation
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("JSON")
struct JSONReaderTests {
  /// A value in memory, made at random and written by the slow way.
  private indirect enum Model: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([Model])
    case object([String], [Model])

    init(depth: Int, _ random: inout SplitMix64) {
      let kinds = depth < 5 ? 6 : 4
      switch Int.random(in: 0..<kinds, using: &random) {
      case 0: self = .null
      case 1: self = .bool(Bool.random(using: &random))
      case 2:
        self = .number(
          [0, -0.5, 12, 1e300, 5e-7, 1234.5678, 9_007_199_254_740_992][
            Int.random(in: 0..<7, using: &random)])
      case 3: self = .string(Self.text(&random))
      case 4:
        self = .array(
          (0..<Int.random(in: 0...4, using: &random)).map { _ in
            Model(depth: depth + 1, &random)
          })
      default:
        let count = Int.random(in: 0...4, using: &random)
        self = .object(
          (0..<count).map { "\($0)" + Self.text(&random) },
          (0..<count).map { _ in Model(depth: depth + 1, &random) })
      }
    }

    private static func text(_ random: inout SplitMix64) -> String {
      let parts = ["a", "\"", "\\", "\n", "é", "🍎", "{", "]", ",", ":", "\u{202F}", "null", "\t"]
      return (0..<Int.random(in: 0...6, using: &random)).map { _ in
        parts[Int.random(in: parts.indices, using: &random)]
      }.joined()
    }

    /// The value as Foundation sees it.
    var object: Any {
      switch self {
      case .null: NSNull()
      case .bool(let flag): flag
      case .number(let number): number
      case .string(let text): text
      case .array(let elements): elements.map(\.object)
      case .object(let keys, let values):
        Dictionary(zip(keys, values.map(\.object)), uniquingKeysWith: { first, _ in first })
      }
    }

    func bytes(_ random: inout SplitMix64) throws -> [UInt8] {
      var options: JSONSerialization.WritingOptions = [.fragmentsAllowed]
      if Bool.random(using: &random) { options.insert(.prettyPrinted) }
      return Array(try JSONSerialization.data(withJSONObject: object, options: options))
    }

    /// Whether a value that was read says the same.
    func agrees(with value: JSONValue) -> Bool {
      switch self {
      case .null: value.number == nil && value.text == nil && value.flag == nil
      case .bool(let flag): value.flag == flag
      case .number(let number): value.number == number
      case .string(let text): (value.text ?? "") == text
      case .array(let elements):
        value.elements.map { Array($0) }.map { read in
          read.count == elements.count
            && zip(elements, read).allSatisfy { $0.agrees(with: $1) }
        } == true
      case .object(let keys, let values):
        Dictionary(value.members, uniquingKeysWith: { first, _ in first }).count == keys.count
          && zip(keys, values).allSatisfy { key, model in
            value.members.first { $0.key == key }.map { model.agrees(with: $0.value) } == true
          }
      }
    }
  }

  @Test("Values at random, in pieces of any size, are what another writer wrote")
  func roundTrip() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<300 {
      let models = (0..<Int.random(in: 1...5, using: &random)).map { _ in Model(depth: 0, &random) }
      var text = Array("[".utf8)
      for (place, model) in models.enumerated() {
        if place > 0 { text.append(UInt8(ascii: ",")) }
        text += try model.bytes(&random)
      }
      text.append(UInt8(ascii: "]"))
      let source = MemoryBytes(text, mostAtOnce: Int.random(in: 1...40, using: &random))
      var reader = try JSONReader(source: source)
      #expect(try reader.enterArray())
      for model in models {
        #expect(try reader.nextElement())
        guard case .value(let value) = try reader.element() else {
          Issue.record("no value")
          return
        }
        #expect(model.agrees(with: value))
      }
      #expect(try !reader.nextElement())
      #expect(reader.damagedAt == nil && reader.position == text.count)
    }
  }

  @Test("A text that is cut anywhere gives what is whole, and says where it breaks")
  func cuts() throws {
    let text = Array(#"[{"a":[1,2.5e3],"b":"x\"}"}, "c", -7, true, [[]]]"#.utf8)
    let ends = [27, 32, 36, 42, 48]
    for length in 0...text.count {
      var reader = try JSONReader(source: MemoryBytes(Array(text[..<length]), mostAtOnce: 3))
      var count = 0
      if try reader.enterArray() {
        while try reader.nextElement(), let element = try reader.element() {
          if case .value = element { count += 1 }
        }
      }
      // A number or a word that the cut goes through may look whole.
      #expect(count >= ends.count { $0 <= length } && count <= ends.count { $0 <= length } + 1)
      #expect((reader.damagedAt == nil) == (length == text.count))
    }
  }

  @Test("An element longer than the limit is gone over, and the next one is read")
  func oversized() throws {
    let long = String(repeating: "x", count: 5000)
    let text = Array(#"["\#(long)", {"a": "\#(long)"}, "short"]"#.utf8)
    for mostAtOnce in [7, 100_000] {
      var reader = try JSONReader(source: MemoryBytes(text, mostAtOnce: mostAtOnce), limit: 1024)
      #expect(try reader.enterArray())
      var found: [String] = []
      while try reader.nextElement(), let element = try reader.element() {
        switch element {
        case .value(let value): found.append(value.text ?? "")
        case .oversized: found.append("oversized")
        case .malformed: found.append("malformed")
        }
      }
      #expect(found == ["oversized", "oversized", "short"])
    }
  }

  @Test(
    "What is no JSON inside an element is malformed",
    arguments: [
      "{\"a\" 1}", "{1:2}", "[1 2]", "[1,]", "{\"a\":}", "[nul]", "[+-1]", "[0x10]", "{]", "[NaN]",
      "[\u{1}]", "[1e999]",
    ])
  func malformed(text: String) throws {
    var reader = try JSONReader(source: MemoryBytes(Array("[\(text),1]".utf8)))
    #expect(try reader.enterArray() && reader.nextElement())
    guard case .malformed = try reader.element() else {
      Issue.record("it was read")
      return
    }
    #expect(try reader.nextElement())
    guard case .value(let value) = try reader.element() else {
      Issue.record("what follows was lost")
      return
    }
    #expect(value.number == 1)
  }

  @Test("A value that somebody holds stays what it is when the next one is read")
  func held() throws {
    var reader = try JSONReader(source: MemoryBytes(Array(#"["first","second"]"#.utf8)))
    #expect(try reader.enterArray() && reader.nextElement())
    guard case .value(let first) = try reader.element(), try reader.nextElement(),
      case .value(let second) = try reader.element()
    else {
      Issue.record("not two values")
      return
    }
    #expect(first.text == "first" && second.text == "second")
  }
}
