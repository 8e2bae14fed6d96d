import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples

/// What people type before they know the commands, and the command that they mean.
///
/// A command that only reads is run, with a line that says which; any other is shown.
enum FirstWords {
  /// What words mean.
  enum Meaning: Equatable {
    /// The arguments of a command that only reads.
    case command([String])
    /// A sentence that leads to the command.
    case hint(String)
  }

  /// The meaning of the arguments of a process; `nil` where none is known.
  ///
  /// - Parameters:
  ///   - arguments: the arguments as typed
  ///   - least: of how many words a line of the table is at least: 2 where the first is a command
  /// - Returns: what they mean
  static func meaning(of arguments: [String], least: Int = 1) -> Meaning? {
    let words = arguments.prefix { !$0.hasPrefix("-") }
    let options = Array(arguments[words.endIndex...])
    for count in stride(from: min(words.count, longest), through: least, by: -1) {
      let phrase = folded(words.prefix(count).joined(separator: " "))
      guard let row = rows.first(where: { $0.words == phrase }) ?? type(words[0], if: count == 1)
      else { continue }
      if row.isHint { return .hint(row.sentence) }
      let rest = Array(words.dropFirst(count))
      guard let time = time(rest) else {
        return .hint(
          "\"\(rest.joined(separator: " ").printable.truncated(to: 80))\" after it is no time; "
            + "yesterday, \"last month\" and 2026-10 are. \(row.sentence)")
      }
      let isShaped = options.contains { shaping.contains(name($0)) }
      let defaults = rest.isEmpty && !isShaped ? row.defaults : []
      let ending = rest.isEmpty ? row.command : withoutPeriod(row.command)
      return .command(ending + time + options + defaults)
    }
    return nil
  }

  /// The arguments with the words after a command's types as options: the time, more types, or the
  /// kind of workouts.
  static func spelled(_ arguments: [String]) -> [String] {
    var arguments = arguments
    if arguments.first == "sleep", arguments.contains(where: { madeOfNights.contains(name($0)) }) {
      arguments.insert("stats", at: 0)
    }
    guard let command = arguments.first, let kind = Positionals(rawValue: command) else {
      return arguments
    }
    if command == "stats", let place = arguments.firstIndex(where: { name($0) == "--by" }),
      let group = value(at: place, in: arguments).flatMap(IntervalGroup.init(rawValue:)),
      group == .weekday || group == .weekend
    {
      // No interval has this name, and groups of it have.
      arguments[place] = "--group" + arguments[place].dropFirst("--by".count)
    }
    let words = arguments.dropFirst().prefix { !$0.hasPrefix("-") }
    let options = arguments[words.endIndex...]
    let least = kind == .types || kind == .type ? 1 : 0
    guard words.count > least else { return arguments }
    for count in least..<words.count {
      let (names, rest) = (words.prefix(count), Array(words.dropFirst(count)))
      guard let time = time(rest) else { continue }
      return [command] + kind.arguments(Array(names)) + time + options
    }
    return [command] + kind.arguments(Array(words)) + options
  }

  /// The name of an option, without a value after `=`.
  private static func name(_ option: String) -> String { String(option.prefix { $0 != "=" }) }

  /// The value of the option at a place, after `=` or as the next argument; `nil` for none.
  private static func value(at place: Int, in arguments: [String]) -> String? {
    let name = name(arguments[place])
    guard name == arguments[place] else {
      return String(arguments[place].dropFirst(name.count + 1))
    }
    return arguments.dropFirst(place + 1).first
  }

  /// The options that say which period or intervals are meant, so that none is added.
  private static let shaping: Set<String> = madeOfNights.union([
    "--anchor", "--by", "--during", "--from", "--limit", "--to",
  ])

  /// What `stats` makes of nights, and `sleep`, which lists them, does not.
  private static let madeOfNights: Set<String> = [
    "--above", "--below", "--compare", "--gaps", "--group", "--rolling", "--spread", "--streaks",
    "--top",
  ]

  /// A sentence that leads from what a command refused to what is meant; `nil` where none is known.
  ///
  /// A line of the table is about its option: a refusal of a date, or of another option, has none. A
  /// line without a value is about an option that does not exist or does not fit, not about a value
  /// of it.
  ///
  /// - Parameters:
  ///   - arguments: the arguments as typed
  ///   - refusal: the first line of the refusal
  /// - Returns: the sentence
  static func hint(after arguments: [String], refused refusal: String) -> String? {
    guard let command = arguments.first else { return nil }
    let options = arguments.indices.filter { arguments[$0].hasPrefix("--") }
    let words = arguments.dropFirst().prefix { !$0.hasPrefix("-") }
    for place in options {
      let value = value(at: place, in: arguments) ?? ""
      let option = name(arguments[place])
      // What is missing beside an option that does not exist is said first.
      guard refusal.contains("Missing expected argument") || names(refusal, option) else {
        continue
      }
      let isOfValue = refusal.contains("is invalid for '\(option)")
      for phrase in [
        "\(command) \(words.first ?? "") \(option)", "\(command) \(option) \(value)",
        "\(command) \(option) \(value.prefix { $0.isLetter })",
        isOfValue ? "" : "\(command) \(option)",
      ] {
        let phrase = folded(phrase)
        if let row = rows.first(where: { $0.words == phrase }), !row.says(option, of: arguments) {
          return row.sentence
        }
      }
    }
    return nil
  }

  /// Whether a text names an option.
  private static func names(_ text: String, _ option: String) -> Bool {
    text.ranges(of: option).contains { range in
      text[range.upperBound...].first.map { !($0.isLetter || $0.isNumber || $0 == "-") } ?? true
    }
  }

  /// A sentence that leads from a name that is no type to the command that is meant.
  ///
  /// Who saves or deletes gets the same with the type, and no question.
  ///
  /// - Parameters:
  ///   - name: the name
  ///   - arguments: the arguments in which it stands
  /// - Returns: the sentence; `nil` where none is known
  static func hint(forType name: String, in arguments: [String]) -> String? {
    let words = folded(name)
    guard let row = rows.first(where: { $0.words == words }) else { return nil }
    guard let command = arguments.first, ["add", "delete"].contains(command) else {
      return row.sentence
    }
    guard let type = row.type else { return nil }
    guard let place = arguments.firstIndex(of: name) else { return "Did you mean: \(type)?" }
    var meant = arguments
    meant[place] = type
    let text = meant.map { $0.contains(where: \.isWhitespace) ? "\"\($0)\"" : $0 }
    return "Did you mean: hkstats \(text.joined(separator: " ").printable.truncated(to: 200))?"
  }

  /// A sentence that leads from a file in the place of a command to the first commands for it.
  ///
  /// A command that writes a file or changes the store is shown, not run.
  ///
  /// - Parameter word: the word
  /// - Returns: the sentence; `nil` for what is no name of a file
  static func hint(forFile word: String) -> String? {
    guard word.contains("/") || hasSuffixOfFile(word) else { return nil }
    // Cut, or without its control characters, it would be another.
    let isTyped = !word.hasControls && word.shellWord.count <= 200
    let name = isTyped ? word.shellWord : "FILE"
    return "What to do with a file stands before its name: hkstats report \(name) makes a page to "
      + "look at, and hkstats import \(name) puts it into your store, which hkstats stats steps "
      + "--by day --from -14d then asks."
  }

  /// Whether a word ends as files do that hold exports.
  private static func hasSuffixOfFile(_ word: String) -> Bool {
    ["zip", "xml", "gz", "json", "csv", "db"].contains(
      (word as NSString).pathExtension.lowercased())
  }

  // MARK: - The table

  /// The commands with whose names lines of several words begin: for any other command the table is
  /// not read, which takes as long as a small question.
  static let commands: Set<String> = ["analyses", "course", "summary"]

  /// A line of the table.
  struct Row: Equatable {
    /// The words, folded.
    let words: String
    let isHint: Bool
    /// The arguments of the command, or the words of the hint.
    let command: [String]
    /// The options where the person names none.
    let defaults: [String]

    /// The name of the type of samples that the command asks; `nil` where it asks others.
    var type: String? {
      guard !isHint, let first = command.first else { return nil }
      switch first {
      case "pressure": return "bloodPressure"
      case "glucose": return "bloodGlucose"
      case "sleep": return "sleepAnalysis"
      case "stats":
        guard let name = command.dropFirst().first, let type = try? Catalogue.type(named: name)
        else { return nil }
        return TypeName.short(type.identifier)
      default: return nil
      }
    }

    /// Whether a command of the line is among arguments, with an option that was refused.
    func says(_ option: String, of arguments: [String]) -> Bool {
      command.joined(separator: " ").split(separator: "`", omittingEmptySubsequences: false)
        .enumerated().contains { place, part in
          let words = part.split(separator: " ").map(String.init)
          return !place.isMultiple(of: 2) && words.contains(option)
            && words.dropFirst().allSatisfy(arguments.contains)
        }
    }

    /// A sentence that leads to the command.
    var sentence: String {
      let text = (command + defaults).joined(separator: " ")
      return isHint ? text.replacing("`", with: "") : "Did you mean: hkstats \(text)?"
    }
  }

  /// The lines of the table, read when something is not understood.
  static let rows: [Row] = table.split(separator: "\n").compactMap { line in
    let fields = line.split(separator: "|", maxSplits: 1).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard fields.count == 2, !fields[0].hasPrefix("#") else { return nil }
    let isHint = fields[1].hasPrefix("? ")
    let parts = fields[1].dropFirst(isHint ? 2 : 0).components(separatedBy: " || ")
    func arguments(_ text: String) -> [String] {
      text.split(separator: " ").map(String.init)
    }
    return Row(
      words: folded(fields[0]), isHint: isHint, command: arguments(parts[0]),
      defaults: parts.count > 1 ? arguments(parts[1]) : [])
  }

  /// The most words of a line.
  private static let longest = 4

  /// A text without case, accents and the forms that a keyboard chooses.
  static func folded(_ text: String) -> String {
    text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil
    ).replacing("’", with: "'")
  }

  /// A name of a type as if it stood in the table.
  private static func type(_ name: String, if isAsked: Bool) -> Row? {
    let first = name.prefix { $0 != "," }
    guard isAsked, !hasSuffixOfFile(name), let question = try? TypeQuestion(String(first)) else {
      return nil
    }
    let isOfElements = ElementQuestion(named: question.name) != nil
    guard question.isOfNights || isOfElements || (try? Catalogue.type(named: question.name)) != nil
    else { return nil }
    return Row(
      words: folded(name), isHint: false, command: ["stats", name],
      defaults: isOfElements ? [] : ["--by", "day", "--from", "-30d"])
  }

  // MARK: - Time

  /// The options of a time in words; empty for no words, `nil` for words that are no time.
  private static func time(_ words: [String]) -> [String]? {
    guard !words.isEmpty else { return [] }
    let text = folded(words.joined(separator: " "))
    if let named = times[text] { return named }
    if let start = lastUnits(text) { return ["--from", start] }
    guard let (from, to) = CivilDate.span(text) else { return nil }
    return ["--from", from, "--to", to]
  }

  /// `-7d` of `last 7 days`; `nil` for other words.
  private static func lastUnits(_ text: String) -> String? {
    let words = text.split(separator: " ")
    guard words.count == 3, words[0] == "last" || words[0] == "past",
      let count = Int(words[1]), (1...9999).contains(count),
      let unit = ["day": "d", "week": "w", "month": "mo", "year": "y"].first(where: { name, _ in
        words[2] == name || words[2] == name + "s"
      })
    else { return nil }
    return "-\(count)\(unit.value)"
  }

  private static let times: [String: [String]] = {
    let today = ["--from", "today"]
    let yesterday = ["--from", "yesterday", "--to", "today"]
    var times: [String: [String]] = [:]
    for word in ["today", "heute", "aujourd'hui", "hoy", "今日"] { times[folded(word)] = today }
    for word in ["yesterday", "gestern", "hier", "ayer", "昨日"] { times[folded(word)] = yesterday }
    for unit in ["week", "month", "quarter", "year"] {
      times["this \(unit)"] = ["--from", "this \(unit)"]
      times["last \(unit)"] = ["--from", "last \(unit)", "--to", "this \(unit)"]
    }
    for (unit, current, before) in [
      (
        "week", ["diese Woche", "cette semaine", "esta semana", "今週"],
        ["letzte Woche", "la semaine dernière", "semaine dernière", "la semana pasada", "先週"]
      ),
      (
        "month", ["diesen Monat", "dieser Monat", "ce mois", "este mes", "今月"],
        [
          "letzten Monat", "letzter Monat", "le mois dernier", "mois dernier", "el mes pasado",
          "先月",
        ]
      ),
      (
        "year", ["dieses Jahr", "cette année", "este año", "今年"],
        ["letztes Jahr", "l'année dernière", "année dernière", "el año pasado", "去年"]
      ),
    ] {
      for word in current { times[folded(word)] = times["this \(unit)"] }
      for word in before { times[folded(word)] = times["last \(unit)"] }
    }
    return times
  }()

  /// A command without the period that its line of the table has.
  private static func withoutPeriod(_ command: [String]) -> [String] {
    var command = command
    for option in ["--from", "--to"] {
      guard let place = command.firstIndex(of: option) else { continue }
      command.removeSubrange(place...min(place + 1, command.count - 1))
    }
    return command
  }

  /// What the words after a command are.
  private enum Positionals {
    /// At least one type.
    case types
    /// Types, or all.
    case anyTypes
    /// One type.
    case type
    /// A kind of workout.
    case activity
    /// None.
    case none

    init?(rawValue command: String) {
      switch command {
      case "stats", "trend", "course": self = .types
      case "changes", "typical", "anomalies", "unusual", "correlate", "components":
        self = .anyTypes
      case "samples": self = .type
      case "workouts": self = .activity
      case "sleep", "summary", "glucose", "pressure", "hrv", "cycles", "training": self = .none
      default: return nil
      }
    }

    func arguments(_ words: [String]) -> [String] {
      switch self {
      case _ where words.isEmpty: []
      case .types, .anyTypes: [words.joined(separator: ",")]
      case .activity: words.count == 1 ? ["--activity"] + words : words
      case .type, .none: words
      }
    }
  }
}

extension CivilDate {
  /// The first day of a year, a month or a day as a text, and of the one after it.
  fileprivate static func span(_ text: String) -> (from: String, to: String)? {
    let fields = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = fields.compactMap { field in
      field.allSatisfy { $0.isASCII && $0.isNumber } ? Int(field) : nil
    }
    guard numbers.count == fields.count, (1...3).contains(fields.count), fields[0].count == 4,
      fields.dropFirst().allSatisfy({ $0.count == 2 }), (1..<9999).contains(numbers[0]),
      (1...12).contains(numbers.count > 1 ? numbers[1] : 1)
    else { return nil }
    let first = CivilDate(
      year: numbers[0], month: numbers.count > 1 ? numbers[1] : 1,
      day: numbers.count > 2 ? numbers[2] : 1)
    guard (1...CivilDate.length(ofMonth: first.month, year: first.year)).contains(first.day) else {
      return nil
    }
    let next =
      numbers.count > 2
      ? CivilDate(dayNumber: first.dayNumber + 1)
      : first.adding(months: numbers.count > 1 ? 1 : 12)
    return (LocalTime.text(of: first), LocalTime.text(of: next))
  }
}
