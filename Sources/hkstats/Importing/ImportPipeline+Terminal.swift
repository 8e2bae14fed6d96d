import HealthExchange
import HealthStore

extension ImportPipeline {
  /// Imports with a progress bar on the terminal, until the user cancels.
  func run(
    title: String, into store: @escaping () throws(StoreError) -> SampleStore
  ) throws(ImportError) -> ImportResult {
    var bar = ProgressBar(title: title)
    defer { bar.clear() }
    return try run(
      into: store, isCancelled: { Interruption.isRequested },
      progress: { bar.update(done: $0.bytesRead, of: $0.byteCount) })
  }
}
