// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of hkstats.h.

public import CHKStats
import Foundation
import HealthAnswers
import HealthExchange
import HealthStore

/// The tables that a store can be asked for.
enum AskedTable: String, CaseIterable {
  case statistics, explain, samples, elements, types, sources, sleep, workouts, rings, analysis

  init(_ name: String) throws {
    guard let table = Self(rawValue: name) else {
      throw CallError.unknownTable(name, known: Self.allCases.map(\.rawValue))
    }
    self = table
  }

  /// What the library says of the members of its questions.
  var members: [JSON] {
    func question(_ members: [Question.Member] = Question.Member.allCases) -> [JSON] {
      members.map { $0.facts.json(named: $0.rawValue) }
    }
    return switch self {
    case .statistics: question() + StatisticsTable.Own.description
    case .explain: question()
    case .samples: SampleRequest.Member.description
    case .elements: ElementRequest.Member.description
    case .types: TypeTable.Member.description
    case .sources: SourceTable.Member.description
    case .sleep: SleepTable.Member.description
    case .workouts: WorkoutTable.Member.description
    case .rings: RingTable.Member.description
    case .analysis: question(Question.Member.ofAnalyses) + AnalysisTable.Own.description
    }
  }

  /// How a store is asked, with the JSON of the question.
  enum Way {
    /// For an answer in memory.
    case found((String, SampleStore) throws -> FoundTable)
    /// For rows that are read after the call.
    ///
    /// Such a table has a snapshot of its own, and must not report to the progress function, which
    /// may be gone.
    case later((String, SampleStore) throws -> Table)
  }

  var way: Way {
    switch self {
    case .statistics: .found(StatisticsTable.answer)
    case .explain:
      .found { try StatisticsTable.explanation(Question(json: Data($0.utf8)), in: $1) }
    case .samples: .later { try SampleRequest(json: $0, in: $1).table() }
    case .elements: .later { try ElementRequest(json: $0, in: $1).table() }
    case .types: .found(TypeTable.answer)
    case .sources: .found(SourceTable.answer)
    case .sleep: .found(SleepTable.answer)
    case .workouts: .found(WorkoutTable.answer)
    case .rings: .found(RingTable.answer)
    case .analysis: .found(AnalysisTable.answer)
    }
  }
}

/// Asks one snapshot of a store for a table; see hkstats.h.
@c @implementation public func hkstats_ask(
  _ store: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ question: UnsafePointer<CChar>?,
  _ function: hkstats_progress?, _ context: UnsafeMutableRawPointer?,
  _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) {
    let place = try place(table, "out")
    var store = try Handle.stores[store]
    let asked = try AskedTable(text(name, "table"))
    let question = try json(question, "question")
    let progress = Progress(function, context)
    if progress.isWanted { progress.report("reading", 0) }
    let found: Table
    switch asked.way {
    case .later(let ask):
      if progress.isCancelled { throw CallError.interrupted }
      found = try ask(question, store)
    case .found(let ask):
      if progress.isWanted {
        store = store.watching(
          isCancelled: { progress.isCancelled }, progress: { progress.report("reading", $0) })
      }
      if progress.isCancelled { throw CallError.interrupted }
      found = Table(try store.snapshot { try ask(question, store) })
    }
    place.pointee = Handle.tables.open(found)
  }
}
