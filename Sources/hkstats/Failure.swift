import ArgumentParser
import Foundation
import HealthAnalysis
import HealthExport
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits

/// What went wrong, as a sentence for a person and an exit code for a script.
///
/// The libraries carry cases and data; this is the one place where they become prose. No measured
/// value stands in any sentence.
struct Failure: Error {
  /// A whole sentence that says what happened and, where one can, what to do.
  let message: String
  let exitCode: Code

  /// The exit codes of the contract, as in `sysexits.h`.
  enum Code: Int32 {
    case failed = 1
    case usage = 64
    case badData = 65
    case noInput = 66
    case inputOutput = 74
    case busy = 75
    /// 128 and the number of SIGINT, as shells count.
    case interrupted = 130
  }

  init(_ message: String, _ exitCode: Code) {
    self.message = message
    self.exitCode = exitCode
  }

  /// Says what went wrong and ends the process.
  static func end(after error: any Error) -> Never {
    guard let failure = Failure(error) else { Program.exit(withError: error) }
    StandardError.note(failure.message)
    exit(failure.exitCode.rawValue)
  }

  /// The sentence for an error of any module; `nil` for what the argument parser says itself.
  init?(_ error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as ExportError: self.init(error)
    case let error as StoreError: self.init(error)
    case let error as QueryError: self.init(error)
    case let error as CatalogueError: self.init(error)
    case let error as TrendError: self.init(error)
    default: return nil
    }
  }
}

// MARK: - The program's own

extension Failure {
  static let interrupted = Failure(
    "Stopped as you asked. The store is as it was before.", .interrupted)

  static func outputFailed(_ number: Int32) -> Failure {
    Failure("Cannot write the results: \(systemText(number)).", .inputOutput)
  }

  static func cutExport(path: String, at offset: Int) -> Failure {
    Failure(
      "\(path) ends too early, at byte \(NumberText.grouped(offset)): what is complete before it "
        + "was read, the rest is missing. Export again if you can.", .badData)
  }

  static func noStore(path: String) -> Failure {
    Failure(
      "There is no store at \(path). Make one with: hkstats import export.zip. Or query an "
        + "export directly with --export.", .noInput)
  }

  fileprivate static func systemText(_ number: Int32) -> String { String(cString: strerror(number)) }
}
