import Foundation
import HealthImport
import HealthSamples
package import HealthStore

/// Imports the export at a path into a store: one thread reads, the calling thread stores.
///
/// They are connected by a short queue of batches, so they overlap and memory stays flat. With one
/// job the calling thread does both alternately. The exports of a folder or an archive whose files
/// tell one time differently are imported one after another.
package struct ImportPipeline {
  /// A message from the reader.
  fileprivate enum Message: Sendable {
    /// Files of a folder are compared.
    case comparing
    case opened(ImportFormat, byteCount: Int)
    case batch(ImportBatch, bytesRead: Int)
    case finished(ExportSummary, exported: Double?, of: ExportCount)
    case failed(ExportError)
  }

  /// The place of an export among those at a path.
  fileprivate struct ExportCount {
    let isLast: Bool
    let isOnly: Bool
  }

  /// The export: a file, a folder or a pipe; `-` is the standard input.
  package let path: String
  /// The most concurrent threads.
  let jobs: Int
  let isDryRun: Bool
  let isReplacing: Bool
  /// Numbers of imports that are not replaced.
  let spared: Set<Int64>
  let isRestoring: Bool

  package init(
    path: String, jobs: Int = ProcessInfo.processInfo.activeProcessorCount,
    isDryRun: Bool = false, isReplacing: Bool = false, sparing spared: Set<Int64> = [],
    isRestoring: Bool = false
  ) {
    self.path = path
    self.jobs = jobs
    self.isDryRun = isDryRun
    self.isReplacing = isReplacing
    self.spared = spared
    self.isRestoring = isRestoring
  }

  /// The interval at which `isCancelled` is called while waiting, in seconds.
  private static let patience = 0.1

  /// Imports everything, or nothing if there is an error or the caller cancels.
  ///
  /// - Parameters:
  ///   - store: opens the store, after the file has been recognised as an export
  ///   - isCancelled: whether to stop
  ///   - progress: called after each batch
  /// - Returns: the counts of the reader and of the store
  /// - Throws: ``ImportError``; the store is then unchanged, but for earlier ones of several exports
  package func run(
    into store: @escaping () throws(StoreError) -> SampleStore,
    isCancelled: @escaping () -> Bool, progress: @escaping (ImportProgress) -> Void
  ) throws(ImportError) -> ImportResult {
    // Many programs use this name for the standard input.
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

  /// Reads and passes batches on, as long as `take` returns true.
  private static func read(
    _ path: String, isConcurrent: Bool, into take: (Message) -> Bool
  ) {
    do throws(ExportError) {
      var exports = try ExportSequence(path: path, isConcurrent: isConcurrent) {
        take(.comparing)
      }
      while var reader = try exports.next() {
        guard take(.opened(reader.format, byteCount: exports.byteCount)) else { return }
        while let batch = try reader.next() {
          guard take(.batch(batch, bytesRead: reader.bytesRead)) else { return }
        }
        let count = ExportCount(isLast: exports.isAtEnd, isOnly: exports.count == 1)
        guard take(.finished(reader.summary, exported: reader.exported, of: count)) else { return }
      }
    } catch {
      _ = take(.failed(error))
    }
  }
}

/// The consumer of an import, which stores the batches that the reader delivers.
private final class ImportConsumer {
  private let pipeline: ImportPipeline
  private let openStore: () throws(StoreError) -> SampleStore
  private let isCancelled: () -> Bool
  private let progress: (ImportProgress) -> Void
  private var store: SampleStore?
  private var session: ImportSession?
  private var format = ImportFormat.appleHealth
  private var byteCount = 0
  /// The bytes of the exports that are stored.
  private var storedBytes = 0
  private var bytesRead = 0
  private var sampleCount = 0
  private var results: [ImportResult] = []
  private var error: ImportError?
  private var isDone = false

  init(
    pipeline: ImportPipeline, openStore: @escaping () throws(StoreError) -> SampleStore,
    isCancelled: @escaping () -> Bool, progress: @escaping (ImportProgress) -> Void
  ) {
    self.pipeline = pipeline
    self.openStore = openStore
    self.isCancelled = isCancelled
    self.progress = progress
  }

  /// The result, after the last message.
  func outcome() throws(ImportError) -> ImportResult {
    // A blocked read fails when the caller cancels.
    if let error, !isCancelled() { throw error }
    guard isDone, error == nil, var result = results.first else {
      throw ImportError(.cancelled, path: pipeline.path)
    }
    result.others = Array(results.dropFirst())
    return result
  }

  /// Handles a message; false to stop.
  func take(_ message: ImportPipeline.Message) -> Bool {
    if isCancelled() { return false }
    do throws(StoreError) {
      switch message {
      case .comparing: break
      case .opened(let format, let byteCount):
        self.format = format
        self.byteCount = byteCount
        if store == nil { store = try openStore() }
        // One thread reads meanwhile.
        session = try store?.beginImport(from: format, threads: max(1, pipeline.jobs - 1))
      case .batch(let batch, let bytesRead):
        try session?.add(batch)
        self.bytesRead = storedBytes + bytesRead
        if case .records(let columns) = batch { sampleCount += columns.count }
        report(.reading)
      case .finished(let summary, let exported, let count):
        report(.storing)
        if let session { try finish(session, summary, exported: exported, of: count) }
        storedBytes += summary.bytes
        isDone = count.isLast
      case .failed(let error): fail(.reading(error))
      }
    } catch {
      fail(.storing(error))
    }
    return !isDone && error == nil
  }

  private func report(_ phase: ImportProgress.Phase) {
    progress(
      ImportProgress(
        phase: phase, format: format, bytesRead: bytesRead, byteCount: byteCount,
        sampleCount: sampleCount))
  }

  /// Commits the import.
  ///
  /// Items that a truncated file lacks were not deleted, so it replaces nothing.
  private func finish(
    _ session: ImportSession, _ summary: ExportSummary, exported: Double?,
    of count: ImportPipeline.ExportCount
  ) throws(StoreError) {
    let name = (pipeline.path as NSString).lastPathComponent
    let files = count.isOnly ? nil : summary.namesOfFiles
    let report = try session.finish(
      dryRun: pipeline.isDryRun, replacing: pipeline.isReplacing && summary.cutAt == nil,
      sparing: pipeline.spared.union(results.compactMap(\.report.number)),
      restoring: pipeline.isRestoring, file: files.map { "\(name)/\($0)" } ?? name,
      exported: exported, incomplete: summary.incompleteKinds, facts: summary.facts)
    results.append(
      ImportResult(path: pipeline.path, format: format, summary: summary, report: report))
  }

  private func fail(_ reason: ImportError.Reason) {
    error = ImportError(reason, path: pipeline.path)
  }
}

extension ExportSummary {
  /// Kinds that may be incomplete in the export: those with a file that is missing or unreadable, and
  /// electrocardiograms, which are only in separate files, if there are none.
  fileprivate var incompleteKinds: Set<ElementKind> {
    var kinds = Set(unreadFiles.filter { $0.reason != .unnamed }.map(\.kind))
    if elements[.electrocardiogram] == nil { kinds.insert(.electrocardiogram) }
    // The list may have an end before its last file.
    if unreadFiles.count < missingFiles.adding(unreadableFiles).adding(unnamedFiles) {
      kinds.formUnion([.route, .clinicalRecord, .electrocardiogram])
    }
    return kinds
  }
}
