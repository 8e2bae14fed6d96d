import Foundation
import HealthKit
import HealthSamples
import HealthStore
import Samples

/// What Apple's vocabulary costs over the engine: statistics, samples, saves, and how long an
/// observer waits for a change.
///
///     facade FOLDER [--rounds N] [--goals FILE]    fails when a cost is above its goal
///     facade FOLDER --observe                      prints when an observer's handler is called
///
/// In each round (5) both sides of a problem are measured in turns, so that the load of the machine
/// cancels out. The ratio is the median of those of the rounds, for wall time and for the CPU time
/// of the program; a goal is missed when both are above it. A time is the least of the rounds.
@main
struct Facade {
  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    func option(_ name: String) -> String? {
      guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else {
        return nil
      }
      defer { arguments.removeSubrange(place...place + 1) }
      return arguments[place + 1]
    }
    let rounds = option("--rounds").flatMap { Int($0) } ?? 5
    let goals = try option("--goals").map { path in
      try JSONDecoder().decode(
        [String: Double].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }
    guard let folder = arguments.first, rounds > 0 else {
      FileHandle.standardError.write(
        Data("usage: facade FOLDER [--rounds N] [--goals FILE]\n".utf8))
      exit(64)
    }
    if arguments.dropFirst().first == "--observe" { return try await Latency.observe(in: folder) }
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var table = CostTable(goals: goals ?? [:])
    try await Costs(folder: folder, rounds: rounds).measure(into: &table)
    try await Latency(folder: folder).measure(into: &table)
    table.end()
  }
}

/// Wall time and the CPU time of the program, in milliseconds.
struct Cost {
  var wall: Double
  var cpu: Double

  private static var usedCPU: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  static func of(_ body: () async throws -> Void) async throws -> Cost {
    let before = usedCPU
    let wall = try await ContinuousClock().measure { try await body() }
    return Cost(wall: wall / .milliseconds(1), cpu: usedCPU - before)
  }
}

/// The lines that were printed, and whether a goal was missed.
struct CostTable {
  /// The highest ratio of a problem.
  let goals: [String: Double]
  private var known: Set<String> = []
  private var missed = 0

  init(goals: [String: Double]) {
    self.goals = goals
    print(
      Self.line(["problem", "ms", "CPU ms", "floor ms", "CPU ms", "ratio", "CPU ratio", "goal"]))
  }

  private static func line(_ cells: [String]) -> String {
    cells[0].padding(toLength: 62, withPad: " ", startingAt: 0)
      + cells.dropFirst().map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined()
  }

  private static func text(_ number: Double) -> String { String(format: "%.2f", number) }

  private static func median(_ numbers: [Double]) -> Double {
    let sorted = numbers.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// Compares both sides of a problem; each round has one cost of either.
  mutating func add(_ name: String, ours: [Cost], floor: [Cost]) {
    func least(_ costs: [Cost], _ part: KeyPath<Cost, Double>) -> Double {
      costs.map { $0[keyPath: part] }.min() ?? .nan
    }
    let ratios = [\Cost.wall, \Cost.cpu].map { part in
      Self.median(zip(ours, floor).map { $0[keyPath: part] / max(0.001, $1[keyPath: part]) })
    }
    let goal = goals[name]
    note(
      name, isMissed: goal.map { goal in ratios.allSatisfy { $0 > goal } } ?? false,
      [
        Self.text(least(ours, \.wall)), Self.text(least(ours, \.cpu)),
        Self.text(least(floor, \.wall)), Self.text(least(floor, \.cpu)), Self.text(ratios[0]),
        Self.text(ratios[1]), goal.map { "\($0)" } ?? "",
      ])
  }

  /// The times of many changes, in milliseconds.
  mutating func add(_ name: String, times: [Double]) {
    let sorted = times.sorted()
    for percent in [50, 99] {
      let time = sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, sorted.count * percent / 100)]
      note("\(name), p\(percent) of \(times.count)", isMissed: false, [Self.text(time)])
    }
  }

  private mutating func note(_ name: String, isMissed: Bool, _ cells: [String]) {
    known.insert(name)
    if isMissed { missed += 1 }
    print(Self.line([name] + cells) + (isMissed ? "  MISSED" : ""))
  }

  /// Says whether all goals were reached, and ends the program.
  func end() -> Never {
    let unmeasured = Set(goals.keys).subtracting(known)
    for name in unmeasured.sorted() { print("\(name): a goal, but not measured") }
    let failed = missed + unmeasured.count
    print("Costs over the engine: \(known.count - missed) passed, \(failed) failed")
    exit(failed == 0 ? 0 : 1)
  }
}
