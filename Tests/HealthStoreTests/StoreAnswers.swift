import Foundation
import HealthSamples

@testable import HealthStore

extension SampleStore {
  /// What a store answers, a line each.
  func answers() throws -> [String] {
    var lines: [String] = []
    for type in try types().map(\.type) {
      for batch in try records(of: type) {
        let uuids = try self.uuids(of: batch.serials)
        for row in 0..<batch.count {
          let origin = batch.originTable[Int(batch.origins[row])]
          lines.append(
            """
            sample \(type.identifier) \(batch.source.answer) \(batch.starts[row]) \
            \(batch.ends[row]) \(batch.values[row]) \(batch.labelTable[Int(batch.labels[row])]) \
            \(batch.creation(row: row) ?? 0) \(origin.answer) \
            \(batch.metadataTable[Int(batch.metadata[row])].answer) \(batch.copies[row]) \
            \(uuids[row])
            """)
        }
      }
    }
    for kind in ElementKind.allCases {
      try forEachIdentifiedElement(of: kind) { element in
        lines.append("element \(kind) \(element.element.answer) \(element.uuid)")
        return true
      }
    }
    for kind in Association.Kind.allCases {
      for association in try associations(kind) {
        lines.append("association \(kind) \(association.owner) \(association.member)")
        for object in [association.owner, association.member] {
          lines += try attachments(of: object).map {
            "attachment \(object) \($0.uuid) \($0.name) \($0.size) \($0.metadata.answer)"
          }
        }
      }
    }
    for deleted in try deletions(after: StoreAnchor(before: anchor())) {
      lines.append("deleted \(deleted.uuid) \(deleted.type?.identifier ?? "")")
    }
    for type in try types().map(\.type) {
      let preferred = try preferredSources(of: type)
      if !preferred.isEmpty { lines.append("preferred \(type.identifier) \(preferred)") }
    }
    lines.append("zone \(try defaultZone() ?? "")")
    lines += try profile().map { "profile \($0)" }
    lines += try preferredUnits().map { "unit \($0.key) \($0.value)" }
    lines += try authorisations().map { "permission \($0)" }
    lines += try deliveries().map { "delivery \($0.app) \($0.type) \($0.frequency)" }
    return Set(lines).sorted()
  }
}

extension Source {
  fileprivate var answer: String { "[\(name)|\(bundleIdentifier)|\(isUserEntered)]" }
}

extension Origin {
  fileprivate var answer: String {
    let place = productType + operatingSystem
    return
      "[\(sourceVersion)|\(device)\(place.isEmpty ? "" : "|\(productType)|\(operatingSystem)")]"
  }
}

extension Metadata {
  fileprivate var answer: String { "\(entries.map { "\($0.key)=\($0.value):\($0.kind)" })" }
}

extension ElementFacts {
  fileprivate var answer: String {
    "\(source.answer) \(origin.answer) \(start) \(end) \(creation ?? 0) \(metadata.answer)"
  }
}

extension ImportBatch {
  /// The facts of the only row, and how much else it has.
  fileprivate var answer: String {
    switch self {
    case .records: ""
    case .workouts(let columns):
      columns.rows.map {
        "\($0.facts.answer) \($0.activity) \($0.duration ?? 0) \($0.statistics.map(\.sum)) "
          + "\($0.events.map(\.date)) \($0.activities.map(\.start)) \($0.zoneGroups.count)"
      }.joined()
    case .routes(let columns):
      columns.rows.map {
        "\($0.facts.answer) \($0.activity) \($0.locations.count) "
          + "\($0.locations.latitudes.reduce(0, +)) \($0.locations.times.last ?? 0)"
      }.joined()
    case .correlations(let columns):
      columns.rows.map { "\($0.facts.answer) \($0.type) \($0.members.map(\.value))" }.joined()
    case .activitySummaries(let columns):
      columns.rows.map { "\($0.day) \($0.activeEnergy ?? 0) \($0.standHours ?? 0)" }.joined()
    case .beatLists(let columns):
      columns.rows.map { "\($0.record.source.answer) \($0.record.start) \($0.offsets)" }.joined()
    case .electrocardiograms(let columns):
      columns.rows.map {
        "\($0.facts.answer) \($0.classification) \($0.voltages.count) "
          + "\($0.voltages.reduce(0, +))"
      }.joined()
    case .audiograms(let columns):
      columns.rows.map { "\($0.facts.answer) \($0.points.map(\.frequency))" }.joined()
    case .visionPrescriptions(let columns):
      columns.rows.map {
        "\($0.source?.answer ?? "") \($0.type) \($0.issued) \($0.brand) "
          + "\($0.rightEye.map(\.value)) \($0.leftEye.map(\.value))"
      }.joined()
    case .clinicalRecords(let columns):
      columns.rows.map {
        "\($0.source.answer) \($0.type) \($0.identifier) \($0.received) \($0.resource.count)"
      }.joined()
    case .characteristics(let columns): columns.rows.map(\.answer).joined()
    case .savedObjects(let columns):
      columns.rows.map {
        "\($0.facts.answer) \($0.type) \($0.properties.answer) \($0.document.count)"
      }.joined()
    }
  }
}
