/// The values of one property of the rows of an answer, and what they are.
package struct AnswerColumn {
  /// The values, one for each row.
  package enum Values {
    /// Numbers, durations, times of day and instants.
    case numbers(Cells<Double>)
    /// Whole numbers and dates.
    case counts(Cells<Int>)
    case truths(Cells<Bool>)
    /// Words and texts.
    case texts(Cells<String>)
    case json(Cells<JSON>)
    /// The columns of an object, which is null where `isKnown` is false.
    case group([AnswerColumn], isKnown: ((Int) -> Bool)?)
    /// Row `i` has the rows from the end before it up to `ends[i]` of the columns.
    case list(ends: [Int], [AnswerColumn])
  }

  package let field: AnswerField
  package let values: Values

  package init(_ field: AnswerField, _ values: Values) {
    (self.field, self.values) = (field, values)
  }
}

/// The cells of a column; `nil` where a row has no value.
package enum Cells<Value> {
  /// Each row has a value.
  case all([Value])
  /// Rows have the values that are known.
  case known([Value], [Bool])
  case optional([Value?])
  /// Values that are read row by row.
  case read((Int) -> Value?)

  package subscript(row: Int) -> Value? {
    switch self {
    case .all(let values): values[row]
    case .known(let values, let known): known[row] ? values[row] : nil
    case .optional(let values): values[row]
    case .read(let read): read(row)
    }
  }

  /// The same cells in another form.
  package func map<Other>(_ transform: @escaping (Value) -> Other) -> Cells<Other> {
    .read { row in self[row].map(transform) }
  }
}

// MARK: - Columns of arrays

extension AnswerColumn {
  /// Numbers in a unit.
  package static func numbers(
    _ key: String, unit: String? = nil, naming: AnswerField.Naming = .words, about: String = "",
    facts: [AnswerField.Fact] = [], _ cells: Cells<Double>
  ) -> Self {
    Self(
      AnswerField(key, .number, unit: unit, naming: naming, about: about, facts: facts),
      .numbers(cells))
  }

  /// Whole numbers.
  package static func counts(
    _ key: String, unit: String? = nil, about: String = "", _ cells: Cells<Int>
  ) -> Self {
    Self(AnswerField(key, .count, unit: unit, about: about), .counts(cells))
  }

  /// Times in seconds.
  package static func durations(
    _ key: String, naming: AnswerField.Naming = .words, about: String = "", _ cells: Cells<Double>
  ) -> Self {
    Self(AnswerField(key, .duration, unit: "s", naming: naming, about: about), .numbers(cells))
  }

  /// Moments.
  package static func instants(
    _ key: String, about: String = "", _ cells: Cells<Double>
  ) -> Self {
    Self(AnswerField(key, .instant, about: about), .numbers(cells))
  }

  /// Texts of which few are different.
  package static func words(
    _ key: String, about: String = "", isOmitted: Bool = false, _ cells: Cells<String>
  ) -> Self {
    Self(AnswerField(key, .word, about: about, isOmitted: isOmitted), .texts(cells))
  }

  /// Start and end of intervals.
  package static func interval(_ starts: Cells<Double>, _ ends: Cells<Double>) -> [Self] {
    [
      .instants("start", about: "when it begins", starts),
      .instants("end", about: "when it ends", ends),
    ]
  }

  /// Columns of an object in json.
  ///
  /// - Parameters:
  ///   - key: the key of the object
  ///   - shape: what json and columns have of it
  ///   - naming: how the names of its columns begin
  ///   - columns: its columns, without a value where it is not known
  ///   - isKnown: whether a row has the object; `nil` where all have
  /// - Returns: the column
  package static func group(
    _ key: String, _ shape: AnswerField.GroupShape, naming: AnswerField.Naming = .words,
    _ columns: [Self], isKnown: ((Int) -> Bool)? = nil
  ) -> Self {
    Self(
      AnswerField(key, .group(columns.map(\.field), shape), naming: naming),
      .group(columns, isKnown: isKnown))
  }

  /// In each row the rows of a table of its own.
  package static func list<Row>(
    _ key: String, _ shape: AnswerField.ListShape = .objects, about: String = "",
    _ lists: [[Row]], _ columns: (AnswerRows<Row>) -> [Self]
  ) -> Self {
    let columns = columns(AnswerRows(Array(lists.joined())))
    var (end, ends) = (0, [Int]())
    ends.reserveCapacity(lists.count)
    for list in lists {
      end += list.count
      ends.append(end)
    }
    return Self(
      AnswerField(key, .list(columns.map(\.field), shape), about: about), .list(ends: ends, columns)
    )
  }
}

// MARK: - Columns of rows

/// Rows of which columns are made, one property after the other.
package struct AnswerRows<Row> {
  /// How a property is read.
  package typealias Read<Value> = (Row) -> Value?

  package let rows: [Row]

  package init(_ rows: [Row]) { self.rows = rows }

  /// The number of rows. - Complexity: O(1)
  package var count: Int { rows.count }

  /// The cells of a property.
  package func cells<Value>(_ read: @escaping Read<Value>) -> Cells<Value> {
    .read { [rows] in read(rows[$0]) }
  }

  /// A number in a unit; `nil` where each row has its own.
  package func number(
    _ key: String, unit: String? = nil, naming: AnswerField.Naming = .words, about: String = "",
    _ read: @escaping Read<Double>
  ) -> AnswerColumn {
    .numbers(key, unit: unit, naming: naming, about: about, cells(read))
  }

  /// A whole number.
  package func count(
    _ key: String, unit: String? = nil, about: String = "", _ read: @escaping Read<Int>
  ) -> AnswerColumn {
    .counts(key, unit: unit, about: about, cells(read))
  }

  package func truth(
    _ key: String, about: String = "", _ read: @escaping Read<Bool>
  ) -> AnswerColumn {
    AnswerColumn(AnswerField(key, .truth, about: about), .truths(cells(read)))
  }

  /// A text of which few are different.
  package func word(
    _ key: String, about: String = "", isOmitted: Bool = false, _ read: @escaping Read<String>
  ) -> AnswerColumn {
    .words(key, about: about, isOmitted: isOmitted, cells(read))
  }

  package func text(
    _ key: String, about: String = "", _ read: @escaping Read<String>
  ) -> AnswerColumn {
    AnswerColumn(AnswerField(key, .text, about: about), .texts(cells(read)))
  }

  /// A moment, in seconds since 2001-01-01 UTC.
  package func instant(
    _ key: String, about: String = "", _ read: @escaping Read<Double>
  ) -> AnswerColumn {
    .instants(key, about: about, cells(read))
  }

  /// A day, in days since 2001-01-01.
  package func date(
    _ key: String, about: String = "", _ read: @escaping Read<Int>
  ) -> AnswerColumn {
    AnswerColumn(AnswerField(key, .date, about: about), .counts(cells(read)))
  }

  /// A time in seconds.
  package func duration(
    _ key: String, naming: AnswerField.Naming = .words, about: String = "",
    _ read: @escaping Read<Double>
  ) -> AnswerColumn {
    .durations(key, naming: naming, about: about, cells(read))
  }

  /// A time of day, in seconds since midnight.
  package func clock(
    _ key: String, about: String = "", _ read: @escaping Read<Double>
  ) -> AnswerColumn {
    AnswerColumn(AnswerField(key, .clock, about: about), .numbers(cells(read)))
  }

  /// Any value of json.
  package func json(
    _ key: String, about: String = "", _ read: @escaping Read<JSON>
  ) -> AnswerColumn {
    AnswerColumn(AnswerField(key, .json, about: about), .json(cells(read)))
  }

  /// Start and end of an interval.
  package func interval(
    _ start: @escaping Read<Double>, _ end: @escaping Read<Double>
  ) -> [AnswerColumn] {
    AnswerColumn.interval(cells(start), cells(end))
  }

  /// Why a row has no answer; json has it where there is none.
  package func refusal(
    named key: String = "refusal", about: String = "why there is no answer",
    _ read: @escaping Read<String>
  ) -> AnswerColumn {
    word(key, about: about, isOmitted: true, read)
  }
}
