import Foundation
import Testing
import _HealthTestSupport

/// What the module declares beside the list of HealthKit's interface, and the document that says
/// what is not there and why.
@Suite
struct InterfaceTests {
  @Test(
    "The list is what the script reads from the interface",
    .enabled(if: References.comparesWithShared))
  func list() throws {
    let made = try run("Tools/healthkit-interface", [References.shared.path])
    #expect(made == (try String(decoding: References.contents(Self.listName), as: UTF8.self)))
  }

  @Test("Every declaration of the list is there, or stands in the document with its reason")
  func remaining() throws {
    let list = try Self.lines()
    try #require(list.count > 2000)
    let declared = try Declarations.ofModule.get()
    let document = try RemainingInterface()

    var missing: [String] = []
    for (line, count) in Dictionary(grouping: list, by: { $0 }).mapValues(\.count) {
      let lacking = count - declared.count(of: line)
      if lacking > 0 { missing += Array(repeating: line, count: lacking) }
    }
    let unexplained = missing.filter { document.entry(of: $0) == nil }
    #expect(unexplained.isEmpty, "\(unexplained.sorted().joined(separator: "\n"))")

    // A line of the document stands for something of the list that is missing.
    let stale = document.entries.map(\.text).filter { !missing.contains($0) }
    #expect(stale.isEmpty, "to be taken out: \(stale.joined(separator: "\n"))")
    for entry in document.entries {
      #expect(entry.reason.split(separator: " ").count >= 4, "\(entry.text) has no reason")
    }

    let there = list.count - missing.count
    print(
      "HealthKit's interface: \(there) of \(list.count) declared,",
      String(format: "%.1f %%;", 100 * Double(there) / Double(list.count)), "not there:",
      Dictionary(grouping: missing) { document.entry(of: $0)?.chapter ?? "unexplained" }
        .mapValues(\.count).sorted { $0.value > $1.value }
        .map { "\($0.key) \($0.value)" }.joined(separator: ", "))
  }

  @Test(
    "What is there takes and gives the types of the interface",
    .enabled(if: References.comparesWithShared))
  func signatures() throws {
    let declared = try Declarations.ofModule.get()
    let document = try RemainingInterface()
    let text = try run("Tools/healthkit-interface", [References.shared.path, "--signatures"])
    var compared = 0
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t").map(String.init)
      try #require(parts.count == 2, "\(line)")
      let ours = declared.signatures[parts[0]] ?? []
      guard !ours.isEmpty else { continue }
      let isExplained = document.entries.contains { $0.text.hasSuffix(" \(parts[0])") }
      #expect(isExplained || ours.contains(Declarations.types(of: parts[1])), "\(line)")
      compared += 1
    }
    #expect(compared > 300)
  }

  @Test("The comparison sees a declaration that is missing, and one that is not in the list")
  func comparison() throws {
    let declared = try Declarations.ofModule.get()
    #expect(declared.count(of: "enum HKBloodType") == 1)
    #expect(declared.count(of: "case HKBloodType.aPositive") == 1)
    #expect(declared.count(of: "case HKBloodType.zPositive") == 0)
    #expect(declared.count(of: "class HKBloodType") == 0)
    #expect(declared.count(of: "HKBloodTypeObject: NSSecureCoding") == 1)
    #expect(declared.count(of: "HKBloodTypeObject: NSObject") == 1)
    #expect(declared.count(of: "HKBloodTypeObject: open") == 1)
    #expect(declared.count(of: "HKBloodTypeObject: Codable") == 0)
    #expect(declared.count(of: "static var HKQuantityTypeIdentifier.stepCount") == 1)
    #expect(declared.count(of: "static var NSNotification.Name.HKUserPreferencesDidChange") == 1)
    let compare = try #require(declared.signatures["HKQuantity.compare(_:)"])
    #expect(
      compare.contains(
        Declarations.types(of: "func compare(_ quantity: HKQuantity) -> ComparisonResult")))
    #expect(
      !compare.contains(Declarations.types(of: "func compare(_ quantity: HKQuantity) -> Int")))
  }

  @Test("Nothing that is prefixed as Apple's is invented")
  func invented() throws {
    let known = Set(
      try Self.lines().filter { !$0.contains(": ") }.flatMap { (line: String) -> [String] in
        line.split(separator: " ").last?.split(separator: ".").map(String.init) ?? []
      })
    // The list says of clinical records, prescriptions and documents that they follow the others, and
    // forgets the places of a route one by one, of iOS 15.4.
    let leftOut: Set = [
      "HKAttachmentDataReader", "HKAttachmentStore", "HKAudiogramSensitivityPointClampingRange",
      "HKCDADocument", "HKContactsLensSpecification", "HKFHIRVersion",
      "HKGlassesLensSpecification", "HKLensSpecification", "HKVisionPrism",
      "HKWorkoutRouteQueryDescriptor",
    ]
    #expect(leftOut.isDisjoint(with: known))
    let invented = try Declarations.ofModule.get().names.filter { $0.hasPrefix("HK") }
      .subtracting(known).subtracting(leftOut)
    #expect(invented.isEmpty, "\(invented.sorted())")
  }

  static let listName = "HealthKitInterface.txt"

  private static func lines() throws -> [String] {
    String(decoding: try References.contents(listName), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }
}

/// The lines that describe what the module declares, from its symbol graph.
private struct Declarations {
  /// Those of the module, read once.
  static let ofModule = Result { try Declarations() }

  private var counts: [String: Int] = [:]
  /// The signatures of each function, initialiser and property, down to what they take and give.
  private(set) var signatures: [String: Set<String>] = [:]
  /// The names that stand at the top of the module.
  private(set) var names: Set<String> = []
  /// What names stand for that are others of the results of queries.
  private var aliases: [String: String] = [:]

  private struct Graph: Decodable {
    struct Symbol: Decodable {
      struct Identifier: Decodable { let precise: String }
      struct Kind: Decodable { let identifier: String }
      let identifier: Identifier
      let kind: Kind
      struct Fragment: Decodable { let spelling: String }
      struct Generics: Decodable {
        struct Parameter: Decodable { let name: String }
        let parameters: [Parameter]?
      }
      let swiftGenerics: Generics?
      let pathComponents: [String]
      let accessLevel: String
      let declarationFragments: [Fragment]
    }
    struct Relationship: Decodable {
      let kind: String
      let source: String
      let target: String
      let targetFallback: String?
    }
    let symbols: [Symbol]
    let relationships: [Relationship]
  }

  /// How the list calls the kinds of a symbol graph.
  private static let kinds = [
    "swift.class": "class", "swift.struct": "struct", "swift.enum": "enum",
    "swift.protocol": "protocol", "swift.enum.case": "case", "swift.init": "init",
    "swift.method": "func", "swift.type.method": "static func", "swift.property": "var",
    "swift.type.property": "static var", "swift.var": "var", "swift.func": "func",
    "swift.typealias": "typealias", "swift.associatedtype": "associatedtype",
  ]

  private init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("symbol-graphs-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let build = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    _ = try run("Tools/symbol-graphs", [build.path, folder.path, "HealthKit", "HealthSamples"])

    // The identifiers are the core's, which the module exports by name.
    let exports = try String(
      contentsOf: root.appendingPathComponent("Sources/HealthKit/Exports.swift"), encoding: .utf8)
    let exported = Set(
      exports.matches(of: /import struct HealthSamples\.(\w+)/).map { String($0.1) })
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let data = try Data(contentsOf: folder.appendingPathComponent(file))
      let graph = try JSONDecoder().decode(Graph.self, from: data)
      let isOurs = file.hasPrefix("HealthKit")
      add(graph) { isOurs || exported.contains($0) }
    }
    for (name, type) in aliases { addMembers(of: type, to: name) }
    try #require(counts.count > 1000)
  }

  /// A name of a type of the module has all that the type has.
  private mutating func addMembers(of type: String, to name: String) {
    for (line, count) in counts {
      let words = line.split(separator: " ")
      let place = words[0].hasSuffix(":") ? 0 : words.count - 1
      let found = words[place]
      guard found == "\(type):" || found == type || found.hasPrefix("\(type).") else { continue }
      var renamed = words.map(String.init)
      renamed[place] = name + found.dropFirst(type.count)
      counts[renamed.joined(separator: " "), default: 0] += count
    }
    for (found, signatures) in signatures where found.hasPrefix("\(type).") {
      self.signatures[name + found.dropFirst(type.count), default: []].formUnion(signatures)
    }
  }

  func count(of line: String) -> Int { counts[line] ?? 0 }

  /// A signature without what the list and the graph spell in different ways, and without what its
  /// kind says already: modifiers, attributes, accessors, names that only the function itself sees,
  /// default values of `nil` or nothing, the descriptor in which a type stands.
  static func types(of signature: String) -> String {
    signature
      .replacing("(any Error)?", with: "Error?")
      .replacing(#/Self\.|<Sample>/#, with: "")
      .replacing(#/\bHK\w+Descriptor\.(Results\.)?/#, with: "")
      .replacing(#/@\w+ |\{.*\}| = nil| = \[:?\]/#, with: "")
      .replacing(#/\b(public|open|final|override|convenience|required|mutating|any)\b/#, with: "")
      .replacing(#/\b(class|static|let|var)\b/#, with: "")
      .replacing(#/(\w+) \w+:/#) { "\($0.1):" }
      .replacing("PredicateOperator", with: "NSComparisonPredicate.Operator")
      .filter { !$0.isWhitespace }
  }

  private mutating func add(_ graph: Graph, where isIncluded: (String) -> Bool) {
    var names: [String: String] = [:]
    for symbol in graph.symbols {
      let name = symbol.pathComponents.joined(separator: ".")
      guard isIncluded(symbol.pathComponents[0]) else { continue }
      names[symbol.identifier.precise] = name
      guard let kind = Self.kinds[symbol.kind.identifier] else { continue }
      if symbol.pathComponents.count == 1 { self.names.insert(name) }
      counts["\(kind) \(name)", default: 0] += 1
      let signature = symbol.declarationFragments.map(\.spelling).joined()
      signatures[name, default: []].insert(Self.types(of: signature))
      if kind == "typealias", let match = signature.firstMatch(of: /= (QueryResults)</) {
        aliases[name] = String(match.1)
      }
      // A parameter is a name of its type, as an alias is.
      for parameter in symbol.swiftGenerics?.parameters ?? [] {
        counts["typealias \(name).\(parameter.name)"] = 1
      }
      if symbol.accessLevel == "open" { counts["\(name): open"] = 1 }
    }
    for relationship in graph.relationships
    where relationship.kind == "conformsTo" || relationship.kind == "inheritsFrom" {
      guard let name = names[relationship.source] else { continue }
      let target = names[relationship.target] ?? relationship.targetFallback ?? ""
      counts["\(name): \(target.split(separator: ".").last ?? "")"] = 1
    }
  }
}

/// The document that says what of the interface is not there, and why.
private struct RemainingInterface {
  struct Entry {
    let text: String
    let chapter: String
    let reason: String
  }

  /// Every line of a list, with its own reason or that of its chapter.
  let entries: [Entry]
  private let byText: [String: Entry]
  /// The types that stand in it with all their members.
  private let byType: [Substring: Entry]

  init() throws {
    let text = try String(
      contentsOf: root.appendingPathComponent("Docs.docc/RemainingInterface.md"), encoding: .utf8)
    var entries: [Entry] = []
    var chapter = ""
    var reason = ""
    for paragraph in text.split(separator: "\n\n") {
      if paragraph.hasPrefix("#") {
        chapter = String(paragraph.drop { $0 == "#" || $0 == " " })
        reason = ""
      } else if !paragraph.hasPrefix("- ") {
        reason += paragraph
      }
      for line in paragraph.split(separator: "\n") {
        guard let match = try /- `([^`]+)`(?:: (.*))?/.wholeMatch(in: line) else { continue }
        entries.append(
          Entry(
            text: String(match.1), chapter: chapter,
            reason: match.2.map(String.init) ?? reason))
      }
    }
    self.entries = entries
    byText = Dictionary(entries.map { ($0.text, $0) }, uniquingKeysWith: { first, _ in first })
    let types = entries.compactMap { entry -> (Substring, Entry)? in
      let words = entry.text.split(separator: " ")
      guard ["class", "struct", "enum", "protocol"].contains(words[0]) else { return nil }
      return (words[words.count - 1], entry)
    }
    byType = Dictionary(types, uniquingKeysWith: { first, _ in first })
  }

  /// What says why a line of the list is missing: its own entry, or that of a type that it is in.
  func entry(of line: String) -> Entry? {
    if let entry = byText[line] { return entry }
    let words = line.split(separator: " ")
    let name = words[0].hasSuffix(":") ? words[0].dropLast() : words[words.count - 1]
    // The name itself is a type where the line says what it conforms to.
    let ends = name.indices.filter { name[$0] == "." } + [name.endIndex]
    return ends.lazy.compactMap { byType[name[..<$0]] }.first
  }
}

/// The root of the package.
private let root = References.folder
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// What a script of the package prints.
private func run(_ script: String, _ arguments: [String]) throws -> String {
  let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("output-\(UUID().uuidString)")
  #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
  defer { try? FileManager.default.removeItem(at: file) }
  let process = Process()
  process.executableURL = root.appendingPathComponent(script)
  process.arguments = arguments
  process.standardOutput = try FileHandle(forWritingTo: file)
  try process.run()
  process.waitUntilExit()
  try #require(process.terminationStatus == 0, "\(script) failed")
  return try String(contentsOf: file, encoding: .utf8)
}
