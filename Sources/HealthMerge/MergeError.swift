public import HealthSamples

/// Why samples could not be merged.
public struct MergeError: Error, Sendable, Hashable {
  /// What went wrong.
  public enum Reason: Sendable, Hashable {
    /// Overlapping samples of one source split into more parts than the limit.
    case tooManySegments(limit: Int)
  }

  /// The source at which merging stopped.
  public let source: Source
  /// What went wrong.
  public let reason: Reason
}

extension MergeError: CodedError {
  /// Which source failed, why, and what to do.
  public var description: String {
    switch reason {
    case .tooManySegments:
      "The samples of \(source.description) overlap so often that merging would take too long. "
        + "Ask for a shorter period."
    }
  }
}
