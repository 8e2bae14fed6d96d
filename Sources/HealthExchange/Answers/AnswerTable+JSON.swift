import HealthAnswers
import HealthQuery
import HealthSamples

extension AnswerTable {
  /// The document as a value, with what `writeDocument` writes of it.
  package var document: JSON {
    let members = head.map(\.json)
    var offsets = OffsetCache(zones)
    guard let list else {
      return .object(members + (count > 0 ? self.members(0, &offsets) : []))
    }
    let rows = (0..<count).map { JSON.object(self.members($0, &offsets)) }
    return .object(members + [.init(list, .array(rows))])
  }

  private func members(_ row: Int, _ offsets: inout OffsetCache) -> [JSON.Member] {
    var members = objectColumns.members(row, &offsets)
    if let split {
      let parts = split.parts.map { part in
        JSON.Member(part.name, .object(part.members.members(row, &offsets)))
      }
      members.append(.init(split.key, .object(parts)))
    }
    return members
  }
}

extension [AnswerColumn] {
  /// The members of the object of a row.
  fileprivate func members(_ row: Int, _ offsets: inout OffsetCache) -> [JSON.Member] {
    compactMap { column in
      column.field.isOmitted && column.isUnknown(row)
        ? nil : .init(column.field.key, column.json(row, &offsets))
    }
  }
}

extension AnswerColumn {
  /// The value of a row; null where there is none.
  fileprivate func json(_ row: Int, _ offsets: inout OffsetCache) -> JSON {
    switch values {
    case .numbers(let cells):
      guard let number = cells[row] else { return .null }
      switch field.form {
      case .instant: return .string(LocalTime(number, in: &offsets).isoText)
      case .clock: return .string(SleepAverages.clockText(number))
      default: return .number(number)
      }
    case .counts(let cells):
      guard let count = cells[row] else { return .null }
      return field.form == .date ? .string(Self.text(ofDay: count)) : .integer(count)
    case .truths(let cells): return cells[row].map(JSON.bool) ?? .null
    case .texts(let cells): return .optional(cells[row])
    case .json(let cells): return cells[row] ?? .null
    case .group(let columns, let isKnown):
      guard isKnown?(row) ?? true else { return .null }
      guard case .group(_, .array) = field.form else {
        return .object(columns.members(row, &offsets))
      }
      return .array(columns.map { $0.json(row, &offsets) })
    case .list(let ends, let columns):
      let rows = (row == 0 ? 0 : ends[row - 1])..<ends[row]
      guard case .list(_, let shape) = field.form, shape != .objects else {
        return .array(rows.map { .object(columns.members($0, &offsets)) })
      }
      guard shape == .map else { return .array(rows.map { columns[0].json($0, &offsets) }) }
      return .object(
        rows.map { row in
          var key = ""
          if case .texts(let cells) = columns[0].values { key = cells[row] ?? "" }
          return .init(key, columns[1].json(row, &offsets))
        })
    }
  }
}
