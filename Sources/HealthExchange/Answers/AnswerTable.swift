package import HealthQuery

/// A fact about a whole answer.
package struct HeadMember {
  /// Where the fact stands.
  package enum Place {
    /// In the head of json and Arrow alone.
    case head
    /// Also in each line of ndjson.
    case lines
    /// Also in each row of csv and ndjson, as the last columns.
    case rows
  }

  package let key: String
  package let value: JSON
  package let place: Place

  package init(_ key: String, _ value: JSON, _ place: Place = .rows) {
    (self.key, self.value, self.place) = (key, value, place)
  }

  /// The fact as json has it.
  package var json: JSON.Member { JSON.Member(key, value) }
}

/// A list of an answer in rows and columns with what is said of the whole: what csv, json, ndjson,
/// Arrow and the assistant give.
///
/// | face | head | columns |
/// | --- | --- | --- |
/// | json | members of the document | objects in its ``list`` |
/// | ndjson | the members of rows at the end of each line | an object a line |
/// | csv | the members of rows as the last fields | fields; lists are left out |
/// | Arrow | metadata | columns; lists are lists of structures |
package struct AnswerTable {
  /// The answers of sources alone, beside that of all.
  ///
  /// json has them as an object in each row, csv and Arrow as rows of their own, in which a column
  /// names the source.
  package struct Split {
    /// The key of the object in json.
    package let key: String
    /// How many of the first columns rows of sources have in common with those of all.
    package let shared: Int
    /// The columns of each source, the same as those of the table after the shared ones.
    package let parts: [Part]

    /// One source: its name and its columns.
    package struct Part {
      package let name: String
      package let columns: [AnswerColumn]

      package init(_ name: String, _ columns: [AnswerColumn]) {
        (self.name, self.columns) = (name, columns)
      }

      /// What json has in the object of the source: the columns, and those of plain groups.
      var members: [AnswerColumn] {
        columns.flatMap { column in
          if case .group(let columns, _) = column.values, case .group(_, .plain) = column.field.form
          {
            columns
          } else {
            [column]
          }
        }
      }
    }

    package init(
      _ key: String = "sources", shared: Int, parts: [Part]
    ) {
      (self.key, self.shared, self.parts) = (key, shared, parts)
    }

    /// The column that names the source; without a name in the rows of all.
    package static let source = AnswerField(
      "source", .word, about: "the name of the source; none in the row of all")
  }

  /// What a row is, such as `hrv.series`.
  package let name: String
  /// The key of the rows in json; `nil` if the only row is part of the head.
  package let list: String?
  /// The number of rows.
  package let count: Int
  /// The zones of instants.
  package let zones: ZoneTimeline
  package var head: [HeadMember]
  package var columns: [AnswerColumn]
  package var split: Split?

  package init(
    _ name: String, list: String?, count: Int, zones: ZoneTimeline, head: [HeadMember],
    _ columns: [AnswerColumn]
  ) {
    (self.name, self.list, self.count, self.zones) = (name, list, count, zones)
    (self.head, self.columns) = (head, columns)
  }
}

// MARK: - Sources as rows

extension AnswerTable {
  /// The same table with the answers of sources as rows of their own, behind each row of all.
  package var joined: AnswerTable {
    guard let split else { return self }
    let number = 1 + split.parts.count
    let names = [nil] + split.parts.map(\.name)
    let own = columns.dropFirst(split.shared)
    var joined = AnswerTable(
      name, list: list, count: count * number, zones: zones, head: head,
      columns.prefix(split.shared).map { $0.interleaved(Array(repeating: $0, count: number)) })
    joined.columns.append(AnswerColumn(Split.source, .texts(.read { names[$0 % number] })))
    for (place, column) in own.enumerated() {
      joined.columns.append(column.interleaved([column] + split.parts.map { $0.columns[place] }))
    }
    return joined
  }
}

extension AnswerColumn {
  /// The column with the values of several of its form, row by row.
  fileprivate func interleaved(_ columns: [AnswerColumn]) -> AnswerColumn {
    func cells<Value>(_ read: (Values) -> Cells<Value>?) -> Cells<Value> {
      let cells = columns.compactMap { read($0.values) }
      return .read { row in cells[row % cells.count][row / cells.count] }
    }
    let values: Values =
      switch self.values {
      case .numbers: .numbers(cells { if case .numbers(let cells) = $0 { cells } else { nil } })
      case .counts: .counts(cells { if case .counts(let cells) = $0 { cells } else { nil } })
      case .truths: .truths(cells { if case .truths(let cells) = $0 { cells } else { nil } })
      case .texts: .texts(cells { if case .texts(let cells) = $0 { cells } else { nil } })
      case .json: .json(cells { if case .json(let cells) = $0 { cells } else { nil } })
      case .group(let children, _):
        .group(
          children.indices.map { place in
            children[place].interleaved(
              columns.compactMap {
                if case .group(let children, _) = $0.values { children[place] } else { nil }
              })
          }, isKnown: nil)
      // Sources alone have no lists: only rows of all say what each counted.
      case .list(let ends, let children):
        .list(
          ends: ends.indices.flatMap { row in
            Array(repeating: ends[row], count: columns.count)
          }, children)
      }
    return AnswerColumn(field, values)
  }
}

extension HeadMember {
  /// The zones of days; rows have their name.
  package static func zones(_ zones: ZoneTimeline) -> [Self] {
    zones.members.map { Self($0.key, $0.value, $0.key == ZoneTimeline.memberName ? .rows : .head) }
  }

  /// A fact that rows lack.
  package static func fact(_ key: String, _ value: JSON) -> Self { Self(key, value, .head) }

  /// Facts that rows lack.
  package static func facts(_ members: [JSON.Member]) -> [Self] {
    members.map { .fact($0.key, $0.value) }
  }
}
