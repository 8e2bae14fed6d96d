import Foundation
import Synchronization

extension SampleStore {
  /// The changes that any process commits from now on, as they happen.
  ///
  /// The kernel says when a file of the store is written; nothing is polled while nothing happens.
  /// Changes of several commits may come together. The sequence ends with an error if the store
  /// cannot be read any more, and without one when its task is cancelled.
  ///
  /// - Parameter id: begins after this ``StoreChange/id``; with the next change when `nil`
  /// - Returns: lists of changes, none of them empty
  /// - Throws: ``StoreError``; a temporary store cannot be observed
  public func observeChanges(
    after id: Int64? = nil
  ) throws(StoreError) -> AsyncThrowingStream<[StoreChange], any Error> {
    let observer = try ChangeObserver(of: self, after: id)
    let (stream, continuation) = AsyncThrowingStream<[StoreChange], any Error>.makeStream()
    continuation.onTermination = { _ in observer.stop() }
    let thread = Thread {
      do {
        while let changes = try observer.next() { continuation.yield(changes) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    thread.name = "hkstats changes"
    thread.start()
    return stream
  }
}

/// Waits for the changes of a store, for one thread.
package final class ChangeObserver: Sendable {
  private let store: SampleStore
  private let watch: FileWatch
  private let last: Mutex<Int64>

  /// Begins after a change; with the next one when `nil`.
  package init(of store: SampleStore, after id: Int64? = nil) throws(StoreError) {
    guard let watch = FileWatch(store.path) else {
      throw StoreError(errorNumber: errno, path: store.path)
    }
    self.store = store
    self.watch = watch
    last = Mutex(0)
    if let id {
      last.withLock { $0 = id }
    } else {
      let newest = try store.lastChange()
      last.withLock { $0 = newest }
    }
  }

  /// Ends the wait of ``next()``, and all later ones.
  package func stop() { watch.stop() }

  /// Waits for the next changes; `nil` after ``stop()``.
  package func next() throws(StoreError) -> [StoreChange]? {
    let seen = last.withLock { $0 }
    var pause: Int32 = 1
    while !watch.isStopped {
      do throws(StoreError) {
        let changes = try store.changes(after: seen)
        if let newest = changes.last {
          last.withLock { $0 = newest.id }
          return changes
        }
      } catch {
        // A writer may hold the store for a moment.
        guard error.reason == .busy else { throw error }
      }
      // A commit ends after its last write: look again for a moment, each time later.
      let isOver = pause > FileWatch.longestPause
      pause = watch.wait(milliseconds: isOver ? -1 : pause) || isOver ? 1 : 2 * pause
    }
    return nil
  }
}

/// Observes changes of the owner's preferred units until it is deallocated.
package final class PreferenceObserver: Sendable {
  private let watch: FileWatch

  /// Calls a body with the identifiers of the types whose preferred units any process changes from
  /// now on.
  package init(
    of store: SampleStore, _ body: @escaping @Sendable (Set<String>) -> Void
  ) throws(StoreError) {
    guard let watch = FileWatch(store.path) else {
      throw StoreError(errorNumber: errno, path: store.path)
    }
    self.watch = watch
    let start = try store.preferredUnits()
    let thread = Thread {
      var known = start
      // A commit ends after its last write: look again a few times.
      var looks = 0
      while !watch.isStopped {
        if watch.wait(milliseconds: looks == 0 ? -1 : 250) {
          looks = 4
          Thread.sleep(forTimeInterval: 0.1)
        }
        looks -= 1
        guard !watch.isStopped, let units = try? store.preferredUnits() else { continue }
        let types = Set(known.keys).union(units.keys).filter { known[$0] != units[$0] }
        known = units
        if !types.isEmpty { body(types) }
      }
    }
    thread.name = "hkstats settings"
    thread.start()
  }

  deinit { watch.stop() }
}

/// Waits until a file, or one beside it whose name begins with the file's, is written.
final class FileWatch: Sendable {
  /// How long a commit may take after its last write, in milliseconds, before a look at the store
  /// waits for the next write.
  static let longestPause: Int32 = 64

  fileprivate let name: [UInt8]
  private let events: FolderEvents
  private let folder: Int32
  private let isWritten = Atomic(false)
  private let stopped = Atomic(false)
  private let wake = DispatchSemaphore(value: 0)

  /// Watches the folder of a file; `nil` with `errno` set where that is not possible.
  init?(_ path: String) {
    let url = URL(fileURLWithPath: path)
    guard !path.isEmpty else {
      errno = ENOTSUP
      return nil
    }
    guard let events = FolderEvents.ofProcess() else { return nil }
    name = Array(url.lastPathComponent.utf8)
    self.events = events
    folder = events.watch(url.deletingLastPathComponent().path)
    guard folder >= 0 else { return nil }
    events.tell(self, of: folder)
  }

  deinit { if folder >= 0 { events.forget(ObjectIdentifier(self), of: folder) } }

  /// Whether ``stop()`` was called.
  var isStopped: Bool { stopped.load(ordering: .acquiring) }

  /// Ends the wait, and all later ones.
  func stop() {
    stopped.store(true, ordering: .releasing)
    wake.signal()
  }

  /// Waits for a write, or no longer than some milliseconds; forever for a negative number.
  ///
  /// - Returns: whether there was a write since the last call
  func wait(milliseconds: Int32) -> Bool {
    guard !isStopped else { return false }
    _ = wake.wait(
      timeout: milliseconds < 0 ? .distantFuture : .now() + .milliseconds(Int(milliseconds)))
    return isWritten.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// Ends a wait because of a write.
  fileprivate func noteWrite() {
    if !isWritten.exchange(true, ordering: .acquiringAndReleasing) { wake.signal() }
  }
}

/// The one inotify instance of a process: the kernel gives a user no more than 128 of them.
private final class FolderEvents: Sendable {
  private struct Listener {
    weak var watch: FileWatch?
  }

  private static let shared = Mutex<FolderEvents?>(nil)

  private let descriptor: Int32
  /// The listeners of a folder, by its inotify watch descriptor.
  ///
  /// The count includes watches that do not listen yet, so that the descriptor stays valid.
  private let folders = Mutex<[Int32: (count: Int, listeners: [ObjectIdentifier: Listener])]>([:])

  /// The instance; `nil` with `errno` set if the kernel gives none.
  static func ofProcess() -> FolderEvents? {
    shared.withLock { shared in
      if shared == nil {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let events = FolderEvents(descriptor)
        let thread = Thread { events.listen() }
        thread.name = "hkstats files"
        thread.start()
        shared = events
      }
      return shared
    }
  }

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Watches a folder.
  ///
  /// - Returns: the watch descriptor, which ``forget(_:of:)`` releases; -1 with `errno` set
  func watch(_ path: String) -> Int32 {
    folders.withLock { folders in
      let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE)
      let folder = inotify_add_watch(descriptor, path, mask)
      if folder >= 0 { folders[folder, default: (0, [:])].count += 1 }
      return folder
    }
  }

  /// Dispatches the events of a folder to a watch.
  func tell(_ watch: FileWatch, of folder: Int32) {
    folders.withLock {
      $0[folder]?.listeners[ObjectIdentifier(watch)] = Listener(watch: watch)
    }
  }

  /// Releases a watch descriptor.
  func forget(_ watch: ObjectIdentifier, of folder: Int32) {
    folders.withLock { folders in
      guard var entry = folders[folder] else { return }
      entry.listeners[watch] = nil
      entry.count -= 1
      folders[folder] = entry.count > 0 ? entry : nil
      if entry.count == 0 { inotify_rm_watch(descriptor, folder) }
    }
  }

  private func listen() {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let head = MemoryLayout<inotify_event>.size
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      var place = 0
      while place + head <= count {
        let event = buffer.withUnsafeBytes {
          $0.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
        }
        let end = min(count, place + head + Int(event.len))
        dispatch(event, name: buffer[(place + head)..<end].prefix { $0 != 0 })
        place = end
      }
    }
  }

  private func dispatch(_ event: inotify_event, name: ArraySlice<UInt8>) {
    let listeners = folders.withLock { folders in
      // After lost events anything may have been written.
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
        return folders.values.flatMap { $0.listeners.values.compactMap(\.watch) }
      }
      let found = folders[event.wd]?.listeners.values.compactMap(\.watch) ?? []
      // The folder is gone.
      if event.mask & UInt32(IN_IGNORED) != 0 { folders[event.wd] = nil }
      return found
    }
    // Outside of the lock: the last reference to a watch may be among these, and takes it.
    let isLost = event.mask & UInt32(IN_Q_OVERFLOW) != 0
    for listener in listeners where isLost || name.starts(with: listener.name) {
      listener.noteWrite()
    }
  }
}
