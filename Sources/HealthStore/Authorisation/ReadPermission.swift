import GRDB
import HealthSamples

/// What a reader may see of a store: the one place that decides it, below every query.
///
/// An app sees the samples of the types that it may read, and its own. What it may not see looks to
/// it as if it were not there.
///
/// Of a type whose history the owner limited it sees what ends at the limit or later. That decides
/// about each element; rows are visible by series, so that of such a type a view shows only its own,
/// or all of them where its caller leaves out the earlier ones: see ``SampleStore/filtersHistory``.
struct ReadPermission {
  private struct Limits {
    let app: String
    /// The identifiers of the types that it may read.
    let identifiers: Set<String>
    /// When what it may read of types begins, where the owner limited that.
    var earliest: [String: Double]
    /// The identifiers of the types whose series it sees.
    var ofSeries: Set<String>
    /// The numbers in the store of these types, with their limits, and of its own sources.
    var types: [Int64: Double]
    let sources: [Int64]
    /// The single objects that the owner showed it; `nil` for none.
    let shown: ShownObjects?
  }

  /// `nil` for the owner, who sees everything.
  private let limits: Limits?

  /// The permission of an app, whose view may leave it to its caller to leave out rows before the
  /// limit of their type; that of the owner for `nil`.
  init(of app: String?, filtersHistory: Bool = false, in database: Database) throws {
    guard let app else {
      limits = nil
      return
    }
    let identifiers = try String.fetchSet(
      database, sql: "SELECT type FROM authorisations WHERE app = ? AND read = ?",
      arguments: [app, Authorisation.authorised.rawValue])
    let earliest = try database.historyLimits(of: app)
    let ofSeries = identifiers.filter { filtersHistory || earliest[$0] == nil }
    var types: [Int64: Double] = [:]
    for row in try Row.fetchAll(database, sql: "SELECT id, identifier FROM types NOT INDEXED") {
      let (id, identifier): (Int64, String) = try row.values()
      if ofSeries.contains(identifier) { types[id] = earliest[identifier] ?? -.infinity }
    }
    limits = Limits(
      app: app, identifiers: identifiers, earliest: earliest, ofSeries: ofSeries, types: types,
      sources: try Int64.fetchAll(
        database, sql: "SELECT id FROM sources NOT INDEXED WHERE bundleIdentifier = ?",
        arguments: [app]),
      shown: try ShownObjects(to: app, in: database))
  }

  /// The permission of the owner.
  static let owner = ReadPermission()

  private init(_ limits: Limits? = nil) { self.limits = limits }

  /// Whether the history of some type is limited.
  var hasLimits: Bool { limits.map { !$0.earliest.isEmpty } ?? false }

  /// The permission to read the same types, whenever what is read ends.
  var withoutLimits: ReadPermission {
    guard var limits else { return self }
    (limits.earliest, limits.ofSeries) = ([:], limits.identifiers)
    limits.types = limits.types.mapValues { _ in -.infinity }
    return ReadPermission(limits)
  }

  /// Whether the reader is the owner.
  var isOwner: Bool { limits == nil }

  /// Whether the owner showed the app this object, whatever its type.
  func isShown(_ serial: Int64) -> Bool { limits?.shown?.contains(serial) ?? false }

  /// The permission for an element: that of the owner for one that was shown to the app.
  func forElement(_ serial: Int64) -> ReadPermission { isShown(serial) ? .owner : self }

  /// Whether samples of a type, or all facts of an identifier, are visible.
  func mayRead(_ identifier: String) -> Bool { limits?.identifiers.contains(identifier) ?? true }

  /// Whether all samples of a type are visible, whenever they end.
  func mayReadAll(_ identifier: String) -> Bool {
    mayRead(identifier) && limits?.earliest[identifier] == nil
  }

  /// Whether what ends at an instant is visible of a type.
  ///
  /// An earlier version kept no time of what it deleted, for which the instant is `nil`: it may have
  /// been seen, and so the reader hears of it.
  func mayRead(_ identifier: String, endingAt end: Double?) -> Bool {
    guard mayRead(identifier) else { return false }
    guard let end, let earliest = limits?.earliest[identifier] else { return true }
    return earliest <= end
  }

  /// Whether what ends at an instant is visible of some type of a kind, or with some member.
  func mayRead(anyOf kind: ElementKind, endingAt end: Double?) -> Bool {
    limits?.identifiers.contains { kind.columns.mayHave($0) && mayRead($0, endingAt: end) } ?? true
  }

  /// Whether the series of a type and a source is visible.
  func contains(_ identifier: String, from source: Source) -> Bool {
    guard let limits else { return true }
    return limits.ofSeries.contains(identifier) || source.bundleIdentifier == limits.app
  }

  /// Whether what ends at an instant is visible, of a type and a source.
  func contains(_ identifier: String, from source: Source, endingAt end: Double) -> Bool {
    guard let limits else { return true }
    return source.bundleIdentifier == limits.app || mayRead(identifier, endingAt: end)
  }

  /// Whether the samples of a series are visible, by the numbers of type and source in the store.
  func contains(type: Int64?, source: Int64?) -> Bool {
    isOwn(source) || type.map { limits?.types[$0] != nil } ?? false
  }

  /// Whether a sample of a series is visible that ends at an instant, which is `nil` where it is not
  /// known: see ``mayRead(_:endingAt:)``.
  func contains(type: Int64?, source: Int64?, endingAt end: Double?) -> Bool {
    if isOwn(source) { return true }
    guard let type, let earliest = limits?.types[type] else { return false }
    return end.map { earliest <= $0 } ?? true
  }

  /// Whether the samples of a series are visible, whenever they end.
  func containsAll(type: Int64?, source: Int64?) -> Bool {
    contains(type: type, source: source, endingAt: -.infinity)
  }

  /// Whether a source, by its number in the store, is the reader's own; each is the owner's.
  func isOwn(_ source: Int64?) -> Bool {
    limits.map { limits in source.map(limits.sources.contains) ?? false } ?? true
  }

  /// The condition of a query for visible series, on columns with the numbers of type and source.
  func condition(type: String, source: String) -> String {
    guard let limits else { return "TRUE" }
    return
      "(\(type) IN (\(list(limits.types.keys.sorted()))) OR \(source) IN (\(list(limits.sources))))"
  }

  /// The condition of a query for the elements of a kind that may be visible: an app that may read
  /// none of its types pays for no element of others.
  ///
  /// With a type only the elements of it.
  func condition(elements kind: ElementKind, of type: String? = nil) -> String {
    guard let limits else { return "TRUE" }
    // Members decide where a kind has no type of its own: any type that it may read will do.
    let mayHaveSome =
      (type ?? kind.typeIdentifier).map(limits.identifiers.contains)
      ?? !limits.identifiers.isEmpty
    // A correlation is as visible as its members, which may be of other sources.
    if mayHaveSome || kind == .correlation && !limits.sources.isEmpty { return "TRUE" }
    let shown = limits.shown?.serials ?? []
    return """
      (elements.source IN (\(list(limits.sources))) OR elements.id IN (\(list(shown))))
      """
  }
}

/// The single objects that the owner showed an app, or any app, which stay shown when they return.
struct ShownObjects {
  /// Their first serials; an earlier version stored the serial of then.
  private let objects: Set<Int64>
  private let births: Births

  /// Those of an app, or of all; `nil` if there are none.
  init?(to app: String? = nil, in database: Database, _ revision: Revision? = nil) throws {
    let stored = try Int64.fetchAll(
      database,
      sql: "SELECT object FROM objectAuthorisations WHERE ?1 IS NULL OR app = ?1",
      arguments: [app])
    guard !stored.isEmpty else { return nil }
    births = try Births(database, revision)
    objects = Set(stored.map(births.birth))
  }

  func contains(_ serial: Int64) -> Bool { objects.contains(births.birth(of: serial)) }

  /// Their last serials.
  var serials: [Int64] { births.serials(ofBirths: objects.sorted()) }
}

/// Numbers as a list in SQL.
private func list(_ numbers: some Sequence<Int64>) -> String {
  numbers.map(String.init).joined(separator: ", ")
}

extension SampleStore {
  /// What the reader of this store may see.
  func permission(in database: Database) throws -> ReadPermission {
    try ReadPermission(of: reader, filtersHistory: filtersHistory, in: database)
  }

  /// Throws if the reader is an app: what follows is for the owner.
  func checkOwner() throws(StoreError) {
    guard reader == nil else { throw StoreError(.notPermitted, path: path) }
  }
}
