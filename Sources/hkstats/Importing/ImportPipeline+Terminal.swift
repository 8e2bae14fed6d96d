import ArgumentParser
import HealthExchange
import HealthStore

/// How an import says on stderr how far it is.
enum ProgressForm: String, ExpressibleByArgument, CaseIterable {
  case bar, ndjson, none
}

extension ImportPipeline {
  /// Imports, says how far it is, and stops when the user cancels.
  func run(
    title: String, progress form: ProgressForm = .bar,
    into store: @escaping () throws(StoreError) -> SampleStore
  ) throws(ImportError) -> ImportResult {
    switch form {
    case .none:
      return try run(into: store, isCancelled: { Interruption.isRequested }, progress: { _ in })
    case .bar:
      var bar = ProgressBar(title: title)
      defer { bar.clear() }
      return try run(
        into: store, isCancelled: { Interruption.isRequested },
        progress: { bar.update(done: $0.bytesRead, of: $0.byteCount) })
    case .ndjson:
      var lines = ProgressLines(path: path)
      do throws(ImportError) {
        let result = try run(
          into: store, isCancelled: { Interruption.isRequested }, progress: { lines.update($0) })
        lines.end("done")
        return result
      } catch {
        lines.end("failed")
        throw error
      }
    }
  }
}
