public import HealthSamples

/// Reads an Apple Health export batch by batch, from an archive, a folder, an XML file, a gzip
/// file, or a pipe.
///
/// ```swift
/// var reader = try ImportReader(path: "export.zip")
/// while let batch = try reader.next() {
///   try session.add(batch)
/// }
/// if let cut = reader.summary.cutAt { … }
/// ```
///
/// A batch of records has those of one type and one source, as recorded, in the order of the file;
/// there are several batches for a type and source if needed. A record inside a correlation or a
/// workout has 0 copies. The text is read from its first `<HealthData`, whatever the document type,
/// and damage inside it is not an error: complete elements are delivered, the others are counted in
/// ``summary``.
///
/// Memory does not grow with the file: the text streams through a window of half a megabyte that
/// grows only for longer elements, and rows are collected in a pool of fixed size
/// (``ImportLimits``).
public struct ImportReader: ~Copyable, FormatReader {
  static let written = ImportFormat.appleHealth
  static let programName = "Apple Health"
  static let contentName = "XML"
  /// The stated size of the text in bytes; 0 for a pipe and a gzip file, which do not state it.
  public let byteCount: Int
  /// The entry of the archive or the file in the folder that is read; `nil` for a single file.
  public let entry: String?
  /// Further exports in the same place, which are not read.
  private let otherExports: [String]
  private var scanner: RecordScanner
  private var sideFiles: SideFileReader
  /// Routes whose files have not been read yet.
  private var routes: ArraySlice<Routes.Row> = []
  /// Locations of routes that were left out.
  private var leftOutLocations = 0
  /// The files of electrocardiograms that have not been read yet; `nil` before the end of the text.
  private var electrocardiograms: ArraySlice<String>?
  private var electrocardiogramCount = 0
  /// Clinical records whose files have not been read yet.
  private var clinicalRecords: ArraySlice<ClinicalRecords.Row> = []

  /// Opens the export at `path`.
  ///
  /// - Parameters:
  ///   - path: an archive, a folder, a file or a pipe, such as `/dev/stdin`
  ///   - limits: limits for malicious files
  ///   - isConcurrent: whether additional threads unpack the text ahead of the reader and read
  ///     several other files at a time; the result does not depend on it
  /// - Throws: ``ExportError`` if there is no export, or its text is longer than the limit.
  public init(
    path: String, limits: ImportLimits = .standard, isConcurrent: Bool = true
  ) throws(ExportError) {
    try self.init(try FileProbe(path: path), limits: limits, isConcurrent: isConcurrent)
  }

  /// Whether there is XML; in a folder, Apple's text may have lost its file extension.
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
    _ probe: FileProbe, limits: ImportLimits, isConcurrent: Bool
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
      // The system already reads a file ahead; a thread for that costs more than it saves.
      isReadingAhead: isConcurrent && !location.isPlain)
  }

  /// The format of the export.
  public var format: ImportFormat { .appleHealth }
  /// When the export was created; `nil` if not stated.
  public var exported: Double? { scanner.exported }
  /// The number of bytes read.
  public var bytesRead: Int { scanner.bytesRead }

  /// The next batch, `nil` at the end, including the premature end of a truncated file.
  ///
  /// - Throws: ``ExportError`` when reading fails or an archive is damaged. Earlier batches must
  ///   then be discarded, too: the checksum of an archive is only known at its end.
  /// - Complexity: O(bytes read), without allocations per record
  public mutating func next() throws(ExportError) -> ImportBatch? {
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

  /// The counts so far; complete after ``next()`` has returned `nil`.
  public var summary: ExportSummary {
    var summary = scanner.summary
    summary.files = entry.map { [$0] } ?? []
    summary.otherExports = otherExports
    summary.unreadFiles = sideFiles.unread
    summary.missingFiles = sideFiles.count(.missing)
    summary.unreadableFiles = sideFiles.count(.unreadable)
    summary.unnamedFiles = sideFiles.count(.unnamed)
    summary.leftOutLocations += leftOutLocations
    if electrocardiogramCount > 0 {
      summary.elements[.electrocardiogram] = TypeCount(read: electrocardiogramCount)
    }
    return summary
  }

  /// Some of the pending clinical records, with their files.
  private mutating func nextClinicalRecords() -> ClinicalRecords {
    let resources = sideFiles.read(
      clinicalRecords.lazy.map(\.path), in: .clinicalRecords, limit: ImportLimits.sideFileBytes
    ) { text, _ in SideFileContents(text.isEmpty ? nil : text) }
    var columns = ClinicalRecords()
    for (resource, row) in zip(resources, clinicalRecords) {
      var row = row
      row.resource = resource ?? []
      columns.rows.append(row)
    }
    clinicalRecords = clinicalRecords.dropFirst(resources.count)
    return columns
  }

  /// Some of the pending routes, with their locations.
  private mutating func nextRoutes() -> Routes {
    let places = sideFiles.read(
      routes.lazy.map(\.path), in: .routes, limit: RouteText.mostBytes
    ) { text, _ in SideFileContents(RouteText.isRoute(text) ? RouteText.contents(of: text) : nil) }
    var columns = Routes()
    for (contents, row) in zip(places, routes) {
      var row = row
      if let contents {
        row.locations = contents.locations
        leftOutLocations += contents.leftOut
      }
      leftOutLocations += row.leaveOutImplausible()
      columns.rows.append(row)
    }
    routes = routes.dropFirst(places.count)
    return columns
  }

  private mutating func nextElectrocardiograms() -> ImportBatch? {
    // A truncated text may lack references to files, so no file is counted as unreferenced.
    if electrocardiograms == nil, scanner.summary.cutAt == nil { sideFiles.noteUnnamed() }
    var paths = electrocardiograms ?? sideFiles.paths(in: .electrocardiograms)[...]
    var columns = Electrocardiograms()
    while columns.rows.isEmpty, !paths.isEmpty {
      let rows = sideFiles.read(
        paths, in: .electrocardiograms, limit: ImportLimits.sideFileBytes,
        ElectrocardiogramText.contents)
      columns.rows += rows.compactMap { $0 }
      paths = paths.dropFirst(rows.count)
    }
    electrocardiograms = paths
    electrocardiogramCount += columns.rows.count
    return columns.rows.isEmpty ? nil : .electrocardiograms(columns)
  }
}

/// A reader is the only owner of its window and tables, so it may move to another thread.
extension ImportReader: @unchecked Sendable {}
