import HealthAnswers
import HealthMerge
import HealthQuery
import HealthStatistics

/// A question of the page as the command line asks it, so that a reader can ask again.
struct Ask: Hashable {
  /// The words of the command, without store and zones.
  private(set) var arguments: [String]

  /// Makes a question from the words of a command; `nil` leaves an option out.
  init(_ command: [String], _ options: KeyValuePairs<String, String?> = [:]) {
    arguments = command
    for case (let name, let value?) in options { arguments += ["--\(name)", value] }
  }

  /// Adds options at the end.
  mutating func add(_ options: KeyValuePairs<String, String?>) {
    for case (let name, let value?) in options { arguments += ["--\(name)", value] }
  }

  /// Adds an option without a value at the end.
  mutating func add(flag: String) { arguments.append("--\(flag)") }

  /// A question of `hkstats stats`.
  init(_ question: Question) {
    self.init(["stats", question.types.map(\.argument).joined(separator: ",")])
    if let interval = question.interval { arguments += ["--by", interval.text] }
    if let statistics = question.types.first?.statistics {
      arguments += ["--stat", statistics.map(\.rawValue).joined(separator: ",")]
    }
    if let average = question.average { arguments += ["--per", average.rawValue] }
    if let policy = question.types.first?.policy, policy != .healthKit {
      arguments += ["--merge", policy.rawValue]
    }
    if let from = question.from { arguments += ["--from", from] }
    if let to = question.to { arguments += ["--to", to] }
    if question.clips { arguments.append("--clip") }
    if question.explains { arguments.append("--explain") }
    switch question.derivation {
    case .top(let count, let least):
      arguments += ["--top", "\(count)"]
      if least { arguments.append("--least") }
    case .compared(let comparison): arguments += ["--compare", comparison.rawValue]
    case .gaps: arguments.append("--gaps")
    case .spread: arguments.append("--spread")
    case .bounded(let bounds):
      if let lower = bounds.lower { arguments += ["--above", lower] }
      if let upper = bounds.upper { arguments += ["--below", upper] }
    case .group(let group): arguments += ["--group", group.rawValue]
    case .rolling(let width): arguments += ["--rolling", "\(width)"]
    case nil: break
    }
  }

  /// The words as a shell reads them.
  var text: String { arguments.map(\.shellWord).joined(separator: " ") }
}

extension String {
  /// The text as one word of a shell, in quotes where it needs them.
  package var shellWord: String {
    let isPlain = allSatisfy { character in
      character.isASCII
        && (character.isLetter || character.isNumber || "-_.,:/%=".contains(character))
    }
    return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}

extension TypeQuestion {
  /// The type as an argument: `bodyMass:lb`, `sleep.deep`.
  var argument: String { unit.map { "\(label):\($0)" } ?? label }
}
