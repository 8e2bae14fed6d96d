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
