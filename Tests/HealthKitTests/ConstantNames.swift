import HealthKit

/// Every constant of the module beside its own name, for comparison with the published tables.
enum ConstantNames {
  static let metadataKeys: [(String, String)] = [
    ("HKMetadataKeyActivityType", HKMetadataKeyActivityType),
    ("HKMetadataKeyAlgorithmVersion", HKMetadataKeyAlgorithmVersion),
    ("HKMetadataKeyAlpineSlopeGrade", HKMetadataKeyAlpineSlopeGrade),
    ("HKMetadataKeyAppleDeviceCalibrated", HKMetadataKeyAppleDeviceCalibrated),
    ("HKMetadataKeyAppleECGAlgorithmVersion", HKMetadataKeyAppleECGAlgorithmVersion),
    (
      "HKMetadataKeyAppleFitnessPlusCatalogIdentifier",
      HKMetadataKeyAppleFitnessPlusCatalogIdentifier
    ),
    ("HKMetadataKeyAppleFitnessPlusSession", HKMetadataKeyAppleFitnessPlusSession),
    ("HKMetadataKeyAudioExposureDuration", HKMetadataKeyAudioExposureDuration),
    ("HKMetadataKeyAudioExposureLevel", HKMetadataKeyAudioExposureLevel),
    ("HKMetadataKeyAverageMETs", HKMetadataKeyAverageMETs),
    ("HKMetadataKeyAverageSpeed", HKMetadataKeyAverageSpeed),
    ("HKMetadataKeyBarometricPressure", HKMetadataKeyBarometricPressure),
    ("HKMetadataKeyBloodGlucoseMealTime", HKMetadataKeyBloodGlucoseMealTime),
    ("HKMetadataKeyBodyTemperatureSensorLocation", HKMetadataKeyBodyTemperatureSensorLocation),
    ("HKMetadataKeyCoachedWorkout", HKMetadataKeyCoachedWorkout),
    ("HKMetadataKeyCrossTrainerDistance", HKMetadataKeyCrossTrainerDistance),
    (
      "HKMetadataKeyCyclingFunctionalThresholdPowerTestType",
      HKMetadataKeyCyclingFunctionalThresholdPowerTestType
    ),
    (
      "HKMetadataKeyDateOfEarliestDataUsedForEstimate",
      HKMetadataKeyDateOfEarliestDataUsedForEstimate
    ),
    ("HKMetadataKeyDeviceManufacturerName", HKMetadataKeyDeviceManufacturerName),
    ("HKMetadataKeyDeviceName", HKMetadataKeyDeviceName),
    ("HKMetadataKeyDevicePlacementSide", HKMetadataKeyDevicePlacementSide),
    ("HKMetadataKeyDeviceSerialNumber", HKMetadataKeyDeviceSerialNumber),
    ("HKMetadataKeyDigitalSignature", HKMetadataKeyDigitalSignature),
    ("HKMetadataKeyElevationAscended", HKMetadataKeyElevationAscended),
    ("HKMetadataKeyElevationDescended", HKMetadataKeyElevationDescended),
    ("HKMetadataKeyExternalUUID", HKMetadataKeyExternalUUID),
    ("HKMetadataKeyFitnessMachineDuration", HKMetadataKeyFitnessMachineDuration),
    ("HKMetadataKeyFoodType", HKMetadataKeyFoodType),
    ("HKMetadataKeyGlassesPrescriptionDescription", HKMetadataKeyGlassesPrescriptionDescription),
    ("HKMetadataKeyGroupFitness", HKMetadataKeyGroupFitness),
    ("HKMetadataKeyHeadphoneGain", HKMetadataKeyHeadphoneGain),
    ("HKMetadataKeyHeartRateEventThreshold", HKMetadataKeyHeartRateEventThreshold),
    ("HKMetadataKeyHeartRateMotionContext", HKMetadataKeyHeartRateMotionContext),
    (
      "HKMetadataKeyHeartRateRecoveryActivityDuration",
      HKMetadataKeyHeartRateRecoveryActivityDuration
    ),
    ("HKMetadataKeyHeartRateRecoveryActivityType", HKMetadataKeyHeartRateRecoveryActivityType),
    (
      "HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate",
      HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate
    ),
    ("HKMetadataKeyHeartRateRecoveryTestType", HKMetadataKeyHeartRateRecoveryTestType),
    ("HKMetadataKeyHeartRateSensorLocation", HKMetadataKeyHeartRateSensorLocation),
    ("HKMetadataKeyIndoorBikeDistance", HKMetadataKeyIndoorBikeDistance),
    ("HKMetadataKeyIndoorWorkout", HKMetadataKeyIndoorWorkout),
    ("HKMetadataKeyInsulinDeliveryReason", HKMetadataKeyInsulinDeliveryReason),
    ("HKMetadataKeyLapLength", HKMetadataKeyLapLength),
    ("HKMetadataKeyLowCardioFitnessEventThreshold", HKMetadataKeyLowCardioFitnessEventThreshold),
    ("HKMetadataKeyMaximumLightIntensity", HKMetadataKeyMaximumLightIntensity),
    ("HKMetadataKeyMaximumSpeed", HKMetadataKeyMaximumSpeed),
    ("HKMetadataKeyMenstrualCycleStart", HKMetadataKeyMenstrualCycleStart),
    ("HKMetadataKeyPhysicalEffortEstimationType", HKMetadataKeyPhysicalEffortEstimationType),
    ("HKMetadataKeyQuantityClampedToLowerBound", HKMetadataKeyQuantityClampedToLowerBound),
    ("HKMetadataKeyQuantityClampedToUpperBound", HKMetadataKeyQuantityClampedToUpperBound),
    ("HKMetadataKeyReferenceRangeLowerLimit", HKMetadataKeyReferenceRangeLowerLimit),
    ("HKMetadataKeyReferenceRangeUpperLimit", HKMetadataKeyReferenceRangeUpperLimit),
    ("HKMetadataKeySWOLFScore", HKMetadataKeySWOLFScore),
    ("HKMetadataKeySessionEstimate", HKMetadataKeySessionEstimate),
    ("HKMetadataKeySexualActivityProtectionUsed", HKMetadataKeySexualActivityProtectionUsed),
    ("HKMetadataKeySwimmingLocationType", HKMetadataKeySwimmingLocationType),
    ("HKMetadataKeySwimmingStrokeStyle", HKMetadataKeySwimmingStrokeStyle),
    ("HKMetadataKeySyncIdentifier", HKMetadataKeySyncIdentifier),
    ("HKMetadataKeySyncVersion", HKMetadataKeySyncVersion),
    ("HKMetadataKeyTimeZone", HKMetadataKeyTimeZone),
    ("HKMetadataKeyUDIDeviceIdentifier", HKMetadataKeyUDIDeviceIdentifier),
    ("HKMetadataKeyUDIProductionIdentifier", HKMetadataKeyUDIProductionIdentifier),
    ("HKMetadataKeyUserMotionContext", HKMetadataKeyUserMotionContext),
    ("HKMetadataKeyVO2MaxTestType", HKMetadataKeyVO2MaxTestType),
    ("HKMetadataKeyVO2MaxValue", HKMetadataKeyVO2MaxValue),
    ("HKMetadataKeyWasTakenInLab", HKMetadataKeyWasTakenInLab),
    ("HKMetadataKeyWasUserEntered", HKMetadataKeyWasUserEntered),
    ("HKMetadataKeyWaterSalinity", HKMetadataKeyWaterSalinity),
    ("HKMetadataKeyWeatherCondition", HKMetadataKeyWeatherCondition),
    ("HKMetadataKeyWeatherHumidity", HKMetadataKeyWeatherHumidity),
    ("HKMetadataKeyWeatherTemperature", HKMetadataKeyWeatherTemperature),
    ("HKMetadataKeyWorkoutBrandName", HKMetadataKeyWorkoutBrandName),
  ]

  static let others: [(String, String)] = [
    ("HKErrorDomain", HKErrorDomain),
    ("HKPredicateKeyPathCategoryValue", HKPredicateKeyPathCategoryValue),
    ("HKPredicateKeyPathCorrelation", HKPredicateKeyPathCorrelation),
    ("HKPredicateKeyPathEndDate", HKPredicateKeyPathEndDate),
    ("HKPredicateKeyPathMetadata", HKPredicateKeyPathMetadata),
    ("HKPredicateKeyPathQuantity", HKPredicateKeyPathQuantity),
    ("HKPredicateKeyPathSource", HKPredicateKeyPathSource),
    ("HKPredicateKeyPathStartDate", HKPredicateKeyPathStartDate),
    ("HKPredicateKeyPathUUID", HKPredicateKeyPathUUID),
    ("HKPredicateKeyPathWorkout", HKPredicateKeyPathWorkout),
    ("HKPredicateKeyPathWorkoutDuration", HKPredicateKeyPathWorkoutDuration),
    ("HKPredicateKeyPathWorkoutTotalDistance", HKPredicateKeyPathWorkoutTotalDistance),
    ("HKPredicateKeyPathWorkoutTotalEnergyBurned", HKPredicateKeyPathWorkoutTotalEnergyBurned),
    ("HKPredicateKeyPathWorkoutType", HKPredicateKeyPathWorkoutType),
    (
      "HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount",
      HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount
    ),
    ("HKPredicateKeyPathWorkoutTotalFlightsClimbed", HKPredicateKeyPathWorkoutTotalFlightsClimbed),
    ("HKPredicateKeyPathDevice", HKPredicateKeyPathDevice),
    ("HKPredicateKeyPathSourceRevision", HKPredicateKeyPathSourceRevision),
    ("HKPredicateKeyPathDateComponents", HKPredicateKeyPathDateComponents),
    ("HKPredicateKeyPathCDAAuthorName", HKPredicateKeyPathCDAAuthorName),
    ("HKPredicateKeyPathCDACustodianName", HKPredicateKeyPathCDACustodianName),
    ("HKPredicateKeyPathCDAPatientName", HKPredicateKeyPathCDAPatientName),
    ("HKPredicateKeyPathCDATitle", HKPredicateKeyPathCDATitle),
    (
      "HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier",
      HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier
    ),
    (
      "HKPredicateKeyPathClinicalRecordFHIRResourceType",
      HKPredicateKeyPathClinicalRecordFHIRResourceType
    ),
    ("HKPredicateKeyPathSum", HKPredicateKeyPathSum),
    ("HKPredicateKeyPathAverage", HKPredicateKeyPathAverage),
    ("HKPredicateKeyPathAverageHeartRate", HKPredicateKeyPathAverageHeartRate),
    ("HKPredicateKeyPathCount", HKPredicateKeyPathCount),
    ("HKPredicateKeyPathECGClassification", HKPredicateKeyPathECGClassification),
    ("HKPredicateKeyPathECGSymptomsStatus", HKPredicateKeyPathECGSymptomsStatus),
    ("HKPredicateKeyPathMax", HKPredicateKeyPathMax),
    ("HKPredicateKeyPathMin", HKPredicateKeyPathMin),
    ("HKPredicateKeyPathMostRecent", HKPredicateKeyPathMostRecent),
    ("HKPredicateKeyPathMostRecentDuration", HKPredicateKeyPathMostRecentDuration),
    ("HKPredicateKeyPathMostRecentEndDate", HKPredicateKeyPathMostRecentEndDate),
    ("HKPredicateKeyPathMostRecentStartDate", HKPredicateKeyPathMostRecentStartDate),
    ("HKPredicateKeyPathStatus", HKPredicateKeyPathStatus),
    ("HKPredicateKeyPathLogOrigin", HKPredicateKeyPathLogOrigin),
    ("HKPredicateKeyPathScheduledDate", HKPredicateKeyPathScheduledDate),
    (
      "HKPredicateKeyPathMedicationConceptIdentifier",
      HKPredicateKeyPathMedicationConceptIdentifier
    ),
    ("HKPredicateKeyPathWorkoutActivity", HKPredicateKeyPathWorkoutActivity),
    (
      "HKPredicateKeyPathWorkoutActivityAverageQuantity",
      HKPredicateKeyPathWorkoutActivityAverageQuantity
    ),
    ("HKPredicateKeyPathWorkoutActivityDuration", HKPredicateKeyPathWorkoutActivityDuration),
    ("HKPredicateKeyPathWorkoutActivityEndDate", HKPredicateKeyPathWorkoutActivityEndDate),
    (
      "HKPredicateKeyPathWorkoutActivityMaximumQuantity",
      HKPredicateKeyPathWorkoutActivityMaximumQuantity
    ),
    (
      "HKPredicateKeyPathWorkoutActivityMinimumQuantity",
      HKPredicateKeyPathWorkoutActivityMinimumQuantity
    ),
    ("HKPredicateKeyPathWorkoutActivityStartDate", HKPredicateKeyPathWorkoutActivityStartDate),
    ("HKPredicateKeyPathWorkoutActivitySumQuantity", HKPredicateKeyPathWorkoutActivitySumQuantity),
    ("HKPredicateKeyPathWorkoutActivityType", HKPredicateKeyPathWorkoutActivityType),
    ("HKPredicateKeyPathWorkoutAverageQuantity", HKPredicateKeyPathWorkoutAverageQuantity),
    ("HKPredicateKeyPathWorkoutMaximumQuantity", HKPredicateKeyPathWorkoutMaximumQuantity),
    ("HKPredicateKeyPathWorkoutMinimumQuantity", HKPredicateKeyPathWorkoutMinimumQuantity),
    ("HKPredicateKeyPathWorkoutSumQuantity", HKPredicateKeyPathWorkoutSumQuantity),
    ("HKPredicateKeyPathWorkoutEffortRelationship", HKPredicateKeyPathWorkoutEffortRelationship),
    (
      "HKUserAnnotatedMedicationPredicateKeyPathHasSchedule",
      HKUserAnnotatedMedicationPredicateKeyPathHasSchedule
    ),
    (
      "HKUserAnnotatedMedicationPredicateKeyPathIsArchived",
      HKUserAnnotatedMedicationPredicateKeyPathIsArchived
    ),
    ("HKSampleSortIdentifierEndDate", HKSampleSortIdentifierEndDate),
    ("HKSampleSortIdentifierStartDate", HKSampleSortIdentifierStartDate),
    ("HKWorkoutSortIdentifierDuration", HKWorkoutSortIdentifierDuration),
    ("HKWorkoutSortIdentifierTotalDistance", HKWorkoutSortIdentifierTotalDistance),
    ("HKWorkoutSortIdentifierTotalEnergyBurned", HKWorkoutSortIdentifierTotalEnergyBurned),
    (
      "HKWorkoutSortIdentifierTotalSwimmingStrokeCount",
      HKWorkoutSortIdentifierTotalSwimmingStrokeCount
    ),
    ("HKWorkoutSortIdentifierTotalFlightsClimbed", HKWorkoutSortIdentifierTotalFlightsClimbed),
    ("HKDevicePropertyKeyFirmwareVersion", HKDevicePropertyKeyFirmwareVersion),
    ("HKDevicePropertyKeyHardwareVersion", HKDevicePropertyKeyHardwareVersion),
    ("HKDevicePropertyKeyLocalIdentifier", HKDevicePropertyKeyLocalIdentifier),
    ("HKDevicePropertyKeyManufacturer", HKDevicePropertyKeyManufacturer),
    ("HKDevicePropertyKeyModel", HKDevicePropertyKeyModel),
    ("HKDevicePropertyKeyName", HKDevicePropertyKeyName),
    ("HKDevicePropertyKeySoftwareVersion", HKDevicePropertyKeySoftwareVersion),
    ("HKDevicePropertyKeyUDIDeviceIdentifier", HKDevicePropertyKeyUDIDeviceIdentifier),
    ("HKSourceRevisionAnyProductType", HKSourceRevisionAnyProductType),
    ("HKSourceRevisionAnyVersion", HKSourceRevisionAnyVersion),
    ("HKDetailedCDAValidationErrorKey", HKDetailedCDAValidationErrorKey),
  ]
}
