import Glibc
import HealthSamples

extension FormatRegistry {
  /// A reader, with the name of its file in a folder if it is not the folder as a whole.
  struct Opened {
    let reader: any ReaderBox
    var file: String?
  }

  /// Opens a file, or the one export in a folder.
  ///
  /// - Throws: ``ExportError`` if there is none, or there are several
  func open(_ probe: FileProbe, isConcurrent: Bool) throws(ExportError) -> Opened {
    do throws(ExportError) {
      guard case .folder(let names) = probe.contents else {
        return Opened(reader: try openFile(probe, isConcurrent: isConcurrent))
      }
      return try openFolder(probe, names, isConcurrent: isConcurrent)
    } catch {
      throw error.naming(probe)
    }
  }

  /// Opens a file or an archive with the first format that it really has.
  private func openFile(
    _ probe: FileProbe, isConcurrent: Bool
  ) throws(ExportError) -> any ReaderBox {
    var failure: ExportError?
    for format in formats where format.recognises(probe) {
      do throws(ExportError) {
        return try Self.reader(format, probe, isConcurrent: isConcurrent)
      } catch {
        guard error.isOfAnotherFormat else { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return try Self.reader(ImportReader.self, probe, isConcurrent: isConcurrent)
  }

  /// Opens the one export in a folder: files that are one together, or a packed one.
  private func openFolder(
    _ probe: FileProbe, _ names: [String], isConcurrent: Bool
  ) throws(ExportError) -> Opened {
    var found: [Opened] = []
    var failure: ExportError?
    func look(_ file: String?, _ open: () throws(ExportError) -> any ReaderBox) {
      do throws(ExportError) {
        found.append(Opened(reader: try open(), file: file))
      } catch {
        if !error.isOfAnotherFormat { failure = failure ?? error }
      }
    }
    for format in formats where format.recognises(probe) {
      look(nil) { () throws(ExportError) in
        try Self.reader(format, probe, isConcurrent: isConcurrent)
      }
    }
    let packed = names.sorted().filter { name in
      Self.endings.contains(where: name.lowercased().hasSuffix)
        && SideFiles.isPlain(probe.path + "/" + name, S_IFREG)
    }
    for name in packed.prefix(Self.mostPacked) {
      look(name) { () throws(ExportError) in
        let inside = try FileProbe(path: probe.path + "/" + name)
        guard inside.ownFile == nil else { throw ExportError(.notAnExport, path: inside.path) }
        return try openFile(inside, isConcurrent: isConcurrent)
      }
    }
    guard let first = found.first else {
      throw failure ?? ExportError(.noExportInside, path: probe.path)
    }
    guard found.count == 1 else {
      throw ExportError(.severalExports(found.map(\.name)), path: probe.path)
    }
    return first
  }

  private static func reader<Reader: FormatReader & ~Copyable>(
    _ format: Reader.Type, _ probe: FileProbe, isConcurrent: Bool
  ) throws(ExportError) -> any ReaderBox {
    ReaderOf(try Reader(probe, isConcurrent: isConcurrent))
  }

  /// How the names of files end that are an export by themselves.
  private static let endings = [".zip", ".gz", ".db"]
  private static let mostPacked = 64
}

extension FormatRegistry.Opened {
  /// The name of the export in its folder.
  fileprivate var name: String {
    file ?? reader.summary.namesOfFiles ?? ""
  }
}

extension ExportError {
  /// Whether the file may still be of another format.
  fileprivate var isOfAnotherFormat: Bool {
    [.notAnExport, .noExportInside, .notAFile].contains(reason)
  }
}

extension FileProbe {
  /// What of hkstats the file is; `nil` for another file.
  var ownFile: OwnFile? { OwnFile(head: head) }
}

/// A reader of any format.
///
/// A noncopyable value has no mutable existential, so it is boxed in an object.
protocol ReaderBox: AnyObject {
  var format: ImportFormat { get }
  var exported: Double? { get }
  var byteCount: Int { get }
  var bytesRead: Int { get }
  var summary: ExportSummary { get }
  var files: [TextFile] { get }
  func next() throws(ExportError) -> ImportBatch?
  func reader(of files: [TextFile]) throws(ExportError) -> (any ReaderBox)?
}

final class ReaderOf<Reader: FormatReader & ~Copyable>: ReaderBox {
  private var reader: Reader

  init(_ reader: consuming Reader) { self.reader = reader }

  var format: ImportFormat { reader.format }
  var exported: Double? { reader.exported }
  var byteCount: Int { reader.byteCount }
  var bytesRead: Int { reader.bytesRead }
  var summary: ExportSummary { reader.summary }
  var files: [TextFile] { reader.files }
  func next() throws(ExportError) -> ImportBatch? { try reader.next() }
  func reader(of files: [TextFile]) throws(ExportError) -> (any ReaderBox)? {
    try reader.reader(of: files)
  }
}
