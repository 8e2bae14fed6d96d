import ArgumentParser
import Foundation
import HealthExchange
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStore
import Synchronization

extension CompletionKind {
  /// Types: those of the store, else those of the catalogue.
  static let types = custom { words, _, _ in Completions(words).types }

  /// Types, and kinds of elements.
  static let selections = custom { words, _, _ in
    Completions(words).types + ElementKind.allCases.map(\.word)
  }

  /// Names of the sources of the store.
  static let sources = custom { words, _, _ in Completions(words).sources }

  /// A type first, then names of sources.
  static let typeAndSources = custom { words, place, _ in
    let completions = Completions(words)
    let isFirst =
      !words.contains("--all") && completions.type(among: words.prefix(max(0, place))) == nil
    return isFirst ? completions.types : completions.sources
  }

  /// Units: those of the type that stands before, else all everyday ones.
  static let units = custom { words, _, _ in Completions(words).units }

  /// Time zones.
  static let zones = custom { _, _, _ in TimeZone.knownTimeZoneIdentifiers.sorted() }

  /// Time zones, and what stands for those of the samples.
  static let askedZones = custom { _, _, _ in
    ["recorded"] + TimeZone.knownTimeZoneIdentifiers.sorted()
  }

  /// Statistics with commas between.
  static let statistics = custom { _, _, prefix in
    let before = prefix.lastIndex(of: ",").map { String(prefix[...$0]) } ?? ""
    return Completions.statistics.map { before + $0 }
  }

  static let intervals = list(CalendarInterval.Alignment.allCases.map(\.rawValue))

  static let policies = list(MergePolicy.allCases.map(\.rawValue))

  /// Workouts by their activity.
  static let activities = list(
    Catalogue.workoutActivities.map { ActivityName.short($0.constant) })

  static let characteristics = list(Characteristic.all.map(\.name))
}

/// What a shell offers for the word at the cursor.
///
/// It throws nothing, prints nothing else, asks for no passphrase, changes no file and waits for no
/// lock: what cannot be read at once is left out.
struct Completions {
  /// The words of the command line, as the shell has them.
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  static let statistics = [
    "sum", "mean", "min", "max", "count", "median", "p90", "timeMedian", "timeP90",
    "stddev", "duration", "coverage", "recent", "first",
  ]

  var types: [String] {
    let stored = asking { try $0.types().map(\.type) } ?? []
    return Self.sorted(
      (stored.isEmpty ? Catalogue.types : stored).map {
        TypeName.short($0.identifier)
      })
  }

  var sources: [String] {
    Self.sorted((asking { try $0.allSources() } ?? []).map(\.description))
  }

  var units: [String] {
    let types = type(among: words[...]).map { [$0] } ?? Catalogue.types
    return Self.sorted(types.flatMap(\.everydayUnits))
  }

  /// The first of some words that names a type.
  func type(among words: ArraySlice<String>) -> SampleType? {
    words.lazy.filter { !$0.hasPrefix("-") }
      .compactMap { try? Catalogue.type(named: Self.unquoted($0)) }.first
  }

  /// Names once each, without those that would not be one line.
  private static func sorted(_ names: [String]) -> [String] {
    let isBash = CompletionShell.requesting == .bash
    return Set(names.filter { !$0.isEmpty && $0 == $0.printable }).sorted()
      .map { isBash ? escaped($0) : $0 }
  }

  /// A name that bash, which expands what it is offered, takes as it is.
  ///
  /// Anyone can write names into an export, also of commands.
  static func escaped(_ name: String) -> String {
    name.reduce(into: "") { text, letter in
      let isMark = letter.isASCII && !letter.isLetter && !letter.isNumber && letter != " "
      text += (isMark ? "\\" : "") + String(letter)
    }
  }

  /// What the store of the command line answers at once; `nil` where it does not.
  private func asking<Answer: Sendable>(
    _ question: @escaping @Sendable (SampleStore) throws -> Answer
  ) -> Answer? {
    guard !words.contains(where: { $0 == "--export" || $0.hasPrefix("--export=") }) else {
      return nil
    }
    let path = path
    let answer = SharedAnswer<Answer>()
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // Without a key: a locked store stays unread.
      if let store = try? SampleStore(path: path, mode: .readOnly) {
        let found = try? question(store)
        answer.value.withLock { $0 = found }
      }
      isDone.signal()
    }
    guard isDone.wait(timeout: .now() + Self.patience) == .success else { return nil }
    return answer.value.withLock { $0 }
  }

  /// A person who presses a key does not wait longer, in seconds.
  private static let patience = 0.5

  private final class SharedAnswer<Answer: Sendable>: Sendable {
    let value = Mutex<Answer?>(nil)
  }

  /// The store that the command line names, else that of the environment.
  private var path: String {
    let option = "--store"
    let joined = words.last { $0.hasPrefix(option + "=") }?.dropFirst(option.count + 1)
    let separate = words.firstIndex(of: option).flatMap { place in
      words.indices.contains(place + 1) ? words[place + 1] : nil
    }
    guard let stated = joined.map(String.init) ?? separate, !stated.isEmpty else {
      return SampleStore.standardPath(ProcessInfo.processInfo.environment)
    }
    return (Self.unquoted(stated) as NSString).expandingTildeInPath
  }

  /// A word of a shell without quotes and backslashes.
  private static func unquoted(_ word: String) -> String {
    word.filter { !"\"'\\".contains($0) }
  }
}
