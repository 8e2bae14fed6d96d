import GRDB
public import HealthSamples

extension SampleStore {
  /// The names of the sources that the user prefers for a type, highest first; those for all types
  /// if the type has no order of its own.
  ///
  /// An app sees only names of sources that it sees.
  public func preferredSources(of type: SampleType) throws(StoreError) -> [String] {
    let names = try read { database in
      let own = try database.preferredSources(type.identifier)
      return own.isEmpty ? try database.preferredSources("") : own
    }
    guard reader != nil, !names.isEmpty else { return names }
    let visible = try sources(of: type).map(\.source)
    return names.filter { name in visible.contains { $0.isNamed(name) } }
  }

  /// Sets the preferred sources, highest first.
  ///
  /// - Parameters:
  ///   - names: as the user writes them; an empty list removes the setting
  ///   - type: the type, or `nil` for all types without their own order
  /// - Throws: ``StoreError``
  public func setPreferredSources(
    _ names: [String], of type: SampleType?
  ) throws(StoreError) {
    try write { database, _ in
      try database.execute(
        sql: "DELETE FROM preferences WHERE type = ?", arguments: [type?.identifier ?? ""])
      var known: Set<String> = []
      for name in names where known.insert(Source.matchingName(of: name)).inserted {
        try database.execute(
          sql: "INSERT INTO preferences (type, position, name) VALUES (?, ?, ?)",
          arguments: [type?.identifier ?? "", known.count, name])
      }
    }
  }
}

extension SampleStore {
  private static let zoneSetting = "zone"

  /// The identifier of the default time zone of queries; `nil` when none is set.
  public func defaultZone() throws(StoreError) -> String? {
    try read { database in
      try String.fetchOne(
        database, sql: "SELECT value FROM settings WHERE key = ?",
        arguments: [Self.zoneSetting])
    }
  }

  /// Sets the default time zone of queries.
  ///
  /// - Parameter identifier: an identifier such as `Europe/Paris`; `nil` removes the setting
  /// - Throws: ``StoreError``
  public func setDefaultZone(_ identifier: String?) throws(StoreError) {
    try write { database, _ in
      try database.execute(
        sql: "DELETE FROM settings WHERE key = ?", arguments: [Self.zoneSetting])
      guard let identifier else { return }
      try database.execute(
        sql: "INSERT INTO settings (key, value) VALUES (?, ?)",
        arguments: [Self.zoneSetting, identifier])
    }
  }
}

extension Database {
  fileprivate func preferredSources(_ type: String) throws -> [String] {
    try String.fetchAll(
      self, sql: "SELECT name FROM preferences WHERE type = ? ORDER BY position",
      arguments: [type])
  }
}
