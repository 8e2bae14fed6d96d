public import Foundation
public import HealthExport
public import HealthStore

/// Why an import ended without an effect: the store is as it was before.
public struct ImportError: Error, Sendable, Hashable {
  /// What ended it.
  public enum Reason: Sendable, Hashable {
    /// The export cannot be read.
    case reading(ExportError)
    /// The store cannot be opened, read or changed.
    case storing(StoreError)
    /// The caller asked to stop.
    case cancelled
    /// The export ends too early, at this byte, so that what it lacks is unknown and it replaces
    /// nothing.
    case truncated(at: Int)
  }

  /// What was to be imported.
  public let path: String
  /// What ended it.
  public let reason: Reason

  package init(_ reason: Reason, path: String) {
    self.reason = reason
    self.path = path
  }
}

extension ImportError: LocalizedError, CustomStringConvertible {
  /// Which file or store, why, and what to do.
  public var description: String {
    switch reason {
    case .reading(let error): error.description
    case .storing(let error): error.description
    case .cancelled: "\(path): the import was cancelled; the store is as it was before."
    case .truncated(let offset):
      "\(path): the export ends too early, at byte \(offset), and cannot replace what the store "
        + "has. Import it without replacing, or export again."
    }
  }

  /// The same for Foundation.
  public var errorDescription: String? { description }
}
