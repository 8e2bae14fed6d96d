import CSealing
import Foundation
import HealthSamples

extension StoreKey {
  /// The endings of the files that SQLite and this module write, replace or delete beside a store.
  private static let endings =
    ["-wal", "-shm", "-journal"] + [LockedJournal.ending, LockedJournal.asideEnding]
  /// As many links as the kernel follows.
  private static let mostLinks = 40
  /// The bytes by which a file of hkstats is recognised.
  private static let headBytes = 512

  /// Throws if a file cannot become the key of a store, because it would not be there with the same
  /// bytes when it is needed; it may be missing.
  ///
  /// Nothing is made or changed.
  static func check(newKeyFile file: String, of store: String) throws(StoreError) {
    let keyPlaces = places(of: file)
    let storePlaces = places(of: store)
    func isThere(_ ending: String) -> Bool {
      storePlaces.contains { place in
        keyPlaces.contains(place + ending) || isSameFile(file, place + ending)
      }
    }
    if isThere("") { throw StoreError(.unfitKeyFile(.store), path: file) }
    guard !endings.contains(where: isThere) else {
      throw StoreError(.unfitKeyFile(.besideStore), path: file)
    }
    // A link to nothing is there: it is not made into a key.
    guard UnfinishedFile.kind(of: file) != nil else { return }
    var facts = stat()
    guard stat(file, &facts) == 0 else { throw StoreError(.noKeyFile, path: file, code: errno) }
    // Standard input, a pipe and a file without a name are gone when the process ends.
    guard facts.st_mode & S_IFMT == S_IFREG, facts.st_nlink > 0 else {
      throw StoreError(.unfitKeyFile(.notRegular), path: file)
    }
    guard !isOwnFile(file) else { throw StoreError(.unfitKeyFile(.ownFile), path: file) }
    _ = try contents(ofKeyFile: file)
  }

  /// Where a path leads: its name in its folder, and those of the files to which it is a link.
  private static func places(of path: String) -> Set<String> {
    var next = SampleStore.absolute(path)
    var places: Set = [place(of: next)]
    for _ in 0..<mostLinks {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: next) else {
        break
      }
      next =
        target.hasPrefix("/") ? target : UnfinishedFile.parts(of: next).folder + "/" + target
      places.insert(place(of: next))
    }
    return places
  }

  /// The name of an absolute path in its folder, to which all links are followed.
  private static func place(of path: String) -> String {
    let (folder, name) = UnfinishedFile.parts(of: path)
    guard let real = realpath(folder.isEmpty ? "/" : folder, nil) else {
      return place(of: folder) + "/" + name
    }
    defer { free(real) }
    let found = String(cString: real)
    return found == "/" ? "/" + name : found + "/" + name
  }

  private static func isSameFile(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(one, &first) == 0 && stat(other, &second) == 0
      && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Whether hkstats wrote a regular file, which SQLite opens and closes: it may be an open store.
  private static func isOwnFile(_ path: String) -> Bool {
    guard let file = hk_raw_open(path) else { return false }
    defer { hk_raw_close(file) }
    var head = [UInt8](repeating: 0, count: headBytes)
    _ = hk_raw_read(file, &head, Int32(head.count), 0)
    return OwnFile(head: head) != nil
  }
}
