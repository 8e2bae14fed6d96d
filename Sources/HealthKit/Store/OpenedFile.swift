import Foundation
internal import HealthStore
import Synchronization

/// An open file, which notifies its health stores when the owner changes a preferred unit.
final class OpenedFile: Sendable {
  let store: SampleStore
  private let listening = Mutex<StoreHub.Listening?>(nil)
  private let sessions = Mutex<[Member]>([])

  private struct Member {
    weak var session: HealthSession?
  }

  init(_ store: SampleStore) {
    self.store = store
    // Without it there are no notifications; everything else works.
    let preferences = try? store.hub().listen { [weak self] news in
      guard case .units(let types) = news else { return }
      for session in self?.members ?? [] { session.postChange(ofUnitsOf: types) }
    }
    listening.withLock { $0 = preferences }
  }

  deinit { listening.withLock { $0 }?.end() }

  /// Adds a session to notify.
  func add(_ session: HealthSession) {
    sessions.withLock { sessions in
      sessions.removeAll { $0.session == nil || $0.session === session }
      sessions.append(Member(session: session))
    }
  }

  private var members: [HealthSession] { sessions.withLock { $0 }.compactMap(\.session) }
}

extension HealthSession {
  /// Posts that preferred units changed, if the app ever asked for one of the types.
  fileprivate func postChange(ofUnitsOf types: Set<String>) {
    perform(nil) { session in
      let asked = try session.permissions()
      return types.contains { asked[$0] != nil }
    } then: { [self] (wasAsked: Result<Bool, HKError>) in
      guard wasAsked.value == true, let store = poster.withLock({ $0.store }) else { return }
      NotificationCenter.default.post(name: .HKUserPreferencesDidChange, object: store)
    }
  }
}
