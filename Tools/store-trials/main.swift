import Foundation

// Trials of a store by other processes: what is killed, what works at the same time, what is
// damaged. See .ci/kill-and-recover, .ci/many-processes and .ci/flip-each-bit.

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  guard try Trial(arguments).run() else { exit(1) }
} catch let error as TrialError {
  FileHandle.standardError.write(Data("store-trials: \(error.text)\n".utf8))
  exit(64)
} catch {
  FileHandle.standardError.write(Data("store-trials: \(error)\n".utf8))
  exit(1)
}
