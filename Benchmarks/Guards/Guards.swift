import Floors
import Foundation
import Harness
import InstructionSets
import Samples

/// Fails when something takes 1.3 times as long beside its floor as the committed ratio says.
///
/// Run it from the root of the repository, where `Benchmarks/ratios.tsv` has the ratios.
///
///     guards [--rounds N] [SUITE…]     all suites, or those named
///     guards --update [SUITE…]         commits what this machine measures
///     guards --prove [SUITE…]          lets ours do 1.5 times the work, and fails unless each guard does
///     guards --instructions avx2 …     the suites of kernels, with that instruction set alone
///
/// Kernels are measured with each instruction set that the processor has. A guard above its limit is
/// measured on before it fails: the least time of more rounds is less, where the machine was at fault.
@main
struct Guards {
  private static let limit = 1.3
  /// How many more batches a guard gets before it fails.
  private static let furtherBatches = 8
  private static let widths = [-88, 8, 10, 8, 10, 10]

  private let rounds: Int
  private let isUpdate: Bool
  private let isProof: Bool
  /// The one of `--instructions`.
  private let instructions: String?
  private let names: [String]

  static func main() async throws {
    floor_keep_memory()
    var options = Options()
    if let folder = options.value("--observe") { return try await Latency.observe(in: folder) }
    let rounds = options.value("--rounds").map { Int($0) ?? 0 } ?? 40
    let guards = Guards(
      rounds: rounds, isUpdate: options.flag("--update"), isProof: options.flag("--prove"),
      instructions: options.value("--instructions"), names: options.rest)
    let suites = Set(Suite.all.map(\.name))
    guard rounds > 0, suites.isSuperset(of: guards.names) else {
      Options.fail(
        "guards [--rounds N] [--update | --prove] [--instructions SET] [SUITE…]; suites: "
          + Suite.all.map(\.name).joined(separator: ", "))
    }
    // The workplace is gone before the process ends.
    let failed = try await guards.run()
    exit(failed == 0 ? 0 : 1)
  }

  /// Measures, and says how many guards failed; their lines stand last.
  private func run() async throws -> Int {
    if let instructions { try use(instructions) }
    let inUse = String(cString: instruction_set_name(instruction_set_in_use()))
    var ratios = try Ratios()
    let workplace = try Workplace()
    defer { withExtendedLifetime(workplace) {} }
    print("Kernels with \(inUse)")
    print(Line.of(["guard", "ms", "floor ms", "ratio", "committed", ""], widths: Self.widths))
    var measured: Set<String> = []
    var failures: [String] = []
    for suite in Suite.all where isWanted(suite) {
      for problem in try await suite.problems(workplace) {
        let column = suite.usesKernels ? inUse : "any"
        let found = try await measure(problem, of: suite, in: column, &ratios)
        measured.formUnion(found.names)
        failures += found.failures
      }
    }
    let isComplete = names.isEmpty && instructions == nil && !isProof
    if isUpdate {
      if isComplete { ratios.keep(measured) }
      try ratios.write()
    } else if isComplete {
      for name in ratios.guards.subtracting(measured).sorted() {
        failures.append("\(name): committed, but not measured")
      }
      try await Latency(folder: workplace.folder).measure()
    }
    let failedElsewhere =
      instructions == nil && !isProof ? try measureOtherInstructions(than: inUse) : 0
    // Last, since who reads a log begins at its end.
    for line in failures { print(line) }
    print("Guards with \(inUse): \(measured.count) measured, \(failures.count) failed")
    return failures.count + failedElsewhere
  }

  private func isWanted(_ suite: Suite) -> Bool {
    (names.isEmpty ? !isProof || suite.provesLimit : names.contains(suite.name))
      && (instructions == nil || suite.usesKernels)
  }

  private func measure(
    _ problem: Problem, of suite: Suite, in column: String, _ ratios: inout Ratios
  ) async throws -> (names: [String], failures: [String]) {
    let names = problem.ways.map { "\(suite.name): \($0.name)" }
    let committed = names.map { ratios.committed($0, column) }
    var turns = try await Turns(problem, rounds: rounds, isSlowed: isProof)
    /// Ours to the floor.
    var found: [Double] { turns.least.dropFirst().map { $0 / turns.least[0] } }
    var isSlower: [Bool] { zip(found, committed).map { $0 > Self.limit * ($1 ?? .infinity) } }
    try await turns.measure()
    // A proof tries whether a guard still fails when it is measured on.
    let further = isUpdate || isProof ? 1 : Self.furtherBatches
    for _ in 0..<further where isUpdate || isSlower.contains(true) {
      try await turns.measure()
    }
    var failures: [String] = []
    for (index, name) in names.enumerated() {
      let verdict: String
      if isUpdate {
        ratios.commit(name, column, found[index])
        verdict = ""
      } else if committed[index] == nil {
        verdict = "NOT COMMITTED"
      } else if isProof {
        verdict = isSlower[index] ? "" : "NOT NOTICED"
      } else {
        verdict = isSlower[index] ? "SLOWER" : ""
      }
      let line = Line.of(
        [
          name, Line.number(turns.least[index + 1] * 1e3, digits: 3),
          Line.number(turns.least[0] * 1e3, digits: 3), Self.text(found[index]),
          committed[index].map(Self.text) ?? "-", verdict,
        ], widths: Self.widths)
      print(line)
      if !verdict.isEmpty { failures.append(line) }
    }
    return (names, failures)
  }

  private static func text(_ ratio: Double) -> String { String(format: "%.3g", ratio) }

  private func use(_ name: String) throws {
    guard let set = Self.available.first(where: { $0.name == name })?.set else {
      throw ProblemError("This processor has no instruction set \(name).")
    }
    instruction_set_use(set)
  }

  private static var available: [(name: String, set: instruction_set)] {
    (0..<instruction_set_count.rawValue).map { instruction_set($0) }
      .filter(instruction_set_is_available)
      .map { (String(cString: instruction_set_name($0)), $0) }
  }

  /// A process has one instruction set, so each further one has a process of its own.
  private func measureOtherInstructions(than inUse: String) throws -> Int {
    guard Suite.all.contains(where: { $0.usesKernels && isWanted($0) }) else { return 0 }
    fflush(nil)
    return try Self.available.filter { $0.name != inUse }.count { name, _ in
      let options =
        ["--rounds", "\(rounds)", "--instructions", name] + (isUpdate ? ["--update"] : [])
      return try Child(beside: "guards").run(options + names, output: nil) != 0
    }
  }
}
