package import HealthQuery
public import HealthSamples

/// Writes what leaves a store, piece by piece; there is one writer for each format.
///
/// Conform to it for a form of your own, and give it to
/// `SampleStore.export(_:through:progress:isCancelled:)`.
public protocol ExportWriter {
  /// Writes what stands before everything.
  func begin() throws(OutputError)
  /// Writes the samples of a batch, all of one type and source.
  func write(_ recorded: RecordedBatch) throws(OutputError)
  /// Writes elements that are no samples of a type, such as workouts.
  func write(_ elements: ExportBatch) throws(OutputError)
  /// Writes what stands after everything, and makes sure that all has arrived.
  func end() throws(OutputError)
  /// What the format has no form for, by name, with counts.
  var leftOut: [String: Int] { get }
}

extension ExportWriter {
  /// Nothing is left out.
  public var leftOut: [String: Int] { [:] }
}

/// A writer of text, which its subclasses give a form: they override what their form has.
package class TextExport: ExportWriter {
  let output: TextOutput
  let zone: ZoneTimeline
  private var isEmpty = true

  package init(to output: TextOutput, in zone: ZoneTimeline) {
    self.output = output
    self.zone = zone
  }

  package func begin() throws(OutputError) {}
  package func write(_ recorded: RecordedBatch) throws(OutputError) {}
  package func write(_ elements: ExportBatch) throws(OutputError) {}
  package func end() throws(OutputError) { try output.finish() }
  package var leftOut: [String: Int] { [:] }

  /// Writes what stands before an item: one text before the first, another before each that
  /// follows.
  final func separate(first: String, next: String) throws(OutputError) {
    try output.write(isEmpty ? first : next)
    isEmpty = false
  }

  /// Ends a list of items: one text when there were some, another when there were none.
  final func closeList(_ text: String, empty: String) throws(OutputError) {
    try output.write(isEmpty ? empty : text)
  }

  /// Writes an element as an object that names its kind.
  final func writeObject(
    _ row: OutputRow, of table: OutputTable, kind: ElementKind
  ) throws(OutputError) {
    let text = output
    try row.writeObject(
      of: table, in: zone, leading: [.init("kind", .string(kind.word))]
    ) { (piece) throws(OutputError) in try text.write(piece) }
  }
}

extension ExportBatch {
  /// The kind of the elements; `nil` for records.
  package var kind: ElementKind? {
    switch self {
    case .records: nil
    case .workouts: .workout
    case .routes: .route
    case .correlations: .correlation
    case .activitySummaries: .activitySummary
    case .beatLists: .beatList
    case .electrocardiograms: .electrocardiogram
    case .audiograms: .audiogram
    case .visionPrescriptions: .visionPrescription
    case .clinicalRecords: .clinicalRecord
    case .characteristics: .characteristics
    }
  }

  /// Hands over each element as a row of the table of its kind.
  func forEachRow(
    _ body: (OutputRow, OutputTable, ElementKind) throws(OutputError) -> Void
  ) throws(OutputError) {
    guard let kind else { return }
    let table = OutputTable.table(of: kind)
    for row in OutputRow.rows(of: self) { try body(row, table, kind) }
  }
}
