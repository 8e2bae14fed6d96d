public import HealthQuery

/// Why a report was not made.
public struct ReportError: Error, Sendable, Hashable {
  /// The cause.
  public enum Reason: Sendable, Hashable {
    /// A question of the page has no answer.
    case query(QueryError)
    /// The caller asked to stop.
    case cancelled
    /// The numbers behind the figures are more than a page can hold.
    case tooLarge
  }

  /// The cause.
  public let reason: Reason

  init(_ reason: Reason) { self.reason = reason }
}
