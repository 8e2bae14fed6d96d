import Foundation
import HealthExport
import HealthSamples
package import HealthStore

/// Brings one export into a store: one thread reads, the calling thread stores.
///
/// The two meet in a queue of few batches, so they overlap and memory stays flat in the size of
/// the export. With one job the calling thread does both in turn.
package struct ImportPipeline {
  /// What the reading side hands over.
  fileprivate enum Message: Sendable {
    case opened(ImportFormat, byteCount: Int)
    case batch(ExportBatch, bytesRead: Int)
    case finished(ExportSummary, exported: Double?)
    case failed(ExportError)
  }

  /// What to read: a file, a folder or a pipe; `-` is the standard input.
  let path: String
  /// How many threads may work at a time.
  let jobs: Int
  let isDryRun: Bool
  let isReplacing: Bool

  package init(
    path: String, jobs: Int = ProcessInfo.processInfo.activeProcessorCount,
    isDryRun: Bool = false, isReplacing: Bool = false
  ) {
    self.path = path
    self.jobs = jobs
    self.isDryRun = isDryRun
    self.isReplacing = isReplacing
  }

  /// How often `isCancelled` is asked while nothing comes, in seconds.
  private static let patience = 0.1

  /// Reads to the end and stores all, or nothing when an error or the caller ends it.
  ///
  /// - Parameters:
  ///   - store: opens the store, when the file has proved to be an export
  ///   - isCancelled: whether to stop
  ///   - progress: called after each batch
  /// - Returns: what was read and what was stored
  /// - Throws: ``ImportError``; the store is then as it was before
  package func run(
    into store: @escaping () throws(StoreError) -> SampleStore,
    isCancelled: @escaping () -> Bool, progress: @escaping (ImportProgress) -> Void
  ) throws(ImportError) -> ImportResult {
    // A name that many programs have for the standard input.
    let path = path == "-" ? "/dev/stdin" : path
    let consumer = ImportConsumer(
      pipeline: self, openStore: store, isCancelled: isCancelled, progress: progress)
    guard jobs > 1 else {
      Self.read(path, isConcurrent: false) { consumer.take($0) }
      return try consumer.outcome()
    }
    let queue = BoundedQueue<Message>(capacity: 4)
    defer { queue.close() }
    Thread {
      Self.read(path, isConcurrent: true) { queue.put($0) }
    }.start()
    repeat {
      guard let message = queue.take(within: Self.patience) else { continue }
      if !consumer.take(message) { break }
    } while !isCancelled()
    return try consumer.outcome()
  }

  /// Reads and hands over, as long as `take` wants more.
  private static func read(
    _ path: String, isConcurrent: Bool, into take: (Message) -> Bool
  ) {
    do throws(ExportError) {
      var reader = try AnyExportReader(path: path, isConcurrent: isConcurrent)
      guard take(.opened(reader.format, byteCount: reader.byteCount)) else { return }
      while let batch = try reader.next() {
        guard take(.batch(batch, bytesRead: reader.bytesRead)) else { return }
      }
      _ = take(.finished(reader.summary, exported: reader.exported))
    } catch {
      _ = take(.failed(error))
    }
  }
}

/// The side of an import that stores what the other one has read.
private final class ImportConsumer {
  private let pipeline: ImportPipeline
  private let openStore: () throws(StoreError) -> SampleStore
  private let isCancelled: () -> Bool
  private let progress: (ImportProgress) -> Void
  private var session: ImportSession?
  private var format = ImportFormat.appleHealth
  private var byteCount = 0
  private var result: Result<ImportResult, ImportError>?

  init(
    pipeline: ImportPipeline, openStore: @escaping () throws(StoreError) -> SampleStore,
    isCancelled: @escaping () -> Bool, progress: @escaping (ImportProgress) -> Void
  ) {
    self.pipeline = pipeline
    self.openStore = openStore
    self.isCancelled = isCancelled
    self.progress = progress
  }

  /// What came of it, when no more is taken.
  func outcome() throws(ImportError) -> ImportResult {
    switch result {
    case .success(let result): return result
    // A read that was waiting fails when the caller asks to stop.
    case .failure(let error) where !isCancelled(): throw error
    case .failure, nil: throw ImportError(.cancelled, path: pipeline.path)
    }
  }

  /// Takes what was read; false when nothing more is wanted.
  func take(_ message: ImportPipeline.Message) -> Bool {
    if isCancelled() { return false }
    do throws(StoreError) {
      switch message {
      case .opened(let format, let byteCount):
        self.format = format
        self.byteCount = byteCount
        // One thread reads meanwhile.
        session = try openStore().beginImport(from: format, threads: max(1, pipeline.jobs - 1))
      case .batch(let batch, let bytesRead):
        try session?.add(batch)
        progress(ImportProgress(format: format, bytesRead: bytesRead, byteCount: byteCount))
      case .finished(let summary, let exported):
        result = try session.map { (session) throws(StoreError) in
          try finish(session, summary, exported: exported)
        }
      case .failed(let error): result = failure(.reading(error))
      }
    } catch {
      result = failure(.storing(error))
    }
    return result == nil
  }

  /// Makes all stay.
  ///
  /// What a file that was cut lacks was not deleted, so it replaces nothing.
  private func finish(
    _ session: ImportSession, _ summary: ExportSummary, exported: Double?
  ) throws(StoreError) -> Result<ImportResult, ImportError> {
    if pipeline.isReplacing, let offset = summary.cutAt { return failure(.truncated(at: offset)) }
    let report = try session.finish(
      dryRun: pipeline.isDryRun, replacing: pipeline.isReplacing, exported: exported,
      incomplete: summary.incompleteKinds)
    return .success(
      ImportResult(path: pipeline.path, format: format, summary: summary, report: report))
  }

  private func failure(_ reason: ImportError.Reason) -> Result<ImportResult, ImportError> {
    .failure(ImportError(reason, path: pipeline.path))
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
