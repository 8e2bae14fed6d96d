import Foundation
import Synchronization

/// The wish of a user to stop (Ctrl-C, a polite kill, or a terminal that is closed), which long work asks for between steps.
enum Interruption {
  private static let wanted = Atomic<Int32>(0)

  /// Whether the user asked to stop since ``watch()``.
  static var isRequested: Bool { signal != 0 }

  /// The signal that asked to stop since ``watch()``; 0 when none did.
  static var signal: Int32 { wanted.load(ordering: .relaxed) }

  /// Begins to take the wish down instead of ending the process at once.
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
    // Who started the program with nohup wants it to outlive the terminal.
    var known = sigaction()
    sigaction(SIGHUP, nil, &known)
    if unsafeBitCast(known.__sigaction_handler.sa_handler, to: Int.self)
      != unsafeBitCast(SIG_IGN, to: Int.self)
    {
      sigaction(SIGHUP, &action, nil)
    }
    // Whoever started us from a thread that takes no signals handed that down.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGHUP)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
