// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of hkstats.h.

public import CHKStats
import Foundation
import HealthAnswers
import HealthStore

// The functions of hkstats.h that ask a store; see there.

/// Asks one snapshot of a store, and gives the caller a table.
///
/// A table that is read after the call has a snapshot of its own, and must not report to the
/// progress function, which may be gone.
private func ask(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: Progress,
  _ table: UnsafeMutablePointer<OpaquePointer?>?, _ error: ErrorPlace, readsLater: Bool = false,
  _ answer: (SampleStore, String) throws -> Table
) -> Int32 {
  Calls.run(error) {
    let place = try place(table, "table")
    var store = try Handle.stores[store]
    let question = try json(question, "question")
    if progress.isWanted {
      progress.report("reading", 0)
      if !readsLater {
        store = store.watching(
          isCancelled: { progress.isCancelled }, progress: { progress.report("reading", $0) })
      }
    }
    if progress.isCancelled { throw CallError.interrupted }
    let found =
      readsLater
      ? try answer(store, question) : try store.snapshot { try answer(store, question) }
    place.pointee = Handle.tables.open(found)
  }
}

/// Statistics of intervals; see hkstats.h, as for all functions of this file.
@c @implementation public func hkstats_statistics(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error) { store, question in
    let question = try Question(json: Data(question.utf8))
    return try StatisticsTable.answer(question, in: store)
  }
}

/// The contribution of each source to intervals.
@c @implementation public func hkstats_explain(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error) { store, question in
    let question = try Question(json: Data(question.utf8))
    return try StatisticsTable.explanation(question, in: store)
  }
}

/// The samples themselves.
@c @implementation public func hkstats_samples(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error, readsLater: true) {
    store, question in
    try SampleRequest(json: question, in: store).table()
  }
}

/// The elements of a kind.
@c @implementation public func hkstats_elements(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error, readsLater: true) {
    store, question in
    try ElementRequest(json: question, in: store).table()
  }
}

/// The types of a store.
@c @implementation public func hkstats_types(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error) { store, question in
    try TypeTable.answer(json: question, in: store)
  }
}

/// The sources of a store, or of types.
@c @implementation public func hkstats_sources(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error) { store, question in
    try SourceTable.answer(json: question, in: store)
  }
}

/// Nights of sleep, or their means.
@c @implementation public func hkstats_sleep(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error) { store, question in
    try SleepTable.answer(json: question, in: store)
  }
}

/// Workouts with distance, energy and heart rate.
@c @implementation public func hkstats_workouts(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error) { store, question in
    try WorkoutTable.answer(json: question, in: store)
  }
}

/// The findings of an analysis.
@c @implementation public func hkstats_analysis(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error) { store, question in
    try AnalysisTable.answer(json: question, in: store)
  }
}
