/// A kind of element that an export has besides records.
///
/// The raw value is the name of its element in Apple's export, where it has one.
public enum ElementKind: String, Sendable, Hashable, CaseIterable {
  /// Workouts.
  case workout = "Workout"
  /// The tracks of workouts.
  case route = "WorkoutRoute"
  /// Records that belong together, such as the two of a blood pressure.
  case correlation = "Correlation"
  /// The activity rings of a day.
  case activitySummary = "ActivitySummary"
  /// The heart beats of a heart rate variability.
  case beatList = "HeartRateVariabilityMetadataList"
  /// Electrocardiograms.
  case electrocardiogram = "Electrocardiogram"
  /// Hearing tests.
  case audiogram = "Audiogram"
  /// Prescriptions of glasses and contact lenses.
  case visionPrescription = "VisionPrescription"
  /// Documents of health care providers.
  case clinicalRecord = "ClinicalRecord"
  /// Facts about the person.
  case characteristics = "Me"
  /// Objects of apps that Apple's export lacks.
  case savedObject = "SavedObject"
}
