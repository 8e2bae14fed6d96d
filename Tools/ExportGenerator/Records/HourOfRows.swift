/// What iOS 8 made of the records of an hour: one that sums them up.
struct HourOfRows {
  /// The hour as a row, whose value is the sum, or the mean of what is not added up.
  let row: Row
  let count: Int
  let minimum: Double
  let maximum: Double

  private struct Key: Hashable {
    let writer: Writer
    let hour: Int
    let label: CategoryLabel
  }

  /// The rows of a day by hours, the last of which ends with the export; those with a constant and
  /// those typed in stay as they are.
  static func hours(
    of rows: [Row], _ stream: RecordStream, _ day: DayPlan, until exported: Int
  ) -> [HourOfRows] {
    let groups = Dictionary(grouping: rows.filter { !$0.isCopy }) { row in
      let isAlone = stream.unit == nil || row.writer == .hand || row.writer == .scale
      return Key(
        writer: row.writer, hour: isAlone ? row.start : day.hour(of: row.start), label: row.label)
    }
    return groups.map { key, rows in
      let values = rows.map(\.value)
      let sum = values.reduce(0, +)
      var row = rows[0]
      if rows.count > 1 {
        (row.start, row.end) = (key.hour, min(key.hour + 3_600, exported))
        row.value = stream.isCumulative ? sum : sum / Double(rows.count)
      }
      row.created = row.end
      row.isNestedOnly = false
      return HourOfRows(
        row: row, count: rows.count, minimum: values.min() ?? 0, maximum: values.max() ?? 0)
    }
    .sorted { Row.isBefore($0.row, $1.row) }
  }
}

extension HourOfRows {
  /// Whether the bounds and the mean of the hour are told.
  func hasBounds(of stream: RecordStream) -> Bool { count > 1 && !stream.isCumulative }

  /// How many attributes tell more than value, unit, source and times; metadata of apps, whose keys
  /// are no names, are not among them.
  func attributeCount(of stream: RecordStream) -> Int {
    stream.unit != nil && hasBounds(of: stream) ? 4 : 1
  }
}

extension DayPlan {
  /// The start of the hour of the day in which an instant lies.
  fileprivate func hour(of instant: Int) -> Int {
    start + (instant - start).flooredDivision(by: 3_600).quotient * 3_600
  }
}
