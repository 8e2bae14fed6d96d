// Cases have Apple's names and need no doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Whether an app may save samples of a type.
public enum HKAuthorizationStatus: Int, Sendable {
  case notDetermined = 0
  case sharingDenied = 1
  case sharingAuthorized = 2
}

/// Whether a request for authorization would ask the user.
public enum HKAuthorizationRequestStatus: Int, Sendable {
  case unknown = 0
  case shouldRequest = 1
  case unnecessary = 2
}

/// How often an app wakes for new samples, at most.
public enum HKUpdateFrequency: Int, Sendable {
  case immediate = 1
  case hourly = 2
  case daily = 3
  case weekly = 4
}

/// What an app calls when it has handled an update of an observer.
public typealias HKObserverQueryCompletionHandler = () -> Void

/// What a query of statistics calculates.
public struct HKStatisticsOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Also each source on its own.
  public static let separateBySource = Self(rawValue: 1 << 0)
  /// The average of a discrete type.
  public static let discreteAverage = Self(rawValue: 1 << 1)
  /// The lowest quantity of a discrete type.
  public static let discreteMin = Self(rawValue: 1 << 2)
  /// The highest quantity of a discrete type.
  public static let discreteMax = Self(rawValue: 1 << 3)
  /// The sum of a cumulative type.
  public static let cumulativeSum = Self(rawValue: 1 << 4)
  /// The most recent quantity.
  public static let mostRecent = Self(rawValue: 1 << 5)
  /// The time that the samples cover.
  public static let duration = Self(rawValue: 1 << 6)

  /// The older name of ``mostRecent``.
  @available(*, deprecated, renamed: "mostRecent")
  public static var discreteMostRecent: Self { .mostRecent }
}
