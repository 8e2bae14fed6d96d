import Foundation
import GRDB
import HealthLedger
public import HealthSamples

extension SampleStore {
  /// The names of the sources that the user prefers for a type, highest first; those for all types
  /// if the type has no order of its own, else the order that the last file tells that has one.
  ///
  /// An app sees only names of sources that it sees, and a file may name others than those of its
  /// data.
  public func preferredSources(of type: SampleType) throws(StoreError) -> [String] {
    let (names, isOfFile) = try read { database in
      let own = try database.preferredSources(type.identifier)
      let names = own.isEmpty ? try database.preferredSources("") : own
      guard names.isEmpty else { return (names, false) }
      let orders = try database.fileFacts().compactMap { $0.sourceOrders[type.identifier] }
      return (orders.last ?? [], true)
    }
    guard reader != nil || isOfFile, !names.isEmpty else { return names }
    let visible = try sources(of: type).map(\.source)
    return names.filter { name in visible.contains { $0.isNamed(name) } }
  }

  /// Sets the preferred sources, highest first.
  ///
  /// - Parameters:
  ///   - names: as the user writes them; an empty list removes the setting
  ///   - type: the type, or `nil` for all types without their own order
  /// - Throws: ``StoreError``
  public func setPreferredSources(_ names: [String], of type: SampleType?) throws(StoreError) {
    var known: Set<String> = []
    let distinct = names.filter { known.insert(Source.matchingName(of: $0)).inserted }
    try set(
      .sources,
      [type?.identifier ?? "": names.isEmpty ? nil : SettingKind.text(of: distinct)])
  }
}

extension SampleStore {
  /// The identifier of the default time zone of queries; `nil` when none is set.
  public func defaultZone() throws(StoreError) -> String? {
    try read { try $0.settings(of: .zone)[""] }
  }

  /// Sets the default time zone of queries.
  ///
  /// - Parameter identifier: an identifier such as `Europe/Paris`; `nil` removes the setting
  /// - Throws: ``StoreError``
  public func setDefaultZone(_ identifier: String?) throws(StoreError) {
    try set(.zone, ["": identifier])
  }

  /// Sets settings of a kind by what they are of, all or none; `nil` removes one.
  func set(
    _ kind: SettingKind, _ values: @autoclosure () throws -> [String: String?]
  ) throws(StoreError) {
    try write { database, _ in
      for (identifier, value) in try values() {
        try database.set(
          kind.rawValue + identifier, to: value, at: database.allocateStamp(at: now.instant))
      }
    }
  }
}

/// What a setting is of: the beginning of its key.
enum SettingKind: String, CaseIterable {
  case characteristic = "characteristic "
  case unit = "unit "
  /// The sources that the user puts first for a type, or for all types.
  case sources = "sources "
  /// The time zone of queries.
  case zone
  /// The command that starts an app.
  case command = "command "
  /// The name of the source of what an app saves.
  case app = "app "
  /// When what an app may read of a type begins, by the app and the type.
  case history = "history "
  /// What a file says besides its data, by the digest of the file.
  case file = "file "

  /// Whether a sync takes it over: commands and what apps may do are of one store.
  var travels: Bool { self != .command && self != .app && self != .history }

  /// A value as it is stored, such as a list of names.
  static func text(of value: some Encodable) throws(Corruption) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let text = try? encoder.encode(value) else { throw Corruption() }
    return String(decoding: text, as: UTF8.self)
  }

  /// The names of a stored list.
  static func names(of text: String) throws(Corruption) -> [String] {
    guard let names = try? JSONDecoder().decode([String].self, from: Data(text.utf8)) else {
      throw Corruption()
    }
    return names
  }
}

extension Database {
  /// The values of settings by the identifiers of their types.
  func settings(of kind: SettingKind) throws -> [String: String] {
    let rows = try Row.fetchAll(
      self,
      sql: """
        SELECT key, value FROM settings WHERE substr(key, 1, ?) = ? AND value IS NOT NULL
        """,
      arguments: [kind.rawValue.count, kind.rawValue])
    return Dictionary(
      try rows.map { row in
        let (key, value): (String, String) = try row.values()
        return (String(key.dropFirst(kind.rawValue.count)), value)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether an act on a setting is later than all that are known: the last one holds.
  func isNews(_ stamp: Stamp, of key: String) throws -> Bool {
    let known = try Row.fetchOne(
      cachedStatement(sql: "SELECT clock, counter, store FROM settings WHERE key = ?"),
      arguments: [key])
    return try known.map { try Stamp($0, from: 0) < stamp } ?? true
  }

  /// Sets a setting, or records that it is no longer set.
  func set(_ key: String, to value: String?, at stamp: Stamp) throws {
    try insert(
      into: "settings", "key, value, clock, counter, store, number",
      [key, value, stamp.clock, stamp.counter, stamp.store, try allocateRegister()],
      or: "OR REPLACE")
  }

  fileprivate func preferredSources(_ type: String) throws -> [String] {
    guard let text = try settings(of: .sources)[type] else { return [] }
    return try SettingKind.names(of: text)
  }
}
