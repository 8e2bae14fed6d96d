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
    let places = tables.enumerated().flatMap { table, one in (0..<one.count).map { (table, $0) } }
    let subject = keys.map { key in
      let texts = tables.map { table in
        if case .string(let text)? = table.head.first(where: { $0.key == key })?.value {
          text
        } else {
          nil as String?
        }
      }
      return AnswerColumn.words(key, .read { texts[places[$0].0] })
    }
    self.init(
      first.name, list: first.list, count: places.count, zones: first.zones,
      head: head.filter { !keys.contains($0.key) },
      subject
        + first.columns.indices.map { place in
          Self.stacked(tables.map { $0.columns[place] }, places)
        })
  }

  /// A column with the rows of several of its form; its unit where all have it.
  private static func stacked(
    _ columns: [AnswerColumn], _ places: [(Int, Int)]
  ) -> AnswerColumn {
    guard columns.count > 1 else { return columns[0] }
    let field = columns[0].field
    let unit = columns.allSatisfy { $0.field.unit == field.unit } ? field.unit : nil
    return AnswerColumn(
      AnswerField(
        field.key, field.form, unit: unit, naming: field.naming, about: field.about,
        isOmitted: field.isOmitted),
      AnswerColumn(columns, rows: places.count) { places[$0] }.values)
  }
}
