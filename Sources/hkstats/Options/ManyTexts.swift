import ArgumentParser
import Foundation

/// A text of an option that may be given thousands of times.
///
/// The parser takes time that is quadratic in the number of options, so ``Program`` hands it all of
/// one name in one argument. No argument of a process has the character between them.
struct ManyTexts: ExpressibleByArgument {
  let texts: [String]

  fileprivate static let separator = "\0"

  init(argument: String) {
    texts = argument.utf8.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }
}

extension [ManyTexts] {
  /// More than a store has samples to name.
  private static var largestInput: Int { 1 << 28 }

  /// The texts in their order; for `-` the lines of standard input, without empty ones.
  ///
  /// An empty input is refused: what narrows nothing may mean everything.
  func texts() throws(Failure) -> [String] {
    var texts: [String] = []
    for text in flatMap(\.texts) {
      guard text == "-" else {
        texts.append(text)
        continue
      }
      let count = texts.count
      let input = try BoundedInput.bytes(
        of: .standardInput, named: "standard input", limit: Self.largestInput,
        kind: "list of texts")
      for line in String(decoding: input, as: UTF8.self).split(whereSeparator: \.isNewline) {
        let line = line.trimmingCharacters(in: .whitespaces)
        if !line.isEmpty { texts.append(line) }
      }
      guard texts.count > count else {
        throw Failure("Standard input is empty, where - asks for lines.", .usage)
      }
    }
    return texts
  }
}

/// A command with options of ``ManyTexts``.
protocol ManyTextsCommand: ParsableCommand {
  /// The names of the options, with their hyphens.
  static var optionsOfManyTexts: [String] { get }
}

extension ManyTextsCommand {
  /// The arguments with all texts of each option in one, where the first stood.
  static func joining(_ arguments: [String]) -> [String] {
    var parts: [[String]] = []
    var texts: [String: (place: Int, texts: [String])] = [:]
    let options = optionsOfManyTexts.map { (name: $0, start: $0 + "=") }
    var index = 0
    while index < arguments.count, arguments[index] != "--" {
      let argument = arguments[index]
      index += 1
      let named = options.first { argument == $0.name || argument.hasPrefix($0.start) }
      guard let option = named?.name else {
        parts.append([argument])
        continue
      }
      // As the parser sees it, nothing after the sign of equality is no text.
      var text = argument.dropFirst(option.count + 1)
      if text.isEmpty {
        guard index < arguments.count, arguments[index] == "-" || !arguments[index].hasPrefix("-")
        else {
          // The parser says what is missing.
          return arguments
        }
        text = arguments[index][...]
        index += 1
      }
      if texts[option] == nil {
        texts[option] = (parts.count, [])
        parts.append([])
      }
      texts[option]?.texts.append(String(text))
    }
    for (option, (place, texts)) in texts {
      let joined = texts.joined(separator: ManyTexts.separator)
      parts[place] =
        joined.hasPrefix("-") && joined != "-" ? ["\(option)=\(joined)"] : [option, joined]
    }
    return parts.flatMap(\.self) + arguments[index...]
  }
}
