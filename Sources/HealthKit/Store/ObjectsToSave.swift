import Foundation
internal import HealthQuery
internal import HealthSamples
internal import HealthStore

/// Samples on their way into a store: with those of their correlations, and what belongs together.
struct ObjectsToSave {
  private let app: SavingApp
  /// Those that were given, and the samples of correlations, each once.
  private var samples: [HKSample] = []
  /// The samples of correlations, which may be saved already.
  private var members: Set<UUID> = []
  private var associations: [Association] = []

  /// Collects samples.
  ///
  /// - Throws: `HKError` for a sample that is given twice, for one outside of the years that can be
  ///   saved, and for a quantity that is not finite
  init(_ given: [HKSample], of host: HealthHost) throws(HKError) {
    app = SavingApp(host)
    var known: Set<UUID> = []
    for sample in given {
      guard known.insert(sample.uuid).inserted else {
        throw HKError.invalid("A sample is given twice")
      }
      samples.append(sample)
    }
    for case let correlation as HKCorrelation in given {
      for member in correlation.objects.sorted(by: { $0.uuid.uuidString < $1.uuid.uuidString }) {
        associations.append(Association(correlation.uuid, member.uuid, .correlation))
        guard known.insert(member.uuid).inserted else { continue }
        members.insert(member.uuid)
        samples.append(member)
      }
    }
    for sample in samples {
      guard QueryDate.range.contains(sample.startDate.timeIntervalSinceReferenceDate),
        QueryDate.range.contains(sample.endDate.timeIntervalSinceReferenceDate)
      else {
        throw HKError.invalid("A sample is outside of the years that can be saved")
      }
      if let quantity = sample as? HKQuantitySample, !quantity.value.isFinite {
        throw ObjectError(.notFinite(type: sample.sampleType.identifier)).asHealthKitError
      }
      // A state at an instant, as Apple's page of the type says.
      if sample.sampleType.identifier == HKCategoryTypeIdentifier.menopausalState.rawValue,
        sample.startDate != sample.endDate
      {
        throw HKError.invalid("A sample of a menopausal state must end when it starts")
      }
    }
  }

  /// The types that the app must be allowed to share: of correlations those of their samples.
  var types: Set<HKObjectType> {
    Set(samples.filter { !($0 is HKCorrelation) }.map(\.sampleType))
  }

  /// What the store gets; samples of correlations that it has already are not saved again.
  func objects(knownTo store: SampleStore?) throws -> NewObjects {
    let known = try store?.known(samples.filter { members.contains($0.uuid) }) ?? []
    var objects = NewObjects()
    objects.associations = associations
    let new = samples.filter { !known.contains($0.uuid) }
    for batch in try SampleRows.rows(of: new) {
      // The store looks for the versions of samples among those that are not rows.
      let hasVersions = batch.columns.metadataTable.contains { metadata in
        metadata.entries.contains { $0.key == HKMetadataKeySyncIdentifier }
      }
      if store == nil || hasVersions {
        objects.samples += app.samples(batch)
      } else {
        objects.rows.append(app.rows(batch))
      }
    }
    for sample in new where sample.sampleType.storedType == nil {
      guard let element = app.element(of: sample) else {
        throw HKError.invalid("\(type(of: sample)) cannot be saved")
      }
      objects.elements.append(NewElement(element, uuid: sample.uuid))
    }
    for case let sample as HKQuantitySample in new {
      guard let measurements = app.measurements(of: sample) else { continue }
      let element = NewElement(measurements)
      objects.elements.append(element)
      objects.associations.append(Association(sample.uuid, element.uuid, .measurements))
    }
    return objects
  }
}

extension SavingApp {
  /// Rows of one batch as the app saves them.
  fileprivate func rows(_ batch: SampleRows) -> NewRows {
    var columns = RecordColumns(batch.columns, source: source)
    columns.created = Array(repeating: created, count: columns.count)
    columns.originTable = columns.originTable.map { origin(device: $0.device) }
    return NewRows(columns, identities: batch.identities, places: batch.places)
  }

  /// Rows of one batch as the app saves them.
  fileprivate func samples(_ batch: SampleRows) -> [NewSample] {
    let rows = batch.columns
    return (0..<rows.count).map { row in
      NewSample(
        type: rows.type, source: source, start: rows.starts[row], end: rows.ends[row],
        value: rows.values[row], label: rows.labelTable[Int(rows.labels[row])], created: created,
        origin: origin(device: rows.originTable[Int(rows.origins[row])].device),
        metadata: rows.metadataTable[Int(rows.metadata[row])], uuid: batch.identities[row])
    }
  }
}

extension SampleStore {
  /// The identities of those samples that are in the store, under their types, and that its reader may
  /// see.
  func known(_ samples: [HKSample]) throws -> Set<UUID> {
    var known: Set<UUID> = []
    let types = Dictionary(grouping: samples, by: \.sampleType)
    let rows = types.keys.compactMap(\.storedType)
    if !rows.isEmpty {
      let uuids = Set(samples.lazy.filter { $0.sampleType.storedType != nil }.map(\.uuid))
      let history = try ReadableHistory(of: self)
      for batch in try records(SampleQuery(types: rows, predicate: .uuid(uuids))) {
        for (row, uuid) in try self.identities(of: batch.serials).enumerated()
        where history.contains(row, of: batch) {
          known.insert(uuid)
        }
      }
    }
    for (type, samples) in types where type.storedType == nil {
      for kind in type.elementKinds {
        try forEachIdentifiedElement(of: kind, uuids: Set(samples.map(\.uuid))) { element in
          if element.object()?.sampleType == type { known.insert(element.uuid) }
          return true
        }
      }
    }
    return known
  }
}
