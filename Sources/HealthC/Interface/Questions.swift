// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of hkstats.h.

public import CHKStats
import Foundation
import HealthAnswers
import HealthStore

/// The tables that a store can be asked for.
private enum AskedTable: String, CaseIterable {
  case statistics, explain, samples, elements, types, sources, sleep, workouts, analysis

  init(_ name: String) throws {
    guard let table = Self(rawValue: name) else {
      throw CallError.unknownTable(name, known: Self.allCases.map(\.rawValue))
    }
    self = table
  }

  /// Whether the rows are read after the call.
  ///
  /// Such a table has a snapshot of its own, and must not report to the progress function, which may
  /// be gone.
  var readsLater: Bool { self == .samples || self == .elements }

  func answer(_ question: String, in store: SampleStore) throws -> Table {
    switch self {
    case .statistics: try StatisticsTable.answer(json: question, in: store)
    case .explain:
      try StatisticsTable.explanation(Question(json: Data(question.utf8)), in: store)
    case .samples: try SampleRequest(json: question, in: store).table()
    case .elements: try ElementRequest(json: question, in: store).table()
    case .types: try TypeTable.answer(json: question, in: store)
    case .sources: try SourceTable.answer(json: question, in: store)
    case .sleep: try SleepTable.answer(json: question, in: store)
    case .workouts: try WorkoutTable.answer(json: question, in: store)
    case .analysis: try AnalysisTable.answer(json: question, in: store)
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
    if progress.isWanted {
      progress.report("reading", 0)
      if !asked.readsLater {
        store = store.watching(
          isCancelled: { progress.isCancelled }, progress: { progress.report("reading", $0) })
      }
    }
    if progress.isCancelled { throw CallError.interrupted }
    let found =
      asked.readsLater
      ? try asked.answer(question, in: store)
      : try store.snapshot { try asked.answer(question, in: store) }
    place.pointee = Handle.tables.open(found)
  }
}
