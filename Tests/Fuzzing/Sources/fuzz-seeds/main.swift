import Foundation
import _HealthFuzzing

// Writes the first inputs of the fuzzer into a folder: fuzz-seeds SUBJECT FOLDER

guard CommandLine.arguments.count == 3,
  let subject = FuzzSubject(rawValue: CommandLine.arguments[1])
else {
  print("usage: fuzz-seeds \(FuzzSubject.allCases.map(\.rawValue).joined(separator: "|")) FOLDER")
  exit(64)
}
let inputs = try FuzzSeeds.made(for: subject).map(\.bytes) + FuzzSeeds.found(for: subject)
for (index, input) in inputs.enumerated() {
  try Data(input).write(
    to: URL(fileURLWithPath: CommandLine.arguments[2]).appendingPathComponent("\(index)"))
}
