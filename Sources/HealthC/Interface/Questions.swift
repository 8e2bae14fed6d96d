// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of hkstats.h.

public import CHKStats
import Foundation
import HealthQuery
import HealthStore

// The functions of hkstats.h that ask a store; see there.

/// Asks a store, and gives the caller a table.
///
/// A table that is read after the call must not report to its progress function, which may be gone.
private func ask(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: Progress,
  _ table: UnsafeMutablePointer<OpaquePointer?>?, _ error: ErrorPlace, readsLater: Bool = false,
  _ answer: (SampleStore, String?) throws -> Table
) -> Int32 {
  Calls.run(error) {
    let place = try place(table, "table")
    var store = try Handle.stores[store]
    let question = try optionalText(question, "question")
    if progress.isWanted {
      progress.report("reading", 0)
      if !readsLater {
        store = store.watching(
          isCancelled: { progress.isCancelled }, progress: { progress.report("reading", $0) })
      }
    }
    if progress.isCancelled { throw CallError.interrupted }
    place.pointee = Handle.tables.open(try answer(store, question))
  }
}

@c @implementation public func hkstats_statistics(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error) { store, question in
    let question = try Question(json: Data((question ?? "{}").utf8))
    return try store.snapshot { try StatisticsTable.answer(question, in: store) }
  }
}

@c @implementation public func hkstats_explain(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error) { store, question in
    let question = try Question(json: Data((question ?? "{}").utf8))
    return try store.snapshot { try StatisticsTable.explanation(question, in: store) }
  }
}

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

/// Gives the types of a store with their counts, units and dates.
@c @implementation public func hkstats_types(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error) { store, question in
    try store.snapshot { try TypeTable.answer(json: question, in: store) }
  }
}

/// Gives the sources of types, of one type the highest rank first.
@c @implementation public func hkstats_sources(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error) { store, question in
    try store.snapshot { try SourceTable.answer(json: question, in: store) }
  }
}

/// Gives nights of sleep, or the means of weeks or months.
@c @implementation public func hkstats_sleep(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error) { store, question in
    try store.snapshot { try SleepTable.answer(json: question, in: store) }
  }
}

/// Gives workouts with their distance, energy and heart rates.
@c @implementation public func hkstats_workouts(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error) { store, question in
    try store.snapshot { try WorkoutTable.answer(json: question, in: store) }
  }
}

/// Gives what an analysis finds: a line, changes, what was unusual, what goes with what.
@c @implementation public func hkstats_analysis(
  _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  ask(store, question, Progress(progress, context), table, error) { store, question in
    try store.snapshot { try AnalysisTable.answer(json: question, in: store) }
  }
}
