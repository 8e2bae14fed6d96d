// Codes have Apple's names and need no doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

/// The domain of HealthKit's errors.
public let HKErrorDomain = "com.apple.healthkit"

/// An error of HealthKit, as Swift sees the errors of its domain.
///
/// ```swift
/// do {
///   try read()
/// } catch HKError.errorAuthorizationDenied {
///   explain()
/// }
/// ```
///
/// Without a text of its own in `userInfo`, an error describes itself by the sentence of its code.
public struct HKError: _BridgedStoredNSError {
  /// Why HealthKit cannot do what is asked.
  public enum Code: Int, _ErrorCodeProtocol, Sendable {
    public typealias _ErrorType = HKError

    case unknownError = 0
    case errorHealthDataUnavailable = 1
    case errorHealthDataRestricted = 2
    case errorInvalidArgument = 3
    case errorAuthorizationDenied = 4
    case errorAuthorizationNotDetermined = 5
    case errorDatabaseInaccessible = 6
    case errorUserCanceled = 7
    case errorAnotherWorkoutSessionStarted = 8
    case errorUserExitedWorkoutSession = 9
    case errorRequiredAuthorizationDenied = 10
    case errorNoData = 11
    case errorWorkoutActivityNotAllowed = 12
    case errorDataSizeExceeded = 13
    case errorBackgroundWorkoutSessionNotAllowed = 14
    case errorNotPermissibleForGuestUserMode = 15

    /// The older name of ``unknownError``.
    @available(*, deprecated, renamed: "unknownError")
    public static var noError: Self { .unknownError }
  }

  public let _nsError: NSError

  public init(_nsError error: NSError) {
    guard error.domain == HKErrorDomain else {
      raise(ObjectError(.invalid("HKError takes errors of its own domain only")))
    }
    _nsError = error
  }

  /// Makes an error; without a description in `userInfo` it has that of the code.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    let sentence: [String: Any] = [NSLocalizedDescriptionKey: code.sentence]
    _nsError = NSError(
      domain: HKErrorDomain, code: code.rawValue,
      userInfo: userInfo.merging(sentence) { theirs, _ in theirs })
  }

  /// Hashes the code: the protocol's own implementation traps outside of Apple's systems.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  public static var _nsErrorDomain: String { HKErrorDomain }
  public static var errorDomain: String { HKErrorDomain }
}

extension HKError {
  public static var unknownError: Code { .unknownError }
  public static var errorHealthDataUnavailable: Code { .errorHealthDataUnavailable }
  public static var errorHealthDataRestricted: Code { .errorHealthDataRestricted }
  public static var errorInvalidArgument: Code { .errorInvalidArgument }
  public static var errorAuthorizationDenied: Code { .errorAuthorizationDenied }
  public static var errorAuthorizationNotDetermined: Code { .errorAuthorizationNotDetermined }
  public static var errorDatabaseInaccessible: Code { .errorDatabaseInaccessible }
  public static var errorUserCanceled: Code { .errorUserCanceled }
  public static var errorAnotherWorkoutSessionStarted: Code { .errorAnotherWorkoutSessionStarted }
  public static var errorUserExitedWorkoutSession: Code { .errorUserExitedWorkoutSession }
  public static var errorRequiredAuthorizationDenied: Code { .errorRequiredAuthorizationDenied }
  public static var errorNoData: Code { .errorNoData }
  public static var errorWorkoutActivityNotAllowed: Code { .errorWorkoutActivityNotAllowed }
  public static var errorDataSizeExceeded: Code { .errorDataSizeExceeded }
  public static var errorBackgroundWorkoutSessionNotAllowed: Code {
    .errorBackgroundWorkoutSessionNotAllowed
  }
  public static var errorNotPermissibleForGuestUserMode: Code {
    .errorNotPermissibleForGuestUserMode
  }

  /// The older name of ``unknownError``.
  @available(*, deprecated, renamed: "unknownError")
  public static var noError: Code { .unknownError }
}

extension HKError.Code {
  /// What the code says to a person.
  fileprivate var sentence: String {
    switch self {
    case .unknownError: "An unknown error occurred."
    case .errorHealthDataUnavailable: "Health data is not available on this device."
    case .errorHealthDataRestricted: "Health data is restricted on this device."
    case .errorInvalidArgument: "An argument is not valid."
    case .errorAuthorizationDenied: "The user does not allow the app to do this."
    case .errorAuthorizationNotDetermined: "The user has not been asked to allow this yet."
    case .errorDatabaseInaccessible: "The health data cannot be read because it is locked."
    case .errorUserCanceled: "The user cancelled the operation."
    case .errorAnotherWorkoutSessionStarted: "Another app started a workout session."
    case .errorUserExitedWorkoutSession: "The user left the app during a workout session."
    case .errorRequiredAuthorizationDenied: "The user does not allow a type that the app requires."
    case .errorNoData: "There is no data for the question."
    case .errorWorkoutActivityNotAllowed: "The activity is not allowed in this workout."
    case .errorDataSizeExceeded: "The data is larger than is allowed."
    case .errorBackgroundWorkoutSessionNotAllowed:
      "A workout session cannot start in the background."
    case .errorNotPermissibleForGuestUserMode: "This is not allowed while a guest uses the device."
    }
  }
}
