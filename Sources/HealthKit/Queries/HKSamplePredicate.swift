public import Foundation

/// A type of samples and what they must be, which knows the class of the samples.
///
/// ```swift
/// let inBed = HKSamplePredicate.categorySample(
///   type: HKCategoryType(.sleepAnalysis),
///   predicate: HKCategoryValueSleepAnalysis.predicateForSamples(equalTo: [.inBed]))
/// ```
public struct HKSamplePredicate<Sample: HKSample>: @unchecked Sendable {
  /// The type.
  public let sampleType: HKSampleType
  /// What samples must be; all match without one.
  public let nsPredicate: NSPredicate?

  private init(_ sampleType: HKSampleType, _ nsPredicate: NSPredicate?) {
    (self.sampleType, self.nsPredicate) = (sampleType, nsPredicate)
  }

  /// Samples of any type.
  public static func sample(
    type sampleType: HKSampleType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKSample> {
    .init(sampleType, predicate)
  }

  /// Quantity samples of a type.
  public static func quantitySample(
    type quantityType: HKQuantityType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKQuantitySample> {
    .init(quantityType, predicate)
  }

  /// Category samples of a type.
  public static func categorySample(
    type categoryType: HKCategoryType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKCategorySample> {
    .init(categoryType, predicate)
  }

  /// Correlations of a type.
  public static func correlation(
    type correlationType: HKCorrelationType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKCorrelation> {
    .init(correlationType, predicate)
  }

  /// Clinical records of a type.
  public static func clinicalRecord(
    type clinicalType: HKClinicalType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKClinicalRecord> {
    .init(clinicalType, predicate)
  }

  /// Workouts.
  public static func workout(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKWorkout> {
    .init(HKObjectType.workoutType(), predicate)
  }

  /// Routes of workouts.
  public static func workoutRoute(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKWorkoutRoute> {
    .init(HKSeriesType.workoutRoute(), predicate)
  }

  /// Series of heartbeats.
  public static func heartbeatSeries(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKHeartbeatSeriesSample> {
    .init(HKSeriesType.heartbeat(), predicate)
  }

  /// Electrocardiograms.
  public static func electrocardiogram(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKElectrocardiogram> {
    .init(HKObjectType.electrocardiogramType(), predicate)
  }

  /// Hearing tests.
  public static func audiogram(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKAudiogramSample> {
    .init(HKObjectType.audiogramSampleType(), predicate)
  }

  /// Prescriptions of glasses and contact lenses.
  public static func visionPrescription(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKVisionPrescription> {
    .init(HKObjectType.visionPrescriptionType(), predicate)
  }

  /// States of mind.
  public static func stateOfMind(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKStateOfMind> {
    .init(HKObjectType.stateOfMindType(), predicate)
  }

  /// Assessments of anxiety.
  public static func gad7Assessment(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKGAD7Assessment> {
    .init(HKScoredAssessmentType(.GAD7), predicate)
  }

  /// Assessments of depression.
  public static func phq9Assessment(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKPHQ9Assessment> {
    .init(HKScoredAssessmentType(.PHQ9), predicate)
  }
}

extension HKSamplePredicate: Hashable {
  /// Whether the types and the predicates are equal; blocks equal only themselves.
  public static func == (left: Self, right: Self) -> Bool {
    left.sampleType == right.sampleType && left.nsPredicate?.tree == right.nsPredicate?.tree
  }

  /// Hashes the type and the predicate.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(sampleType)
    hasher.combine(nsPredicate?.tree)
  }
}
