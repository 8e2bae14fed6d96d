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
    case opened(byteCount: Int)
    case batch(RecordColumns, bytesRead: Int)
    case finished(ExportSummary)
    case failed(ExportError)
  }

  private let queue = BoundedQueue<Message>(capacity: 4)
  private let path: String
  private let byteCount: Int

  /// Opens an export; nothing is stored before it has proved to be one.
  init(path: String) throws {
    self.path = path
    let queue = queue
    Thread { Self.read(path: path, into: queue) }.start()
    switch queue.take() {
    case .opened(let byteCount): self.byteCount = byteCount
    case .failed(let error): throw error
    case .batch, .finished: byteCount = 0
    }
  }

  /// Reads to the end and stores all, or nothing when an error ends it or the user stops it.
  func run(into store: SampleStore, isDryRun: Bool, title: String) throws -> Outcome {
    defer { queue.close() }
    let session = try store.beginImport()
    var progress = ProgressBar(title: title)
    defer { progress.clear() }
    while true {
      if Interruption.isRequested { throw Failure.interrupted(path: path) }
      switch queue.take() {
      case .opened: continue
      case .batch(let batch, let bytesRead):
        try session.add(batch)
        progress.update(done: bytesRead, of: byteCount)
      case .finished(let summary):
        return Outcome(summary: summary, report: try session.finish(dryRun: isDryRun))
      case .failed(let error): throw error
      }
    }
  }

  private static func read(path: String, into queue: BoundedQueue<Message>) {
    do throws(ExportError) {
      var reader = try ExportReader(path: path)
      guard queue.put(.opened(byteCount: reader.byteCount)) else { return }
      while let batch = try reader.next() {
        guard queue.put(.batch(batch, bytesRead: reader.bytesRead)) else { return }
      }
      _ = queue.put(.finished(reader.summary))
    } catch {
      _ = queue.put(.failed(error))
    }
  }
}
