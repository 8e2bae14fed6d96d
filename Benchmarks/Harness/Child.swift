import Foundation

/// Another program, which runs until it ends.
public struct Child: Sendable {
  /// Its path.
  public let path: String
  private let environment: [String]

  /// A program in the folder of this one, with additional environment variables.
  public init(beside name: String, environment: [String: String] = [:]) {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    path = folder.appendingPathComponent(name).path
    self.environment =
      ProcessInfo.processInfo.environment
      .merging(environment) { $1 }.map { "\($0)=\($1)" }
  }

  /// Runs it with nothing to read; what it prints goes to a file, or where ours goes.
  ///
  /// - Returns: its exit code
  public func run(_ arguments: [String], output: String? = "/dev/null") throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if let output { posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY, 0) }
    func pointers(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
      texts.map { strdup($0) } + [nil]
    }
    let (words, variables) = (pointers([path] + arguments), pointers(environment))
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    let error = posix_spawn(&process, path, &actions, nil, words, variables)
    guard error == 0 else {
      throw ChildError("\(path): \(String(cString: strerror(error)))")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    // A signal counts as a failure.
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
  }

  /// Runs it, and fails when it does.
  public func succeed(_ arguments: [String]) throws {
    let code = try run(arguments)
    guard code == 0 else {
      throw ChildError("\(path) \(arguments.joined(separator: " ")) ended with \(code).")
    }
  }
}

/// A program that cannot be run, or failed.
public struct ChildError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
