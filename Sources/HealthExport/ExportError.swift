/// Why an export cannot be read, and where.
///
/// Damage inside the text of an export is no error: what is complete is delivered, the rest is
/// counted in the ``ExportSummary``.
public struct ExportError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// There is nothing at the path.
    case notFound
    /// The system refuses to read; the number is that of `errno`.
    case notReadable(errno: Int32)
    /// The path names neither a file nor a folder nor a pipe.
    case notAFile
    /// The data come through a pipe and are of a kind that is not read from its beginning to its
    /// end, such as an archive.
    case notSeekable
    /// The file has no bytes.
    case empty
    /// The file is neither an archive nor holds an element `HealthData`.
    case notAnExport
    /// The archive or folder has no XML file with an element `HealthData`.
    case noExportInside
    /// The archive has no central directory: its end is missing.
    case truncatedArchive
    /// A structure of the archive contradicts another, or the compressed data are not valid.
    case damagedArchive
    /// The entry is encrypted.
    case encrypted
    /// The entry is compressed by a method other than deflate.
    case unsupportedCompression(method: Int)
    /// The file is packed in a way other than gzip.
    case unsupportedPacking(Packing)
    /// A part of the database stands in a file beside it, of the same name and this suffix.
    case unfinishedDatabase(suffix: String)
    /// The data of the entry are not those that the archive took the checksum of.
    case checksumMismatch
    /// The text is longer than ``ExportLimits/textBytes`` allows.
    case tooLarge(limit: Int)
  }

  /// Ways to pack a file that are told by its first bytes and not unpacked.
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
  /// The path that was asked for.
  public let path: String
  /// The entry of the archive or the file in the folder, as far as one was chosen.
  public let entry: String?
  /// Where in the file the reason shows, in bytes.
  public let offset: Int?

  init(_ reason: Reason, path: String, entry: String? = nil, offset: Int? = nil) {
    self.reason = reason
    self.path = path
    self.entry = entry
    self.offset = offset
  }
}
