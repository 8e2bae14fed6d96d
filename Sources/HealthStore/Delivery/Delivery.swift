/// How often an app that does not run wants to hear of changes, at most.
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
    case .daily: 86_400
    case .weekly: 604_800
    }
  }
}

/// The changes of a type of which an app wants to hear, and how far it has heard.
///
/// An app is told of changes, and says when it has handled them. Until it says so it failed: it is
/// told again a minute after the first failure, ten minutes after the second, and after the third
/// not any more, until it asks anew.
public struct Delivery: Sendable, Hashable {
  /// The bundle identifier of the app.
  public let app: String
  /// The identifier of the type.
  public let type: String
  /// How often it wants to hear.
  public let frequency: DeliveryFrequency
  /// The last change of which it was told.
  public let told: Int64
  /// The last change that it has handled.
  public let completed: Int64
  /// When it was told last, in seconds since 2001-01-01 UTC; `nil` if it never was.
  public let attempted: Double?
  /// How often it was told since it handled a change.
  public let failures: Int

  /// After so many failures an app is told nothing any more.
  public static let mostFailures = 3

  /// How long an app is left alone after failures, in seconds; `nil` for good.
  public static func pause(afterFailures failures: Int) -> Double? {
    switch failures {
    case ...0: 0
    case 1: 60
    case 2: 600
    default: nil
    }
  }

  /// Whether it failed so often that it is told nothing any more.
  public var isStopped: Bool { failures >= Self.mostFailures }

  /// When an app that does not run can be told next, in seconds since 2001-01-01 UTC; `nil` if it is
  /// stopped.
  public var earliest: Double? {
    guard let pause = Self.pause(afterFailures: failures) else { return nil }
    return attempted.map { $0 + max(pause, frequency.period) } ?? -.infinity
  }
}

/// A delivery with a change that its app has not handled.
public struct PendingDelivery: Sendable, Hashable {
  /// What the app wants to hear.
  public let delivery: Delivery
  /// The last change.
  public let change: Int64

  /// Whether the app can be told at a moment, in seconds since 2001-01-01 UTC.
  public func isDue(at now: Double) -> Bool { delivery.earliest.map { $0 <= now } ?? false }
}
