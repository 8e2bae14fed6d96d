public import Foundation
public import HealthImport
public import HealthSamples
public import HealthStore

/// Why an import had no effect: the store is unchanged.
///
/// Of several exports in a folder those before the one that failed stay.
public struct ImportError: Error, Sendable, Hashable {
  /// The reason of the failure.
  public enum Reason: Sendable, Hashable {
    /// The export cannot be read.
    case reading(ExportError)
    /// The store cannot be opened, read or written.
    case storing(StoreError)
    /// The caller asked to stop.
    case cancelled
  }

  /// The path of the export.
  public let path: String
  /// The reason of the failure.
  public let reason: Reason

  package init(_ reason: Reason, path: String) {
    self.reason = reason
    self.path = path
  }
}

extension ImportError: LocalizedError, CodedError {
  /// Which file or store, why, and what to do.
  public var description: String {
    switch reason {
    case .reading(let error): error.description
    case .storing(let error): error.description
    case .cancelled: "\(path): the import was cancelled; the store is as it was before."
    }
  }

  /// The same for Foundation.
  public var errorDescription: String? { description }
}
