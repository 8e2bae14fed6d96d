import Foundation
import Harness
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore

/// How the cost of questions grows with a store, and how near it comes to reading numbers once.
///
///     store-scale FOLDER COUNT...     makes FOLDER/COUNT.sqlite where missing and asks it
///
/// A store has COUNT samples at 27,400 a day: half of them active energy of one source, the rest
/// steps of a watch and, a fifth of those, of a phone at the same time. The columns are the fastest
/// of some rounds in milliseconds, the megabytes that were read from the file for it, and by how
/// many megabytes the memory of the process peaked.
@main
struct StoreScale {
  static func main() async throws {
    let arguments = Options().rest
    guard let folder = arguments.first, arguments.count > 1 else {
      Options.fail("store-scale FOLDER COUNT...")
    }
    for argument in arguments.dropFirst() {
      guard let count = Int(argument), count > 0 else {
        Options.fail("store-scale FOLDER COUNT...; \(argument) is no number of samples")
      }
      let path = "\(folder)/\(count).sqlite"
      if !FileManager.default.fileExists(atPath: path) {
        try ScaledStore(count: count).write(to: path)
      }
      let facts = try FileManager.default.attributesOfItem(atPath: path)
      let bytes = (facts[.size] as? Int) ?? 0
      print(
        "\(count) samples, \(bytes / 1_000_000) MB, \(Double(bytes) / Double(count)) B a sample")
      try await Questions(path: path, count: count).ask()
      if count <= 20_000_000 { try await Floors(path: path).compare() }
    }
  }
}

/// One measurement: the least time of some rounds, and what the first of them read and held.
struct Measurement {
  private(set) var milliseconds = Double.infinity
  private(set) var megabytesRead = 0.0
  private(set) var megabytesHeld = 0.0

  init(rounds: Int, _ body: () async throws -> Void) async rethrows {
    for round in 0..<rounds {
      if round == 0 { Process.resetPeak() }
      let (read, held) = (Process.bytesRead, Process.peak)
      milliseconds = min(milliseconds, try await Clock.wall.seconds(body) * 1e3)
      if round == 0 {
        megabytesRead = Double(Process.bytesRead - read) / 1e6
        megabytesHeld = Double(Process.peak - held) / 1e6
      }
    }
  }
}

/// What Linux says of this process.
enum Process {
  static var bytesRead: Int { number(after: "rchar:", in: "/proc/self/io") }
  static var peak: Int { number(after: "VmHWM:", in: "/proc/self/status") * 1024 }

  static func resetPeak() {
    guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return }
    file.write(Data("5".utf8))
    try? file.close()
  }

  private static func number(after name: String, in path: String) -> Int {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return 0 }
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
    return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
  }
}
