import Foundation
internal import HealthStore

/// The objects that an app asks the owner to show, of a type whose objects need permission one by
/// one.
public struct ObjectRequest: Sendable {
  /// The bundle identifier of the app.
  public let app: String
  /// The name of the app.
  public let name: String
  /// The type.
  public let type: HKSampleType
  /// The objects of the type that the app asks for, by start.
  public let objects: [HKSample]
  /// Why it wants to read, in its words.
  public let readUsage: String?

  init(_ host: HealthHost, _ type: HKSampleType, _ objects: [HKSample]) {
    (app, name, readUsage) = (host.bundleIdentifier, host.name, host.readUsage)
    (self.type, self.objects) = (type, objects)
  }

  /// The answer that shows all of them.
  public var all: Set<UUID> { Set(objects.map(\.uuid)) }
}

extension HealthSession {
  /// Asks the owner which objects of a type the app may read, and keeps the answer.
  func requestObjects(of type: HKObjectType, _ predicate: NSPredicate?) async throws {
    try checkEntitlement()
    if host.isGuest { return }
    let owner = try owner()
    if type is HKUserAnnotatedMedicationType {
      // The owner chose them before, for the host, with the doses of them.
      let state: Authorisation = medications.isEmpty ? .denied : .authorised
      let doses = HKObjectType.medicationDoseEventType()
      return try owner.authorise(
        host.bundleIdentifier, share: [:],
        read: [type.identifier: state, doses.identifier: state])
    }
    guard type.requiresPerObjectAuthorization(), let type = type as? HKSampleType else {
      throw HKError.invalid("Samples of \(type.identifier) need no permission one by one")
    }
    // A block of the app would see what the owner has not shown it yet.
    if predicate?.tree.hasBlocks ?? false {
      throw HKError.invalid("A predicate for objects to be shown cannot have blocks")
    }
    let objects = try SampleRequest([(type, predicate)], order: .store([]), limit: nil)
      .samples(in: owner)
    let request = ObjectRequest(host, type, objects)
    guard let shown = await host.choose?(request) else { throw HKError(.errorUserCanceled) }
    try self.owner().authorise(
      host.bundleIdentifier, type: type.identifier, showing: shown.intersection(request.all),
      hiding: request.all.subtracting(shown))
  }
}
