import Foundation
import HealthStore

/// A trial by its arguments.
struct Trial {
  private let name: String
  private let values: [String]

  static let usage = """
    usage: store-trials flips STORE COUNT|all SEED     flips bits of a store and asks questions
           store-trials kills FOLDER COUNT SEED        kills a process that writes to a store
           store-trials crowd FOLDER SECONDS SEED      8 processes read, 2 write
           store-trials work STORE COUNT SEED          saves, imports, deletes and compacts
    """

  init(_ arguments: [String]) throws {
    guard let name = arguments.first else { throw TrialError(Self.usage) }
    (self.name, values) = (name, Array(arguments.dropFirst()))
  }

  /// Whether it has found nothing wrong.
  func run() throws -> Bool {
    switch name {
    case "flips":
      return try Flips.run(store: try text(0), count: count(1), seed: UInt64(try number(2)))
    case "flips-of":
      try Flips(store: try text(0)).flip(
        core: try number(1), of: try number(2), count: count(3), seed: UInt64(try number(4)),
        from: try number(5))
      return true
    case "work":
      var plan = WorkPlan(seed: UInt64(try number(2)))
      let store = try SampleStore(path: try text(0), mode: .readWrite)
      for _ in 0..<(try number(1)) {
        let action = plan.next()
        try WorkPlan.perform(action, step: plan.step, in: store)
      }
      return true
    case "kills":
      guard let count = try count(1) else { throw TrialError(Self.usage) }
      return try Kills(folder: try text(0)).run(count: count, seed: UInt64(try number(2)))
    case "kills-of":
      try Kills.write(store: try text(0), seed: UInt64(try number(1)), after: try number(2))
      return true
    case "crowd":
      return try Crowd.run(
        folder: try text(0), seconds: Double(try number(1)), seed: UInt64(try number(2)))
    case "crowd-write":
      try Crowd.write(
        store: try text(0), writer: try number(1), seconds: Double(try text(2)) ?? 1,
        seed: UInt64(try number(3)))
      return true
    case "crowd-read":
      try Crowd.read(
        store: try text(0), seconds: Double(try text(1)) ?? 1, isReopening: try number(2) == 1)
      return true
    default: throw TrialError(Self.usage)
    }
  }

  private func text(_ index: Int) throws -> String {
    guard index < values.count else { throw TrialError(Self.usage) }
    return values[index]
  }

  private func number(_ index: Int) throws -> Int {
    guard let number = Int(try text(index)), number >= 0 else { throw TrialError(Self.usage) }
    return number
  }

  /// A number, or `nil` for all.
  private func count(_ index: Int) throws -> Int? {
    try text(index) == "all" ? nil : try number(index)
  }
}

/// Arguments that are no trial, or a trial that cannot begin.
struct TrialError: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

/// Another process of this program.
enum Child {
  static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()

  /// What it prints, and whether it ended by itself and well.
  static func lines(_ arguments: [String]) -> (lines: [String], hasEnded: Bool) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = pipe
    do { try process.run() } catch { return ([], false) }
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let hasEnded = process.terminationReason == .exit && process.terminationStatus == 0
    return (text.split(separator: "\n").map(String.init), hasEnded)
  }
}

/// Prints a line at once, so that it is there when the process is killed.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
