import ArgumentParser
import Foundation
import HealthExchange
import HealthReport

/// The language in which tables and charts speak.
enum ShownLanguage {
  /// The option that names it.
  static let option = "locale"

  /// The language that a text names.
  static func named(_ text: String) throws -> ReportLanguage {
    guard let language = ReportLanguage(named: text) else {
      throw ValidationError(
        "There is no language \(text.printable); there are en, de, fr, es and ja.")
    }
    return language
  }

  /// The language of a command line: that of `--locale`, else that of the environment; English for
  /// programs, which read csv and json.
  static func of(
    _ arguments: some Collection<String>,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> ReportLanguage {
    let format = value(of: "format", in: arguments)
    guard format.map({ ["table", "chart"].contains($0) }) ?? true else { return .english }
    return value(of: option, in: arguments).flatMap(ReportLanguage.init(named:))
      ?? ReportLanguage(environment: environment)
  }

  /// The last value of an option.
  private static func value(
    of option: String, in arguments: some Collection<String>
  ) -> String? {
    let option = "--" + option
    return zip(arguments, Array(arguments.dropFirst()) + [""]).compactMap { word, next in
      word == option
        ? next : word.hasPrefix(option + "=") ? String(word.dropFirst(option.count + 1)) : nil
    }.last
  }

  /// Does something whose tables and charts speak a language.
  static func speaking<Answer>(
    _ language: ReportLanguage, _ body: () throws -> Answer
  ) rethrows -> Answer {
    let vocabulary = Vocabulary(language)
    let separators = vocabulary.separators
    let speech = Speech(
      decimalMark: separators.decimal, groupMark: separators.group,
      leastGrouped: separators.leastGrouped, head: { vocabulary.word($0) })
    return try Vocabulary.$current.withValue(vocabulary) {
      try Speech.$current.withValue(speech, operation: body)
    }
  }
}
