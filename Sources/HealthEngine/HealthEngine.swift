// One import for all modules.

@_exported public import HealthAnalysis
@_exported public import HealthAnswers
@_exported public import HealthExchange
@_exported public import HealthImport
@_exported public import HealthMerge
@_exported public import HealthQuery
@_exported public import HealthSamples
@_exported public import HealthStatistics
@_exported public import HealthStore
@_exported public import HealthUnits
