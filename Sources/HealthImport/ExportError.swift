/// Why an export cannot be read, and where.
///
/// Damage inside the text of an export is not an error: complete elements are delivered, the others
/// are counted in the ``ExportSummary``.
public struct ExportError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// There is nothing at the path.
    case notFound
    /// The system refuses to read; the number is that of `errno`.
    case notReadable(errno: Int32)
    /// The path names neither a file nor a folder nor a pipe.
    case notAFile
    /// The data comes through a pipe but needs random access, such as an archive.
    case notSeekable
    /// The file has no bytes.
    case empty
    /// The file is of no format that is read.
    case notAnExport
    /// The archive or folder has no file of a format that is read.
    case noExportInside
    /// The file is something else.
    case otherFormat(OtherFormat)
    /// The folder has several exports, with these names.
    case severalExports([String])
    /// The table of samples has no columns for these.
    case missingColumns([String])
    /// The archive has no central directory: its end is missing.
    case truncatedArchive
    /// The structures of the archive are inconsistent, or the compressed data is invalid.
    case damagedArchive
    /// The entry is encrypted.
    case encrypted
    /// The entry is compressed by a method other than deflate.
    case unsupportedCompression(method: Int)
    /// The file is compressed with another program than gzip.
    case unsupportedPacking(Packing)
    /// A part of the database is in another file with the same name and this suffix.
    case unfinishedDatabase(suffix: String)
    /// The checksum of the entry does not match its data.
    case checksumMismatch
    /// It is a store of hkstats.
    case store
    /// hkstats has written it, as an export or an answer.
    case ownOutput
    /// The text is longer than ``ImportLimits/textBytes`` allows.
    case tooLarge(limit: Int)
  }

  /// Compression formats that are recognised by their first bytes but not supported.
  public enum Packing: Sendable, Hashable, CaseIterable {
    case bzip2
    case lz4
    case rar
    case sevenZip
    case xz
    case zstandard
  }

  /// What is wrong.
  public let reason: Reason
  /// The path as given.
  public let path: String
  /// The entry of the archive or the file in the folder, if one was chosen.
  public let entry: String?
  /// The offset of the error in the file, in bytes.
  public let offset: Int?

  init(_ reason: Reason, path: String, entry: String? = nil, offset: Int? = nil) {
    self.reason = reason
    self.path = path
    self.entry = entry
    self.offset = offset
  }
}
