public import Foundation
import GRDB

/// Whether the owner lets an app do something.
public enum Authorisation: Int, Sendable, Hashable, Codable, CaseIterable {
  /// The owner has not been asked: as denied.
  case undetermined
  /// The owner does not allow it.
  case denied
  /// The owner allows it.
  case authorised
}

/// What an app may do with the samples of a type.
public struct AppAuthorisation: Sendable, Hashable {
  /// The bundle identifier of the app.
  public let app: String
  /// The identifier of the type.
  public let type: String
  /// Whether it may save samples.
  public let share: Authorisation
  /// Whether it may read samples of others.
  public let read: Authorisation
}

extension SampleStore {
  /// The same store as an app sees it: the types that it may read, and its own samples.
  ///
  /// What it may not see looks as if it were not there; what only the owner may do throws
  /// ``StoreError/Reason/notPermitted``. An app's view stays that app's.
  ///
  /// - Parameters:
  ///   - app: the bundle identifier of the app
  ///   - name: the name of the source of what the app saves, unless
  ///     ``authorise(_:share:read:named:)`` gave it one; without either that under which the store has
  ///     samples of it, else the bundle identifier
  /// - Returns: a store that shares the connections of this one
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for the view of another app,
  ///   ``StoreError/Reason/noBundleIdentifier`` for an empty one, which is that of imports, and
  ///   ``StoreError/Reason/reservedBundleIdentifier`` for one under which apps see these
  /// - Complexity: O(1)
  public func reading(as app: String, named name: String? = nil) throws(StoreError) -> SampleStore {
    try reading(as: app, named: name, filtersHistory: false)
  }

  /// The same store as an app sees it, for a caller that may leave out rows itself.
  ///
  /// - Parameters:
  ///   - app: the bundle identifier of the app
  ///   - name: the name of the source of what the app saves; see ``reading(as:named:)``
  ///   - filtersHistory: whether the caller leaves out rows that end before ``historyLimits()``;
  ///     else the app sees only its own of such types
  /// - Returns: a store that shares the connections of this one
  /// - Throws: ``StoreError`` as ``reading(as:named:)`` does
  package func reading(
    as app: String, named name: String? = nil, filtersHistory: Bool
  ) throws(StoreError) -> SampleStore {
    try Self.checkBundleIdentifier(app, path: path)
    if let reader {
      // Texts are equal here if their bytes are, as in the store.
      guard name == nil, reader.utf8.elementsEqual(app.utf8) else {
        throw StoreError(.notPermitted, path: path)
      }
      return self
    }
    return with(reader: app, named: name, filtersHistory: filtersHistory)
  }

  /// Throws for a bundle identifier that no app has.
  package static func checkBundleIdentifier(_ app: String, path: String = "") throws(StoreError) {
    if let fault = fault(ofBundleIdentifier: app) { throw StoreError(fault, path: path) }
  }

  /// Why no app has a bundle identifier; `nil` for one that an app may have.
  ///
  /// Imports are of sources without one, which HealthKit shows as the Health app and as devices: an
  /// app of such a name would pass for them.
  static func fault(ofBundleIdentifier app: String) -> StoreError.Reason? {
    if app.isEmpty { return .noBundleIdentifier }
    let name = app.lowercased()
    return name == "com.apple.health" || name.hasPrefix("com.apple.health.")
      ? .reservedBundleIdentifier : nil
  }

  /// What apps may do, by app and type.
  ///
  /// - Parameter app: only those of this app
  /// - Returns: the permissions that were set
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app, which asks
  ///   ``sharing(of:)``
  public func authorisations(of app: String? = nil) throws(StoreError) -> [AppAuthorisation] {
    try checkOwner()
    return try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT app, type, share, read FROM authorisations
          WHERE ?1 IS NULL OR app = ?1 ORDER BY app, type
          """, arguments: [app]
      ).map { row in
        AppAuthorisation(
          app: try row.decode(atIndex: 0), type: try row.decode(atIndex: 1),
          share: try Authorisation(row, at: 2), read: try Authorisation(row, at: 3))
      }
    }
  }

  // MARK: Limited history

  /// Limits what an app may read of some types to what ends at a date or later; its own samples stay
  /// visible.
  ///
  /// The limit holds when the app is allowed to read the types, also later, until it is lifted.
  ///
  /// - Parameters:
  ///   - app: the bundle identifier of the app
  ///   - types: the identifiers of the types
  ///   - date: when what it may read begins; `nil` lifts the limit
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app, and
  ///   ``StoreError/Reason/invalidLimit`` for a date that is not finite
  public func limitHistory(
    of app: String, types: Set<String>, from date: Date?
  ) throws(StoreError) {
    try limitHistory(
      of: app, from: Dictionary(uniqueKeysWithValues: types.map { ($0, date) }))
  }

  /// Limits what an app may read of some types, each from a date of its own, in one transaction; see
  /// ``limitHistory(of:types:from:)``.
  package func limitHistory(of app: String, from dates: [String: Date?]) throws(StoreError) {
    try write { database, _ in
      // The owner takes back whatever an earlier version let any app have.
      if dates.values.contains(where: { $0 != nil }) {
        try Self.checkBundleIdentifier(app, path: path)
      }
      for (type, date) in dates.sorted(by: { $0.key < $1.key }) {
        let instant = date?.timeIntervalSinceReferenceDate
        guard instant?.isFinite ?? true else { throw StoreError(.invalidLimit, path: path) }
        let key = "\(SettingKind.history.rawValue)\(type)\(Database.limitSeparator)\(app)"
        try database.set(
          key, to: instant.map { "\($0)" }, at: database.allocateStamp(at: now.instant))
      }
    }
  }

  /// When what an app may read begins, by the identifiers of the types whose history is limited.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  public func historyLimits(of app: String) throws(StoreError) -> [String: Date] {
    try checkOwner()
    return try read { database in
      try database.historyLimits(of: app).mapValues(Date.init(timeIntervalSinceReferenceDate:))
    }
  }

  /// When what the reader sees begins, by the identifiers of the types whose history is limited, in
  /// seconds since 2001-01-01 UTC; none for the owner.
  package func historyLimits() throws(StoreError) -> [String: Double] {
    guard let reader else { return [:] }
    return try read { try $0.historyLimits(of: reader) }
  }

  /// When what apps may read begins, by app and by the identifiers of the types whose history is
  /// limited.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  package func historyLimitsOfApps() throws(StoreError) -> [String: [String: Date]] {
    try checkOwner()
    return try read { try $0.storedLimits() }.reduce(into: [:]) { limits, limit in
      limits[limit.app, default: [:]][limit.type] =
        Date(timeIntervalSinceReferenceDate: limit.instant)
    }
  }

  // MARK: Sharing

  /// Whether the app whose view this is may save some types; whether it may read them does not show.
  ///
  /// - Parameter types: the identifiers of the types
  /// - Returns: a state for each; everything is authorised for the owner
  /// - Throws: ``StoreError``
  public func sharing(of types: Set<String>) throws(StoreError) -> [String: Authorisation] {
    guard let reader else {
      return Dictionary(uniqueKeysWithValues: types.map { ($0, .authorised) })
    }
    return try read { database in
      var states = Dictionary(
        uniqueKeysWithValues: types.map { ($0, Authorisation.undetermined) })
      for row in try Row.fetchAll(
        database, sql: "SELECT type, share FROM authorisations WHERE app = ?", arguments: [reader])
      {
        let type: String = try row.decode(atIndex: 0)
        if states[type] != nil { states[type] = try Authorisation(row, at: 1) }
      }
      return states
    }
  }

  /// The names that the owner gave to apps, by bundle identifier: those of the sources of what they
  /// save.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  public func appNames() throws(StoreError) -> [String: String] {
    try checkOwner()
    return try read { try $0.settings(of: .app) }
  }

  /// Sets what an app may do with the samples of a type, or what permits elements, such as
  /// `HKWorkoutTypeIdentifier`.
  ///
  /// - Parameters:
  ///   - app: the bundle identifier of the app
  ///   - type: the identifier of the type
  ///   - share: whether it may save; unchanged for `nil`
  ///   - read: whether it may read what is not its own; unchanged for `nil`
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  public func authorise(
    _ app: String, type: String, share: Authorisation? = nil, read: Authorisation? = nil
  ) throws(StoreError) {
    try authorise(
      app, share: share.map { [type: $0] } ?? [:], read: read.map { [type: $0] } ?? [:])
  }

  /// Sets what an app may do with the samples of several types, in one transaction.
  ///
  /// - Parameters:
  ///   - app: the bundle identifier of the app
  ///   - share: whether it may save, by the identifiers of types
  ///   - read: whether it may read what is not its own, by the identifiers of types
  ///   - name: the name of the source of what it saves; unchanged for `nil`
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  public func authorise(
    _ app: String, share: [String: Authorisation], read: [String: Authorisation],
    named name: String? = nil
  ) throws(StoreError) {
    try write { database, _ in
      if name != nil || share.values.contains(.authorised) || read.values.contains(.authorised) {
        try Self.checkBundleIdentifier(app, path: path)
      }
      if let name, try database.settings(of: .app)[app] != name {
        let stamp = try database.allocateStamp(at: now.instant)
        try database.set(SettingKind.app.rawValue + app, to: name, at: stamp)
      }
      for type in Set(share.keys).union(read.keys).sorted() {
        try database.execute(
          sql: """
            INSERT INTO authorisations (app, type, share, read)
            VALUES (?1, ?2, ifnull(?3, 0), ifnull(?4, 0))
            ON CONFLICT (app, type) DO UPDATE SET share = ifnull(?3, share), read = ifnull(?4, read)
            """, arguments: [app, type, share[type]?.rawValue, read[type]?.rawValue])
      }
      try database.execute(sql: "DELETE FROM authorisations WHERE share = 0 AND read = 0")
    }
  }

  /// Shows an app single objects, whether or not it may read their type.
  ///
  /// - Parameters:
  ///   - app: the bundle identifier of the app
  ///   - type: the identifier of their type, for which the app counts as having asked
  ///   - shown: the UUIDs of the objects that it may read
  ///   - hidden: the UUIDs of objects that it may no longer read; others stay as they were
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  public func authorise(
    _ app: String, type: String, showing shown: Set<UUID>, hiding hidden: Set<UUID>
  ) throws(StoreError) {
    try write { database, _ in
      if !shown.isEmpty { try Self.checkBundleIdentifier(app, path: path) }
      let reader = try UUIDReader(self, database)
      let births = try Births(database)
      let stored = try Int64.fetchAll(
        database, sql: "SELECT object FROM objectAuthorisations WHERE app = ?", arguments: [app])
      func objects(_ uuids: Set<UUID>) throws -> Set<Int64> {
        Set(try reader.serials(of: Array(uuids)).compactMap { $0.map(births.birth) })
      }
      // An earlier version stored the serial of then.
      let isHidden = try objects(hidden)
      for object in stored where isHidden.contains(births.birth(of: object)) {
        try database.execute(
          sql: "DELETE FROM objectAuthorisations WHERE app = ? AND object = ?",
          arguments: [app, object])
      }
      for object in try objects(shown).sorted() {
        try database.insert(
          into: "objectAuthorisations", "app, object", [app, object], or: "OR IGNORE")
      }
      try database.execute(
        sql: """
          INSERT INTO authorisations (app, type, share, read) VALUES (?1, ?2, 0, ?3)
          ON CONFLICT (app, type) DO UPDATE SET read = max(read, ?3)
          """, arguments: [app, type, Authorisation.denied.rawValue])
    }
  }
}

extension Database {
  /// What stands in the key of a limit between the type, which has none, and the app.
  fileprivate static let limitSeparator: Character = "\n"

  /// When what an app may read of types begins, in seconds since 2001-01-01 UTC.
  func historyLimits(of app: String) throws -> [String: Double] {
    try storedLimits(of: app).reduce(into: [:]) { $0[$1.type] = $1.instant }
  }

  /// The limits of an app, or of all, in seconds since 2001-01-01 UTC.
  ///
  /// A damaged limit concerns no app but its own.
  fileprivate func storedLimits(
    of wanted: String? = nil
  ) throws -> [(app: String, type: String, instant: Double)] {
    let prefix = SettingKind.history.rawValue
    // A range of the key, because this is asked with every question of an app.
    return try Row.fetchAll(
      self,
      sql: """
        SELECT key, value FROM settings WHERE key >= ? AND key < ? AND value IS NOT NULL
        """, arguments: [prefix, prefix.dropLast() + "!"]
    ).compactMap { row in
      let (name, text): (String, String) = try row.values()
      let key = name.dropFirst(prefix.count)
      guard let end = key.firstIndex(of: Self.limitSeparator) else { throw Corruption() }
      let app = key[key.index(after: end)...]
      // Texts are equal here if their bytes are, as in the store.
      if let wanted, !app.utf8.elementsEqual(wanted.utf8) { return nil }
      guard let instant = Double(text), instant.isFinite else { throw Corruption() }
      return (String(app), String(key[..<end]), instant)
    }
  }
}

extension Authorisation {
  fileprivate init(_ row: Row, at column: Int) throws {
    guard let value = Self(rawValue: try row.decode(atIndex: column)) else { throw Corruption() }
    self = value
  }
}
