public import HealthSamples

/// A characteristic of the person.
public struct ProfileEntry: Sendable, Hashable {
  /// The identifier of the type, such as `HKCharacteristicTypeIdentifierBloodType`.
  public let identifier: String
  /// The value as exports write it.
  public let value: String
  /// Whether the owner set it; else the last export has it.
  public let isSetByOwner: Bool
}

extension SampleStore {
  /// The characteristics of the person, in the order of the catalogue, then by identifier.
  ///
  /// What the owner set replaces what the last export has.
  ///
  /// - Throws: ``StoreError``
  public func profile() throws(StoreError) -> [ProfileEntry] {
    var entries: [String: ProfileEntry] = [:]
    for entry in try characteristics().rows.flatMap(\.entries) {
      entries[entry.key] = ProfileEntry(
        identifier: entry.key, value: entry.value, isSetByOwner: false)
    }
    let own = try read { database in
      let permission = try permission(in: database)
      return try database.settings(of: .characteristic).filter { permission.mayRead($0.key) }
    }
    for (identifier, value) in own {
      entries[identifier] = ProfileEntry(
        identifier: identifier, value: value, isSetByOwner: true)
    }
    let order = Catalogue.characteristicTypes.map(\.identifier.rawValue)
    return entries.values.sorted { left, right in
      let places = [left, right].map { order.firstIndex(of: $0.identifier) ?? order.count }
      return (places[0], left.identifier) < (places[1], right.identifier)
    }
  }

  /// Sets a characteristic of the person.
  ///
  /// - Parameters:
  ///   - value: as exports write it; `nil` for what the last export has
  ///   - identifier: the identifier of the type
  /// - Throws: ``StoreError``
  public func setCharacteristic(_ value: String?, of identifier: String) throws(StoreError) {
    try setCharacteristics([identifier: value])
  }

  /// Sets characteristics of the person, all or none.
  ///
  /// - Parameter values: what ``setCharacteristic(_:of:)`` takes, by the identifiers of the types
  /// - Throws: ``StoreError``
  package func setCharacteristics(_ values: [String: String?]) throws(StoreError) {
    try set(.characteristic, values)
  }

  /// The unit that the user prefers for a type; `nil` when none is set.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app, which has
  ///   ``outputUnit(of:)``
  public func preferredUnit(of type: SampleType) throws(StoreError) -> String? {
    try preferredUnits()[type.identifier]
  }

  /// The units that the user prefers, by the identifiers of their types.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  public func preferredUnits() throws(StoreError) -> [String: String] {
    try checkOwner()
    return try read { try $0.settings(of: .unit) }
  }

  /// Sets the unit of answers that do not name one; `nil` removes the setting.
  ///
  /// - Throws: ``StoreError``
  public func setPreferredUnit(_ unit: String?, of type: SampleType) throws(StoreError) {
    try set(.unit, [type.identifier: unit])
  }

  /// The unit of answers that do not name one: the preferred one, else that of most samples, where
  /// rates are per minute (see `SampleType.shownUnit(recordedIn:)`); `nil` without either.
  ///
  /// An app learns what is preferred for types that it may read or share.
  public func outputUnit(of type: SampleType) throws(StoreError) -> String? {
    let preferred = try read { database in
      let permission = try permission(in: database)
      let isKnown =
        try permission.mayRead(type.identifier)
        || SharePermission(of: self, in: database)?.mayShare(type.identifier) ?? true
      return isKnown ? try database.settings(of: .unit)[type.identifier] : nil
    }
    if let preferred { return preferred }
    return try types().first { $0.type == type }?.recordedUnit.map(type.shownUnit(recordedIn:))
  }
}
