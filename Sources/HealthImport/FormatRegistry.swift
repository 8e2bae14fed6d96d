public import HealthSamples

/// A reader of one format in the registry.
///
/// `Docs.docc/AddingAFormat.md` has the steps for another one.
protocol FormatReader: BatchReader, SendableMetatype, ~Copyable {
  /// The program that writes the format.
  static var written: ImportFormat { get }
  /// The name of that program.
  static var programName: String { get }
  /// The contents of its files, after "3 MB of".
  static var contentName: String { get }

  /// Whether a file is probably of this format.
  ///
  /// The reader checks more, and throws if the file is not.
  static func recognises(_ probe: FileProbe) -> Bool

  /// Reads the probed file.
  ///
  /// - Parameters:
  ///   - probe: a file of this format, or of no known one
  ///   - isConcurrent: whether it may use additional threads; the result does not depend on it
  /// - Throws: ``ExportError`` if the file is not of this format
  init(_ probe: FileProbe, isConcurrent: Bool) throws(ExportError)

  /// The files that it reads, where each may be an export of its own; empty where they belong
  /// together.
  var files: [TextFile] { get }

  /// A reader of some of ``files``; `nil` where they belong together.
  func reader(of files: [TextFile]) throws(ExportError) -> (any ReaderBox)?
}

extension FormatReader where Self: ~Copyable {
  var files: [TextFile] { [] }
  func reader(of files: [TextFile]) throws(ExportError) -> (any ReaderBox)? { nil }
}

/// The list of all formats that can be imported.
struct FormatRegistry: Sendable {
  typealias Format = any (FormatReader & ~Copyable).Type

  /// All formats, in the order in which they are checked.
  static let standard = FormatRegistry([
    ImportReader.self, HealthConnectReader.self, HealthAutoExportReader.self,
    SimpleHealthExportReader.self,
  ])

  let formats: [Format]

  init(_ formats: [Format]) { self.formats = formats }

  /// The format of a program.
  func format(writtenAs written: ImportFormat) -> Format? {
    formats.first { $0.written == written }
  }

  /// The format of a file.
  ///
  /// The default is Apple's, whose reader reports what is wrong.
  func format(of probe: FileProbe) -> Format {
    for format in formats where format.recognises(probe) { return format }
    return ImportReader.self
  }
}

extension ImportFormat {
  /// The format of the file or folder at a path, by its first bytes and the names inside.
  ///
  /// The default, also for a pipe, is Apple's, whose reader reports what is wrong.
  ///
  /// - Throws: `ExportError` if the path does not exist or cannot be read
  public init(path: String) throws(ExportError) {
    self = FormatRegistry.standard.format(of: try FileProbe(path: path)).written
  }
}

extension ImportFormat {
  /// The name of the program that writes the format.
  package var programName: String {
    FormatRegistry.standard.format(writtenAs: self)?.programName ?? rawValue
  }

  /// The contents of its files, after "3 MB of".
  package var contentName: String {
    FormatRegistry.standard.format(writtenAs: self)?.contentName ?? "data"
  }
}

/// Reads a file of any format, or the one export in a folder, which may be packed.
///
/// Several files of a program that has no date in them are read as one. Those that tell one time
/// differently are several exports, which an import tells apart.
///
/// ```swift
/// var reader = try AnyExportReader(path: "export.zip")
/// while let batch = try reader.next() { … }
/// ```
public struct AnyExportReader: ~Copyable, BatchReader {
  let opened: FormatRegistry.Opened
  private var reader: any ReaderBox { opened.reader }

  /// Opens the file, folder or pipe at a path.
  ///
  /// - Parameters:
  ///   - path: the path
  ///   - isConcurrent: whether the reader may use additional threads; the result does not depend on
  ///     it
  /// - Throws: ``ExportError`` if the path is unreadable
  public init(path: String, isConcurrent: Bool = true) throws(ExportError) {
    try self.init(FileProbe(path: path), isConcurrent: isConcurrent)
  }

  init(
    _ probe: FileProbe, among formats: FormatRegistry = .standard, isConcurrent: Bool
  ) throws(ExportError) {
    switch probe.ownFile {
    case .store: throw ExportError(.store, path: probe.path)
    case .output: throw ExportError(.ownOutput, path: probe.path)
    case nil: break
    }
    opened = try formats.open(probe, isConcurrent: isConcurrent)
  }

  init(_ opened: FormatRegistry.Opened) { self.opened = opened }

  /// The kind of export that this reads.
  public var format: ImportFormat { reader.format }
  /// When the export was made; `nil` where it does not say.
  public var exported: Double? { reader.exported }
  /// How many bytes there are to read.
  public var byteCount: Int { reader.byteCount }
  /// How many bytes have been read.
  public var bytesRead: Int { reader.bytesRead }
  /// What was found so far.
  public var summary: ExportSummary {
    var summary = reader.summary
    if let file = opened.file {
      summary.files = summary.files.isEmpty ? [file] : summary.files.map { "\(file): \($0)" }
    }
    return summary
  }

  /// The next batch; `nil` at the end.
  public mutating func next() throws(ExportError) -> ImportBatch? { try reader.next() }
}
