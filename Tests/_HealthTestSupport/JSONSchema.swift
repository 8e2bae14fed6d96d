import Foundation

/// A value of JSON, in which true and 1 differ.
public enum JSONDocument: Decodable, Hashable {
  case null
  case truth(Bool)
  case number(Double)
  case text(String)
  case list([JSONDocument])
  case object([String: JSONDocument])

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let truth = try? container.decode(Bool.self) {
      self = .truth(truth)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([JSONDocument].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: JSONDocument].self))
    }
  }

  /// Reads a text.
  public init(_ text: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
  }

  /// A member of an object.
  public subscript(key: String) -> JSONDocument? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// The elements of a list.
  public var elements: [JSONDocument]? { if case .list(let list) = self { list } else { nil } }

  /// The members of an object.
  public var members: [String: JSONDocument]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The name of the type in JSON Schema, that of whole numbers second.
  fileprivate var types: [String] {
    switch self {
    case .null: ["null"]
    case .truth: ["boolean"]
    case .number(let number): number == number.rounded() ? ["number", "integer"] : ["number"]
    case .text: ["string"]
    case .list: ["array"]
    case .object: ["object"]
    }
  }
}

/// JSON Schema, as far as schemas of hkstats go (draft 2020-12): a keyword beyond these is refused.
public enum JSONSchema {
  /// Where a value is not what a schema says, each with its place; none where it is.
  public static func problems(
    of value: JSONDocument, in schema: JSONDocument, at place: String = "$"
  ) -> [String] {
    guard let keywords = schema.members else {
      return schema == .truth(true) ? [] : ["\(place): \(schema) is no schema that allows it"]
    }
    var problems: [String] = []
    for (keyword, wanted) in keywords {
      switch keyword {
      case "title", "description", "default": break
      case "type":
        let names = (wanted.elements ?? [wanted]).compactMap { name in
          if case .text(let name) = name { name } else { nil as String? }
        }
        if Set(names).isDisjoint(with: value.types) {
          problems.append("\(place): \(value.types[0]) in place of \(names)")
        }
      case "properties":
        guard let members = value.members, let schemas = wanted.members else { continue }
        for (key, schema) in schemas {
          guard let member = members[key] else { continue }
          problems += self.problems(of: member, in: schema, at: "\(place).\(key)")
        }
      case "additionalProperties":
        guard let members = value.members else { continue }
        let known = keywords["properties"]?.members ?? [:]
        for (key, member) in members where known[key] == nil {
          problems += self.problems(of: member, in: wanted, at: "\(place).\(key)")
        }
      case "items":
        for (index, element) in (value.elements ?? []).enumerated() {
          problems += self.problems(of: element, in: wanted, at: "\(place)[\(index)]")
        }
      default: problems.append("\(place): \(keyword) is not known here")
      }
    }
    return problems
  }
}
