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
  /// Routes whose files are still to be read, the next one last.
  private var routes: [RouteColumns.Row] = []
  /// The files of electrocardiograms that are still to be read, the next one last; `nil` before
  /// the text has ended.
  private var electrocardiograms: [String]?
  private var electrocardiogramCount = 0
  /// Clinical records whose files are still to be read.
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
    if !routes.isEmpty { return .routes(nextRoutes()) }
    if !clinicalRecords.isEmpty { return .clinicalRecords(nextClinicalRecords()) }
    guard let batch = try scanner.next() else { return nextElectrocardiogram() }
    switch batch {
    case .clinicalRecords(let columns):
      clinicalRecords = columns.rows[...]
      return .clinicalRecords(nextClinicalRecords())
    case .routes(let columns):
      routes = columns.rows.reversed()
      return .routes(nextRoutes())
    default: return batch
    }
  }

  /// What has been seen so far; complete after ``next()`` has returned `nil`.
  public var summary: ExportSummary {
    var summary = scanner.summary
    summary.missingFiles += missingFiles
    if electrocardiogramCount > 0 {
      summary.elements[.electrocardiogram] = TypeCount(read: electrocardiogramCount)
    }
    return summary
  }

  /// Some of the clinical records that wait, with their files: few, for a file may be long.
  private mutating func nextClinicalRecords() -> ClinicalRecordColumns {
    var columns = ClinicalRecordColumns()
    var count = 0
    while count < ExportLimits.sideFileBytes, var row = clinicalRecords.popFirst() {
      if !row.path.isEmpty {
        row.resource =
          bytes(of: row.path, in: .clinicalRecords, limit: ExportLimits.sideFileBytes) ?? []
      }
      count += row.resource.count
      columns.rows.append(row)
    }
    return columns
  }

  /// Some of the routes that wait, with their places: so many that memory stays flat.
  private mutating func nextRoutes() -> RouteColumns {
    var columns = RouteColumns()
    var locations = 0
    while locations < Self.locationsTogether, var row = routes.popLast() {
      if !row.path.isEmpty,
        let text = bytes(of: row.path, in: .routes, limit: RouteText.mostBytes)
      {
        row.locations = RouteText.locations(in: text)
      }
      locations += row.locations.count + 1
      columns.rows.append(row)
    }
    return columns
  }

  private static let locationsTogether = 1 << 14

  private mutating func nextElectrocardiogram() -> ExportBatch? {
    if electrocardiograms == nil {
      electrocardiograms = sideFiles.paths(in: .electrocardiograms).reversed()
    }
    while let path = electrocardiograms?.popLast() {
      guard
        let text = bytes(of: path, in: .electrocardiograms, limit: ExportLimits.sideFileBytes)
      else { continue }
      guard let row = ElectrocardiogramText.row(in: text, path: path) else {
        missingFiles += 1
        continue
      }
      electrocardiogramCount += 1
      return .electrocardiograms(ElectrocardiogramColumns([row]))
    }
    return nil
  }

  /// All bytes of a file beside the text; `nil`, and counted, when it cannot be read.
  private mutating func bytes(
    of path: String, in folder: SideFiles.Folder, limit: Int
  ) -> [UInt8]? {
    do throws(ExportError) {
      if sideBytes < ExportLimits.allSideFileBytes,
        let bytes = try sideFiles.source(of: path, in: folder)?.allBytes(limit: limit)
      {
        sideBytes += bytes.count
        return bytes
      }
    } catch {
      // One file that cannot be read is no reason to lose the others.
    }
    missingFiles += 1
    return nil
  }
}

/// A reader owns its window and its tables alone, so it may move to another thread.
extension ExportReader: @unchecked Sendable {}
