import HealthSamples

/// How often an app that does not run is notified of changes, at most.
public enum DeliveryFrequency: Int, Sendable, Hashable, CaseIterable {
  /// After every change.
  case immediate = 1
  /// Once an hour.
  case hourly
  /// Once a day.
  case daily
  /// Once a week.
  case weekly

  /// The least time between two deliveries, in seconds.
  public var period: Double {
    switch self {
    case .immediate: 0
    case .hourly: 3600
    case .daily: .secondsPerDay
    case .weekly: 604_800
    }
  }
}

/// The background delivery of a type to an app, and how far it has come.
///
/// An app is notified of changes and reports when it has handled them. A notification without that
/// report is a failure: the next one follows a minute after the first failure and ten minutes after
/// the second. After the third the app is not notified until it enables the delivery again.
public struct Delivery: Sendable, Hashable {
  /// The bundle identifier of the app.
  public let app: String
  /// The identifier of the type.
  public let type: String
  /// How often it is notified, at most.
  public let frequency: DeliveryFrequency
  /// The last change of which it was notified.
  public let notified: Int64
  /// The last change that it has handled.
  public let completed: Int64
  /// When it was last notified, in seconds since 2001-01-01 UTC; `nil` if it never was.
  public let attempted: Double?
  /// How often it was notified since it last handled a change.
  public let failures: Int

  /// The failures after which an app is not notified.
  public static let mostFailures = 3

  /// The seconds after a failure in which an app is not notified; `nil` without end.
  public static func pause(afterFailures failures: Int) -> Double? {
    switch failures {
    case ...0: 0
    case 1: 60
    case 2: 600
    default: nil
    }
  }

  /// Whether the app is not notified because of its failures.
  public var isStopped: Bool { failures >= Self.mostFailures }

  /// When an app that does not run can be notified next, in seconds since 2001-01-01 UTC; `nil` if it is
  /// stopped.
  public var earliest: Double? {
    guard let pause = Self.pause(afterFailures: failures) else { return nil }
    return attempted.map { $0 + max(pause, frequency.period) } ?? -.infinity
  }
}

/// A delivery with a change that its app has not handled.
public struct PendingDelivery: Sendable, Hashable {
  /// The delivery.
  public let delivery: Delivery
  /// The last change.
  public let change: Int64

  /// Whether the app can be notified at a moment, in seconds since 2001-01-01 UTC.
  public func isDue(at now: Double) -> Bool { delivery.earliest.map { $0 <= now } ?? false }
}
