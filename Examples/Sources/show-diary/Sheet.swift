import Foundation
import HealthKit

/// What a phone shows when an app asks for permission, as lines of a terminal.
struct Sheet: Sendable {
  /// Asks the owner about every type; without a terminal nobody is there to answer.
  static func ask(_ request: AuthorisationRequest) async -> AuthorisationAnswer? {
    guard isatty(STDIN_FILENO) == 1 else { return nil }
    print("\(request.name) would like to use your health data.")
    if let usage = request.shareUsage ?? request.readUsage { print("“\(usage)”") }
    var answer = request.denied
    for type in request.share.sorted(by: { $0.identifier < $1.identifier })
    where allows("save \(type.identifier)") {
      answer.share.insert(type)
    }
    for type in request.read.sorted(by: { $0.identifier < $1.identifier })
    where allows("read \(type.identifier)") {
      answer.read.insert(type)
    }
    return answer
  }

  private static func allows(_ action: String) -> Bool {
    print("Allow to \(action)? [y/N] ", terminator: "")
    fflush(nil)
    return ["y", "yes"].contains(readLine()?.lowercased())
  }
}
