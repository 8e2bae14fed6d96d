import HealthSamples

/// Elements of all kinds, collected into batches.
struct ElementRows {
  var workouts = Workouts()
  var routes = Routes()
  var correlations = Correlations()
  var activitySummaries = ActivitySummaries()
  var beatLists = BeatLists()
  var audiograms = Audiograms()
  var visionPrescriptions = VisionPrescriptions()
  var clinicalRecords = ClinicalRecords()
  var characteristics = Characteristics()
  /// The numbers of elements and of skipped ones, by kind.
  private(set) var counts: [ElementKind: TypeCount] = [:]
  /// When the export was created.
  private(set) var exported: Double?
  /// Workouts with a duration that was mended.
  var impossibleDurations = 0
  var conversions = UnitConversions()
  /// The approximate memory of the rows.
  private var bytes = 0
  private var count = 0

  private static let mostBytes = 1 << 20
  /// More elements than any export has besides its records; further ones are skipped.
  private static let mostElements = 1 << 20

  init() {}

  /// Whether the rows should be delivered.
  var isFull: Bool { bytes > Self.mostBytes }

  /// Removes and returns all rows, in batches of one kind.
  mutating func takeAll() -> [ImportBatch] {
    var batches: [ImportBatch] = []
    func take<Columns: Elements>(
      _ columns: inout Columns, _ batch: (Columns) -> ImportBatch
    ) {
      if columns.count > 0 { batches.append(batch(columns)) }
      columns = Columns()
    }
    take(&workouts, ImportBatch.workouts)
    take(&routes, ImportBatch.routes)
    take(&correlations, ImportBatch.correlations)
    take(&activitySummaries, ImportBatch.activitySummaries)
    take(&beatLists, ImportBatch.beatLists)
    take(&audiograms, ImportBatch.audiograms)
    take(&visionPrescriptions, ImportBatch.visionPrescriptions)
    take(&clinicalRecords, ImportBatch.clinicalRecords)
    take(&characteristics, ImportBatch.characteristics)
    bytes = 0
    return batches
  }

  /// Counts a skipped element.
  mutating func skip(_ kind: ElementKind, _ reason: SkipReason) {
    counts[kind, default: TypeCount()].read += 1
    counts[kind, default: TypeCount()].skipped[reason, default: 0] += 1
  }

  /// Counts an element of about `bytes` bytes that is about to be added; false if there are too
  /// many.
  mutating func admit(_ kind: ElementKind, bytes size: Int) -> Bool {
    guard count < Self.mostElements else {
      skip(kind, .tooManyElements)
      return false
    }
    count += 1
    bytes += size + 256
    counts[kind, default: TypeCount()].read += 1
    return true
  }

  /// Adds the beats of a record.
  mutating func add(_ row: BeatLists.Row) {
    if admit(.beatList, bytes: row.offsets.count * 16) { beatLists.rows.append(row) }
  }

  /// Adds a top-level element.
  mutating func add(_ node: ElementNode) {
    switch node.name {
    case "ExportDate": exported = node.date("value") ?? exported
    case "Workout": addWorkout(node)
    case "Correlation": addCorrelation(node)
    case "ActivitySummary": addActivitySummary(node)
    case "Audiogram": addAudiogram(node)
    case "VisionPrescription": addVisionPrescription(node)
    case "ClinicalRecord": addClinicalRecord(node)
    case "Me":
      let entries = node.attributes.map { Metadata.Entry(key: $0.name, value: $0.value) }
      if admit(.characteristics, bytes: 1024) { characteristics.rows.append(Metadata(entries)) }
    default: break
    }
  }
}
