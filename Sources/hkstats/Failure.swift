import ArgumentParser
import Foundation

struct Failure: Error {
  enum Reason { case outputFailed(Int32) }
  let reason: Reason
  init(_ reason: Reason) { self.reason = reason }
  static func end(after error: any Error) -> Never { Program.exit(withError: error) }
}
