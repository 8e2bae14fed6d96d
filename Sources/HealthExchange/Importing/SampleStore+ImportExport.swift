public import Foundation
public import HealthStore

extension SampleStore {
  /// Imports an export of health data: all of it, or nothing when an error ends it.
  ///
  /// ```swift
  /// let store = try SampleStore(path: "health.sqlite", mode: .readWrite)
  /// let result = try store.importExport(at: URL(fileURLWithPath: "export.zip"), jobs: 4) {
  ///   print($0.fraction ?? 0)
  /// }
  /// print(result.total.new, result.skipped)
  /// ```
  ///
  /// The content of a file decides its format: an export of the Health app (zip, folder, xml, also
  /// packed with gzip or through a pipe), files of Health Auto Export or Simple Health Export, a
  /// backup of Health Connect. Samples that the store already has stay as they are.
  ///
  /// The call returns when the import is over, and calls `progress` and `isCancelled` on the thread
  /// that it was called on. Run it in a task to keep it off the main thread; cancelling that task
  /// ends the import within a tenth of a second of waiting or one batch of work.
  ///
  /// - Parameters:
  ///   - url: a file, a folder or a pipe
  ///   - jobs: how many threads work at a time. With 1 the calling thread does all in turn. The
  ///     store becomes the same.
  ///   - dryRun: whether the import only counts; the file of the store stays as it is
  ///   - replacing: whether the store loses what earlier exports of the format told and this one
  ///     lacks
  ///   - progress: called after each batch
  ///   - isCancelled: whether to stop; by default whether the task is cancelled
  /// - Returns: what was read and what became of it. A text that ends too early is no error: all
  ///   complete records are imported, and `ExportSummary.cutAt` says where it ends.
  /// - Throws: `ImportError`; the store is then as it was before
  @discardableResult
  public func importExport(
    at url: URL, jobs: Int = ProcessInfo.processInfo.activeProcessorCount, dryRun: Bool = false,
    replacing: Bool = false, progress: @escaping (ImportProgress) -> Void = { _ in },
    isCancelled: @escaping () -> Bool = { Task.isCancelled }
  ) throws(ImportError) -> ImportResult {
    let path = url.isFileURL ? url.path : url.absoluteString
    let pipeline = ImportPipeline(
      path: path, jobs: jobs, isDryRun: dryRun, isReplacing: replacing)
    return try pipeline.run(
      into: { () throws(StoreError) in self }, isCancelled: isCancelled, progress: progress)
  }
}
