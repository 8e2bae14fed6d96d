import Foundation
package import HealthQuery
package import HealthSamples

/// FHIR R5 resources: in a Bundle, or one per line as in FHIR's bulk data.
///
/// Each sample is an Observation (https://hl7.org/fhir/R5/observation.html). Codes come from the
/// catalogue: LOINC where there is one, in addition to Apple's identifier; units are UCUM codes. A
/// blood pressure is one Observation with two components, an electrocardiogram one with its signal
/// as SampledData; documents of health care providers are written unchanged, those that are not
/// JSON as a Binary (https://hl7.org/fhir/R5/binary.html) with their text. Items without a code are
/// left out and counted.
package final class FHIRExport: TextExport {
  private let isBundle: Bool
  private let panelMembers: Set<RecordLink>
  private var counts: [String: Int] = [:]

  package override var leftOut: [String: Int] { counts }

  /// Writes one Bundle, or a resource per line; `panelMembers` are only written as parts of blood
  /// pressures.
  package init(
    to output: TextOutput, in zone: ZoneTimeline, isBundle: Bool, panelMembers: Set<RecordLink>
  ) {
    self.isBundle = isBundle
    self.panelMembers = panelMembers
    super.init(to: output, in: zone)
  }

  package override func begin() throws(OutputError) {
    if isBundle { try output.write(#"{"resourceType":"Bundle","type":"collection""#) }
  }

  package override func write(_ recorded: RecordedBatch) throws(OutputError) {
    let batch = recorded.batch
    let measure = try ObservationMeasure(of: batch.type, labels: batch.labelTable)
    let canonical = try BloodPressure.isPart(batch.type) ? recorded.canonicalValues() : nil
    for row in recorded.rows {
      if let canonical, panelMembers.contains(recorded.link(row, canonical: canonical[row])) {
        continue
      }
      guard Self.hasDates([batch.starts[row], batch.ends[row]], in: zone) else {
        counts["sample with a date outside of the years 1 to 9999", default: 0] += 1
        continue
      }
      try write(observation(recorded, row, measure))
    }
  }

  package override func write(_ elements: ExportBatch) throws(OutputError) {
    switch elements {
    case .correlations(let columns):
      for row in columns.rows {
        try write(BloodPressure(row)?.observation(in: zone), else: "correlation")
      }
    case .electrocardiograms(let columns):
      for row in columns.rows {
        try write(
          Self.hasDates([row.facts.start, row.facts.end], in: zone)
            ? row.observation(in: zone) : nil, else: "electrocardiogram")
      }
    case .clinicalRecords(let columns):
      for row in columns.rows { try write(row.fhirResource, else: "clinicalRecord") }
    default:
      if let kind = elements.kind { counts[kind.word, default: 0] += 1 }
    }
  }

  package override func end() throws(OutputError) {
    if isBundle { try closeList("\n]}\n", empty: "}\n") }
    try super.end()
  }

  private func write(_ resource: JSON?, else word: String) throws(OutputError) {
    guard let resource else {
      counts[word, default: 0] += 1
      return
    }
    try write(resource)
  }

  private func write(_ resource: JSON) throws(OutputError) {
    guard isBundle else { return try output.line(resource.text) }
    // An empty array is not allowed, so the key is written with the first entry.
    try separate(first: ",\"entry\":[\n", next: ",\n")
    try output.write(JSON.object([.init("resource", resource)]).text)
  }

  private func observation(
    _ recorded: RecordedBatch, _ row: Int, _ measure: ObservationMeasure
  ) -> JSON {
    let batch = recorded.batch
    let created = batch.created[row]
    return .observation(
      code: measure.code, from: batch.starts[row], to: batch.ends[row],
      issued: created == RecordColumns.notRecorded ? nil : created,
      measure.value(batch.values[row], label: Int(batch.labels[row])), by: batch.source,
      in: zone)
  }

  /// Whether FHIR can express all dates.
  static func hasDates(_ instants: [Double], in zone: ZoneTimeline) -> Bool {
    instants.allSatisfy { (1...9999).contains(LocalTime($0, in: zone).date.year) }
  }
}

extension JSON {
  /// An Observation.
  static func observation(
    code: JSON, from start: Double, to end: Double, issued: Double?, _ value: Member?,
    by source: Source, components: [JSON] = [], in zone: ZoneTimeline
  ) -> JSON {
    func text(_ instant: Double) -> JSON { .string(LocalTime(instant, in: zone).isoText) }
    var members: [Member] = [
      .init("resourceType", .string("Observation")), .init("status", .string("final")),
      .init("code", code),
      end > start
        ? .init("effectivePeriod", .object([.init("start", text(start)), .init("end", text(end))]))
        : .init("effectiveDateTime", text(start)),
    ]
    if let issued, FHIRExport.hasDates([issued], in: zone) {
      members.append(.init("issued", text(issued)))
    }
    if let value { members.append(value) }
    if !source.name.isEmpty {
      members.append(.init("device", .object([.init("display", .string(source.name))])))
    }
    if !components.isEmpty { members.append(.init("component", .array(components))) }
    return .object(members)
  }
}

extension ClinicalRecords.Row {
  /// The resource as the provider wrote it; `nil` if there is none.
  fileprivate var fhirResource: JSON? {
    guard !resource.isEmpty else { return nil }
    guard let document = JSON(document: resource) else {
      let text = Data(JSON.text(of: resource).utf8)
      return .object([
        .init("resourceType", .string("Binary")),
        .init("contentType", .string("text/plain; charset=utf-8")),
        .init("data", .string(text.base64EncodedString())),
      ])
    }
    let object = try? JSONSerialization.jsonObject(with: Data(resource)) as? [String: Any]
    return object?["resourceType"] is String ? document : nil
  }
}
