// One import for everything but the analysis, which needs LAPACK.

@_exported public import HealthExchange
@_exported public import HealthExport
@_exported public import HealthMerge
@_exported public import HealthQuery
@_exported public import HealthSamples
@_exported public import HealthStatistics
@_exported public import HealthStore
@_exported public import HealthUnits
