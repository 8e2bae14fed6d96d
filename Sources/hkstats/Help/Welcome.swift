import Foundation
import HealthExchange
import HealthStore

/// What `hkstats` says without a command to a person at a terminal: how to begin.
enum Welcome {
  /// A command, and what it gives.
  private typealias First = (command: String, gives: String)

  /// Prints the text.
  static func show() {
    let path = SampleStore.standardPath(ProcessInfo.processInfo.environment)
    let text = lines(
      store: access(path, F_OK) == 0 ? path : nil, width: Terminal.columns(STDOUT_FILENO))
    print(text.joined(separator: "\n"))
  }

  /// The lines of the text.
  ///
  /// - Parameters:
  ///   - store: the path of the store; `nil` where there is none yet
  ///   - width: the columns of the terminal
  /// - Returns: what it is, the first three commands, and where the others are
  static func lines(store: String?, width: Int) -> [String] {
    let paragraphs: [[String]] =
      if let store {
        [fitted("\(what) Your store is \(store.printable). Ask it:", width)]
          + [Self.days, Self.types, Self.ownPage].map { lines(of: $0, width) }
          + [fitted("\(phone) A newer export adds what is new:", width)]
          + [lines(of: again, width)]
      } else {
        [fitted(what, width)]
          + [fitted("\(phone) Copy export.zip to this machine, and begin:", width)]
          + [Self.page, Self.bringing, Self.days].map { lines(of: $0, width) }
      }
    return (paragraphs + [fitted("hkstats --help lists everything.", width)])
      .flatMap { $0 + [""] }.dropLast()
  }

  private static let what =
    "hkstats answers questions about the data of Apple's Health app, on this machine: nothing is "
    + "ever sent anywhere."
  private static let phone =
    "The data come from the phone: Health app, your picture, Export All Health Data."

  private static let page: First = (
    "hkstats report export.zip",
    "One page with charts, which any browser opens. Nothing else is kept."
  )
  private static let bringing: First = (
    "hkstats import export.zip",
    "Puts the data into a file of yours, the store, which commands then ask."
  )
  private static let days: First = (
    "hkstats stats steps --by day --from -14d",
    "Your steps of the last 14 days, those of phone and watch counted once."
  )
  private static let types: First = (
    "hkstats types", "What is there: each type, how many samples, and of which time."
  )
  private static let ownPage: First = (
    "hkstats report", "One page with charts, report.html in this folder, which any browser opens."
  )
  private static let again: First = (
    "hkstats import export.zip", "What the store has already is known, and nothing is deleted."
  )

  private static func lines(of first: First, _ width: Int) -> [String] {
    ["  " + first.command] + fitted(first.gives, width - 6).map { "      " + $0 }
  }

  private static func fitted(_ text: String, _ width: Int) -> [String] {
    TextStyle(isColored: false, width: width).fitted(text)
  }
}
