package import HealthQuery
import HealthSamples

/// A property of each row of an answer.
package struct ReportColumn {
  /// The key in json and ndjson; `nil` if they do not have the column.
  package let key: String?
  /// The name in csv; `nil` if it does not have the column.
  package let field: String?
  /// The title in the table; `nil` if it does not have the column.
  package let title: String?
  /// Whether the table aligns it to the right.
  package var isNumber = false
  let content: Content

  /// Values, or columns of values.
  enum Content {
    /// The value of a row.
    case cell((Int) -> ReportCell)
    /// Columns of a nested object; null if `isKnown` is false.
    case group([ReportColumn], isKnown: (Int) -> Bool)
  }
}

extension ReportColumn {
  /// A column of every format.
  ///
  /// - Parameters:
  ///   - key: the key in json; the name in csv is derived from it
  ///   - title: the title in the table; the key by default
  ///   - unit: the unit, if the columns of the report have several units
  ///   - isNumber: whether the table aligns it to the right
  ///   - cell: the value of a row
  package init(
    _ key: String, _ title: String? = nil, unit: String? = nil, isNumber: Bool = false,
    _ cell: @escaping (Int) -> ReportCell
  ) {
    self.init(
      key: key, field: Self.field(key, unit: unit), title: title ?? key,
      isNumber: isNumber, content: .cell(cell))
  }

  /// A column of the table alone.
  package static func shown(_ title: String, _ cell: @escaping (Int) -> ReportCell) -> Self {
    Self(key: nil, field: nil, title: title, content: .cell(cell))
  }

  /// A column of csv and json.
  package static func machine(
    _ key: String?, field: String?, _ cell: @escaping (Int) -> ReportCell
  ) -> Self {
    Self(key: key, field: field, title: nil, content: .cell(cell))
  }

  /// A column of csv and json, whose name in csv is derived from its key.
  package static func machine(
    _ key: String, unit: String? = nil, _ cell: @escaping (Int) -> ReportCell
  ) -> Self {
    .machine(key, field: field(key, unit: unit), cell)
  }

  /// A nested object in json; in csv columns with names of their own, or none.
  package static func group(
    _ key: String, _ columns: [Self], isInFields: Bool = true,
    isKnown: @escaping (Int) -> Bool = { _ in true }
  ) -> Self {
    Self(
      key: key, field: isInFields ? key : nil, title: nil,
      content: .group(columns, isKnown: isKnown))
  }

  /// Optional numbers in csv and json.
  package static func numbers(_ key: String, unit: String? = nil, _ values: [Double?]) -> Self {
    .machine(key, unit: unit) { values[$0].map { .number($0) } ?? .none }
  }

  /// Start and end of intervals.
  package static func interval(from starts: [Double], to ends: [Double]) -> [Self] {
    [.machine("start") { .instant(starts[$0]) }, .machine("end") { .instant(ends[$0]) }]
  }

  /// The name in csv, which ends with the unit: `move_goal_kcal`.
  package static func field(_ key: String, unit: String?) -> String {
    CommaSeparated.name(of: key, unit: unit)
  }

  /// The columns of csv.
  package var leaves: [Self] {
    guard field != nil else { return [] }
    return if case .group(let columns, _) = content { columns.flatMap(\.leaves) } else { [self] }
  }

  /// The value of a row; none where the column is an object.
  package var cell: (Int) -> ReportCell {
    if case .cell(let cell) = content { cell } else { { _ in .none } }
  }
}

// MARK: - Rows

extension [ReportColumn] {
  /// Appends the json object of a row, between members of its head.
  package func append(
    objectOf row: Int, leading: [JSON.Member] = [], trailing: [JSON.Member] = [],
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
    for column in self {
      guard let key = column.key else { continue }
      switch column.content {
      case .cell(let cell):
        let cell = cell(row)
        if case .absent = cell { continue }
        begin(key)
        cell.append(jsonTo: &bytes, &offsets)
      case .group(let columns, let isKnown):
        begin(key)
        if isKnown(row) {
          columns.append(objectOf: row, to: &bytes, &offsets)
        } else {
          bytes.append(text: "null")
        }
      }
    }
    for member in trailing {
      begin(member.key)
      member.value.append(to: &bytes)
    }
    bytes.append(text: mark == "{" ? "{}" : "}")
  }
}

extension CommaSeparated {
  /// Appends the fields of a row, without the end of the record.
  package func append(
    _ cells: [(Int) -> ReportCell], of row: Int, to bytes: inout [UInt8],
    _ offsets: inout OffsetCache
  ) {
    var isFirst = true
    for cell in cells {
      if !isFirst { append(separatorTo: &bytes) }
      isFirst = false
      cell(row).append(to: &bytes, as: self, &offsets)
    }
  }
}
