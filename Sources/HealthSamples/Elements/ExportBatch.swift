/// What a reader hands over at once: elements of one kind.
public enum ExportBatch: Sendable {
  /// Records of one type and one source.
  case records(RecordColumns)
  /// Workouts.
  case workouts(WorkoutColumns)
  /// Routes of workouts.
  case routes(RouteColumns)
  /// Correlations.
  case correlations(CorrelationColumns)
  /// Activity rings of days.
  case activitySummaries(ActivitySummaryColumns)
  /// Single beats behind heart rate variabilities.
  case beatLists(BeatListColumns)
  /// Electrocardiograms.
  case electrocardiograms(ElectrocardiogramColumns)
  /// Hearing tests.
  case audiograms(AudiogramColumns)
  /// Prescriptions of glasses and contact lenses.
  case visionPrescriptions(VisionPrescriptionColumns)
  /// Documents of a clinic.
  case clinicalRecords(ClinicalRecordColumns)
  /// What is told of the person once.
  case characteristics(Characteristics)
}
