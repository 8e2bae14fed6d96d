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

/// Waits until a file beside which others of its name stand is written.
final class FileWatch: Sendable {
  /// How long a commit may take after its last write, in milliseconds, before a look at the store
  /// waits for the next write.
  static let longestPause: Int32 = 64

  private let events: Int32
  private let wake: (read: Int32, write: Int32)
  private let name: [UInt8]
  private let stopped = Atomic(false)

  /// Watches the folder of a file; `nil` with `errno` set where that is not possible.
  init?(_ path: String) {
    let url = URL(fileURLWithPath: path)
    guard !path.isEmpty else {
      errno = ENOTSUP
      return nil
    }
    name = Array(url.lastPathComponent.utf8)
    let events = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard events >= 0 else { return nil }
    var ends: [Int32] = [0, 0]
    let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE)
    guard inotify_add_watch(events, url.deletingLastPathComponent().path, mask) >= 0,
      pipe(&ends) == 0
    else {
      let number = errno
      close(events)
      errno = number
      return nil
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.events = events
    wake = (ends[0], ends[1])
  }

  deinit {
    for descriptor in [events, wake.read, wake.write] { close(descriptor) }
  }

  /// Whether ``stop()`` was called.
  var isStopped: Bool { stopped.load(ordering: .acquiring) }

  /// Ends the wait, and all later ones.
  func stop() {
    stopped.store(true, ordering: .releasing)
    var byte: UInt8 = 0
    _ = write(wake.write, &byte, 1)
  }

  /// Waits for a write, or no longer than some milliseconds; forever for a negative number.
  ///
  /// - Returns: whether there was a write
  func wait(milliseconds: Int32) -> Bool {
    let deadline = milliseconds < 0 ? nil : ContinuousClock.now + .milliseconds(Int(milliseconds))
    while !isStopped {
      let left = deadline.map { Int32(max(0, ($0 - .now) / .milliseconds(1))) } ?? -1
      var descriptors = [
        pollfd(fd: events, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&descriptors, 2, left)
      if drain() { return true }
      if let deadline, .now >= deadline { return false }
    }
    return false
  }

  /// Reads all waiting events; returns whether any is about the file or one beside it.
  private func drain() -> Bool {
    var isAbout = false
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while case let count = read(events, &buffer, buffer.count), count > 0 {
      var place = 0
      let head = MemoryLayout<inotify_event>.size
      while place + head <= count {
        let event = buffer.withUnsafeBytes {
          $0.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
        }
        let text = buffer[(place + head)..<min(count, place + head + Int(event.len))]
          .prefix { $0 != 0 }
        // After lost events anything may have been written.
        if text.starts(with: name) || event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isAbout = true }
        place += head + Int(event.len)
      }
    }
    return isAbout
  }
}
