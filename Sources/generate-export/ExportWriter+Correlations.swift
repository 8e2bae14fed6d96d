/// A kind of correlation: records that belong together, each of which stands at top level too.
struct CorrelationKind {
  let type: StaticString
  /// The full identifiers of its records.
  let parts: [String]

  static let all = [
    CorrelationKind(
      type: "HKCorrelationTypeIdentifierBloodPressure",
      parts: [
        "HKQuantityTypeIdentifierBloodPressureSystolic",
        "HKQuantityTypeIdentifierBloodPressureDiastolic",
      ]),
    CorrelationKind(
      type: "HKCorrelationTypeIdentifierFood",
      parts: [
        "HKQuantityTypeIdentifierDietaryEnergyConsumed",
        "HKQuantityTypeIdentifierDietaryCarbohydrates",
        "HKQuantityTypeIdentifierDietaryProtein", "HKQuantityTypeIdentifierDietaryFatTotal",
      ]),
  ]
}

extension ExportWriter where Sink: ~Copyable {
  /// Writes the correlations of one kind, their records word for word as at top level.
  mutating func write(_ kind: CorrelationKind, days: [Int]) throws(OutputError) {
    let writers = kind.parts.compactMap { part in
      RecordStream.all.first { $0.type == part }.map { RecordWriter(stream: $0, plan: plan) }
    }
    for index in days {
      let day = plan.person.plan(ofDay: index)
      let parts = writers.map { writer in
        plan.rows(of: writer.stream, on: day).filter { !$0.isCopy }
      }
      for row in parts.first ?? [] {
        appendOpening(of: kind, row: row, day: day)
        for (writer, rows) in zip(writers, parts) {
          for part in rows where part.start == row.start {
            writer.append(part, of: day, devices: &devices, depth: 2, to: &text)
          }
        }
        text.append(" </Correlation>\n")
        count("Correlation")
        try emptyIfFull()
      }
    }
  }

  private mutating func appendOpening(of kind: CorrelationKind, row: Row, day: DayPlan) {
    text.append(" <Correlation type=\"")
    text.append(kind.type)
    text.append("\" sourceName=\"")
    text.append(row.writer.escapedName)
    text.append("\" sourceVersion=\"")
    text.append(row.writer.version(at: day.progress))
    text.append("\"")
    text.append(created: row.created, start: row.start, end: row.end, offset: plan.offset)
    text.append(">\n")
    if row.extra == .foodName {
      text.append(metadata: "HKFoodType", depth: 2)
      text.append("Red Snapper &amp; Pineapple Salsa\"/>\n")
    }
  }
}
