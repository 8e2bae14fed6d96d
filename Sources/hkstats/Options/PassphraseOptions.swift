import ArgumentParser
import Foundation
import HealthExchange
import HealthStore

/// Where a passphrase comes from: never from an argument, which every user of the machine can see.
struct PassphraseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the passphrase from an open file descriptor, up to the end of its first line. Else "
        + "$HKSTATS_PASSPHRASE, else a prompt.", valueName: "descriptor"))
  var passphraseFd: Int32?

  /// The variable of the environment.
  static let variable = "HKSTATS_PASSPHRASE"

  /// The longest passphrase, in bytes.
  private static let limit = 4096

  private static let option = "--passphrase-fd"

  func validate() throws { try Self.check(passphraseFd, Self.option) }

  /// Rejects the number of a file descriptor that is not open.
  static func check(_ descriptor: Int32?, _ option: String) throws {
    guard descriptor.map({ fcntl($0, F_GETFD) >= 0 }) ?? true else {
      throw ValidationError("\(option) needs the number of an open file descriptor.")
    }
  }

  /// The passphrase of the environment; `nil` if the variable is not set, or empty.
  static var fromEnvironment: String? {
    getenv(variable).flatMap { String(validatingCString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Rejects a passphrase of the environment that is not UTF-8, without saying it.
  static func checkEnvironment() throws(Failure) {
    guard let value = getenv(variable), String(validatingCString: value) == nil else { return }
    throw Failure("$\(variable) is not UTF-8.", .usage)
  }

  /// The passphrase; a prompt asks twice for a new one.
  func passphrase(isNew: Bool = false) throws -> String {
    try Self.passphrase(
      passphraseFd, Self.option, prompt: isNew ? "New passphrase: " : "Passphrase: ", isNew: isNew)
  }

  /// The passphrase from a file descriptor that an option names, the environment or a prompt.
  static func passphrase(
    _ descriptor: Int32?, _ option: String, prompt question: String, isNew: Bool = false
  ) throws -> String {
    if let descriptor { return try line(of: descriptor, "the file descriptor") }
    if let text = fromEnvironment { return text }
    guard Terminal.isInteractive else {
      throw Failure(
        "A passphrase is needed: set $\(variable), give \(option), or run this in a terminal.",
        .usage)
    }
    let text = try prompt(question)
    guard isNew, !text.isEmpty else { return text }
    guard try prompt("Once more: ") == text else {
      throw Failure("The two passphrases differ; nothing was changed.", .usage)
    }
    return text
  }

  /// Asks on the terminal, without showing what is typed.
  private static func prompt(_ question: String) throws -> String {
    var state = termios()
    guard tcgetattr(STDIN_FILENO, &state) == 0 else {
      throw Failure("The terminal cannot hide a passphrase.", .inputOutput)
    }
    var silent = state
    silent.c_lflag &= ~tcflag_t(ECHO)
    StandardError.write(question)
    // An interrupt would leave the terminal silent.
    var blocked = sigset_t()
    var former = sigset_t()
    sigemptyset(&blocked)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGTSTP] { sigaddset(&blocked, number) }
    sigprocmask(SIG_BLOCK, &blocked, &former)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &state)
      StandardError.write("\n")
      sigprocmask(SIG_SETMASK, &former, nil)
    }
    return try line(of: STDIN_FILENO, "the terminal")
  }

  /// The first line of a descriptor, byte by byte: the rest belongs to others.
  private static func line(of descriptor: Int32, _ name: String) throws -> String {
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      var byte: UInt8 = 0
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw Failure("The passphrase cannot be read from \(name).", .inputOutput)
      }
      guard count > 0, byte != UInt8(ascii: "\n") else { break }
      bytes.append(byte)
    }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard bytes.count <= limit, let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(
        "A passphrase is one line of UTF-8 of at most \(limit) bytes.", .usage)
    }
    return text
  }
}
