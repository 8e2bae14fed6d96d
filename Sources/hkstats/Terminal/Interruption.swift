import Foundation
import Synchronization

/// A request to stop (Ctrl-C, SIGTERM, or a closed terminal), which long operations check between
/// steps.
enum Interruption {
  private static let wanted = Atomic<Int32>(0)

  /// Whether the user requested to stop since ``watch()``.
  static var isRequested: Bool { signal != 0 }

  /// The signal of the request since ``watch()``; 0 if there was none.
  static var signal: Int32 { wanted.load(ordering: .relaxed) }

  /// Starts recording signals instead of ending the process at once.
  ///
  /// A second Ctrl-C ends the process at once; the store's journal then restores it.
  static func watch() {
    wanted.store(0, ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { signal in
      Interruption.wanted.store(signal, ordering: .relaxed)
    }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
    sigaction(SIGINT, &action, nil)
    sigaction(SIGTERM, &action, nil)
    // A program started with nohup should outlive the terminal.
    var known = sigaction()
    sigaction(SIGHUP, nil, &known)
    if unsafeBitCast(known.__sigaction_handler.sa_handler, to: Int.self)
      != unsafeBitCast(SIG_IGN, to: Int.self)
    {
      sigaction(SIGHUP, &action, nil)
    }
    // Signals may be blocked by a mask inherited from the parent process.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGHUP)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
