public import Foundation
import GRDB
public import HealthSamples

/// An error of a store: the file, the chunk if the error is in one, and the reason.
///
/// It contains no measured value and no name from the data.
public struct StoreError: Error, Sendable, Hashable {
  /// Why an operation failed.
  public enum Reason: Sendable, Hashable {
    /// There is no store at the path.
    case notFound
    /// The path is a symbolic link to a file that does not exist.
    case danglingLink
    /// Symbolic links on the path lead in a circle.
    case loopingLink
    /// The file is not a store; it was not changed.
    case notAStore
    /// The store was created by a later version of the program; it was not changed.
    case newerSchema
    /// The store was created by an earlier version, in a format that this one does not read; it was not
    /// changed.
    case olderSchema
    /// Another process, or another import of this one, has locked the store.
    case busy
    /// The store was opened for reading, or its file is not writable.
    case readOnly
    /// A new file would replace an existing one; it was not changed.
    case alreadyThere
    /// The disk is full; the store is unchanged.
    case diskFull
    /// The file system refuses access.
    case permissionDenied
    /// The contents are corrupt.
    case damaged
    /// This version cannot convert a stored unit.
    case unknownUnit(String)
    /// A batch has invalid columns at a row, or columns of different lengths (no row).
    case invalidBatch(row: Int?)
    /// The import session has already finished or failed.
    case sessionEnded
    /// The store is encrypted, and its key is not kept in this session.
    case locked
    /// The passphrase or the key file does not open the store.
    case wrongKey
    /// The file of the error cannot be read as a key file, or has fewer than 32 bytes of key.
    case noKeyFile
    /// A file cannot become the key of a store, and why; the store was not changed. Another file can,
    /// or one that does not exist, which is made.
    case unfitKeyFile(KeyFileFault)
    /// The session has no place where the key of an unlocked store can be kept.
    case noKeyPlace
    /// A passphrase is empty.
    case emptyPassphrase
    /// The store is encrypted already; it was not changed.
    case alreadySealed
    /// The store is not encrypted; it was not changed.
    case notSealed
    /// The file of the error, beside a locked store, would be read as saves to it, but others may have
    /// written it; it was not changed. Once it is checked, mode 0600 makes it the owner's, or it moves
    /// away.
    case foreignSaves
    /// An anchor belongs to another store, or was not given to the app that uses it.
    case foreignAnchor
    /// A sample to save has a number that is not finite, or ends before it starts.
    case invalidSample(index: Int)
    /// The store has, or had, a sample with the UUID of a sample to save.
    case knownSample(index: Int)
    /// The owner does not let the app do this.
    case notPermitted
    /// An app has an empty bundle identifier, which is that of imports.
    case noBundleIdentifier
    /// An app has a bundle identifier under which apps see what was imported: `com.apple.Health`, or one
    /// that begins with `com.apple.health.`.
    case reservedBundleIdentifier
    /// The date from which an app may read is not finite.
    case invalidLimit
    /// A temporary store was written to while a table of it was read.
    case changed
    /// The caller cancelled the read; see ``SampleStore/watching(isCancelled:progress:)``.
    case cancelled
    /// Reading or writing failed for another reason; see ``StoreError/code``.
    case inputOutput
  }

  /// Why a file cannot become the key of a store.
  public enum KeyFileFault: Sendable, Hashable, CaseIterable {
    /// It is the store.
    case store
    /// It is another store, or something else that hkstats wrote.
    case ownFile
    /// Its name is one of a file that belongs to the store, and is replaced or deleted with it.
    case besideStore
    /// It is a folder, a pipe or a device, or a file without a name, and gone when it is needed.
    case notRegular
    /// It was changed or removed while the store was encrypted.
    case changed
  }

  /// Why.
  public let reason: Reason
  /// The file of the store; empty for a temporary one.
  public let path: String
  /// The number of the damaged chunk, if the damage is in one.
  public let chunk: Int64?
  /// The result code of SQLite or of the operating system; 0 if there is none.
  public let code: Int32
  /// Whether the code is one of the operating system.
  private let isOfSystem: Bool

  init(
    _ reason: Reason, path: String, chunk: Int64? = nil, code: Int32 = 0, isOfSystem: Bool = false
  ) {
    self.reason = reason
    self.path = path
    self.chunk = chunk
    self.code = code
    self.isOfSystem = isOfSystem
  }
}

extension StoreError {
  /// Converts what a body throws; `path` is the store's.
  static func naming<Value>(
    _ path: String, _ body: () throws -> Value
  ) throws(StoreError) -> Value {
    do {
      return try body()
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Converts an error of a lower layer.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as StoreError:
      self.init(
        error.reason, path: path, chunk: error.chunk, code: error.code,
        isOfSystem: error.isOfSystem)
    case let error as Corruption: self.init(.damaged, path: path, chunk: error.chunk)
    case let error as UnfinishedFile.Problem where error.errorNumber == EEXIST:
      self.init(.alreadyThere, path: path)
    case let error as UnfinishedFile.Problem:
      self.init(errorNumber: error.errorNumber, path: path)
    case let error as DatabaseError: self.init(error, path: path)
    default: self.init(.damaged, path: path)
    }
  }

  private init(_ error: DatabaseError, path: String) {
    let reason: Reason =
      switch error.resultCode {
      // A sealed page was altered.
      case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_DATA: .damaged
      case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
      case .SQLITE_READONLY: .readOnly
      case .SQLITE_FULL: .diskFull
      // The index of the log cannot grow.
      case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: .diskFull
      // A journal cannot be opened either if there is no room for it.
      case .SQLITE_CANTOPEN: Self.hasNoRoom(beside: path) ? .diskFull : .permissionDenied
      case .SQLITE_PERM, .SQLITE_AUTH: .permissionDenied
      case .SQLITE_NOTADB: .notAStore
      case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: .damaged
      default: .inputOutput
      }
    self.init(reason, path: path, code: error.extendedResultCode.rawValue)
  }

  /// Whether the folder of a file has no room for another file.
  private static func hasNoRoom(beside path: String) -> Bool {
    var facts = statvfs()
    guard statvfs(UnfinishedFile.parts(of: path).folder + "/", &facts) == 0 else { return false }
    return facts.f_bavail == 0 || facts.f_files > 0 && facts.f_favail == 0
  }

  /// The last failure of a system call.
  init(errorNumber: Int32, path: String) {
    let reason: Reason =
      switch errorNumber {
      case ENOSPC, EDQUOT: .diskFull
      case EACCES, EPERM: .permissionDenied
      case EROFS: .readOnly
      case ENOENT, ENOTDIR: .notFound
      case ELOOP: .loopingLink
      default: .inputOutput
      }
    self.init(reason, path: path, code: errorNumber, isOfSystem: true)
  }
}

extension StoreError: LocalizedError, CodedError {
  /// Which store, why, and what to do.
  public var description: String { "\(location): \(explanation)." }

  /// The same for Foundation.
  public var errorDescription: String? { description }

  private var location: String { path.isEmpty ? "the temporary store" : path }

  /// Why, without the path and the full stop.
  public var explanation: String {
    switch reason {
    case .notFound: "there is no such store"
    case .danglingLink: "this is a link to a file that does not exist"
    case .loopingLink: "the links on this path lead in a circle"
    case .notAStore: "this file is not a store of hkstats; it was not touched"
    case .olderSchema:
      "an older hkstats wrote this store; move it away and import the exports again (hkstats export "
        + "of that version has your own samples)"
    case .newerSchema: "a newer version of hkstats made this store; update hkstats"
    case .busy: "another process is using the store; try again when it is done"
    case .readOnly: "the store may not be written"
    case .alreadyThere: "there is a file already; it was not touched"
    case .diskFull: "the disk is full; the store is as it was before"
    case .permissionDenied: "permission denied"
    case .damaged:
      "the store is damaged\(chunk.map { " (chunk \($0))" } ?? ""); hkstats verify says what of "
        + "it is whole"
    case .unknownUnit(let unit):
      "the store has values in \"\(unit)\", a unit this version does not know"
    case .invalidBatch(let row):
      "the batch breaks the rules of its columns\(row.map { " at row \($0)" } ?? "")"
    case .sessionEnded: "the import has ended already; begin another"
    case .locked: "the store is locked; hkstats unlock opens it"
    case .wrongKey:
      "this passphrase or key file does not open the store; nothing was changed"
    case .noKeyFile:
      "this is no key file: one can be read and has from 32 bytes to 1 MB"
    case .unfitKeyFile(let fault): "\(fault.explanation); the store was not changed"
    case .noKeyPlace:
      "this session has neither a keyring nor a folder $XDG_RUNTIME_DIR for the key; set "
        + "$HKSTATS_PASSPHRASE instead"
    case .emptyPassphrase: "the passphrase is empty; the store was not changed"
    case .alreadySealed: "the store is encrypted already; it was not changed"
    case .notSealed: "the store is not encrypted"
    case .foreignSaves:
      "this file of saves to the locked store is not a regular file that only its owner may "
        + "write; it was not touched: check whose it is, then chmod 600 it or move it away"
    case .foreignAnchor: "the anchor is of another store, or of another app"
    case .invalidSample(let index):
      "sample \(index) has a number that is not finite, ends before it starts, or is in a unit "
        + "that does not convert to that of its type; nothing was saved"
    case .knownSample(let index):
      "the store has, or had, another sample with the UUID of sample \(index); nothing was saved"
    case .noBundleIdentifier: "an app needs a bundle identifier, such as com.example.run"
    case .reservedBundleIdentifier:
      "com.apple.health is the name of the Health app and of devices; an app needs a bundle identifier "
        + "of its own, such as com.example.run"
    case .invalidLimit: "the date from which an app may read must be finite"
    case .notPermitted: "the owner of the store does not permit this to the app"
    case .changed: "it was written to while a table of it was read; read it again"
    case .cancelled: "stopped as you asked"
    case .inputOutput:
      "reading or writing failed (\(isOfSystem ? String(cString: strerror(code)) : "code \(code)"))"
    }
  }
}

extension StoreError.KeyFileFault {
  /// Why, and what to do.
  fileprivate var explanation: String {
    let reason =
      switch self {
      case .store: "the store cannot be its own key"
      case .ownFile: "a file that hkstats wrote cannot be a key"
      case .besideStore: "a file of this name belongs to the store, which may delete it"
      case .notRegular: "this is no regular file, and would be gone when it is needed"
      case .changed: "the key file was changed or removed meanwhile"
      }
    return "\(reason); name another file, or one that does not exist, which is made"
  }
}
