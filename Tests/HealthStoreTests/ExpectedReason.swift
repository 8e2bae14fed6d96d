import Testing

@testable import HealthStore

/// Expects an error of a store with a reason.
func expect(
  _ reason: StoreError.Reason, location: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  do {
    try body()
    Issue.record("no error", sourceLocation: location)
  } catch {
    #expect((error as? StoreError)?.reason == reason, "\(error)", sourceLocation: location)
  }
}
