// What assistants read of an answer before they ask: a JSON Schema of its document, made from its
// columns.

extension JSON {
  /// The schema of objects that may have more than some members; the first of a name counts.
  package static func schema(_ properties: [Member]) -> JSON {
    var names: Set<String> = []
    return .object([
      .init("type", .string("object")),
      .init("properties", .object(properties.filter { names.insert($0.key).inserted })),
      .init("additionalProperties", .bool(true)),
    ])
  }

  /// The schema of arrays of values of a schema.
  package static func list(of values: JSON) -> JSON {
    .object([.init("type", .string("array")), .init("items", values)])
  }

  /// The schema of the documents of some tables.
  ///
  /// - Parameters:
  ///   - tables: the tables, of which a document has one
  ///   - more: what a document may have in their place
  /// - Returns: the schema
  package static func schema(of tables: [AnswerTable], or more: [Member] = []) -> JSON {
    schema(tables.flatMap(\.properties) + more)
  }
}

extension AnswerTable {
  /// The schemas of the members of the document: the list of rows, or the only row, and the head.
  fileprivate var properties: [JSON.Member] {
    let row = columns.map(\.field.property)
    return (list.map { [.init($0, .list(of: .schema(row)))] } ?? row) + head.map(\.property)
  }
}

extension HeadMember {
  /// The key with the schema of the value, which other answers may lack.
  package var property: JSON.Member {
    let type: String? =
      switch value {
      case .bool: "boolean"
      case .integer, .number: "number"
      case .string: "string"
      case .array: "array"
      case .object: "object"
      case .null, .written: nil
      }
    return JSON.Member(key, .object(type.map { [.orNull($0)] } ?? []))
  }
}

extension OutputTable {
  /// The schemas of the members of objects.
  package var properties: [JSON.Member] {
    columns.map(\.property)
      + parts.map { part in
        let items = part.listedColumn.map { part.columns[$0].property.value }
        return JSON.Member(part.key, .list(of: items ?? .schema(part.properties)))
      }
  }
}

extension AnswerField {
  /// The key with the schema of the values.
  ///
  /// Units are those of the type and the store, which answers say; only durations have one alone.
  package var property: JSON.Member {
    let unit = form == .duration ? "in s" : ""
    let about = [about, unit].filter { !$0.isEmpty }.joined(separator: "; ")
    return JSON.Member(
      key,
      .object(values + (about.isEmpty ? [] : [.init("description", .string(about))])))
  }

  private var values: [JSON.Member] {
    switch form {
    case .number, .duration: [.orNull("number")]
    case .count: [.orNull("integer")]
    case .truth: [.orNull("boolean")]
    case .instant, .date, .clock, .word, .text: [.orNull("string")]
    case .json: []
    case .group(let fields, .array):
      [.orNull("array")] + (fields.first.map { [.init("items", $0.property.value)] } ?? [])
    case .group(let fields, .prefixed), .group(let fields, .plain):
      [.orNull("object"), .init("properties", .object(fields.map(\.property)))]
    case .list(let fields, .objects):
      [.orNull("array"), .init("items", .schema(fields.map(\.property)))]
    case .list(let fields, .values):
      [.orNull("array"), .init("items", fields[0].property.value)]
    case .list(let fields, .map):
      [.orNull("object"), .init("additionalProperties", fields[1].property.value)]
    }
  }
}

extension JSON.Member {
  /// The keyword for values of a type, or none.
  fileprivate static func orNull(_ type: String) -> Self {
    .init("type", .array([.string(type), .string("null")]))
  }
}
