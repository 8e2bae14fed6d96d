import Foundation
import InstructionSets

/// The committed ratios of ours to its floor: a line for each guard, a column for each instruction
/// set, and one for guards on which kernels have no influence.
struct Ratios {
  /// Where they are committed, below the root of the repository.
  static let path = "Benchmarks/ratios.tsv"
  static let columns =
    ["any"]
    + (0..<instruction_set_count.rawValue).map {
      String(cString: instruction_set_name(instruction_set($0)))
    }

  private var rows: [String: [String: String]] = [:]

  var guards: Set<String> { Set(rows.keys) }

  init() throws {
    guard FileManager.default.fileExists(atPath: Self.path) else { return }
    let lines = try String(contentsOfFile: Self.path, encoding: .utf8).split(separator: "\n")
    for line in lines.dropFirst() {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      rows[cells[0]] = Dictionary(
        zip(Self.columns, cells.dropFirst()).filter { $1 != "-" }, uniquingKeysWith: { $1 })
    }
  }

  /// The ratio of a guard; that of plain code where an instruction set has none, since it must
  /// never be slower.
  func committed(_ name: String, _ column: String) -> Double? {
    let row = rows[name]
    return (row?[column] ?? (column == "any" ? nil : row?["plain"])).flatMap { Double($0) }
  }

  mutating func commit(_ name: String, _ column: String, _ ratio: Double) {
    rows[name, default: [:]][column] = String(format: "%.3g", ratio)
  }

  /// Forgets guards that are no more.
  mutating func keep(_ names: Set<String>) { rows = rows.filter { names.contains($0.key) } }

  func write() throws {
    let lines = rows.sorted { $0.key < $1.key }.map { name, row in
      ([name] + Self.columns.map { row[$0] ?? "-" }).joined(separator: "\t")
    }
    let title = (["guard"] + Self.columns).joined(separator: "\t")
    try ([title] + lines).map { $0 + "\n" }.joined()
      .write(toFile: Self.path, atomically: true, encoding: .utf8)
  }
}
