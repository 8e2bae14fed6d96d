// The former names, for one version.

/// The former name of ``ImportBatch``.
@available(*, deprecated, renamed: "ImportBatch")
public typealias ExportBatch = ImportBatch
