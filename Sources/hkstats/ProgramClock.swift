import Foundation
import HealthExchange
import HealthQuery
import HealthStore

/// What now is for the program: `$HKSTATS_NOW`, else the clock of the system.
enum ProgramClock {
  static let variable = "HKSTATS_NOW"
  static let example = "\(variable)=2026-11-28T03:06:00+01:00"

  /// Read once, so that a command has one clock from its beginning to its end.
  private static let stated = getenv(variable).map { String(cString: $0) }.flatMap { text in
    text.isEmpty ? nil : text
  }

  static let now = stated.flatMap { Now($0) } ?? .system

  /// Refuses a text that is no moment.
  static func check() throws(Failure) {
    guard let stated else { return }
    do throws(QueryError) {
      _ = try Now(stated: stated)
    } catch {
      throw Failure("$\(variable): \(Failure(error).message)", .usage)
    }
  }
}
