import Foundation
import HealthExport
import HealthSamples
import HealthStore

/// Brings one export into a store: one thread reads, the calling thread stores.
///
/// The two meet in a queue of few batches, so they overlap and memory stays flat in the size of
/// the export.
struct ImportPipeline {
  /// What came of an import.
  struct Outcome {
    let summary: ExportSummary
    let report: ImportReport
  }

  /// What the reading thread hands over.
  private enum Message: Sendable {
    case opened(ImportFormat, byteCount: Int)
    case batch(ExportBatch, bytesRead: Int)
    case finished(ExportSummary, exported: Double?)
    case failed(ExportError)
  }

  private let queue = BoundedQueue<Message>(capacity: 4)
  private let path: String
  private let format: ImportFormat
  private let byteCount: Int

  /// Opens an export; nothing is stored before it has proved to be one.
  init(path: String) throws {
    self.path = path
    let queue = queue
    Thread { Self.read(path: path, into: queue) }.start()
    switch queue.take() {
    case .opened(let format, let byteCount): (self.format, self.byteCount) = (format, byteCount)
    case .failed(let error): throw error
    case .batch, .finished: (format, byteCount) = (.appleHealth, 0)
    }
  }

  /// Reads to the end and stores all, or nothing when an error ends it or the user stops it.
  ///
  /// What a file that was cut lacks was not deleted, so it replaces nothing.
  func run(
    into store: SampleStore, isDryRun: Bool = false, isReplacing: Bool = false,
    title: String
  ) throws -> Outcome {
    defer { queue.close() }
    let session = try store.beginImport(from: format)
    var progress = ProgressBar(title: title)
    defer { progress.clear() }
    while true {
      if Interruption.isRequested { throw Failure.interrupted(path: path) }
      switch queue.take() {
      case .opened: continue
      case .batch(let batch, let bytesRead):
        try session.add(batch)
        progress.update(done: bytesRead, of: byteCount)
      case .finished(let summary, let exported):
        if isReplacing, let offset = summary.cutAt {
          throw Failure.cutReplacement(path: path, at: offset)
        }
        let report = try session.finish(
          dryRun: isDryRun, replacing: isReplacing, exported: exported)
        return Outcome(summary: summary, report: report)
      case .failed(let error): throw error
      }
    }
  }

  private static func read(path: String, into queue: BoundedQueue<Message>) {
    do throws(ExportError) {
      switch try ImportFormat(path: path) {
      case .appleHealth:
        var reader = try ExportReader(path: path)
        try deliver(&reader, into: queue)
      case .healthAutoExport:
        var reader = try HealthAutoExportReader(path: path)
        try deliver(&reader, into: queue)
      case .simpleHealthExport:
        var reader = try SimpleHealthExportReader(path: path)
        try deliver(&reader, into: queue)
      case .healthConnect:
        var reader = try HealthConnectReader(path: path)
        try deliver(&reader, into: queue)
      }
    } catch {
      _ = queue.put(.failed(error))
    }
  }

  private static func deliver<Reader: BatchReader & ~Copyable>(
    _ reader: inout Reader, into queue: BoundedQueue<Message>
  ) throws(ExportError) {
    guard queue.put(.opened(reader.format, byteCount: reader.byteCount)) else { return }
    while let batch = try reader.next() {
      guard queue.put(.batch(batch, bytesRead: reader.bytesRead)) else { return }
    }
    _ = queue.put(.finished(reader.summary, exported: reader.exported))
  }
}
