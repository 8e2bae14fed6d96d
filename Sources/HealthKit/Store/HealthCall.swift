import Foundation
import Synchronization

/// A call of an app, as a test records it and makes it fail.
package struct HealthCall: Sendable {
  /// What the app calls.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case requestAuthorization, save, delete, query, characteristics, workoutZones
    case backgroundDelivery, builder, workoutSession, attachment, other
  }

  /// What the app calls.
  package let kind: Kind
  /// The types that it names.
  package let types: Set<HKObjectType>
  /// The objects that it saves or deletes.
  package let objects: [HKObject]
  /// The query that it executes.
  package let query: HKQuery?

  private init(
    _ kind: Kind, types: Set<HKObjectType> = [], objects: [HKObject] = [], query: HKQuery? = nil
  ) {
    (self.kind, self.types, self.objects, self.query) = (kind, types, objects, query)
  }

  static func requestAuthorization(_ share: Set<HKSampleType>, _ read: Set<HKObjectType>) -> Self {
    Self(.requestAuthorization, types: read.union(share))
  }

  static func save(_ objects: [HKObject]) -> Self { of(.save, objects) }

  static func delete(_ objects: [HKObject]) -> Self { of(.delete, objects) }

  static func delete(of type: HKObjectType) -> Self { Self(.delete, types: [type]) }

  static func query(_ query: HKQuery) -> Self {
    Self(.query, types: Set([query.objectType].compactMap { $0 }), query: query)
  }

  static func characteristics(_ type: HKObjectType) -> Self {
    Self(.characteristics, types: [type])
  }

  static func backgroundDelivery(_ type: HKObjectType?) -> Self {
    Self(.backgroundDelivery, types: Set([type].compactMap { $0 }))
  }

  static let builder = Self(.builder)
  static let workoutSession = Self(.workoutSession)
  static let attachment = Self(.attachment)

  static func workoutZones(_ type: HKQuantityType) -> Self { Self(.workoutZones, types: [type]) }

  static func other(_ types: Set<HKObjectType> = []) -> Self { Self(.other, types: types) }

  private static func of(_ kind: Kind, _ objects: [HKObject]) -> Self {
    Self(kind, types: Set(objects.compactMap { ($0 as? HKSample)?.sampleType }), objects: objects)
  }
}

/// What a test does to calls, and what it keeps of them.
package final class HealthCalls: Sendable {
  /// A call that was made.
  package struct Made: Sendable {
    package let call: HealthCall
    /// The bundle identifier of the app.
    package let app: String
    /// When it was made, by the clock of the store.
    package let date: Date
  }

  /// What happens to a call.
  struct Fate: Sendable {
    var error: HKError?
    /// Seconds before the store gets it.
    var delay: Double?
  }

  /// How a call answers, which says what can happen to it.
  enum Form {
    /// Later: it fails, and waits.
    case waiting
    /// At once: it fails, and does not wait.
    case failing
    /// Not at all.
    case silent
  }

  private struct State {
    var made: [Made] = []
    var errors: [HealthCall.Kind: [HKError.Code]] = [:]
    var delays: [HealthCall.Kind: [Double]] = [:]
    /// Those whose delay a call has met that cannot wait, and no later one has had yet.
    var missed: Set<HealthCall.Kind> = []
    var delivers = false
    var isLocked = false
    /// What was saved while the store was locked.
    var journal: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  init() {}

  /// The calls so far, in their order.
  package var made: [Made] { state.withLock { $0.made } }

  /// Lets the next calls of a kind fail.
  package func fail(_ kind: HealthCall.Kind, times: Int, with code: HKError.Code) {
    state.withLock { $0.errors[kind, default: []] += Array(repeating: code, count: max(0, times)) }
  }

  /// Lets the next calls of a kind wait.
  package func delay(_ kind: HealthCall.Kind, times: Int, by seconds: Double) {
    state.withLock {
      $0.delays[kind, default: []] += Array(repeating: seconds, count: max(0, times))
    }
  }

  /// The kinds whose delay a call has met that cannot wait, and no later one has had.
  package var missedDelays: Set<HealthCall.Kind> { state.withLock { $0.missed } }

  /// Records a call, and says what happens to it; what its form cannot have is for a later call.
  func take(_ call: HealthCall, _ form: Form, of host: HealthHost) -> Fate {
    let made = Made(call: call, app: host.bundleIdentifier, date: host.now())
    return state.withLock { state in
      state.made.append(made)
      var fate = Fate()
      if form != .silent, let code = state.errors[call.kind]?.first {
        fate.error = HKError(code)
        state.errors[call.kind]?.removeFirst()
      }
      if let delay = state.delays[call.kind]?.first {
        if form == .waiting {
          fate.delay = delay
          state.delays[call.kind]?.removeFirst()
          state.missed.remove(call.kind)
        } else {
          state.missed.insert(call.kind)
        }
      }
      return fate
    }
  }

  /// Whether updates that wait, because the app did not complete the last one, come now.
  package var delivers: Bool {
    get { state.withLock { $0.delivers } }
    set { state.withLock { $0.delivers = newValue } }
  }

  // MARK: Locking

  /// Whether reading fails, and what is saved waits.
  package var isLocked: Bool { state.withLock { $0.isLocked } }

  /// Locks the store.
  package func lock() { state.withLock { $0.isLocked = true } }

  /// Unlocks the store: what was saved meanwhile enters it, as far as the apps may save it now.
  package func unlock() {
    let journal = state.withLock { state in
      state.isLocked = false
      defer { state.journal = [] }
      return state.journal
    }
    for save in journal { save() }
  }

  /// Forgets what was saved while the store was locked.
  func clear() { state.withLock { $0.journal = [] } }

  /// Keeps a save until the store is unlocked; `false` if it is not locked.
  func keep(_ save: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if state.isLocked { state.journal.append(save) }
      return state.isLocked
    }
  }
}
