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
///
/// A fact of the head that is a column, too, stands in rows as the column alone; in json in the head
/// alone, where the only row is part of it, or all rows are about the same.
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

extension AnswerTable {
  /// What rows are about where they are about a type.
  private static let subject: Set<String> = ["name", "type", "statistic", "unit"]

  /// The columns of json: without what the head says of the only row, or of all of them.
  var objectColumns: [AnswerColumn] {
    let head = Set(head.map(\.key))
    let said = list == nil ? head : head.isSuperset(of: Self.subject) ? Self.subject : []
    return columns.filter { !said.contains($0.field.key) }
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
      columns.prefix(split.shared).map { column in
        AnswerColumn([column], rows: count * number) { (0, $0 / number) }
      })
    joined.columns.append(AnswerColumn(Split.source, .texts(.read { names[$0 % number] })))
    for (place, column) in own.enumerated() {
      let parts = [column] + split.parts.map { $0.columns[place] }
      joined.columns.append(
        AnswerColumn(parts, rows: count * number) { ($0 % number, $0 / number) })
    }
    return joined
  }
}

// MARK: - Other rows

extension AnswerTable {
  /// The same table with some of the rows, in their order.
  package func keeping(_ rows: [Int]) -> AnswerTable {
    AnswerTable(
      name, list: list, count: rows.count, zones: zones, head: head,
      columns.map { $0.keeping(rows) })
  }

  /// The same table with a column for each value of one of its columns, beside which the others
  /// stand once.
  ///
  /// - Parameters:
  ///   - key: the column that names the new ones: `1` of `component` makes `component1`, a text itself
  ///   - value: the column whose values they have
  /// - Returns: the table; the same one where the rows of each value are not as many
  package func widened(by key: String, value: String) -> AnswerTable {
    guard let names = columns.first(where: { $0.field.key == key }),
      let values = columns.first(where: { $0.field.key == value })
    else { return self }
    var (order, places): ([String], [String: [Int]]) = ([], [:])
    for row in 0..<count {
      let name =
        switch names.values {
        case .counts(let cells): cells[row].map { "\(key)\($0)" } ?? key
        case .texts(let cells): cells[row] ?? ""
        default: key
        }
      if places[name] == nil { order.append(name) }
      places[name, default: []].append(row)
    }
    let rows = order.map { places[$0] ?? [] }
    guard let first = rows.first, rows.allSatisfy({ $0.count == first.count }) else { return self }
    let (field, others) = (values.field, columns.filter { ![key, value].contains($0.field.key) })
    return AnswerTable(
      name, list: list, count: first.count, zones: zones, head: head,
      others.map { $0.keeping(first) }
        + zip(order, rows).map { name, rows in
          AnswerColumn(
            AnswerField(
              name, field.form, unit: field.unit, naming: field.naming, about: field.about,
              isOmitted: field.isOmitted, facts: field.facts), values.keeping(rows).values)
        })
  }
}

extension AnswerColumn {
  /// The same column with some of the rows, in their order.
  package func keeping(_ rows: [Int]) -> AnswerColumn {
    AnswerColumn([self], rows: rows.count) { (0, rows[$0]) }
  }

  /// A column whose rows are those of others of one form.
  ///
  /// - Parameters:
  ///   - columns: the others, the first of which says what it is
  ///   - count: the number of rows
  ///   - place: of which column a row is, and which of its rows
  init(_ columns: [AnswerColumn], rows count: Int, _ place: @escaping (Int) -> (Int, Int)) {
    func cells<Value>(_ read: (Values) -> Cells<Value>?) -> Cells<Value> {
      let cells = columns.map { read($0.values) ?? .read { _ in nil } }
      return .read { row in
        let (column, row) = place(row)
        return cells[column][row]
      }
    }
    let values: Values =
      switch columns[0].values {
      case .numbers: .numbers(cells { if case .numbers(let cells) = $0 { cells } else { nil } })
      case .counts: .counts(cells { if case .counts(let cells) = $0 { cells } else { nil } })
      case .truths: .truths(cells { if case .truths(let cells) = $0 { cells } else { nil } })
      case .texts: .texts(cells { if case .texts(let cells) = $0 { cells } else { nil } })
      case .json: .json(cells { if case .json(let cells) = $0 { cells } else { nil } })
      case .group(let children, let isKnown):
        .group(
          children.indices.map { child in
            AnswerColumn(
              columns.compactMap {
                if case .group(let children, _) = $0.values { children[child] } else { nil }
              }, rows: count, place)
          }, isKnown: columns.count > 1 ? nil : isKnown.map { known in { known(place($0).1) } })
      case .list: Self.lists(of: columns, rows: count, place)
      }
    self.init(columns[0].field, values)
  }

  /// The rows of the lists of some rows, one list after the other.
  private static func lists(
    of columns: [AnswerColumn], rows count: Int, _ place: (Int) -> (Int, Int)
  ) -> Values {
    let lists = columns.compactMap { column in
      if case .list(let ends, let children) = column.values { (ends, children) } else { nil }
    }
    var (ends, items) = ([Int](), [(Int, Int)]())
    for row in 0..<count {
      let (column, row) = place(row)
      let of = lists[column].0
      items += ((row == 0 ? 0 : of[row - 1])..<of[row]).map { (column, $0) }
      ends.append(items.count)
    }
    let places = items
    return .list(
      ends: ends,
      lists[0].1.indices.map { child in
        AnswerColumn(lists.map { $0.1[child] }, rows: places.count) { places[$0] }
      })
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
