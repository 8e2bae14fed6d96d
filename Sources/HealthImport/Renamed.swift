// The former names, for one version.

/// The former name of ``ImportReader``.
@available(*, deprecated, renamed: "ImportReader")
public typealias ExportReader = ImportReader

/// The former name of ``ImportLimits``.
@available(*, deprecated, renamed: "ImportLimits")
public typealias ExportLimits = ImportLimits
