import Foundation

/// Asks the owner on a terminal for permission, as the sheet of a phone does.
///
/// ```swift
/// HealthHost.current.answer = { await TerminalSheet().answer($0) }
/// ```
///
/// It shows the app, why it asks, and the types by readable names, those to save apart from those to
/// read. The owner answers each list with `y` for all, `n` for none, or `each` to decide type by
/// type. The answers may come through a pipe. If they end before the last question, nothing is kept
/// and the request fails.
///
/// A program whose environment has `HKSTATS_REQUESTS=ask` asks so on its standard input and standard
/// error.
public struct TerminalSheet: Sendable {
  private let input: Int32
  private let output: Int32
  /// One sheet at a time.
  private static let queue = DispatchQueue(label: "HealthKit sheet")
  /// The longest line of an answer, in bytes.
  private static let mostBytes = 4096

  /// Makes a sheet on file descriptors.
  ///
  /// - Parameters:
  ///   - input: where the answers come from; the standard input when not given
  ///   - output: where the questions go; the standard error when not given
  public init(input: Int32 = STDIN_FILENO, output: Int32 = STDERR_FILENO) {
    self.input = input
    self.output = output
  }

  /// Asks the owner.
  ///
  /// - Parameter request: what the app asks for
  /// - Returns: what the owner allows; `nil` if the input ends before the last answer
  public func answer(_ request: AuthorisationRequest) async -> AuthorisationAnswer? {
    await withCheckedContinuation { continuation in
      Self.queue.async { continuation.resume(returning: ask(request)) }
    }
  }

  private func ask(_ request: AuthorisationRequest) -> AuthorisationAnswer? {
    write(
      "\n\(request.name.withoutControls) (\(request.app.withoutControls)) asks for health data.\n")
    guard let share = chosen(of: request.share, to: "save", because: request.shareUsage),
      let read = chosen(of: request.read, to: "read", because: request.readUsage)
    else {
      write("\nNo answer: nothing was changed.\n")
      return nil
    }
    return AuthorisationAnswer(share: share, read: read)
  }

  /// Asks the owner which objects an app may read.
  ///
  /// - Parameter request: what the app asks for
  /// - Returns: the UUIDs of the chosen objects; `nil` if the input ends before the last answer
  public func choose(_ request: ObjectRequest) async -> Set<UUID>? {
    await withCheckedContinuation { continuation in
      Self.queue.async { continuation.resume(returning: ask(request)) }
    }
  }

  private func ask(_ request: ObjectRequest) -> Set<UUID>? {
    let type = ReadableName.of(request.type.identifier)
    write(
      "\n\(request.name.withoutControls) (\(request.app.withoutControls)) asks to read single "
        + "objects: \(type).\n")
    if let usage = request.readUsage { write("Its reason: \(usage.withoutControls)\n") }
    var shown: Set<UUID> = []
    if !request.medications.isEmpty {
      let names = request.medications.map { $0.nickname ?? $0.medication.displayText }
      write(names.map { "  \($0.withoutControls)\n" }.joined())
      guard let answer = word("Show these, and their doses? [y/n] ", among: ["y", "n"]) else {
        write("\nNo answer: nothing was changed.\n")
        return nil
      }
      if answer == "y" { shown = request.all }
    }
    for (number, object) in request.objects.enumerated() {
      let day = object.startDate.formatted(.iso8601.year().month().day())
      let question = "  \(number + 1) of \(request.objects.count), of \(day): show it? [y/n] "
      guard let answer = word(question, among: ["y", "n"]) else {
        write("\nNo answer: nothing was changed.\n")
        return nil
      }
      if answer == "y" { shown.insert(object.uuid) }
    }
    return shown
  }

  /// Those of some types that the owner allows; `nil` without an answer.
  private func chosen<Type: HKObjectType>(
    of types: Set<Type>, to verb: String, because usage: String?
  ) -> Set<Type>? {
    guard !types.isEmpty else { return [] }
    let named = types.map { (type: $0, name: ReadableName.of($0.identifier)) }
      .sorted { ($0.name, $0.type.identifier) < ($1.name, $1.type.identifier) }
    write("\nIt wants to \(verb):\n" + named.map { "  \($0.name)\n" }.joined())
    if let usage { write("Its reason: \(usage.withoutControls)\n") }
    guard let all = word("Allow it to \(verb) these? [y/n/each] ", among: ["y", "n", "each"]) else {
      return nil
    }
    guard all == "each" else { return all == "y" ? types : [] }
    var allowed: Set<Type> = []
    for (type, name) in named {
      guard let answer = word("  \(verb) \(name)? [y/n] ", among: ["y", "n"]) else { return nil }
      if answer == "y" { allowed.insert(type) }
    }
    return allowed
  }

  /// Asks until the answer is one of some words or begins one; `nil` when the input ends.
  private func word(_ question: String, among words: [String]) -> String? {
    while true {
      write(question)
      guard let line = line() else { return nil }
      let answer = line.trimmingCharacters(in: .whitespaces).lowercased()
      let known = answer == "yes" ? "y" : answer == "no" ? "n" : answer
      if !known.isEmpty, let word = words.first(where: { $0.hasPrefix(known) }) { return word }
      write("Please answer \(words.joined(separator: ", ")).\n")
    }
  }

  /// The next line, byte by byte: other readers get what follows it.
  private func line() -> String? {
    var bytes: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      let count = read(input, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      if bytes.count < Self.mostBytes { bytes.append(byte) }
    }
  }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}

/// Names of types for people.
enum ReadableName {
  private static let prefixes = [
    "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKCharacteristicTypeIdentifier",
    "HKCorrelationTypeIdentifier", "HKClinicalTypeIdentifier", "HKDocumentTypeIdentifier",
    "HKScoredAssessmentTypeIdentifier", "HKDataTypeIdentifier", "HKDataType", "HK",
  ]

  /// Words of an identifier: `Step Count` for `HKQuantityTypeIdentifierStepCount`.
  static func of(_ identifier: String) -> String {
    var name = identifier[...]
    if let prefix = prefixes.first(where: name.hasPrefix), prefix.count < name.count {
      name = name.dropFirst(prefix.count)
    }
    if name.hasSuffix("TypeIdentifier") { name = name.dropLast("TypeIdentifier".count) }
    let letters = Array(name)
    var words = ""
    for (index, letter) in letters.enumerated() {
      // A word begins after a small letter, and with the last of several capitals before a small one.
      let isStart =
        index > 0 && letter.isUppercase
        && (!letters[index - 1].isUppercase
          || letters.indices.contains(index + 1) && letters[index + 1].isLowercase)
      words += (isStart ? " " : "") + String(letter)
    }
    return words.withoutControls
  }
}

extension String {
  /// The text without characters that control a terminal.
  fileprivate var withoutControls: String {
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: scalars.append("\u{FFFD}")
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }
}
