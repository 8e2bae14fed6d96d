import ArgumentParser
import Foundation

/// A text of an option that may be given thousands of times.
///
/// The parser takes time that is quadratic in the number of options, so ``Program`` hands it all of
/// one name in one argument. No argument of a process has the character between them.
struct ManyTexts: ExpressibleByArgument {
  private let argument: String

  fileprivate static let separator = "\0"

  init(argument: String) { self.argument = argument }

  /// The texts, without a copy of them.
  var texts: [Substring] {
    var copy = argument
    let ends = copy.withUTF8 { units in
      var ends: [Int] = []
      var start = 0
      while let base = units.baseAddress, let end = memchr(base + start, 0, units.count - start) {
        start = UnsafeRawPointer(base).distance(to: end) + 1
        ends.append(start - 1)
      }
      return ends + [units.count]
    }
    var start = argument.startIndex
    return ends.map { end in
      let end = argument.utf8.index(argument.startIndex, offsetBy: end)
      defer { if end < argument.endIndex { start = argument.utf8.index(after: end) } }
      return argument[start..<end]
    }
  }
}

extension [ManyTexts] {
  /// More than a store has samples to name.
  private static var largestInput: Int { 1 << 28 }

  /// The texts in their order; for `-` the lines of standard input, without empty ones.
  ///
  /// An empty input is refused: what narrows nothing may mean everything.
  func texts() throws(Failure) -> [Substring] {
    var texts: [Substring] = []
    for text in lazy.flatMap(\.texts) {
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
        if !line.isEmpty { texts.append(line[...]) }
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
    var options = optionsOfManyTexts.map { (name: $0, start: $0 + "=", place: -1, joined: "") }
    let length = arguments.reduce(0) { $0 + $1.utf8.count + 1 }
    var index = 0
    while index < arguments.count, arguments[index] != "--" {
      let argument = arguments[index]
      index += 1
      let named = options.firstIndex { argument == $0.name || argument.hasPrefix($0.start) }
      guard let option = named else {
        parts.append([argument])
        continue
      }
      // As the parser sees it, nothing after the sign of equality is no text.
      var text = String(Substring(argument.utf8.dropFirst(options[option].start.utf8.count)))
      if text.isEmpty {
        guard index < arguments.count, arguments[index] == "-" || !arguments[index].hasPrefix("-")
        else {
          // The parser says what is missing.
          return arguments
        }
        text = arguments[index]
        index += 1
      }
      if options[option].place < 0 {
        options[option].place = parts.count
        options[option].joined.reserveCapacity(length)
        parts.append([])
      } else {
        options[option].joined += ManyTexts.separator
      }
      options[option].joined += text
    }
    for (name, start, place, text) in options where place >= 0 {
      parts[place] = text.hasPrefix("-") && text != "-" ? [start + text] : [name, text]
    }
    return parts.flatMap(\.self) + arguments[index...]
  }
}
