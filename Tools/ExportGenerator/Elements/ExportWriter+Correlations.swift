/// A kind of correlation: records that belong together, most of which stand at top level too.
struct CorrelationKind {
  /// The full identifier.
  let type: String
  /// What the identifiers of its records begin with, without `HKQuantityTypeIdentifier`.
  let part: String

  static let all = [
    CorrelationKind(type: "HKCorrelationTypeIdentifierBloodPressure", part: "BloodPressure"),
    CorrelationKind(type: "HKCorrelationTypeIdentifierFood", part: "Dietary"),
  ]
}

extension ExportWriter where Sink: ~Copyable {
  /// Writes the correlations of one kind, their records word for word as at top level.
  mutating func write(_ kind: CorrelationKind, days: [Int]) throws(OutputError) {
    let writers = plan.streams
      .filter { $0.type.hasPrefix("HKQuantityTypeIdentifier" + kind.part) }
      .map { RecordWriter(stream: $0, plan: plan) }
    for index in days {
      let day = plan.person.plan(ofDay: index)
      let parts = writers.map { writer in
        plan.rows(of: writer.stream, on: day).filter { !$0.isCopy }
      }
      for row in parts.first ?? [] {
        appendOpening(of: kind, row: row, day: day)
        var children = RecordWriter.Children()
        var members: [Truth.Correlation.Member] = []
        for (writer, rows) in zip(writers, parts) {
          // Foods of one meal share their minute, and no two are logged in the same second.
          for part in rows
          where part.start == row.start && part.created == row.created
            && part.writer == row.writer
          {
            writer.append(
              part, of: day, devices: &devices, depth: 2, to: &text, children: &children)
            count("Record in Correlation")
            members.append(
              .init(
                type: writer.stream.type, value: part.value, isAlone: part.isNestedOnly,
                metadata: part.extra.metadataCount))
          }
        }
        count(children)
        text.append(" </Correlation>\n")
        count("Correlation")
        truth.correlations.append(
          Truth.Correlation(
            type: kind.type, source: row.writer.name, start: row.start, end: row.end,
            members: members, metadata: row.extra.isOfFood ? 1 : 0,
            food: row.extra == .diaryFood ? DiaryFood.all[row.item].name : nil))
        try emptyIfFull()
      }
    }
  }

  private mutating func appendOpening(of kind: CorrelationKind, row: Row, day: DayPlan) {
    text.append(" <Correlation type=\"")
    text.append(verbatim: kind.type)
    text.append("\"")
    appendSource(row.writer, on: day)
    text.append(created: row.created, start: row.start, end: row.end, offset: plan.offset)
    text.append(">\n")
    if row.extra.isOfFood {
      text.append(metadata: "HKFoodType", depth: 2)
      text.append(
        row.extra == .diaryFood
          ? DiaryFood.all[row.item].escapedName : "Red Snapper &amp; Pineapple Salsa")
      text.append("\"/>\n")
      count("MetadataEntry")
    }
  }
}

extension Extra {
  /// Whether a correlation of such records names the food.
  fileprivate var isOfFood: Bool { self == .foodName || self == .foodItem || self == .diaryFood }
}
