public import HealthSamples

/// Reads an Apple Health export batch by batch, from an archive, a folder or a bare XML file.
///
/// ```swift
/// var reader = try ExportReader(path: "export.zip")
/// while let batch = try reader.next() {
///   try session.add(batch)
/// }
/// if let cut = reader.summary.cutAt { … }
/// ```
///
/// A batch of records holds those of one type and one source, as they were recorded, in the order
/// of the file, spread over as many batches as they need. A record inside a correlation or a
/// workout comes with 0 copies. The text is read from its first `<HealthData` on, whatever the
/// document type says, and no damage inside it is an error: what is complete is delivered, the rest
/// is counted in ``summary``.
///
/// Memory does not grow with the file: the text streams through a window of half a megabyte that
/// grows only for longer elements, and rows wait in a pool of fixed size (``ExportLimits``).
public struct ExportReader: ~Copyable, BatchReader {
  /// The size of the text in bytes, as the file or the archive states it.
  public let byteCount: Int
  /// The entry of the archive or the file in the folder that is read; `nil` for a bare file.
  public let entry: String?
  private var scanner: RecordScanner
  private let sideFiles: SideFiles
  /// Clinical records whose files are to be read.
  private var clinicalRecords: ArraySlice<ClinicalRecordColumns.Row> = []
  /// Files that could not be read.
  private var missingFiles = 0
  /// The bytes of the files that were read.
  private var sideBytes = 0

  /// Opens the export at `path`.
  ///
  /// - Throws: ``ExportError`` when there is none, or its text is longer than the limit.
  public init(path: String, limits: ExportLimits = .standard) throws(ExportError) {
    let location = try ExportLocation(path: path)
    guard location.source.byteCount <= limits.textBytes else {
      throw ExportError(.tooLarge(limit: limits.textBytes), path: path, entry: location.entry)
    }
    byteCount = location.source.byteCount
    entry = location.entry
    sideFiles = location.sideFiles
    scanner = RecordScanner(source: location.source, limits: limits)
  }

  public var format: ImportFormat { .appleHealth }
  public var exported: Double? { scanner.exported }
  public var bytesRead: Int { scanner.bytesRead }

  /// The next batch, `nil` at the end, also at that of a file that was cut.
  ///
  /// - Throws: ``ExportError`` when the file cannot be read on or an archive is damaged. What was
  ///   given before must then not be kept either: the sum of an archive is known only at its end.
  /// - Complexity: O(bytes read), no allocation by record
  public mutating func next() throws(ExportError) -> ExportBatch? {
    if let batch = nextClinicalRecords() { return batch }
    guard let batch = try scanner.next() else { return nil }
    guard case .clinicalRecords(let records) = batch else { return batch }
    clinicalRecords = records.rows[...]
    return nextClinicalRecords()
  }

  /// Clinical records that wait, with their files; few at a time, for a file may be long.
  private mutating func nextClinicalRecords() -> ExportBatch? {
    var columns = ClinicalRecordColumns()
    var bytes = 0
    while bytes < ExportLimits.sideFileBytes, var row = clinicalRecords.popFirst() {
      addResource(to: &row)
      bytes += row.resource.count
      columns.rows.append(row)
    }
    sideBytes += bytes
    return columns.count > 0 ? .clinicalRecords(columns) : nil
  }

  /// What has been seen so far; complete after ``next()`` has returned `nil`.
  public var summary: ExportSummary {
    var summary = scanner.summary
    summary.missingFiles += missingFiles
    return summary
  }

  /// Reads the file that a clinical record points to.
  private mutating func addResource(to row: inout ClinicalRecordColumns.Row) {
    guard !row.path.isEmpty else { return }
    guard sideBytes < ExportLimits.allSideFileBytes else {
      missingFiles += 1
      return
    }
    do throws(ExportError) {
      let source = try sideFiles.source(of: row.path, in: .clinicalRecords)
      if let bytes = try source?.allBytes(limit: ExportLimits.sideFileBytes) {
        row.resource = bytes
        return
      }
    } catch {
      // One file that cannot be read is no reason to lose the others.
    }
    missingFiles += 1
  }
}

/// A reader owns its window and its tables alone, so it may move to another thread.
extension ExportReader: @unchecked Sendable {}
