// Constants have Apple's names and need no doc comment, where the name says it all.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

internal import HealthUnits

/// The limit of a query that shall return everything.
public let HKObjectQueryNoLimit = 0
/// The anchor before every sample, of the query that counts its anchors.
public let HKAnchoredObjectQueryNoAnchor: Int32 = 0

/// Grams of glucose in a mole, for blood glucose in moles.
public let HKUnitMolarMassBloodGlucose = Substance.glucose.molarMass

public let HKWorkoutTypeIdentifier = "HKWorkoutTypeIdentifier"
public let HKWorkoutRouteTypeIdentifier = "HKWorkoutRouteTypeIdentifier"
public let HKDataTypeIdentifierHeartbeatSeries = "HKDataTypeIdentifierHeartbeatSeries"
public let HKVisionPrescriptionTypeIdentifier = "HKVisionPrescriptionTypeIdentifier"
public let HKDataTypeIdentifierStateOfMind = "HKDataTypeStateOfMind"
public let HKDataTypeIdentifierUserAnnotatedMedicationConcept =
  "HKDataTypeUserAnnotatedMedicationConcept"

/// Instead of a version, a product type or a system: a source revision that stands for all of them.
public let HKSourceRevisionAnyVersion = "HKSourceRevisionAnyVersion"
public let HKSourceRevisionAnyProductType = "HKSourceRevisionAnyProductType"
/// The version that no system has; Apple publishes no numbers for it.
public let HKSourceRevisionAnyOperatingSystem = OperatingSystemVersion(
  majorVersion: -1, minorVersion: -1, patchVersion: -1)

/// The key of an error's entry that says what is wrong with a CDA document.
public let HKDetailedCDAValidationErrorKey = "HKDetailedCDAValidationErrorKey"

public let HKSampleSortIdentifierStartDate = "HKSampleSortIdentifierStartDate"
public let HKSampleSortIdentifierEndDate = "HKSampleSortIdentifierEndDate"
public let HKWorkoutSortIdentifierDuration = "HKWorkoutSortIdentifierDuration"
public let HKWorkoutSortIdentifierTotalDistance = "HKWorkoutSortIdentifierTotalDistance"
public let HKWorkoutSortIdentifierTotalEnergyBurned = "HKWorkoutSortIdentifierTotalEnergyBurned"
public let HKWorkoutSortIdentifierTotalFlightsClimbed = "totalFlightsClimbed"
public let HKWorkoutSortIdentifierTotalSwimmingStrokeCount = "totalSwimmingStrokeCount"

public let HKDevicePropertyKeyName = "HKDevicePropertyName"
public let HKDevicePropertyKeyManufacturer = "HKDevicePropertyManufacturer"
public let HKDevicePropertyKeyModel = "HKDevicePropertyModel"
public let HKDevicePropertyKeyHardwareVersion = "HKDevicePropertyHardwareVersion"
public let HKDevicePropertyKeyFirmwareVersion = "HKDevicePropertyFirmwareVersion"
public let HKDevicePropertyKeySoftwareVersion = "HKDevicePropertySoftwareVersion"
public let HKDevicePropertyKeyLocalIdentifier = "HKDevicePropertyLocalIdentifier"
public let HKDevicePropertyKeyUDIDeviceIdentifier = "HKDevicePropertyUDIDeviceIdentifier"

extension NSNotification.Name {
  /// A preference of the user changed, such as a preferred unit; the store posts it.
  public static let HKUserPreferencesDidChange = Self("HKUserPreferencesDidChangeNotification")
}
