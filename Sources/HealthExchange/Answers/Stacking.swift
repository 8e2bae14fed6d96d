import HealthQuery

extension AnswerTable {
  /// The rows of tables with the same columns, one table after the other; `nil` without a table.
  ///
  /// - Parameters:
  ///   - tables: the tables
  ///   - keys: the members of their heads that tell them apart, which become the first columns
  ///   - head: what is said of all
  init?(stacking tables: [AnswerTable], by keys: [String], head: [HeadMember]) {
    guard let first = tables.first else { return nil }
    let counts = tables.map(\.count)
    let subject = keys.map { key in
      AnswerColumn.words(
        key,
        .stacked(
          tables.map { table in
            let member = table.head.first { $0.key == key }
            return .read { _ in if case .string(let text) = member?.value { text } else { nil } }
          }, counts))
    }
    self.init(
      first.name, list: first.list, count: counts.reduce(0, +), zones: first.zones,
      head: head.filter { !keys.contains($0.key) },
      subject
        + first.columns.indices.map { place in
          first.columns[place].stacked(tables.map { $0.columns[place] }, counts)
        })
  }
}

extension AnswerColumn {
  /// A column with the rows of several of its form; its unit where all have it.
  fileprivate func stacked(_ columns: [AnswerColumn], _ counts: [Int]) -> AnswerColumn {
    guard columns.count > 1 else { return self }
    func cells<Value>(_ read: (Values) -> Cells<Value>?) -> Cells<Value> {
      .stacked(columns.map { read($0.values) ?? .read { _ in nil } }, counts)
    }
    let values: Values =
      switch self.values {
      case .numbers: .numbers(cells { if case .numbers(let cells) = $0 { cells } else { nil } })
      case .counts: .counts(cells { if case .counts(let cells) = $0 { cells } else { nil } })
      case .truths: .truths(cells { if case .truths(let cells) = $0 { cells } else { nil } })
      case .texts: .texts(cells { if case .texts(let cells) = $0 { cells } else { nil } })
      case .json: .json(cells { if case .json(let cells) = $0 { cells } else { nil } })
      // No stacked answer has objects.
      case .group, .list: self.values
      }
    let unit = columns.allSatisfy { $0.field.unit == field.unit } ? field.unit : nil
    return AnswerColumn(
      AnswerField(
        field.key, field.form, unit: unit, naming: field.naming, about: field.about,
        isOmitted: field.isOmitted), values)
  }
}

extension Cells {
  /// The cells of several columns, one after the other.
  fileprivate static func stacked(_ columns: [Self], _ counts: [Int]) -> Self {
    guard columns.count > 1 else { return columns.first ?? .read { _ in nil } }
    return .optional(
      zip(columns, counts).flatMap { cells, count in (0..<count).map { cells[$0] } })
  }
}
