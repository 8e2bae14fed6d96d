import ArgumentParser
import Foundation
import HealthStore

/// The store of a command.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store: one file. Else $HKSTATS_STORE, else hkstats/store.sqlite in the XDG data folder.",
      valueName: "file"),
    completion: .file())
  var store: String?

  func validate() throws {
    guard store != "" else { throw ValidationError("--store needs the name of a file.") }
    try PassphraseOptions.checkEnvironment()
    for name in ["HKSTATS_STORE", "XDG_DATA_HOME", "HOME"] where store == nil {
      guard let value = getenv(name) else { continue }
      guard String(validatingCString: value) != nil else {
        throw Failure.notText("$\(name)", String(cString: value))
      }
    }
  }

  /// The requested path, or that of the environment.
  var path: String { store ?? SampleStore.standardPath(ProcessInfo.processInfo.environment) }

  /// Opens the store for writing; creates it if missing.
  ///
  /// What was saved while it was locked enters it before.
  func openForWriting() throws(StoreError) -> SampleStore {
    let key = try key()
    let saves = try SampleStore.mergeWaitingSaves(path: path, key: key)
    if let saves { ProtectionNotes.note(saves) }
    return try SampleStore(path: path, mode: .readWrite, key: key).at(ProgramClock.now)
  }

  /// Opens an existing store for writing: a setting does not create a store.
  func openForChanging() throws -> SampleStore {
    _ = try openForVerifying()
    return try openForWriting()
  }

  /// Opens the store for reading, and says what does not count because it was saved while the store
  /// was locked.
  func openForReading() throws -> SampleStore {
    let store = try openForVerifying()
    ProtectionNotes.note(store.waitingSaves)
    return store
  }

  /// Opens the store for reading, without a note about what waits beside it.
  func openForVerifying() throws -> SampleStore {
    guard let store = try openIfThere() else { throw Failure.noStore(path: path) }
    return store
  }

  /// Opens the store for reading; `nil` if there is none.
  func openIfThere() throws(StoreError) -> SampleStore? {
    do throws(StoreError) {
      return try SampleStore(path: path, mode: .readOnly, key: key()).at(ProgramClock.now)
    } catch {
      guard error.reason == .notFound else { throw error }
      return nil
    }
  }

  /// Fails if there is no file.
  func checkExistence() throws(Failure) {
    guard access(path, F_OK) == 0 else { throw Failure.noStore(path: path) }
  }

  /// The passphrase of the environment for a locked store; `nil` for any other.
  private func key() throws(StoreError) -> StoreKey? {
    guard let text = PassphraseOptions.fromEnvironment,
      try SampleStore.protection(path: path) == .locked
    else { return nil }
    return .passphrase(text)
  }
}
