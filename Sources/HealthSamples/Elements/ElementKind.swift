/// A kind of thing that an export holds beside records.
///
/// The raw value is the name of its element in Apple's export, where it has one.
public enum ElementKind: String, Sendable, Hashable, CaseIterable {
  /// Workouts.
  case workout = "Workout"
  /// Where workouts led along.
  case route = "WorkoutRoute"
  /// Records that belong together, such as the two of a blood pressure.
  case correlation = "Correlation"
  /// The activity rings of a day.
  case activitySummary = "ActivitySummary"
  /// The single beats behind a heart rate variability.
  case beatList = "HeartRateVariabilityMetadataList"
  /// Electrocardiograms.
  case electrocardiogram = "Electrocardiogram"
  /// Hearing tests.
  case audiogram = "Audiogram"
  /// Prescriptions of glasses and contact lenses.
  case visionPrescription = "VisionPrescription"
  /// Documents of a clinic.
  case clinicalRecord = "ClinicalRecord"
  /// What is told of the person once.
  case characteristics = "Me"
}
