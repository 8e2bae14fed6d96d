import Foundation

/// A small history with what it gives, of `vectors.json`.
public struct HistoryVector: Sendable, CustomStringConvertible {
  /// One of several stores does something.
  public struct Step: Sendable {
    var store: String
    var command: String
    var arguments: [Value]
  }

  public let name: String
  /// The number of the rule that it shows.
  public let rule: String
  private let files: [String: History.File]
  private let steps: [Step]
  private let expected: [String: [String: Value]]

  public var description: String { "\(name) (\(rule))" }

  /// A value of the file.
  public enum Value: Hashable, Sendable, Decodable {
    case null
    case truth(Bool)
    case number(Double)
    case text(String)
    case list([Value])
    case table([String: Value])

    public init(from decoder: any Decoder) throws {
      let one = try decoder.singleValueContainer()
      if one.decodeNil() {
        self = .null
      } else if let value = try? one.decode(Bool.self) {
        self = .truth(value)
      } else if let value = try? one.decode(Double.self) {
        self = .number(value)
      } else if let value = try? one.decode(String.self) {
        self = .text(value)
      } else if let value = try? one.decode([Value].self) {
        self = .list(value)
      } else {
        self = .table(try one.decode([String: Value].self))
      }
    }

    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var list: [Value] { if case .list(let list) = self { list } else { [] } }
    var table: [String: Value] { if case .table(let table) = self { table } else { [:] } }
  }

  /// A vector that does not say what it should.
  public struct Malformed: Error {
    let what: String
  }

  /// All vectors.
  public static func all() throws -> [HistoryVector] {
    let contents = try References.contents("history/vectors.json")
    return try JSONDecoder().decode(Value.self, from: contents).list.map {
      try HistoryVector($0.table)
    }
  }

  private init(_ table: [String: Value]) throws {
    name = table["name"]?.text ?? ""
    rule = table["rule"]?.text ?? ""
    files = try (table["files"]?.table ?? [:]).mapValues { try History.File($0.table) }
    steps = (table["do"]?.list ?? []).map { step in
      let parts = (step.list.first?.text ?? "").split(separator: ":").map(String.init)
      return Step(
        store: parts.count > 1 ? parts[0] : "s", command: parts.last ?? "",
        arguments: Array(step.list.dropFirst()))
    }
    expected = (table["expect"]?.table ?? [:]).mapValues(\.table)
  }

  /// Runs the vector.
  ///
  /// - Parameter store: makes a store with a name
  /// - Returns: what differs from what it expects
  /// - Throws: what a store throws
  public func differences<Replica: HistoryReplica>(
    _ store: (String, HistoryClock) throws -> Replica
  ) throws -> [String] {
    let clock = HistoryClock()
    var stores: [String: Replica] = [:]
    var files = files
    var deletions: [String: Replica.Deletion] = [:]
    var notes: [String: [History.RowKey: String]] = [:]
    func replica(_ name: String) throws -> Replica {
      if let known = stores[name] { return known }
      let made = try store(name, clock)
      stores[name] = made
      return made
    }
    for step in steps {
      clock.now += 1
      let here = try replica(step.store)
      func text(_ index: Int) throws -> String {
        guard step.arguments.indices.contains(index), let text = step.arguments[index].text else {
          throw Malformed(what: step.command)
        }
        return text
      }
      func named() throws -> [History.File] {
        try step.arguments.indices.map { index in
          guard let file = try files[text(index)] else { throw Malformed(what: step.command) }
          return file
        }
      }
      switch step.command {
      case "import": try here.importFiles(named(), replacing: false, restoring: false)
      case "import-replace": try here.importFiles(named(), replacing: true, restoring: false)
      case "import-restore": try here.importFiles(named(), replacing: false, restoring: true)
      case "undo": for file in try named() { try here.undo(file) }
      case "add", "add-element":
        let fields = step.arguments[1].list
        let version = step.arguments.count > 2 ? step.arguments[2].list : []
        try here.add(
          text(0), step.command == "add" ? .row(History.Row(fields)) : .element(.init(fields)),
          version.isEmpty
            ? nil : History.Version(version[0].text ?? "", version[1].number ?? 0))
      case "delete":
        let deletion = try here.delete(History.Selection(step.arguments[0].table))
        deletions[step.arguments.count > 1 ? try text(1) : "last"] = deletion
      case "restore": try here.restore(History.Selection(step.arguments[0].table))
      case "restore-act":
        guard let deletion = try deletions[text(0)] else { throw Malformed(what: step.command) }
        try here.restore(deletion)
      case "associate", "dissociate":
        let link = try History.Link(
          History.Reference(step.arguments[0]), History.Reference(step.arguments[1]), text(2))
        try step.command == "associate" ? here.associate(link) : here.dissociate(link)
      case "attach":
        try here.attach(text(0), to: History.Reference(step.arguments[1]), name: text(2))
      case "detach": try here.detach(text(0))
      case "set": try here.set(text(0), Self.setting(step.arguments[1]))
      case "sync":
        try here.synchronise(with: replica(text(0)))
      case "clock": clock.now = step.arguments[0].number ?? 0
      case "export-own": files[try text(0)] = try here.ownExport()
      case "note": notes[try text(0)] = try here.uuids()
      default: throw Malformed(what: step.command)
      }
    }
    var differences: [String] = []
    for (name, expected) in expected.sorted(by: { $0.key < $1.key }) {
      let here = try replica(name)
      let found = try here.answers()
      for (key, wanted) in expected.sorted(by: { $0.key < $1.key }) {
        func compare<Found: Equatable>(_ found: Found, _ wanted: Found) {
          if found != wanted { differences.append("\(name) \(key): \(found) for \(wanted)") }
        }
        func rows() throws -> [History.Row] { try wanted.list.map { try History.Row($0.list) } }
        switch key {
        case "samples": compare(found.samples, try rows())
        case "out": compare(found.out, try rows())
        case "elements":
          compare(found.elements, try wanted.list.map { try History.Element($0.list) })
        case "edges":
          compare(
            found.links,
            Set(
              try wanted.list.map { edge in
                History.Link(
                  try History.Reference(edge.list[0]), try History.Reference(edge.list[1]),
                  edge.list[2].text ?? "")
              }))
        case "attachments":
          compare(
            found.attachments,
            Set(
              try wanted.list.map { attachment in
                History.Attachment(
                  uuid: attachment.list[0].text ?? "",
                  object: try History.Reference(attachment.list[1]),
                  name: attachment.list[2].text ?? "")
              }))
        case "settings": compare(found.settings, wanted.table.mapValues(Self.setting))
        case "imports":
          let names = files.filter { found.imports.contains($0.value.id) }.keys.sorted()
          compare(names, wanted.list.compactMap(\.text))
        case "copies": compare(found.copies, wanted.list.compactMap { $0.number.map { Int($0) } })
        case "uuids": compare(found.uuids.sorted(), wanted.list.compactMap(\.text))
        case "same-uuids":
          let now = try here.uuids()
          for (note, count) in wanted.table {
            compare(
              Double((notes[note] ?? [:]).filter { now[$0.key] == $0.value }.count), count.number)
          }
        case "equal":
          for other in wanted.list.compactMap(\.text) {
            compare(found, try replica(other).answers())
          }
        default: throw Malformed(what: key)
        }
      }
    }
    return differences
  }
}

extension HistoryVector {
  /// The value of a setting: a text, or the texts of a list.
  private static func setting(_ value: Value) -> String {
    value.text ?? value.list.compactMap(\.text).joined(separator: " ")
  }
}

extension History.Row {
  fileprivate init(_ fields: [HistoryVector.Value]) throws {
    guard fields.count >= 5, let type = fields[0].text, let source = fields[1].text,
      let start = fields[2].number, let end = fields[3].number, let value = fields[4].number
    else { throw HistoryVector.Malformed(what: "row") }
    self.init(
      type, source, start, end, value, fields.count > 5 ? fields[5].text ?? "" : "",
      uuid: fields.count > 6 ? fields[6].text : nil)
  }
}

extension History.ElementKey {
  fileprivate init(_ fields: [HistoryVector.Value]) throws {
    guard fields.count >= 5, let kind = fields[0].text, let name = fields[1].text,
      let source = fields[2].text, let start = fields[3].number, let end = fields[4].number
    else { throw HistoryVector.Malformed(what: "element") }
    self.init(kind, name, source, start, end)
  }
}

extension History.Element {
  fileprivate init(_ fields: [HistoryVector.Value]) throws {
    guard fields.count >= 6 else { throw HistoryVector.Malformed(what: "element") }
    self.init(
      try History.ElementKey(fields), fields[5].text ?? "",
      file: fields.count > 6 ? Int(fields[6].number ?? 0) : 0,
      uuid: fields.count > 7 ? fields[7].text : nil)
  }
}

extension History.File {
  fileprivate init(_ table: [String: HistoryVector.Value]) throws {
    self.init(
      format: table["format"]?.text ?? "apple", date: table["date"]?.number,
      rows: try (table["rows"]?.list ?? []).map { try History.Row($0.list) },
      elements: try (table["elements"]?.list ?? []).map { try History.Element($0.list) },
      isWhole: table["whole"] != .truth(false))
  }
}

extension History.Reference {
  fileprivate init(_ value: HistoryVector.Value) throws {
    let fields = Array(value.list.dropFirst())
    switch value.list.first?.text {
    case "u": self = .object(fields.first?.text ?? "")
    case "r": self = .row(try History.Row(fields).key)
    case "e": self = .element(try History.ElementKey(fields))
    default: throw HistoryVector.Malformed(what: "reference")
    }
  }
}

extension History.Selection {
  fileprivate init(_ table: [String: HistoryVector.Value]) throws {
    self.init()
    type = table["type"]?.text
    source = table["source"]?.text
    kind = table["kind"]?.text
    from = table["from"]?.number
    to = table["to"]?.number
    minimum = table["min"]?.number
    uuid = table["uuid"]?.text
    row = try table["row"].map { try History.Row($0.list).key }
    element = try table["cell"].map { try History.ElementKey($0.list) }
  }
}
