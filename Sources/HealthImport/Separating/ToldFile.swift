import HealthSamples

/// What a file tells, or several that are one export.
struct ToldFile {
  /// What identifies a series of rows, or an element.
  private enum Series: Hashable {
    case records(type: String, Source)
    case element(ElementKind, name: String, Source, start: Double, end: Double)
  }

  private var series: [Series: ToldSeries] = [:]
  /// The latest end of a record: the place of the file among those without a date.
  private(set) var lastEnd = -Double.infinity

  /// An export without files.
  init() {}

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - reader: of the file
  ///   - room: for how many rows there is memory, less those that are kept; of others only the spans
  ///     are
  ///   - proceeding: whether to go on, asked for each batch
  /// - Throws: ``ExportError``
  init(
    reading reader: any ReaderBox, room: inout Int, proceeding: () -> Bool
  ) throws(ExportError) {
    while proceeding(), let batch = try reader.next() {
      switch batch {
      case .records(let rows): note(rows, room: &room)
      case .workouts(let elements): note(elements) { ($0.facts, $0.activity) }
      case .routes(let elements): note(elements) { ($0.facts, $0.activity) }
      case .correlations(let elements): note(elements) { ($0.facts, $0.type) }
      case .electrocardiograms(let elements): note(elements) { ($0.facts, "") }
      case .savedObjects(let elements): note(elements) { ($0.facts, $0.type) }
      case .activitySummaries, .audiograms, .beatLists, .characteristics, .clinicalRecords,
        .visionPrescriptions:
        break
      }
    }
    for key in series.keys { series[key]?.sort() }
  }

  /// Whether the files tell one time differently, or an element.
  func contradicts(_ other: ToldFile) -> Bool {
    other.series.contains { key, theirs in
      guard let ours = series[key] else { return false }
      return switch key {
      case .records: ours.contradicts(theirs)
      case .element: ours.differs(from: theirs)
      }
    }
  }

  /// Adds what another file tells.
  mutating func formUnion(_ other: ToldFile) {
    lastEnd = max(lastEnd, other.lastEnd)
    for (key, theirs) in other.series { series[key, default: ToldSeries()].formUnion(theirs) }
  }

  private mutating func note(_ rows: RecordColumns, room: inout Int) {
    let key = Series.records(type: rows.type.identifier, rows.source)
    var told = series.removeValue(forKey: key) ?? ToldSeries()
    if room < rows.count { told.forgetRows() }
    let isKept = told.areRowsKnown
    if isKept { room -= rows.count }
    let labels = rows.labelTable.map(\.hashValue)
    let origins = rows.originTable.map(\.hashValue)
    let metadata = rows.metadataTable.map(\.hashValue)
    for row in 0..<rows.count {
      var hasher = Hasher()
      hasher.combine(rows.values[row])
      hasher.combine(labels[Int(rows.labels[row])])
      hasher.combine(origins[Int(rows.origins[row])])
      hasher.combine(metadata[Int(rows.metadata[row])])
      let row = ToldSeries.Row(
        start: rows.starts[row], end: rows.ends[row], digest: hasher.finalize())
      if isKept { told.append(row) } else { told.note(row) }
      lastEnd = max(lastEnd, row.end)
    }
    series[key] = told
  }

  private mutating func note<Kind: Elements>(
    _ elements: Kind, _ identity: (Kind.Row) -> (facts: ElementFacts, name: String)
  ) {
    for element in elements.rows {
      let (facts, name) = identity(element)
      let key = Series.element(
        Kind.kind, name: name, facts.source, start: facts.start, end: facts.end)
      series[key, default: ToldSeries()].append(
        .init(start: facts.start, end: facts.end, digest: element.hashValue))
    }
  }
}
