import HealthSamples

/// A FHIR R5 Bundle of Observations, one a sample.
///
/// Codes come from the catalogue: LOINC where there is one, beside Apple's identifier; units are
/// UCUM codes (https://hl7.org/fhir/R5/observation.html).
final class FHIRExport: ExportWriter {
  private let output = StandardOutput()
  private var isEmpty = true

  func begin() throws { try output.write(#"{"resourceType":"Bundle","type":"collection""#) }

  func write(_ recorded: RecordedBatch) throws {
    let measure = try ObservationMeasure(of: recorded.batch.type, labels: recorded.batch.labelTable)
    for row in 0..<recorded.batch.count {
      let entry = JSON.object([.init("resource", observation(recorded, row, measure))])
      // A key without anything in it is not allowed, so the first entry brings the key.
      try output.write((isEmpty ? ",\"entry\":[\n" : ",\n") + entry.text)
      isEmpty = false
    }
  }

  func end() throws {
    try output.write(isEmpty ? "}\n" : "\n]}\n")
    try output.flush()
  }

  private func observation(
    _ recorded: RecordedBatch, _ row: Int, _ measure: ObservationMeasure
  ) -> JSON {
    let batch = recorded.batch
    var members: [JSON.Member] = [
      .init("resourceType", .string("Observation")), .init("status", .string("final")),
      .init("code", measure.code),
    ]
    if batch.ends[row] > batch.starts[row] {
      members.append(
        .init(
          "effectivePeriod",
          .object([
            .init("start", .string(recorded.start(row))), .init("end", .string(recorded.end(row))),
          ])))
    } else {
      members.append(.init("effectiveDateTime", .string(recorded.start(row))))
    }
    if let created = recorded.created(row) { members.append(.init("issued", .string(created))) }
    members.append(measure.value(batch.values[row], label: Int(batch.labels[row])))
    members.append(
      .init("device", .object([.init("display", .string(batch.source.name))])))
    return .object(members)
  }
}
