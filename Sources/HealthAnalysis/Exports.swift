// What refuses an analysis stands below it, for queries that pass it on and import no analysis.
@_exported public import struct HealthStatistics.AnalysisError
