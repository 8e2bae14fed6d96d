import Foundation
import HealthQuery
import HealthSamples

/// Samples and elements as FHIR resources.
///
/// Each sample is an Observation (https://hl7.org/fhir/R5/observation.html). Codes come from the
/// catalogue: LOINC where there is one, in addition to Apple's identifier; units are UCUM codes. A
/// blood pressure is one Observation with two components, an electrocardiogram one with its signal
/// as SampledData; documents of health care providers are written unchanged if the version takes
/// them, those that are not JSON as a Binary (https://hl7.org/fhir/R5/binary.html) with their text.
/// Vital signs have the category and the units of their profiles (``VitalSigns``). Items without a code are
/// left out and counted.
final class FHIRExport: ExportWriter {
  private let output: any ResourceOutput
  private let version: FHIRVersion
  private let zone: ZoneTimeline
  private let panelMembers: Set<RecordLink>

  private(set) var leftOut: [String: Int] = [:]

  /// Writes resources of a version; `panelMembers` are only written as parts of blood pressures.
  init(
    to output: any ResourceOutput, as version: FHIRVersion, in zone: ZoneTimeline,
    panelMembers: Set<RecordLink>
  ) {
    self.output = output
    self.version = version
    self.zone = zone
    self.panelMembers = panelMembers
  }

  func begin() throws(OutputError) { try output.begin() }

  func write(_ recorded: RecordedBatch) throws(OutputError) {
    let batch = recorded.batch
    let measure = try ObservationMeasure(of: batch.type, labels: batch.labelTable)
    let canonical = try BloodPressure.isPart(batch.type) ? recorded.canonicalValues() : nil
    for row in recorded.rows {
      if let canonical, panelMembers.contains(recorded.link(row, canonical: canonical[row])) {
        continue
      }
      let hasDates = Self.hasDates([batch.starts[row], batch.ends[row]], in: zone)
      try write(
        hasDates ? observation(recorded, row, measure) : nil,
        else: "sample with a date outside of the years 1 to 9999")
    }
  }

  func write(_ elements: ImportBatch) throws(OutputError) {
    switch elements {
    case .correlations(let columns):
      for row in columns.rows {
        try write(BloodPressure(row)?.observation(in: zone), else: "correlation")
      }
    case .electrocardiograms(let columns):
      for row in columns.rows {
        try write(
          Self.hasDates([row.facts.start, row.facts.end], in: zone)
            ? row.observation(in: zone, as: version) : nil, else: "electrocardiogram")
      }
    case .clinicalRecords(let columns):
      for row in columns.rows { try write(row) }
    default:
      if let kind = elements.kind { leaveOut(kind.word) }
    }
  }

  func end() throws(OutputError) { try output.end() }

  /// Writes the document of a provider, or a Binary with the text of one that is not JSON.
  private func write(_ record: ClinicalRecords.Row) throws(OutputError) {
    let word = "clinicalRecord"
    guard !record.resource.isEmpty else { return leaveOut(word) }
    guard let document = JSON(document: record.resource) else {
      return try write(.binary(text: record.resource), of: "Binary", else: word)
    }
    guard let type = record.resourceType else { return leaveOut(word) }
    guard version.takesDocument(of: record.version) else {
      return leaveOut("\(word) of another version")
    }
    try write(document, of: type, else: "\(word) of an unknown type")
  }

  private func write(
    _ resource: JSON?, of type: String = "Observation", else word: String
  ) throws(OutputError) {
    guard let resource, try output.write(resource, of: type) else { return leaveOut(word) }
  }

  private func leaveOut(_ word: String) { leftOut[word, default: 0] += 1 }

  private func observation(
    _ recorded: RecordedBatch, _ row: Int, _ measure: ObservationMeasure
  ) -> JSON {
    let batch = recorded.batch
    let created = batch.created[row]
    let (code, value) = measure.observed(batch.values[row], label: Int(batch.labels[row]))
    return .observation(
      category: measure.category, code: code, from: batch.starts[row], to: batch.ends[row],
      issued: created == RecordColumns.notRecorded ? nil : created, value, by: batch.source,
      in: zone)
  }

  /// Whether FHIR can express all dates.
  static func hasDates(_ instants: [Double], in zone: ZoneTimeline) -> Bool {
    instants.allSatisfy { CivilDate.years.contains(LocalTime($0, in: zone).date.year) }
  }
}

extension JSON {
  /// An Observation of the person whose store it is.
  static func observation(
    category: JSON? = nil, code: JSON, from start: Double, to end: Double, issued: Double?,
    _ value: Member?, by source: Source, components: [JSON] = [], in zone: ZoneTimeline
  ) -> JSON {
    func text(_ instant: Double) -> JSON { .string(LocalTime(instant, in: zone).isoText) }
    var members: [Member] = [
      .init("resourceType", .string("Observation")), .init("status", .string("final")),
    ]
    if let category { members.append(.init("category", .array([category]))) }
    members += [
      .init("code", code), .init("subject", subject),
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

  /// The subject: a store is of one person, who has no resource in it, and no name.
  private static let subject = JSON.object([
    .init("type", .string("Patient")),
    .init("display", .string("The person of this Health data")),
  ])
}

extension JSON {
  /// A Binary with a text.
  fileprivate static func binary(text: [UInt8]) -> JSON {
    .object([
      .init("resourceType", .string("Binary")),
      .init("contentType", .string("text/plain; charset=utf-8")),
      .init("data", .string(Data(JSON.text(of: text).utf8).base64EncodedString())),
    ])
  }
}

extension ClinicalRecords.Row {
  /// The type that the document names; `nil` if it is no FHIR resource.
  fileprivate var resourceType: String? {
    let object = try? JSONSerialization.jsonObject(with: Data(resource)) as? [String: Any]
    return object?["resourceType"] as? String
  }
}
