// The identifiers are the core's: they are keys of exports and stores.
@_exported public import Foundation

@_exported public import struct HealthSamples.HKCategoryTypeIdentifier
@_exported public import struct HealthSamples.HKCharacteristicTypeIdentifier
@_exported public import struct HealthSamples.HKClinicalTypeIdentifier
@_exported public import struct HealthSamples.HKCorrelationTypeIdentifier
@_exported public import struct HealthSamples.HKDocumentTypeIdentifier
@_exported public import struct HealthSamples.HKQuantityTypeIdentifier
@_exported public import struct HealthSamples.HKScoredAssessmentTypeIdentifier
