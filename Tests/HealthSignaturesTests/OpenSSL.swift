import Foundation
import Testing
import _HealthTestSupport

@testable import HealthSignatures

/// The program `openssl`, in a folder of its own.
struct OpenSSL {
  static let program = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/openssl" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether tests with it run; they fail without it where references must be there.
  static let isTested = program != nil || References.areRequired

  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("openssl-\(UUID().uuidString)")

  /// Does work with the program in a new folder.
  static func inFolder(_ work: (OpenSSL) throws -> Void) throws {
    let made = OpenSSL()
    try FileManager.default.createDirectory(at: made.folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: made.folder) }
    try work(made)
  }

  /// Runs a command in the folder.
  func callAsFunction(_ command: String) throws {
    let process = Process()
    let program = try #require(Self.program, "openssl is not installed")
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = command.split(separator: " ").map(String.init)
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    let messages = folder.appendingPathComponent("messages")
    #expect(FileManager.default.createFile(atPath: messages.path, contents: nil))
    process.standardError = try FileHandle(forWritingTo: messages)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let said = try String(contentsOf: messages, encoding: .utf8)
    try #require(process.terminationStatus == 0, "openssl \(command): \(said)")
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: folder.appendingPathComponent(name))
  }

  func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  func bytes(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  func text(of name: String) throws -> String {
    String(decoding: try bytes(of: name), as: UTF8.self)
  }

  /// Makes `NAME.key` with the options, and a certificate of it as `NAME.pem`.
  func makeKey(_ name: String, _ options: String) throws {
    try self("genpkey \(options) -out \(name).key")
    try makeCertificate(name)
  }

  /// Makes a certificate of `NAME.key` as `NAME.pem`.
  func makeCertificate(_ name: String) throws {
    try self("req -new -x509 -key \(name).key -subj /CN=\(name) -days 2 -sha256 -out \(name).pem")
  }

  /// Signs a sample with `NAME.key` into a message.
  func sign(_ sample: SignedSample, by name: String, _ options: String = "") throws -> [UInt8] {
    try write(sample.der, to: "content")
    try self(
      "cms -sign -binary -nodetach -outform DER -md sha256 -signer \(name).pem -inkey \(name).key "
        + "-in content -out message \(options)")
    return try bytes(of: "message")
  }

  static let p256 = "-algorithm EC -pkeyopt ec_paramgen_curve:P-256"
}
