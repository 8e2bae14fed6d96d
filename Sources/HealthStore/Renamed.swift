// The former names, for one version.

/// The former name of ``ImportSummary``.
@available(*, deprecated, renamed: "ImportSummary")
public typealias ImportReport = ImportSummary
