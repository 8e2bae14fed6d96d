public import HealthSamples

extension ImportBatch {
  /// The kind and the rows of elements, for comparison; no rows for records.
  public var elements: (kind: ElementKind, rows: [AnyHashable]) {
    switch self {
    case .records: (.workout, [])
    case .workouts(let columns): (.workout, columns.rows)
    case .routes(let columns): (.route, columns.rows)
    case .correlations(let columns): (.correlation, columns.rows)
    case .activitySummaries(let columns): (.activitySummary, columns.rows)
    case .beatLists(let columns): (.beatList, columns.rows)
    case .electrocardiograms(let columns): (.electrocardiogram, columns.rows)
    case .audiograms(let columns): (.audiogram, columns.rows)
    case .visionPrescriptions(let columns): (.visionPrescription, columns.rows)
    case .clinicalRecords(let columns): (.clinicalRecord, columns.rows)
    case .characteristics(let columns): (.characteristics, columns.rows)
    case .savedObjects(let columns): (.savedObject, columns.rows)
    }
  }
}
