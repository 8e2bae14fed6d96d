package import HealthQuery
public import HealthSamples

/// Writes the contents of an export in order; there is one writer for each format.
///
/// Conform to it for your own format, and pass it to
/// `SampleStore.export(_:through:progress:isCancelled:)`.
public protocol ExportWriter {
  /// Writes the beginning.
  func begin() throws(OutputError)
  /// Writes the samples of a batch, all of one type and source.
  func write(_ recorded: RecordedBatch) throws(OutputError)
  /// Writes elements, such as workouts.
  func write(_ elements: ImportBatch) throws(OutputError)
  /// Writes the end, and flushes everything.
  func end() throws(OutputError)
  /// Items that the format does not support, by name, with counts.
  var leftOut: [String: Int] { get }
}

extension ExportWriter {
  /// Nothing is left out.
  public var leftOut: [String: Int] { [:] }
}

/// A writer of text; subclasses override the methods that their format needs.
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
  package func write(_ elements: ImportBatch) throws(OutputError) {}
  package func end() throws(OutputError) { try output.finish() }
  package var leftOut: [String: Int] { [:] }

  /// Writes the separator before an item: `first` before the first, `next` before the others.
  final func separate(first: String, next: String) throws(OutputError) {
    try output.write(isEmpty ? first : next)
    isEmpty = false
  }

  /// Writes an element as an object with its kind.
  final func writeObject(
    _ row: OutputRow, of table: OutputTable, kind: ElementKind
  ) throws(OutputError) {
    let text = output
    try row.writeObject(
      of: table, in: zone, leading: [.init(OwnFile.objectKey, .string(kind.word))]
    ) { (piece) throws(OutputError) in try text.write(piece) }
  }
}

extension ImportBatch {
  /// The kind of the elements; `nil` for records.
  package var kind: ElementKind? { columns.map { type(of: $0).kind } }

  /// Visits each element as a row of the table of its kind.
  func forEachRow(
    _ body: (OutputRow, OutputTable, ElementKind) throws(OutputError) -> Void
  ) throws(OutputError) {
    guard let kind else { return }
    let table = OutputTable.table(of: kind)
    for row in OutputRow.rows(of: self) { try body(row, table, kind) }
  }
}
