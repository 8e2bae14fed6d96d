import Foundation
import HealthExport
import HealthSamples
import HealthStore

/// Brings one export into a store: one thread reads, the calling thread stores.
///
/// The two meet in a queue of few batches, so they overlap and memory stays flat in the size of
/// the export. With one job the calling thread does both in turn.
struct ImportPipeline {
  /// What came of an import.
  struct Outcome {
    let path: String
    let format: ImportFormat
    let summary: ExportSummary
    let report: ImportReport
  }

  /// What the reading side hands over.
  fileprivate enum Message: Sendable {
    case opened(ImportFormat, byteCount: Int)
    case batch(ExportBatch, bytesRead: Int)
    case finished(ExportSummary, exported: Double?)
    case failed(ExportError)
  }

  /// What to read: a file, a folder or a pipe.
  let path: String
  /// How many threads may work at a time.
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  var isDryRun = false
  var isReplacing = false
  /// What the progress bar says.
  let title: String

  /// How often a wish to stop is looked for while nothing comes, in seconds.
  private static let patience = 0.1

  /// Reads to the end and stores all, or nothing when an error ends it or the user stops it.
  ///
  /// - Parameter store: opens the store, when the file has proved to be an export
  /// - Returns: what was read and what was stored
  /// - Throws: what the reader, the store or `store` throw, and ``Failure`` when the user stops it
  func run(into store: @escaping () throws -> SampleStore) throws -> Outcome {
    // A name that many programs have for the standard input.
    let path = path == "-" ? "/dev/stdin" : path
    let storing = StoringSide(pipeline: self, openStore: store)
    defer { storing.clearProgress() }
    guard jobs > 1 else {
      Self.read(path, isConcurrent: false) { storing.take($0) }
      return try storing.outcome()
    }
    let queue = BoundedQueue<Message>(capacity: 4)
    defer { queue.close() }
    Thread {
      Self.read(path, isConcurrent: true) { queue.put($0) }
    }.start()
    repeat {
      guard let message = queue.take(within: Self.patience) else { continue }
      if !storing.take(message) { break }
    } while !Interruption.isRequested
    return try storing.outcome()
  }

  /// Reads and hands over, as long as `take` wants more.
  private static func read(
    _ path: String, isConcurrent: Bool, into take: (Message) -> Bool
  ) {
    do throws(ExportError) {
      // A pipe cannot be asked for its format: what was read of it is gone.
      switch try ExportReader.isPipe(path) ? .appleHealth : ImportFormat(path: path) {
      case .appleHealth:
        var reader = try ExportReader(path: path, isConcurrent: isConcurrent)
        try deliver(&reader, into: take)
      case .healthAutoExport:
        var reader = try HealthAutoExportReader(path: path)
        try deliver(&reader, into: take)
      case .simpleHealthExport:
        var reader = try SimpleHealthExportReader(path: path)
        try deliver(&reader, into: take)
      case .healthConnect:
        var reader = try HealthConnectReader(path: path)
        try deliver(&reader, into: take)
      }
    } catch {
      _ = take(.failed(error))
    }
  }

  private static func deliver<Reader: BatchReader & ~Copyable>(
    _ reader: inout Reader, into take: (Message) -> Bool
  ) throws(ExportError) {
    guard take(.opened(reader.format, byteCount: reader.byteCount)) else { return }
    while let batch = try reader.next() {
      guard take(.batch(batch, bytesRead: reader.bytesRead)) else { return }
    }
    _ = take(.finished(reader.summary, exported: reader.exported))
  }
}

/// The side of an import that stores what the other one has read.
private final class StoringSide {
  private let pipeline: ImportPipeline
  private let openStore: () throws -> SampleStore
  private var session: ImportSession?
  private var format = ImportFormat.appleHealth
  private var byteCount = 0
  private var progress: ProgressBar
  private var result: Result<ImportPipeline.Outcome, any Error>?

  init(pipeline: ImportPipeline, openStore: @escaping () throws -> SampleStore) {
    self.pipeline = pipeline
    self.openStore = openStore
    progress = ProgressBar(title: pipeline.title)
  }

  func clearProgress() { progress.clear() }

  /// What came of it, when no more is taken.
  func outcome() throws -> ImportPipeline.Outcome {
    switch result {
    case .success(let outcome): return outcome
    // A read that was waiting fails when the user asks to stop.
    case .failure(let error) where !Interruption.isRequested: throw error
    case .failure, nil: throw Failure.interrupted(path: pipeline.path)
    }
  }

  /// Takes what was read; false when nothing more is wanted.
  func take(_ message: ImportPipeline.Message) -> Bool {
    do {
      if Interruption.isRequested { return false }
      switch message {
      case .opened(let format, let byteCount):
        self.format = format
        self.byteCount = byteCount
        // One thread reads meanwhile.
        session = try openStore().beginImport(from: format, threads: max(1, pipeline.jobs - 1))
      case .batch(let batch, let bytesRead):
        try session?.add(batch)
        progress.update(done: bytesRead, of: byteCount)
      case .finished(let summary, let exported):
        result = try session.map { .success(try finish($0, summary, exported: exported)) }
      case .failed(let error): throw error
      }
    } catch {
      result = .failure(error)
    }
    return result == nil
  }

  /// Makes all stay.
  ///
  /// What a file that was cut lacks was not deleted, so it replaces nothing.
  private func finish(
    _ session: ImportSession, _ summary: ExportSummary, exported: Double?
  ) throws -> ImportPipeline.Outcome {
    if pipeline.isReplacing, let offset = summary.cutAt {
      throw Failure.cutReplacement(path: pipeline.path, at: offset)
    }
    let report = try session.finish(
      dryRun: pipeline.isDryRun, replacing: pipeline.isReplacing, exported: exported,
      incomplete: summary.incompleteKinds)
    return ImportPipeline.Outcome(
      path: pipeline.path, format: format, summary: summary, report: report)
  }
}

extension ExportSummary {
  /// Kinds of which the export may not give everything: electrocardiograms, which stand in files
  /// alone, when there was none or one of them cannot be read.
  fileprivate var incompleteKinds: Set<ElementKind> {
    let isComplete =
      elements[.electrocardiogram] != nil
      && !unreadFiles.contains { $0.kind == .electrocardiogram }
    return isComplete ? [] : [.electrocardiogram]
  }
}
