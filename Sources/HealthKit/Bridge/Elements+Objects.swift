// Samples that a store has as elements: workouts, correlations and all else that is no row.
internal import HealthSamples
internal import HealthStore

extension HKObjectType {
  /// The kinds of elements as which a store has objects of the type; empty for rows.
  var elementKinds: [ElementKind] {
    switch self {
    case is HKActivitySummaryType: [.activitySummary]
    case is HKWorkoutType: [.workout]
    case is HKCorrelationType: [.correlation]
    case is HKSeriesType:
      // Those of apps belong to no record.
      identifier == HKWorkoutRouteTypeIdentifier ? [.route] : [.beatList, .savedObject]
    case is HKElectrocardiogramType: [.electrocardiogram]
    case is HKAudiogramSampleType: [.audiogram]
    case is HKPrescriptionType: [.visionPrescription]
    case is HKClinicalType: [.clinicalRecord]
    case is HKStateOfMindType, is HKScoredAssessmentType, is HKDocumentType,
      is HKMedicationDoseEventType:
      [.savedObject]
    default: []
    }
  }
}

extension HKSampleType {
  /// The types whose permissions count: those of the samples of a correlation, else the type.
  ///
  /// Of a correlation that needs no sample of a certain type, permission for any type will do.
  var permittedTypes: (all: Set<String>, any: Set<String>) {
    guard self is HKCorrelationType,
      let row = Catalogue.correlationTypes.first(where: { $0.identifier.rawValue == identifier })
    else { return ([identifier], []) }
    return (
      Set(row.required.map(\.rawValue)),
      row.required.isEmpty ? Set(row.allowed.map(\.rawValue)) : []
    )
  }
}

extension IdentifiedElement {
  /// The sample; `nil` for what is none, such as the days of activity rings.
  ///
  /// A correlation has the given samples of a store; those of its records without them.
  func object(members: Set<HKSample>? = nil) -> HKSample? {
    switch element {
    case .workouts(let columns): columns.rows.first?.object(uuid: uuid)
    case .routes(let columns): columns.rows.first?.object(uuid: uuid)
    case .correlations(let columns):
      columns.rows.first?.object(uuid: uuid, members: members)
    case .beatLists(let columns): columns.rows.first?.object(uuid: uuid)
    case .electrocardiograms(let columns): columns.rows.first?.object(uuid: uuid)
    case .audiograms(let columns): columns.rows.first?.object(uuid: uuid)
    case .visionPrescriptions(let columns): columns.rows.first?.object(uuid: uuid)
    case .clinicalRecords(let columns): columns.rows.first?.object(uuid: uuid)
    case .savedObjects(let columns): columns.rows.first?.object(uuid: uuid)
    case .records, .activitySummaries, .characteristics: nil
    }
  }
}

/// The facts that an app adds to everything that it saves.
struct SavingApp {
  let source: Source
  private let revision: HKSourceRevision
  /// The time of the save, in seconds since 2001-01-01 UTC.
  let created: Double

  init(_ host: HealthHost) {
    revision = HKSourceRevision(host)
    source = revision.source.core
    created = host.now().timeIntervalSinceReferenceDate
  }

  /// Where a sample with a device comes from.
  func origin(device: String) -> Origin {
    Origin(revision, device.isEmpty ? nil : HKDevice(text: device))
  }

  /// A row with the facts of the app, in a list of its own.
  private func stamped<Row>(_ row: Row, _ facts: WritableKeyPath<Row, ElementFacts>) -> [Row] {
    var row = row
    row[keyPath: facts].source = source
    row[keyPath: facts].origin = origin(device: row[keyPath: facts].origin.device)
    row[keyPath: facts].creation = created
    return [row]
  }

  /// A sample as the element that a store keeps of it; `nil` for a sample that is no element.
  func element(of sample: HKSample) -> ImportBatch? {
    switch sample {
    case let sample as HKWorkout:
      return .workouts(Workouts(stamped(Workouts.Row(sample), \.facts)))
    case let sample as HKWorkoutRoute:
      return .routes(Routes(stamped(Routes.Row(sample), \.facts)))
    case let sample as HKCorrelation:
      var row = Correlations.Row(sample)
      for member in row.members.indices { row.members[member].source = source }
      return .correlations(Correlations(stamped(row, \.facts)))
    case let sample as HKElectrocardiogram:
      let rows = stamped(Electrocardiograms.Row(sample), \.facts)
      return .electrocardiograms(Electrocardiograms(rows))
    case let sample as HKAudiogramSample:
      return .audiograms(Audiograms(stamped(Audiograms.Row(sample), \.facts)))
    case let sample as HKVisionPrescription:
      var row = VisionPrescriptions.Row(sample)
      (row.source, row.origin) = (source, origin(device: sample.device?.text ?? ""))
      row.created = created
      return .visionPrescriptions(VisionPrescriptions([row]))
    case let sample as HKClinicalRecord:
      var row = ClinicalRecords.Row(sample)
      row.source = source
      return .clinicalRecords(ClinicalRecords([row]))
    default: return SavedObjects.Row(sample).map(savedObject)
    }
  }

  /// The single measurements of a sample as an element; `nil` for a sample of one.
  func measurements(of sample: HKQuantitySample) -> ImportBatch? {
    SavedObjects.Row(measurementsOf: sample).map(savedObject)
  }

  private func savedObject(_ row: SavedObjects.Row) -> ImportBatch {
    .savedObjects(SavedObjects(stamped(row, \.facts)))
  }
}
