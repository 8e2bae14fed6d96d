import GRDB
import HealthSamples

/// What a reader may see of a store: the one place that decides it, below every query.
///
/// An app sees the samples of the types that it may read, and its own. What it may not see looks to
/// it as if it were not there.
struct ReadPermission {
  private struct Limits {
    let app: String
    /// The identifiers of the types that it may read.
    let identifiers: Set<String>
    /// The numbers in the store of these types, and of its own sources.
    let types: [Int64]
    let sources: [Int64]
    /// The serials of single objects that the owner showed it.
    let objects: Set<Int64>
    /// The kinds of elements among them.
    let kinds: Set<String>
  }

  /// `nil` for the owner, who sees everything.
  private let limits: Limits?

  /// The permission of an app; that of the owner for `nil`.
  init(of app: String?, in database: Database) throws {
    guard let app else {
      limits = nil
      return
    }
    let identifiers = try String.fetchAll(
      database, sql: "SELECT type FROM authorisations WHERE app = ? AND read = ?",
      arguments: [app, Authorisation.authorised.rawValue])
    let objects = try Row.fetchAll(
      database,
      sql: """
        SELECT object, coalesce(elements.kind, identities.kind, '') FROM objectAuthorisations
        LEFT JOIN elements ON elements.id = object
        LEFT JOIN identities ON identities.serial = object WHERE app = ?
        """, arguments: [app])
    limits = Limits(
      app: app, identifiers: Set(identifiers),
      types: try Int64.fetchAll(
        database,
        sql: """
          SELECT id FROM types NOT INDEXED WHERE identifier IN (
            SELECT type FROM authorisations WHERE app = ? AND read = ?)
          """, arguments: [app, Authorisation.authorised.rawValue]),
      sources: try Int64.fetchAll(
        database, sql: "SELECT id FROM sources NOT INDEXED WHERE bundleIdentifier = ?",
        arguments: [app]),
      objects: Set(try objects.map { try $0.decode(atIndex: 0) }),
      kinds: Set(try objects.map { try $0.decode(atIndex: 1) }))
  }

  /// The permission of the owner.
  static let owner = ReadPermission()

  private init() { limits = nil }

  /// Whether the reader is the owner.
  var isOwner: Bool { limits == nil }

  /// The permission for an element: that of the owner for one that was shown to the app.
  func forElement(_ serial: Int64) -> ReadPermission {
    limits?.objects.contains(serial) ?? true ? .owner : self
  }

  /// Whether all samples of a type, or all facts of an identifier, are visible.
  func mayRead(_ identifier: String) -> Bool { limits?.identifiers.contains(identifier) ?? true }

  /// Whether the samples of a type and a source are visible.
  func contains(_ identifier: String, from source: Source) -> Bool {
    guard let limits else { return true }
    return limits.identifiers.contains(identifier) || source.bundleIdentifier == limits.app
  }

  /// Whether the samples of a series are visible, by the numbers of type and source in the store.
  func contains(type: Int64?, source: Int64?) -> Bool {
    guard let limits else { return true }
    return type.map(limits.types.contains) ?? false || source.map(limits.sources.contains) ?? false
  }

  /// Whether changes and deletions of a subject are visible.
  func contains(_ subject: Revision.Subject) -> Bool {
    guard let kind = ElementKind(storedText: subject.kind), let limits else {
      return contains(type: subject.type, source: subject.source)
    }
    if subject.source.map(limits.sources.contains) ?? false { return true }
    if limits.kinds.contains(subject.kind) { return true }
    // What types the elements have is not known here: any that the kind can have will do.
    return limits.identifiers.contains(where: kind.mayHave)
  }

  /// Whether an object of a subject is visible, or its deletion.
  func contains(_ subject: Revision.Subject, serial: Int64) -> Bool {
    guard let limits, limits.kinds.contains(subject.kind) else { return contains(subject) }
    return limits.objects.contains(serial)
      || subject.source.map(limits.sources.contains) ?? false
      || ElementKind(storedText: subject.kind).map { kind in
        limits.identifiers.contains(where: kind.mayHave)
      } ?? false
  }

  /// The condition of a query for visible series, on columns with the numbers of type and source.
  func condition(type: String, source: String) -> String {
    guard let limits else { return "TRUE" }
    func list(_ numbers: [Int64]) -> String { numbers.map(String.init).joined(separator: ", ") }
    return "(\(type) IN (\(list(limits.types))) OR \(source) IN (\(list(limits.sources))))"
  }
}

extension SampleStore {
  /// What the reader of this store may see.
  func permission(in database: Database) throws -> ReadPermission {
    try ReadPermission(of: reader, in: database)
  }

  /// Throws if the reader is an app: what follows is for the owner.
  func checkOwner() throws(StoreError) {
    guard reader == nil else { throw StoreError(.notPermitted, path: path) }
  }
}
