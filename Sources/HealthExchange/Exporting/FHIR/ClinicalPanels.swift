import HealthQuery
import HealthSamples

/// A blood pressure as one Observation: the panel of FHIR's vital signs with its two components.
struct BloodPressure {
  private let correlation: Correlations.Row

  private static let type = "HKCorrelationTypeIdentifierBloodPressure"
  private static let parts: [HKQuantityTypeIdentifier] = [
    .bloodPressureSystolic, .bloodPressureDiastolic,
  ]

  /// `nil` if the correlation is another one, or has neither of the two.
  init?(_ correlation: Correlations.Row) {
    guard correlation.type == Self.type,
      correlation.members.contains(where: { member in
        Self.parts.contains { $0.rawValue == member.type }
      })
    else { return nil }
    self.correlation = correlation
  }

  /// Whether samples of a type are parts of blood pressures.
  static func isPart(_ type: SampleType) -> Bool {
    parts.contains { $0.rawValue == type.identifier }
  }

  private static let unknown = JSON.coding(
    "http://terminology.hl7.org/CodeSystem/data-absent-reason", "unknown", "Unknown")

  /// The records that are written as parts of it, as keys without their labels.
  var members: [RecordLink] {
    correlation.members.map { member in
      var key = member
      key.label = ""
      return key
    }
  }

  /// The Observation; `nil` if FHIR cannot express a date.
  func observation(in zone: ZoneTimeline) throws(OutputError) -> JSON? {
    let facts = correlation.facts
    guard FHIRExport.hasDates([facts.start, facts.end], in: zone) else { return nil }
    var components: [JSON] = []
    for part in Self.parts {
      let members = correlation.members.filter { $0.type == part.rawValue }
      for member in members {
        let recorded = RecordedNumber(member)
        let (code, value) = try ObservationMeasure(of: SampleType(part), labels: [recorded.unit])
          .observed(recorded.value, label: 0)
        components.append(.object([.init("code", code)] + [value].compactMap(\.self)))
      }
      // The profile wants both components, and a reason where one has no value.
      if members.isEmpty {
        components.append(
          .object([
            .init("code", ClinicalUnits(of: SampleType(part)).code(of: "mm[Hg]")),
            .init("dataAbsentReason", .concept([Self.unknown])),
          ]))
      }
    }
    return .observation(
      category: VitalSigns.category,
      code: .concept([
        .coding(
          ObservationMeasure.loinc, "85354-9", "Blood pressure panel with all children optional"),
        .coding(ObservationMeasure.apple, Self.type, "bloodPressure"),
      ]),
      from: facts.start, to: facts.end, issued: facts.issued, nil, by: facts.source,
      components: components, in: zone)
  }
}

extension Electrocardiograms.Row {
  /// The electrocardiogram as an Observation, its signal as SampledData
  /// (https://hl7.org/fhir/R5/observation-example-sample-data.html).
  func observation(in zone: ZoneTimeline, as version: FHIRVersion) -> JSON {
    /// The nomenclature of ISO/IEEE 11073-10101, as FHIR names it.
    let nomenclature = "urn:oid:2.16.840.1.113883.6.24"
    // The Apple Watch measures lead I; the name is in the language of the phone.
    let isLeadI = lead.hasSuffix(" I")
    var leadMembers: [JSON.Member] = []
    if isLeadI {
      let coding = JSON.coding(nomenclature, "131329", "MDC_ECG_ELEC_POTL_I")
      leadMembers.append(.init("coding", .array([coding])))
    }
    if !isLeadI || !lead.isEmpty {
      leadMembers.append(.init("text", .string(lead.isEmpty ? "lead" : lead)))
    }
    let origin = JSON.object([
      .init("value", .integer(0)), .init("unit", .string("µV")),
      .init("system", .string(ObservationMeasure.ucum)), .init("code", .string("uV")),
    ])
    let data = voltages.map(NumberText.withoutExponent).joined(separator: " ")
    let signal = JSON.object(
      [.init("origin", origin)] + version.spacing(1000 / sampleRate)
        + [.init("dimensions", .integer(1)), .init("data", .string(data))])
    return .observation(
      code: .concept([
        .coding(ObservationMeasure.loinc, "11524-6", "EKG study"),
        .coding(nomenclature, "131328", "MDC_ECG_ELEC_POTL"),
        .coding(
          ObservationMeasure.apple, "HKDataTypeIdentifierElectrocardiogram", "electrocardiogram"),
      ]),
      from: facts.start, to: facts.end, issued: facts.issued,
      classification.isEmpty ? nil : .init("valueString", .string(classification)),
      by: facts.source,
      components: [
        .object([.init("code", .object(leadMembers)), .init("valueSampledData", signal)])
      ], in: zone)
  }
}

extension ElementFacts {
  fileprivate var issued: Double? { created == RecordColumns.notRecorded ? nil : created }
}

extension RecordedBatch {
  /// A row as the key by which a correlation refers to it.
  func link(_ row: Int, canonical value: Double) -> RecordLink {
    RecordLink(
      type: batch.type.identifier, source: batch.source, start: batch.starts[row],
      end: batch.ends[row], value: value, label: "")
  }

  /// The values in the canonical unit of the type.
  func canonicalValues() throws(OutputError) -> [Double] {
    guard let unit = batch.type.canonicalUnit else { return batch.values }
    let canonical = try RecordedBatch(
      batch, as: RecordedForm(unit: unit, of: batch.type, zone: zone))
    return (0..<batch.count).map(canonical.value)
  }
}
