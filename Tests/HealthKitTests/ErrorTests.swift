import HealthKit
import Testing

/// `HKError` is caught, compared and read as Apple's.
@Suite
struct ErrorTests {
  static let codes = (0...15).compactMap(HKError.Code.init(rawValue:))

  @Test("Every code can be thrown, and is caught by its own name alone")
  func catching() {
    #expect(Self.codes.count == 16)
    for code in Self.codes {
      do {
        throw HKError(code)
      } catch HKError.errorNoData {
        #expect(code == .errorNoData)
      } catch HKError.errorAuthorizationDenied {
        #expect(code == .errorAuthorizationDenied)
      } catch let error as HKError {
        #expect(error.code == code)
        #expect(code != .errorNoData && code != .errorAuthorizationDenied)
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  @Test("An error is an NSError of the domain with its code")
  func bridging() {
    for code in Self.codes {
      let error = HKError(code) as NSError
      #expect(error.domain == HKErrorDomain)
      #expect(HKError.errorDomain == HKErrorDomain)
      #expect(error.code == code.rawValue)
      #expect(HKError(code).errorCode == code.rawValue)
    }
  }

  @Test("Errors are equal when their codes and entries are")
  func equality() {
    #expect(HKError(.errorNoData) == HKError(.errorNoData))
    #expect(HKError(.errorNoData) != HKError(.unknownError))
    #expect(HKError(.errorNoData) != HKError(.errorNoData, userInfo: ["key": "value"]))
    #expect(Set(Self.codes.map { code -> HKError in HKError(code) }).count == 16)
  }

  @Test("An error describes itself by its code, or by the text that it was given")
  func descriptions() {
    let sentences = Self.codes.map { HKError($0).localizedDescription }
    #expect(Set(sentences).count == 16)
    for sentence in sentences {
      #expect(sentence.hasSuffix(".") && !sentence.contains(HKErrorDomain))
    }
    let own = HKError(.errorNoData, userInfo: [NSLocalizedDescriptionKey: "Nothing today", "n": 1])
    #expect(own.localizedDescription == "Nothing today")
    #expect((own as any Error).localizedDescription == "Nothing today")
    #expect(own.userInfo["n"] as? Int == 1)
  }

  @Test("An error of another domain is refused")
  func domain() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = HKError(_nsError: NSError(domain: "other", code: 3))
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("HKError takes errors of its own domain only"))
    #expect(
      HKError(_nsError: NSError(domain: HKErrorDomain, code: 3)).code == .errorInvalidArgument)
  }

  @Test("Static members are the codes")
  func members() {
    let members: [HKError.Code] = [
      HKError.unknownError, HKError.errorHealthDataUnavailable, HKError.errorHealthDataRestricted,
      HKError.errorInvalidArgument, HKError.errorAuthorizationDenied,
      HKError.errorAuthorizationNotDetermined, HKError.errorDatabaseInaccessible,
      HKError.errorUserCanceled, HKError.errorAnotherWorkoutSessionStarted,
      HKError.errorUserExitedWorkoutSession, HKError.errorRequiredAuthorizationDenied,
      HKError.errorNoData, HKError.errorWorkoutActivityNotAllowed, HKError.errorDataSizeExceeded,
      HKError.errorBackgroundWorkoutSessionNotAllowed,
      HKError.errorNotPermissibleForGuestUserMode,
    ]
    #expect(members == Self.codes)
  }
}
