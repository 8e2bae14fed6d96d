import Foundation
import HealthStore
import Synchronization
import _HealthTestSupport

/// Kills a process that saves, imports, deletes and compacts at random moments.
///
/// Each time the store must hold the state of the last step that was acknowledged, or of the one after it.
struct Kills {
  private let folder: String
  private var store: String { folder + "/store.sqlite" }

  init(folder: String) throws {
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// The work of the child: continues after a step, and prints each step that is committed.
  static func write(store path: String, seed: UInt64, after done: Int) throws {
    var plan = WorkPlan(seed: seed)
    while plan.step < done { _ = plan.next() }
    let store = try SampleStore(path: path, mode: .readWrite)
    say("0")
    while true {
      let action = plan.next()
      try WorkPlan.perform(action, step: plan.step, in: store)
      say("\(plan.step)")
    }
  }

  /// Whether every state that was found is one that was committed.
  func run(count: Int, seed: UInt64) throws -> Bool {
    var chance = SplitMix64(seed: seed)
    var plan = WorkPlan(seed: seed)
    let started = ContinuousClock.now
    // How often the step that was not acknowledged was there, and how often a log was left.
    var (ahead, logs, steps) = (0, 0, 0)
    for round in 1...count {
      let delay = Double.random(in: 0..<1, using: &chance)
      let acknowledged = try killed(
        after: plan.step, seed: seed, seconds: 0.06 * delay * delay,
        lines: Int.random(in: 0..<8, using: &chance))
      while plan.step < acknowledged { _ = plan.next() }
      steps = plan.step
      let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      if left.contains("store.sqlite-wal") || left.contains("store.sqlite-journal") { logs += 1 }
      if acknowledged == 0, !left.contains("store.sqlite") { continue }
      var later = plan
      _ = later.next()
      let state = try autoreleased {
        try WorkPlan.State(of: SampleStore(path: store, mode: .readWrite))
      }
      if let difference = plan.difference(state) {
        if let other = later.difference(state) {
          say(
            "FAILED: kill \(round) of seed \(seed), step \(acknowledged): \(difference); \(other)")
          return false
        }
        plan = later
        ahead += 1
      }
      let rest = try FileManager.default.contentsOfDirectory(atPath: folder)
      guard rest == ["store.sqlite"] else {
        say("FAILED: kill \(round) of seed \(seed): files are left over: \(rest)")
        return false
      }
    }
    say(
      "Killed a writer \(count) times over \(steps) commits in "
        + "\(Int((ContinuousClock.now - started) / .seconds(1))) s (\(logs) times with a log left, "
        + "\(ahead) times amid the acknowledgement): \(count) passed, 0 failed")
    guard logs > 0 else {
      say("FAILED: no kill came amid the writes")
      return false
    }
    return true
  }

  private func autoreleased<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }

  /// The last step that a writer acknowledged before it was killed.
  private func killed(
    after step: Int, seed: UInt64, seconds: Double, lines: Int
  ) throws -> Int {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = Child.program
    process.arguments = ["kills-of", store, "\(seed)", "\(step)"]
    process.standardOutput = pipe
    try process.run()
    var text: [UInt8] = []
    // The first line says that it has opened the store; without any it may be killed before.
    while text.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
      let part = pipe.fileHandleForReading.availableData
      if part.isEmpty { break }
      text += part
    }
    usleep(UInt32(seconds * 1e6))
    kill(process.processIdentifier, SIGKILL)
    text += [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    guard process.terminationReason == .uncaughtSignal else {
      throw TrialError("a writer ended by itself: \(process.terminationStatus)")
    }
    // A line that is not complete acknowledges nothing.
    let lines = String(decoding: text, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast()
    return max(step, lines.last.flatMap { Int($0) } ?? 0)
  }
}
