import HealthKit
import Testing

/// Errors as apps catch them.
@Suite
struct Errors {
  private func read(_ code: HKError.Code?) throws -> Int {
    if let code { throw HKError(code) }
    return 1
  }

  @Test("A code is caught by name, a domain by cast")
  func catching() {
    func outcome(_ code: HKError.Code?) -> String {
      do {
        return "\(try read(code))"
      } catch HKError.errorAuthorizationDenied {
        return "denied"
      } catch HKError.errorNoData, HKError.errorDatabaseInaccessible {
        return "later"
      } catch let error as HKError where error.code == .errorHealthDataUnavailable {
        return "nowhere"
      } catch let error as HKError {
        return "\(error.code.rawValue)"
      } catch {
        return "other"
      }
    }
    #expect(outcome(nil) == "1")
    #expect(outcome(.errorAuthorizationDenied) == "denied")
    #expect(outcome(.errorNoData) == "later")
    #expect(outcome(.errorHealthDataUnavailable) == "nowhere")
    #expect(outcome(.errorUserCanceled) == "7")
  }

  @Test("An error is an NSError with a text for people")
  func bridging() {
    let error: any Error = HKError(.errorInvalidArgument)
    let bridged = error as NSError
    #expect(bridged.domain == HKErrorDomain)
    #expect(bridged.code == HKError.Code.errorInvalidArgument.rawValue)
    #expect(!error.localizedDescription.isEmpty)
    if case HKError.errorInvalidArgument = error {} else { Issue.record("no match") }
    let result = Result<Int, any Error>.failure(error)
    #expect(throws: HKError(.errorInvalidArgument)) { try result.get() }
  }
}
