import HealthAnswers
package import HealthQuery
import HealthSamples

// Each column writes its own bytes: no cell exists between a value and its text.

/// What appends the value of a row.
private typealias Writing = (Int, inout [UInt8], inout OffsetCache) -> Void

// MARK: - Comma-separated text

extension AnswerTable {
  /// The facts at some places that rows have beside their columns.
  private func facts(_ places: HeadMember.Place...) -> [HeadMember] {
    let keys = Set(columns.map(\.field.key))
    return head.filter { places.contains($0.place) && !keys.contains($0.key) }
  }

  /// Writes a header, and a record for each row.
  package func writeRecords(to output: TextOutput) throws(OutputError) {
    let csv = output.csv
    let (table, facts) = (joined, facts(.rows))
    let flatColumns = table.columns.flatMap { $0.flatColumns() }
    try output.record(flatColumns.map(\.name) + facts.map { AnswerField.words(of: $0.key) })
    // The fields common to all records are quoted once.
    var ending: [UInt8] = []
    for fact in facts {
      csv.append(separatorTo: &ending)
      fact.value.append(to: &ending, as: csv)
    }
    ending.append(mark: "\n")
    let fields = flatColumns.map { $0.column.writing(as: csv) }
    var offsets = OffsetCache(zones)
    for row in 0..<table.count {
      try output.append { bytes in
        var isFirst = true
        for write in fields {
          if !isFirst { csv.append(separatorTo: &bytes) }
          isFirst = false
          write(row, &bytes, &offsets)
        }
        bytes.append(contentsOf: ending)
      }
    }
  }
}

extension AnswerColumn {
  /// The columns of csv, with their names.
  package func flatColumns(under group: String? = nil) -> [(name: String, column: AnswerColumn)] {
    switch values {
    case .group(let columns, _):
      let name = field.prefix(under: group)
      return columns.flatMap { $0.flatColumns(under: name) }
    case .list: return []
    case .numbers, .counts, .truths, .texts, .json: return [(field.name(under: group), self)]
    }
  }

  /// Appends a field; nothing where there is no value.
  fileprivate func writing(as csv: CommaSeparated) -> Writing {
    switch values {
    case .numbers(let cells):
      switch field.form {
      case .instant:
        { row, bytes, offsets in
          if let instant = cells[row] { LocalTime(instant, in: &offsets).append(isoTo: &bytes) }
        }
      case .clock:
        { row, bytes, _ in
          if let time = cells[row] { bytes.append(text: SleepAverages.clockText(time)) }
        }
      default:
        { row, bytes, _ in if let number = cells[row] { csv.append(number, to: &bytes) } }
      }
    case .counts(let cells):
      if case .date = field.form {
        { row, bytes, _ in if let day = cells[row] { bytes.append(text: Self.text(ofDay: day)) } }
      } else {
        { row, bytes, _ in if let count = cells[row] { bytes.append(integer: count) } }
      }
    case .truths(let cells):
      { row, bytes, _ in
        if let truth = cells[row] { bytes.append(text: truth ? "true" : "false") }
      }
    case .texts(let cells):
      { row, bytes, _ in if let text = cells[row] { csv.append(text, to: &bytes) } }
    case .json(let cells): { row, bytes, _ in cells[row]?.append(to: &bytes, as: csv) }
    case .group, .list: { _, _, _ in }
    }
  }

  /// A day as text: `2024-03-09`.
  package static func text(ofDay number: Int) -> String {
    LocalTime.text(of: CivilDate(dayNumber: number))
  }
}

// MARK: - JSON

extension AnswerTable {
  /// Writes the document: the head, and the rows in its list.
  ///
  /// - Parameters:
  ///   - more: members at the end of the head
  ///   - notes: members behind the head; behind the row where the row is part of the head
  ///   - output: where it goes
  ///   - object: writes the object of a row; `nil` for that of the columns
  /// - Throws: ``OutputError``
  package func writeDocument(
    _ more: [JSON.Member] = [], notes: [JSON.Member] = [], to output: TextOutput,
    object: ObjectWriter? = nil
  ) throws(OutputError) {
    let members = head.map(\.json) + more
    let write = object ?? writer(of: objectColumns)
    guard let list else {
      for row in 0..<count {
        try write(row, members, notes, output)
        try output.write("\n")
      }
      return
    }
    let facts = members + notes
    try output.write(JSON.object(facts).text.dropLast() + (facts.isEmpty ? "" : ",\n "))
    try output.write("\(JSON.string(list).text):[")
    for row in 0..<count {
      try output.write(row == 0 ? "\n  " : ",\n  ")
      try write(row, [], [], output)
    }
    try output.write("]}\n")
  }

  /// Writes an object a line, with the facts of rows at its end.
  ///
  /// - Parameters:
  ///   - output: where they go
  ///   - object: writes the object of a row; `nil` for that of the columns
  /// - Throws: ``OutputError``
  package func writeLines(
    to output: TextOutput, object: ObjectWriter? = nil
  ) throws(OutputError) {
    let facts = facts(.lines, .rows).map(\.json)
    let write = object ?? writer(of: columns)
    for row in 0..<count {
      try write(row, [], facts, output)
      try output.write("\n")
    }
  }

  /// Writes the object of a row between members before and behind it.
  package typealias ObjectWriter =
    (Int, [JSON.Member], [JSON.Member], TextOutput) throws(OutputError) -> Void

  /// Writes the objects of columns.
  private func writer(of columns: [AnswerColumn]) -> ObjectWriter {
    let write = objectWriting(columns)
    var offsets = OffsetCache(zones)
    return { (row, leading, trailing, output) throws(OutputError) in
      try output.append { bytes in
        write(row, after: leading, before: trailing, to: &bytes, &offsets)
      }
    }
  }

  /// The document as a value, without notes.
  package var document: JSON {
    let members = head.map(\.json)
    var offsets = OffsetCache(zones)
    guard let list else {
      return .object(members + (count > 0 ? self.members(of: 0, &offsets) : []))
    }
    let rows = (0..<count).map { JSON.object(self.members(of: $0, &offsets)) }
    return .object(members + [.init(list, .array(rows))])
  }

  /// The members of the object of a row.
  package func members(of row: Int, _ offsets: inout OffsetCache) -> [JSON.Member] {
    var members = objectColumns.members(of: row, &offsets)
    if let split {
      let parts = split.parts.map { part in
        JSON.Member(part.name, .object(part.members.members(of: row, &offsets)))
      }
      members.append(.init(split.key, .object(parts)))
    }
    return members
  }

  /// What appends the object of a row.
  private func objectWriting(_ columns: [AnswerColumn]) -> ObjectWriting {
    var members = columns.map(ObjectWriting.Member.init)
    if let split {
      let parts = split.parts.map { part in
        ObjectWriting.Member(part.name, ObjectWriting(part.members))
      }
      members.append(ObjectWriting.Member(split.key, ObjectWriting(members: parts)))
    }
    return ObjectWriting(members: members)
  }
}

/// What appends objects of json, a row at a time.
private struct ObjectWriting {
  /// A key, and what appends its value.
  struct Member {
    let key: String
    let append: Writing
    /// Whether a row has no member; `nil` where all have it.
    let isMissing: ((Int) -> Bool)?

    init(_ key: String, _ object: ObjectWriting) {
      self.key = key
      append = { row, bytes, offsets in object(row, to: &bytes, &offsets) }
      isMissing = nil
    }

    init(_ column: AnswerColumn) {
      key = column.field.key
      append = column.jsonWriting
      isMissing = column.field.isOmitted ? column.isUnknown : nil
    }
  }

  let members: [Member]

  init(members: [Member]) { self.members = members }

  init(_ columns: [AnswerColumn]) { members = columns.map(Member.init) }

  /// Appends the object of a row, between members of its head.
  func callAsFunction(
    _ row: Int, after leading: [JSON.Member] = [], before trailing: [JSON.Member] = [],
    to bytes: inout [UInt8], _ offsets: inout OffsetCache
  ) {
    var mark: Unicode.Scalar = "{"
    func begin(_ key: String) {
      bytes.append(mark: mark)
      mark = ","
      JSON.append(key: key, to: &bytes)
    }
    for member in leading {
      begin(member.key)
      member.value.append(to: &bytes)
    }
    for member in members where !(member.isMissing?(row) ?? false) {
      begin(member.key)
      member.append(row, &bytes, &offsets)
    }
    for member in trailing {
      begin(member.key)
      member.value.append(to: &bytes)
    }
    bytes.append(text: mark == "{" ? "{}" : "}")
  }
}

extension AnswerColumn {
  /// Whether a row has no value.
  package func isUnknown(_ row: Int) -> Bool {
    switch values {
    case .numbers(let cells): cells[row] == nil
    case .counts(let cells): cells[row] == nil
    case .truths(let cells): cells[row] == nil
    case .texts(let cells): cells[row] == nil
    case .json(let cells): cells[row] == nil
    case .group(_, let isKnown): !(isKnown?(row) ?? true)
    case .list: false
    }
  }

  /// Appends the value of a row as json; null where there is none.
  fileprivate var jsonWriting: Writing {
    let write = knownJSONWriting
    let isCheap =
      switch (values, field.form) {
      case (.numbers, .instant), (.numbers, .clock), (.group, _), (.list, _): true
      default: false
      }
    // Others write nothing where there is no value, which may take long to find.
    guard isCheap else {
      return { row, bytes, offsets in
        let start = bytes.count
        write(row, &bytes, &offsets)
        if bytes.count == start { bytes.append(text: "null") }
      }
    }
    return { [self] row, bytes, offsets in
      if isUnknown(row) { bytes.append(text: "null") } else { write(row, &bytes, &offsets) }
    }
  }

  /// Appends the value of a row that has one.
  private var knownJSONWriting: Writing {
    switch values {
    case .numbers(let cells):
      let isQuoted = field.form == .instant || field.form == .clock
      let write = writing(as: CommaSeparated())
      guard isQuoted else {
        return { row, bytes, _ in if let number = cells[row] { JSON.append(number, to: &bytes) } }
      }
      return { row, bytes, offsets in
        bytes.append(mark: "\"")
        write(row, &bytes, &offsets)
        bytes.append(mark: "\"")
      }
    case .counts(let cells):
      guard field.form == .date else {
        return { row, bytes, _ in if let count = cells[row] { bytes.append(integer: count) } }
      }
      return { row, bytes, _ in
        if let day = cells[row] { JSON.append(Self.text(ofDay: day), to: &bytes) }
      }
    case .truths: return writing(as: CommaSeparated())
    case .texts(let cells):
      return { row, bytes, _ in if let text = cells[row] { JSON.append(text, to: &bytes) } }
    case .json(let cells): return { row, bytes, _ in cells[row]?.append(to: &bytes) }
    case .group(let columns, _):
      guard case .group(_, .array) = field.form else {
        let object = ObjectWriting(columns)
        return { row, bytes, offsets in object(row, to: &bytes, &offsets) }
      }
      let parts = columns.map(\.jsonWriting)
      return { row, bytes, offsets in
        bytes.append(mark: "[")
        for (place, write) in parts.enumerated() {
          if place > 0 { bytes.append(mark: ",") }
          write(row, &bytes, &offsets)
        }
        bytes.append(mark: "]")
      }
    case .list(let ends, let columns): return listWriting(ends, columns)
    }
  }

  private func listWriting(_ ends: [Int], _ columns: [AnswerColumn]) -> Writing {
    let shape: AnswerField.ListShape =
      if case .list(_, let shape) = field.form { shape } else { .objects }
    let parts = columns.map(\.jsonWriting)
    let object = ObjectWriting(columns)
    let marks: (Unicode.Scalar, Unicode.Scalar) = shape == .map ? ("{", "}") : ("[", "]")
    return { row, bytes, offsets in
      bytes.append(mark: marks.0)
      let first = row == 0 ? 0 : ends[row - 1]
      for place in first..<ends[row] {
        if place > first { bytes.append(mark: ",") }
        switch shape {
        case .objects: object(place, to: &bytes, &offsets)
        case .values: parts[0](place, &bytes, &offsets)
        case .map:
          parts[0](place, &bytes, &offsets)
          bytes.append(mark: ":")
          parts[1](place, &bytes, &offsets)
        }
      }
      bytes.append(mark: marks.1)
    }
  }
}

// MARK: - Values

extension [AnswerColumn] {
  /// The members of the object of a row.
  func members(of row: Int, _ offsets: inout OffsetCache) -> [JSON.Member] {
    filter { !($0.field.isOmitted && $0.isUnknown(row)) }
      .map { JSON.Member($0.field.key, $0.json(row, &offsets)) }
  }
}

extension AnswerColumn {
  /// The value of a row; null where there is none.
  fileprivate func json(_ row: Int, _ offsets: inout OffsetCache) -> JSON {
    guard !isUnknown(row) else { return .null }
    switch values {
    case .numbers(let cells):
      guard let number = cells[row] else { return .null }
      return switch field.form {
      case .instant: .string(LocalTime(number, in: &offsets).isoText)
      case .clock: .string(SleepAverages.clockText(number))
      default: .number(number)
      }
    case .counts(let cells):
      guard let count = cells[row] else { return .null }
      return field.form == .date ? .string(Self.text(ofDay: count)) : .integer(count)
    case .truths(let cells): return cells[row].map { .bool($0) } ?? .null
    case .texts(let cells): return .optional(cells[row])
    case .json(let cells): return cells[row] ?? .null
    case .group(let columns, _):
      guard case .group(_, .array) = field.form else {
        return .object(columns.members(of: row, &offsets))
      }
      return .array(columns.map { $0.json(row, &offsets) })
    case .list(let ends, let columns):
      let rows = (row == 0 ? 0 : ends[row - 1])..<ends[row]
      guard case .list(_, let shape) = field.form else { return .null }
      return switch shape {
      case .objects: .array(rows.map { .object(columns.members(of: $0, &offsets)) })
      case .values: .array(rows.map { columns[0].json($0, &offsets) })
      case .map:
        .object(
          rows.map { place in
            guard case .texts(let keys) = columns[0].values else { return .init("", .null) }
            return .init(keys[place] ?? "", columns[1].json(place, &offsets))
          })
      }
    }
  }
}
