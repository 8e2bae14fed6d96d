public import HealthSamples

/// Reads an Apple Health export batch by batch, from an archive, a folder, a bare XML file, one
/// packed with gzip, or a pipe.
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
public struct ExportReader: ~Copyable, FormatReader {
  static let written = ImportFormat.appleHealth
  static let programName = "Apple Health"
  static let contentName = "XML"
  /// The size of the text in bytes, as the file or the archive states it; 0 for a pipe and a file
  /// packed with gzip, which do not say.
  public let byteCount: Int
  /// The entry of the archive or the file in the folder that is read; `nil` for a bare file.
  public let entry: String?
  /// Further exports beside it, which are not read.
  private let otherExports: [String]
  private var scanner: RecordScanner
  private var sideFiles: SideFileReader
  /// Routes whose files are still to be read.
  private var routes: ArraySlice<Routes.Row> = []
  /// The files of electrocardiograms that are still to be read; `nil` before the text has ended.
  private var electrocardiograms: ArraySlice<String>?
  private var electrocardiogramCount = 0
  /// Clinical records whose files are still to be read.
  private var clinicalRecords: ArraySlice<ClinicalRecords.Row> = []

  /// Opens the export at `path`.
  ///
  /// - Parameters:
  ///   - path: an archive, a folder, a file or a pipe, such as `/dev/stdin`
  ///   - limits: what bounds a hostile file
  ///   - isConcurrent: whether threads of its own unpack the text ahead of the reader, and read the
  ///     files beside it several at a time; what the reader gives does not depend on it
  /// - Throws: ``ExportError`` when there is none, or its text is longer than the limit.
  public init(
    path: String, limits: ExportLimits = .standard, isConcurrent: Bool = true
  ) throws(ExportError) {
    try self.init(try FileProbe(path: path), limits: limits, isConcurrent: isConcurrent)
  }

  /// Whether there is XML; in a folder, Apple's text may have lost its ending.
  static func recognises(_ probe: FileProbe) -> Bool {
    if case .folder(let names) = probe.contents, names.contains(where: { !$0.contains(".") }) {
      return true
    }
    return probe.holds(nameEnding: ".xml") || probe.firstCharacter == UInt8(ascii: "<")
  }

  init(_ probe: FileProbe, isConcurrent: Bool) throws(ExportError) {
    try self.init(probe, limits: .standard, isConcurrent: isConcurrent)
  }

  private init(
    _ probe: FileProbe, limits: ExportLimits, isConcurrent: Bool
  ) throws(ExportError) {
    let path = probe.path
    let location = try ExportLocation(probe, limit: limits.textBytes)
    guard location.source.byteCount <= limits.textBytes else {
      throw ExportError(.tooLarge(limit: limits.textBytes), path: path, entry: location.entry)
    }
    byteCount = location.source.byteCount
    entry = location.entry
    otherExports = location.others
    sideFiles = SideFileReader(location.sideFiles, isConcurrent: isConcurrent)
    scanner = RecordScanner(
      source: location.source, limits: limits,
      // The system itself reads a file ahead; a thread for that costs more than it saves.
      isReadingAhead: isConcurrent && !location.isPlain)
  }

  /// The kind of export that this reads.
  public var format: ImportFormat { .appleHealth }
  /// When the export was made; `nil` where it does not say.
  public var exported: Double? { scanner.exported }
  /// How many bytes have been read.
  public var bytesRead: Int { scanner.bytesRead }

  /// The next batch, `nil` at the end, also at that of a file that was cut.
  ///
  /// - Throws: ``ExportError`` when the file cannot be read on or an archive is damaged. What was
  ///   given before must then not be kept either: the sum of an archive is known only at its end.
  /// - Complexity: O(bytes read), no allocation by record
  public mutating func next() throws(ExportError) -> ExportBatch? {
    if !routes.isEmpty { return .routes(nextRoutes()) }
    if !clinicalRecords.isEmpty { return .clinicalRecords(nextClinicalRecords()) }
    guard let batch = try scanner.next() else { return nextElectrocardiograms() }
    switch batch {
    case .clinicalRecords(let columns):
      clinicalRecords = columns.rows[...]
      return .clinicalRecords(nextClinicalRecords())
    case .routes(let columns):
      routes = columns.rows[...]
      return .routes(nextRoutes())
    default: return batch
    }
  }

  /// What has been seen so far; complete after ``next()`` has returned `nil`.
  public var summary: ExportSummary {
    var summary = scanner.summary
    summary.files = entry.map { [$0] } ?? []
    summary.otherExports = otherExports
    summary.unreadFiles = sideFiles.unread
    summary.missingFiles = sideFiles.count(.missing)
    summary.unreadableFiles = sideFiles.count(.unreadable)
    summary.unnamedFiles = sideFiles.count(.unnamed)
    if electrocardiogramCount > 0 {
      summary.elements[.electrocardiogram] = TypeCount(read: electrocardiogramCount)
    }
    return summary
  }

  /// Some of the clinical records that wait, with their files.
  private mutating func nextClinicalRecords() -> ClinicalRecords {
    let resources = sideFiles.read(
      clinicalRecords.lazy.map(\.path), in: .clinicalRecords, limit: ExportLimits.sideFileBytes
    ) { text, _ in text.isEmpty ? nil : text }
    var columns = ClinicalRecords()
    for (resource, row) in zip(resources, clinicalRecords) {
      var row = row
      row.resource = resource ?? []
      columns.rows.append(row)
    }
    clinicalRecords = clinicalRecords.dropFirst(resources.count)
    return columns
  }

  /// Some of the routes that wait, with their places.
  private mutating func nextRoutes() -> Routes {
    let places = sideFiles.read(
      routes.lazy.map(\.path), in: .routes, limit: RouteText.mostBytes
    ) { text, _ in RouteText.isRoute(text) ? RouteText.locations(in: text) : nil }
    var columns = Routes()
    for (locations, row) in zip(places, routes) {
      var row = row
      if let locations { row.locations = locations }
      columns.rows.append(row)
    }
    routes = routes.dropFirst(places.count)
    return columns
  }

  private mutating func nextElectrocardiograms() -> ExportBatch? {
    // A truncated text may lack the element that names a file, so no file counts as unnamed.
    if electrocardiograms == nil, scanner.summary.cutAt == nil { sideFiles.noteUnnamed() }
    var paths = electrocardiograms ?? sideFiles.paths(in: .electrocardiograms)[...]
    var columns = Electrocardiograms()
    while columns.rows.isEmpty, !paths.isEmpty {
      let rows = sideFiles.read(
        paths, in: .electrocardiograms, limit: ExportLimits.sideFileBytes,
        ElectrocardiogramText.row)
      columns.rows += rows.compactMap { $0 }
      paths = paths.dropFirst(rows.count)
    }
    electrocardiograms = paths
    electrocardiogramCount += columns.rows.count
    return columns.rows.isEmpty ? nil : .electrocardiograms(columns)
  }
}

/// A reader owns its window and its tables alone, so it may move to another thread.
extension ExportReader: @unchecked Sendable {}
