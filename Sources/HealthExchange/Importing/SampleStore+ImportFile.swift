public import Foundation
public import HealthStore

extension SampleStore {
  /// Imports an export of health data: completely, or not at all if there is an error.
  ///
  /// Of a folder or an archive whose files tell one time differently each export is imported by
  /// itself: see `ImportResult.others`.
  ///
  /// ```swift
  /// let store = try SampleStore(path: "health.sqlite", mode: .readWrite)
  /// let result = try store.importFile(at: URL(fileURLWithPath: "export.zip"), jobs: 4) {
  ///   print($0.fraction ?? 0)
  /// }
  /// print(result.total.new, result.skipped)
  /// ```
  ///
  /// The format is recognised by content: an export of the Health app (zip, folder, xml, also
  /// compressed with gzip or through a pipe), files of Health Auto Export or Simple Health Export,
  /// a backup of Health Connect. Samples that are already in the store stay unchanged.
  ///
  /// The call returns when the import is done, and calls `progress` and `isCancelled` on the
  /// calling thread. Run it in a task to keep it off the main thread; cancelling that task ends the
  /// import within a tenth of a second of waiting or one batch of work.
  ///
  /// - Parameters:
  ///   - url: a file, a folder or a pipe
  ///   - jobs: the most concurrent threads. With 1 the calling thread does everything. The result
  ///     is the same.
  ///   - dryRun: only counts; the file of the store stays unchanged
  ///   - replacing: whether to delete data of earlier exports of the format that this one lacks
  ///   - progress: called after each batch
  ///   - isCancelled: whether to stop; by default whether the task is cancelled
  /// - Returns: the counts of the reader and of the store. A truncated text is not an error: all
  ///   complete records are imported, and `ExportSummary.cutAt` is the offset of its end. It replaces
  ///   nothing.
  /// - Throws: `ImportError`; the store is then unchanged, but for earlier ones of several exports
  @discardableResult
  public func importFile(
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

  /// The former name of ``importFile(at:jobs:dryRun:replacing:progress:isCancelled:)``.
  @available(*, deprecated, renamed: "importFile(at:jobs:dryRun:replacing:progress:isCancelled:)")
  @discardableResult
  public func importExport(
    at url: URL, jobs: Int = ProcessInfo.processInfo.activeProcessorCount, dryRun: Bool = false,
    replacing: Bool = false, progress: @escaping (ImportProgress) -> Void = { _ in },
    isCancelled: @escaping () -> Bool = { Task.isCancelled }
  ) throws(ImportError) -> ImportResult {
    try importFile(
      at: url, jobs: jobs, dryRun: dryRun, replacing: replacing, progress: progress,
      isCancelled: isCancelled)
  }
}
