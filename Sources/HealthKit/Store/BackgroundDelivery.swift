import Foundation
internal import HealthStore
import Synchronization

extension HealthSession {
  /// Enables background delivery of the changes of a type.
  func enableDelivery(of type: HKObjectType, _ frequency: HKUpdateFrequency) throws {
    guard !(type is HKCorrelationType) else {
      throw HKError.invalid(
        "Correlations have no background delivery; enable it for the types of their samples")
    }
    try checkEntitlement(
      "com.apple.developer.healthkit.background-delivery",
      "Missing com.apple.developer.healthkit.background-delivery entitlement.")
    try checkReading(of: [type])
    guard let frequency = DeliveryFrequency(rawValue: frequency.rawValue) else {
      throw HKError.invalid("There is no such frequency")
    }
    try owner().enableDelivery(
      of: type.identifier, to: host.bundleIdentifier,
      type.isHourly && frequency == .immediate ? .hourly : frequency)
  }

  /// Disables background delivery of the changes of a type, or of all types for `nil`.
  func disableDelivery(of type: HKObjectType?) throws {
    try owner().disableDelivery(of: type?.identifier, to: host.bundleIdentifier)
  }

  /// The background deliveries of types to the app.
  fileprivate func deliveries(of types: [String]) throws -> [Delivery] {
    try owner().deliveries(of: host.bundleIdentifier).filter { types.contains($0.type) }
  }

  /// Records that the app has handled changes, then calls a body.
  fileprivate func complete(
    _ types: [String], upTo change: Int64, then body: @escaping @Sendable () -> Void
  ) {
    perform(nil) { session in
      let isOpen = try session.deliveries(of: types)
        .contains { $0.completed < change || $0.failures > 0 }
      guard isOpen else { return }
      try session.owner().completeDelivery(
        of: types, to: session.host.bundleIdentifier, upTo: change)
    } then: { _ in
      body()
    }
  }
}

extension HKObjectType {
  /// Whether updates come once an hour at most: Apple's page names steps as an example of such types
  /// on iOS, and no other.
  fileprivate var isHourly: Bool {
    identifier == HKQuantityTypeIdentifier.stepCount.rawValue
  }
}

/// The updates of one observer query that its app has to complete, because it enabled background
/// delivery of their types.
///
/// An update that the app did not complete holds back what comes after it, as ``Delivery`` says.
final class ObserverDeliveries: Sendable {
  private struct Open {
    var number = 0
    var types: [String] = []
  }

  private let session: HealthSession
  private let open = Mutex<Open?>(nil)
  private let counter = Atomic(0)
  private let isWaiting = Atomic(false)

  init(_ session: HealthSession) { self.session = session }

  /// Whether an update has to wait, because the app did not complete the last one.
  ///
  /// - Returns: `nil` if it has not; else the seconds, which are infinite after too many failures
  func wait() throws -> Double? {
    guard let waiting = open.withLock({ $0 }) else { return nil }
    let failed = try session.deliveries(of: waiting.types).filter { $0.failures > 0 }
    let now = session.host.now().timeIntervalSinceReferenceDate
    // Another query of the app may have completed it, or the app has enabled the delivery anew.
    let waits = failed.map { delivery in
      Delivery.pause(afterFailures: delivery.failures)
        .map { (delivery.attempted ?? now) + $0 - now } ?? .infinity
    }
    // A test may let the system wake the app before.
    if let longest = waits.max(), longest > 0, session.scope?.calls.delivers != true {
      return longest
    }
    open.withLock { if $0?.number == waiting.number { $0 = nil } }
    return nil
  }

  /// Checks again after some seconds, once for all updates that wait.
  func wait(_ seconds: Double, in execution: QueryExecution, _ body: @escaping @Sendable () -> Void)
  {
    // A manual clock has no end of minutes to look again after.
    guard seconds.isFinite || execution.session.host.schedule == nil else { return }
    guard !isWaiting.exchange(true, ordering: .acquiringAndReleasing) else { return }
    execution.perform(after: seconds) { [self] in
      isWaiting.store(false, ordering: .releasing)
      body()
    }
  }

  /// The types of some whose changes the app may get.
  func allowed(_ types: Set<HKSampleType>) throws -> Set<HKSampleType> {
    let stopped = Set(
      try session.deliveries(of: types.map(\.identifier)).filter(\.isStopped).map(\.type))
    return types.filter { !stopped.contains($0.identifier) }
  }

  /// Begins an update.
  ///
  /// - Parameters:
  ///   - types: the types that changed
  ///   - change: the last change
  ///   - isFirst: whether it is the first call of the handler, which reports no change
  ///   - goOn: called when the app has completed the update
  /// - Returns: what the app calls then
  /// - Throws: ``HKError``, or an error of the store
  func begin(
    _ types: Set<HKSampleType>, upTo change: Int64, isFirst: Bool,
    goOn: @escaping @Sendable () -> Void
  ) throws -> @Sendable () -> Void {
    let identifiers = types.map(\.identifier)
    let wanted = try session.deliveries(of: identifiers).map(\.type)
    let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
    if !isFirst, !wanted.isEmpty {
      try session.owner().beginDelivery(
        of: wanted, to: session.host.bundleIdentifier, upTo: change,
        now: session.host.now().timeIntervalSinceReferenceDate)
      open.withLock { $0 = Open(number: number, types: wanted) }
    }
    return { [self] in
      session.complete(identifiers, upTo: change) { [self] in
        let isOpen = open.withLock { open in
          guard open?.number == number else { return false }
          open = nil
          return true
        }
        if isOpen { goOn() }
      }
    }
  }
}
