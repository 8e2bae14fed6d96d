public import Foundation
public import HealthSamples

extension ExportError: LocalizedError, CodedError {
  /// Which file, where in it, and why.
  public var description: String { "\(place): \(explanation)." }

  /// The same for Foundation.
  public var errorDescription: String? { description }

  /// The path, with the entry of the archive if the error is in one.
  public var place: String { entry.map { "\(path): \($0)" } ?? path }

  /// Why, without the place and the full stop.
  public var explanation: String {
    switch reason {
    case .notFound: "there is no such file"
    case .notReadable(let number): "cannot be read (\(String(cString: strerror(number))))"
    case .notAFile: "is neither a file nor a folder nor a pipe"
    case .notSeekable:
      "this kind of file cannot be read through a pipe, only an xml can; save it and give its name"
    case .empty: "is empty"
    case .notAnExport:
      "is not an export: neither of the Health app (zip or xml), nor of Health Auto Export (json), "
        + "Simple Health Export (csv) or Health Connect (zip or db)"
    case .noExportInside: "holds no export: no zip, xml, json, csv or db in it is one"
    case .otherFormat(let format): "is not an export but \(format.explanation)"
    case .severalExports(let names):
      "holds several exports: \(names.joined(separator: ", ")). Import each by its own name"
    case .missingColumns(let names):
      "is a table without a column for \(names.joined(separator: ", ")): its first line must name "
        + "the columns type, startDate, endDate, value and unit, in any order"
    case .truncatedArchive:
      "is a zip without its end: it was cut while it was copied; copy it again"
    case .damagedArchive: "is damaged\(offset.map { " at byte \($0)" } ?? "")"
    case .encrypted: "is encrypted; unpack the zip with its password and import the folder"
    case .unsupportedCompression(let method):
      "is compressed in a way this program does not read (method \(method))"
    case .unsupportedPacking(let packing):
      "is packed with \(packing.name), which this program does not read; unpack it first"
    case .unfinishedDatabase(let suffix):
      "has changes in \(path + suffix) that were not written into it; let the program that made it "
        + "end, or: sqlite3 \(path) 'PRAGMA wal_checkpoint(TRUNCATE)'"
    case .store:
      "is a store of hkstats, not an export: hkstats sync \(path) unites it with yours, and --store "
        + "asks it"
    case .ownOutput:
      "was written by hkstats, for other programs: it lacks what a store knows, so totals would "
        + "differ. hkstats sync and hkstats store backup carry a store to another machine"
    case .checksumMismatch: "is damaged: its checksum does not match"
    case .tooLarge(let limit): "unpacks to more than \(limit) bytes, which no export does"
    }
  }
}

extension ExportError.Packing {
  /// The common name.
  public var name: String {
    switch self {
    case .bzip2: "bzip2"
    case .lz4: "lz4"
    case .rar: "RAR"
    case .sevenZip: "7-Zip"
    case .xz: "xz"
    case .zstandard: "Zstandard"
    }
  }
}
