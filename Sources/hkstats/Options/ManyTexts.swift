import ArgumentParser
import Foundation
import HealthExchange

/// The texts of an option that may be given thousands of times.
///
/// The parser takes time that is quadratic in the number of options. So ``Program`` takes all of one
/// name out of the arguments, hands the parser a number for them, and the texts beside it.
struct ManyTexts: ExpressibleByArgument {
  /// In their order.
  let texts: [String]

  /// The texts that are handed beside arguments.
  @TaskLocal fileprivate static var handed: [[String]] = []

  /// No argument of a process begins with it.
  fileprivate static let mark = "\0"

  /// A text, or all that a number stands for.
  init(argument: String) {
    let number = argument.hasPrefix(Self.mark) ? Int(argument.dropFirst()) : nil
    texts =
      number.flatMap { Self.handed.indices.contains($0) ? Self.handed[$0] : nil } ?? [argument]
  }
}

extension [ManyTexts] {
  /// More than a store has samples to name.
  private static var largestInput: Int { 1 << 28 }

  /// The texts in their order; for `-` the lines of standard input, without empty ones.
  ///
  /// An empty input is refused: what narrows nothing may mean everything.
  func texts() throws(Failure) -> [String] {
    let all = count == 1 ? self[0].texts : flatMap(\.texts)
    guard all.contains("-") else { return all }
    var texts: [String] = []
    for text in all {
      guard text == "-" else {
        texts.append(text)
        continue
      }
      let count = texts.count
      let input = try BoundedInput.bytes(
        of: .standardInput, named: "standard input", limit: Self.largestInput,
        kind: "list of texts")
      texts += String(decoding: input, as: UTF8.self).filledLines
      guard texts.count > count else {
        throw Failure("Standard input is empty, where - asks for lines.", .usage)
      }
    }
    return texts
  }
}

extension [ManyTexts] {
  /// The texts of conditions; those that stand in the arguments have no number that is another one in
  /// the language shown.
  func typed() throws(Failure) -> [String] {
    for text in flatMap(\.texts) { try TypedNumber.check(condition: text) }
    return try texts()
  }
}

/// A command with options of ``ManyTexts``.
protocol ManyTextsCommand: ParsableCommand {
  /// The names of the options, with their hyphens.
  static var optionsOfManyTexts: [String] { get }
}

extension ManyTextsCommand {
  /// Runs a body with the arguments for the parser: a number stands for all texts of an option, where
  /// the first stood.
  static func gathering<Value>(
    _ arguments: [String], _ body: ([String]) throws -> Value
  ) rethrows -> Value {
    var gathered: [String] = []
    var options = optionsOfManyTexts.map { (name: $0, start: $0 + "=", texts: [String]()) }
    let hyphen = UInt8(ascii: "-")
    var index = 0
    while index < arguments.count, arguments[index] != "--" {
      let argument = arguments[index]
      index += 1
      let named =
        argument.utf8.first == hyphen
        ? options.firstIndex { argument == $0.name || argument.hasPrefix($0.start) } : nil
      guard let option = named else {
        gathered.append(argument)
        continue
      }
      var text = ""
      // As the parser sees it, nothing after the sign of equality is no text.
      if argument.utf8.count > options[option].start.utf8.count {
        text = String(Substring(argument.utf8.dropFirst(options[option].start.utf8.count)))
      } else {
        guard index < arguments.count,
          arguments[index].utf8.first != hyphen || arguments[index] == "-"
        else {
          // The parser says what is missing.
          return try body(arguments)
        }
        text = arguments[index]
        index += 1
      }
      if options[option].texts.isEmpty {
        options[option].texts.reserveCapacity((arguments.count - index) / 2 + 1)
        gathered += [options[option].name, ManyTexts.mark + "\(option)"]
      }
      options[option].texts.append(text)
    }
    return try ManyTexts.$handed.withValue(options.map(\.texts)) {
      try body(gathered + arguments[index...])
    }
  }
}
