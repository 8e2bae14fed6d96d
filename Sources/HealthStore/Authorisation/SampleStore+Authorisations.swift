public import Foundation
import GRDB
import HealthSamples

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
  /// ``StoreError/Reason/notPermitted``.
  ///
  /// - Parameter app: the bundle identifier of the app
  /// - Returns: a store that shares the connections of this one
  /// - Complexity: O(1)
  public func reading(as app: String) -> SampleStore { with(reader: app) }

  /// What apps may do, by app and type.
  ///
  /// To an app only its own permissions to share are shown: whether it may read a type is not.
  ///
  /// - Parameter app: only those of this app
  /// - Returns: the permissions that were set
  /// - Throws: ``StoreError``
  public func authorisations(
    of app: String? = nil
  ) throws(StoreError) -> [AppAuthorisation] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT app, type, share, read FROM authorisations
          WHERE (?1 IS NULL OR app = ?1) AND (?2 IS NULL OR app = ?2) ORDER BY app, type
          """, arguments: [app, reader]
      ).map { row in
        AppAuthorisation(
          app: try row.decode(atIndex: 0), type: try row.decode(atIndex: 1),
          share: try Authorisation(row, at: 2),
          read: reader == nil ? try Authorisation(row, at: 3) : .undetermined)
      }
    }
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
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  public func authorise(
    _ app: String, share: [String: Authorisation], read: [String: Authorisation]
  ) throws(StoreError) {
    try checkOwner()
    try write { database, _ in
      for type in Set(share.keys).union(read.keys).sorted() {
        try database.execute(
          sql: """
            INSERT INTO authorisations (app, type, share, read) VALUES (?1, ?2, 0, 0)
            ON CONFLICT (app, type) DO NOTHING
            """, arguments: [app, type])
        try database.execute(
          sql: """
            UPDATE authorisations SET share = coalesce(?3, share), read = coalesce(?4, read)
            WHERE app = ?1 AND type = ?2
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
      let reader = try UUIDReader(self, database)
      for (uuids, change) in [
        (shown, "INSERT OR IGNORE INTO objectAuthorisations (app, object) VALUES (?, ?)"),
        (hidden, "DELETE FROM objectAuthorisations WHERE app = ? AND object = ?"),
      ] {
        for serial in try reader.serials(of: Array(uuids)).compactMap(\.self).sorted() {
          try database.execute(sql: change, arguments: [app, serial])
        }
      }
      try database.execute(
        sql: """
          INSERT INTO authorisations (app, type, share, read) VALUES (?1, ?2, 0, ?3)
          ON CONFLICT (app, type) DO UPDATE SET read = max(read, ?3)
          """, arguments: [app, type, Authorisation.denied.rawValue])
    }
  }

  /// Throws if the reader may not save or delete samples of a type from a source.
  func checkSharing(of type: SampleType, from source: Source, in database: Database) throws {
    try checkSharing(of: type.identifier, from: source, in: database)
  }

  /// Throws if the reader may not save or delete objects of a type from a source.
  func checkSharing(of type: String, from source: Source, in database: Database) throws {
    guard let reader else { return }
    let share = try Int.fetchOne(
      database.cachedStatement(sql: "SELECT share FROM authorisations WHERE app = ? AND type = ?"),
      arguments: [reader, type])
    guard source.bundleIdentifier == reader, share == Authorisation.authorised.rawValue else {
      throw StoreError(.notPermitted, path: path)
    }
  }
}

extension Authorisation {
  fileprivate init(_ row: Row, at column: Int) throws {
    guard let value = Self(rawValue: try row.decode(atIndex: column)) else { throw Corruption() }
    self = value
  }
}
