/// A batch from a reader: elements of one kind.
public enum ImportBatch: Sendable {
  /// Records of one type and one source.
  case records(RecordColumns)
  /// Workouts.
  case workouts(Workouts)
  /// Routes of workouts.
  case routes(Routes)
  /// Correlations.
  case correlations(Correlations)
  /// Activity rings of days.
  case activitySummaries(ActivitySummaries)
  /// Heart beats of heart rate variabilities.
  case beatLists(BeatLists)
  /// Electrocardiograms.
  case electrocardiograms(Electrocardiograms)
  /// Hearing tests.
  case audiograms(Audiograms)
  /// Prescriptions of glasses and contact lenses.
  case visionPrescriptions(VisionPrescriptions)
  /// Documents of health care providers.
  case clinicalRecords(ClinicalRecords)
  /// Facts about the person.
  case characteristics(Characteristics)
  /// Objects of apps that Apple's export lacks.
  case savedObjects(SavedObjects)
}

extension ImportBatch {
  /// The elements; `nil` for records.
  package var columns: (any Elements)? {
    switch self {
    case .records: nil
    case .workouts(let columns): columns
    case .routes(let columns): columns
    case .correlations(let columns): columns
    case .activitySummaries(let columns): columns
    case .beatLists(let columns): columns
    case .electrocardiograms(let columns): columns
    case .audiograms(let columns): columns
    case .visionPrescriptions(let columns): columns
    case .clinicalRecords(let columns): columns
    case .characteristics(let columns): columns
    case .savedObjects(let columns): columns
    }
  }
}
