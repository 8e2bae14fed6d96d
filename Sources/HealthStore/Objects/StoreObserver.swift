import Foundation
import Synchronization

extension SampleStore {
  /// The changes that any process commits from now on, as they happen.
  ///
  /// The kernel says when a file of the store is written; nothing is polled while nothing happens.
  /// Changes of several commits may come together: a slow client gets in one list what happened
  /// since the last one. The sequence ends with an error if the store cannot be read any more, and
  /// without one when its task is cancelled.
  ///
  /// - Parameter id: begins after this ``StoreChange/id``; with the next change when `nil`
  /// - Returns: lists of changes, none of them empty
  /// - Throws: ``StoreError``; a temporary store cannot be observed
  public func observeChanges(
    after id: Int64? = nil
  ) throws(StoreError) -> AsyncThrowingStream<[StoreChange], any Error> {
    let hub = try hub()
    let (news, continuation) = AsyncStream<StoreError?>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let listening = try hub.listen { item in
      switch item {
      case .changes: continuation.yield(nil)
      case .failure(let error): continuation.yield(error)
      case .units: break
      }
    }
    continuation.onTermination = { _ in listening.end() }
    let start = if let id { id } else { try lastChange() }
    let place = LastChange(start)
    return AsyncThrowingStream {
      var next = news.makeAsyncIterator()
      var failure: StoreError?
      while !Task.isCancelled {
        do throws(StoreError) {
          let changes = try self.changes(after: place.id.withLock { $0 })
          if let newest = changes.last {
            place.id.withLock { $0 = newest.id }
            return changes
          }
        } catch {
          // A writer may hold the store for a moment.
          guard error.reason == .busy else { throw error }
          try? await Task.sleep(for: .milliseconds(10))
          continue
        }
        if let failure { throw failure }
        guard let item = await next.next() else { return nil }
        failure = item
      }
      return nil
    }
  }

  /// What tells the changes of this file to all who listen, for all views of this store.
  ///
  /// - Throws: ``StoreError``; a temporary store cannot be observed
  package func hub() throws(StoreError) -> StoreHub {
    try StoreError.naming(path) {
      try file.hub.withLock { place in
        if let hub = place.hub, !hub.hasFailed { return hub }
        let hub = try StoreHub(owner)
        place.hub = hub
        return hub
      }
    }
  }

  /// Whether another file is at the path of this store by now.
  package var isReplaced: Bool { !file.isAt(path) && access(path, F_OK) == 0 }
}

/// The last change that a client has got.
private final class LastChange: Sendable {
  let id: Mutex<Int64>

  init(_ id: Int64) { self.id = Mutex(id) }
}

/// Tells what any process changes in an open file: one thread and one watch, however many listen.
package final class StoreHub: Sendable {
  /// What listeners learn.
  package enum News: Sendable {
    /// Changes of samples and elements, as the owner sees them.
    case changes([StoreChange])
    /// The owner changed the preferred units of types with these identifiers.
    case units(Set<String>)
    /// The file cannot be read any more; nothing follows.
    case failure(StoreError)
  }

  /// The right to be told, until its end; it keeps the hub.
  package final class Listening: Sendable {
    private let hub: StoreHub
    private let number: Int

    fileprivate init(_ hub: StoreHub, _ number: Int) { (self.hub, self.number) = (hub, number) }

    /// Ends it; a call that runs already goes on.
    package func end() { hub.forget(number) }
  }

  private struct Known {
    var change: Int64
    var units: [String: String]
  }

  private struct Listeners {
    var next = 0
    var bodies: [Int: @Sendable (News) -> Void] = [:]
    var failure: StoreError?
  }

  private let store: SampleStore
  private let watch: FileWatch
  /// What was told last; held during a look, so that news come in their order.
  private let known: Mutex<Known>
  private let listeners = Mutex(Listeners())

  fileprivate init(_ store: SampleStore) throws(StoreError) {
    let watch = try FileWatch(store.path)
    self.store = store
    self.watch = watch
    known = Mutex(Known(change: try store.lastChange(), units: try store.preferredUnits()))
    let thread = Thread { [weak self, watch] in
      var times = LookTimes()
      while times.wait(for: watch) { self?.look() }
    }
    thread.name = "hkstats changes"
    thread.start()
  }

  deinit { watch.stop() }

  fileprivate var hasFailed: Bool { listeners.withLock { $0.failure != nil } }

  /// Calls a body with all news from now on, and perhaps with those of a moment before.
  ///
  /// The body returns at once, and does not call ``look()``.
  ///
  /// - Throws: ``StoreError`` if the file cannot be read any more
  package func listen(_ body: @escaping @Sendable (News) -> Void) throws(StoreError) -> Listening {
    let number = try listeners.withLock { listeners throws(StoreError) in
      if let failure = listeners.failure { throw failure }
      listeners.next += 1
      listeners.bodies[listeners.next] = body
      return listeners.next
    }
    return Listening(self, number)
  }

  fileprivate func forget(_ number: Int) {
    // Outside of the lock: what the body holds may be released with it.
    _ = listeners.withLock { $0.bodies.removeValue(forKey: number) }
  }

  /// Looks for changes now: when it returns, listeners know of every commit before the call.
  package func look() {
    known.withLock { known in
      do {
        // Writes would be lost, and those of others do not show.
        guard !store.isReplaced else { throw StoreError(.notFound, path: store.path) }
        let changes = try store.snapshot {
          try store.lastChange() == known.change ? [] : try store.changes(after: known.change)
        }
        if let newest = changes.last {
          known.change = newest.id
          tell(.changes(changes))
        }
      } catch let error as StoreError where error.reason == .busy {
        // A writer may hold the store for a moment.
      } catch {
        fail(StoreError(error, path: store.path))
      }
      guard let units = try? store.preferredUnits(), units != known.units else { return }
      let types = Set(known.units.keys).union(units.keys).filter { known.units[$0] != units[$0] }
      known.units = units
      tell(.units(types))
    }
  }

  private func fail(_ error: StoreError) {
    listeners.withLock { $0.failure = error }
    tell(.failure(error))
    watch.stop()
  }

  private func tell(_ news: News) {
    for body in listeners.withLock({ $0.bodies.sorted { $0.key < $1.key } }) { body.value(news) }
  }
}

/// Waits for the changes of a store, for one thread.
package struct ChangeObserver {
  private let store: SampleStore
  private let watch: FileWatch
  private var last: Int64

  /// Begins with the next change.
  package init(of store: SampleStore) throws(StoreError) {
    self.store = store
    watch = try FileWatch(store.path)
    last = try store.lastChange()
  }

  /// Waits for the next changes.
  package mutating func next() throws(StoreError) -> [StoreChange]? {
    var times = LookTimes()
    repeat {
      do throws(StoreError) {
        let changes = try store.changes(after: last)
        if let newest = changes.last {
          last = newest.id
          return changes
        }
      } catch {
        // A writer may hold the store for a moment.
        guard error.reason == .busy else { throw error }
      }
    } while times.wait(for: watch)
    return nil
  }
}

/// When to look at a store: after each write, then again for a moment, each time later, because a
/// commit ends after its last write.
private struct LookTimes {
  /// How long a commit may take after its last write, in milliseconds, before a look at the store
  /// waits for the next write.
  private static let longestPause: Int32 = 512

  private var pause: Int32 = 1

  /// Waits for the time of the next look; `false` when the watch is stopped.
  mutating func wait(for watch: FileWatch) -> Bool {
    let isOver = pause > Self.longestPause
    pause = watch.wait(milliseconds: isOver ? -1 : pause) || isOver ? 1 : 2 * pause
    return !watch.isStopped
  }
}

/// Waits until a file, or one beside it whose name begins with the file's, is written.
final class FileWatch: Sendable {
  fileprivate let name: [UInt8]
  private let events: FolderEvents
  private let folder: Int32
  private let isWritten = Atomic(false)
  private let stopped = Atomic(false)
  private let wake = DispatchSemaphore(value: 0)

  /// Watches the folder of a file.
  init(_ path: String) throws(StoreError) {
    guard !path.isEmpty else { throw StoreError(errorNumber: ENOTSUP, path: path) }
    guard let events = FolderEvents.ofProcess() else {
      throw StoreError(errorNumber: errno, path: path)
    }
    let url = URL(fileURLWithPath: path)
    name = Array(url.lastPathComponent.utf8)
    self.events = events
    folder = events.watch(url.deletingLastPathComponent().path)
    guard folder >= 0 else { throw StoreError(errorNumber: errno, path: path) }
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
  fileprivate func recordWrite() {
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
      listener.recordWrite()
    }
  }
}
