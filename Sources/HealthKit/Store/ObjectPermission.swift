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
  public let type: HKObjectType
  /// The objects of the type that the app asks for, by start; none for medications.
  public let objects: [HKSample]
  /// The medications, which are shown all or none: ``all`` has one UUID for them.
  public let medications: [HKUserAnnotatedMedication]
  /// Why it wants to read, in its words.
  public let readUsage: String?

  /// The answer that shows all of them.
  public let all: Set<UUID>

  init(
    _ host: HealthHost, _ type: HKObjectType, _ objects: [HKSample],
    medications: [HKUserAnnotatedMedication] = []
  ) {
    (app, name, readUsage) = (host.bundleIdentifier, host.name, host.readUsage)
    (self.type, self.objects, self.medications) = (type, objects, medications)
    all = medications.isEmpty ? Set(objects.map(\.uuid)) : [UUID()]
  }
}

extension ObjectRequest: OwnersQuestion {
  func covers(_ other: ObjectRequest) -> Bool {
    type == other.type && medications == other.medications
      && Set(objects.map(\.uuid)).isSuperset(of: other.objects.map(\.uuid))
  }
}

extension HealthSession {
  /// Asks the owner which objects of a type the app may read, and keeps the answer.
  ///
  /// The owner is asked one question at a time, and each time; a request that comes while the owner
  /// is asked for the same objects gets that answer.
  func requestObjects(of type: HKObjectType, _ predicate: NSPredicate?) async throws {
    try checkEntitlement()
    if host.isGuest { return }
    try await work.gate(of: host.bundleIdentifier).pass {
      try question(for: type, predicate)
    } _: { [self] in
      try await ask($0)
    }
  }

  private func question(
    for type: HKObjectType, _ predicate: NSPredicate?
  ) throws -> ObjectRequest {
    let owner = try owner()
    if type is HKUserAnnotatedMedicationType {
      return ObjectRequest(host, type, [], medications: medications)
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
    return ObjectRequest(host, type, objects)
  }

  private func ask(_ request: ObjectRequest) async throws {
    let areMedications = request.type is HKUserAnnotatedMedicationType
    // Without a handler the host has chosen the medications before.
    let chosen =
      if let choose = host.choose { await choose(request) } else {
        areMedications ? request.all : nil
      }
    guard let shown = chosen?.intersection(request.all) else { throw HKError(.errorUserCanceled) }
    let owner = try owner()
    if areMedications {
      // With the doses of them.
      let state: Authorisation = shown.isEmpty ? .denied : .authorised
      let doses = HKObjectType.medicationDoseEventType()
      try owner.authorise(
        host.bundleIdentifier, share: [:],
        read: [request.type.identifier: state, doses.identifier: state])
    } else {
      try owner.authorise(
        host.bundleIdentifier, type: request.type.identifier, showing: shown,
        hiding: request.all.subtracting(shown))
    }
  }
}
