import GRDB
import HealthSamples

extension SampleStore {
  /// The background deliveries that apps have enabled, by app and type.
  ///
  /// - Parameter app: only those of this app
  /// - Returns: the deliveries; an app sees only its own
  /// - Throws: ``StoreError``
  public func deliveries(of app: String? = nil) throws(StoreError) -> [Delivery] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT app, type, frequency, notified, completed, attempted, failures FROM deliveries
          WHERE (?1 IS NULL OR app = ?1) AND (?2 IS NULL OR app = ?2) ORDER BY app, type
          """, arguments: [app, reader]
      ).map { row in
        guard let frequency = DeliveryFrequency(rawValue: try row.decode(atIndex: 2)) else {
          throw Corruption()
        }
        return Delivery(
          app: try row.decode(atIndex: 0), type: try row.decode(atIndex: 1), frequency: frequency,
          notified: try row.decode(atIndex: 3), completed: try row.decode(atIndex: 4),
          attempted: try row.decode(atIndex: 5), failures: try row.decode(atIndex: 6))
      }
    }
  }

  /// The deliveries with changes that their apps may see and have not handled, by app and type.
  ///
  /// - Parameter app: only those of this app
  /// - Returns: each with the last change that its app has not handled
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  /// - Complexity: O(apps · changes)
  public func pendingDeliveries(of app: String? = nil) throws(StoreError) -> [PendingDelivery] {
    try checkOwner()
    return try StoreError.naming(path) {
      try snapshot {
        var pending: [PendingDelivery] = []
        for (app, deliveries) in Dictionary(grouping: try deliveries(of: app), by: \.app)
          .sorted(by: { $0.key < $1.key }) where Self.fault(ofBundleIdentifier: app) == nil
        {
          let first = deliveries.map(\.completed).min() ?? 0
          let changes = try reading(as: app, filtersHistory: true).changes(after: first)
          for delivery in deliveries {
            let last = changes.last { $0.mayConcern(delivery.type) }?.id ?? 0
            if last > delivery.completed {
              pending.append(PendingDelivery(delivery: delivery, change: last))
            }
          }
        }
        return pending
      }
    }
  }

  /// Notifies an app of the changes of a type from now on; a stopped delivery begins again.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  public func enableDelivery(
    of type: String, to app: String, _ frequency: DeliveryFrequency
  ) throws(StoreError) {
    try write { database, _ in
      try Self.checkBundleIdentifier(app, path: path)
      try database.execute(
        sql: """
          INSERT INTO deliveries (app, type, frequency, notified, completed, attempted, failures)
          SELECT ?1, ?2, ?3, lastChange, lastChange, NULL, 0 FROM identity WHERE TRUE
          ON CONFLICT (app, type) DO UPDATE SET frequency = ?3, failures = 0
          """, arguments: [app, type, frequency.rawValue])
    }
  }

  /// Stops notifying an app of the changes of a type, or of any type for `nil`.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  public func disableDelivery(of type: String?, to app: String) throws(StoreError) {
    try write { database, _ in
      try database.execute(
        sql: "DELETE FROM deliveries WHERE app = ?1 AND (?2 IS NULL OR type = ?2)",
        arguments: [app, type])
    }
  }

  /// Records that an app is notified of the changes of some types; it counts as failed until
  /// ``completeDelivery(of:to:upTo:)``.
  ///
  /// Types that it has not enabled, or of whose changes it was notified before, stay as they are.
  ///
  /// - Parameters:
  ///   - types: the identifiers of the types
  ///   - app: the bundle identifier of the app
  ///   - change: the last change
  ///   - now: seconds since 2001-01-01 UTC
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  public func beginDelivery(
    of types: [String], to app: String, upTo change: Int64, now: Double
  ) throws(StoreError) {
    try write { database, _ in
      for type in types {
        _ = try database.beginDelivery(of: type, to: app, upTo: change, now, "notified < ?3")
      }
    }
  }

  /// Records that apps are notified of pending changes, unless another process has done so.
  ///
  /// - Returns: those that this call began
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  public func claim(
    _ pending: [PendingDelivery], now: Double
  ) throws(StoreError) -> [PendingDelivery] {
    try write { database, _ in
      try pending.filter { pending in
        let delivery = pending.delivery
        return try database.beginDelivery(
          of: delivery.type, to: delivery.app, upTo: pending.change, now,
          "completed = ?5 AND attempted IS ?6 AND failures = ?7",
          [delivery.completed, delivery.attempted, delivery.failures])
      }
    }
  }

  /// Records that an app has handled the changes of some types.
  ///
  /// - Parameters:
  ///   - types: the identifiers of the types; `nil` for all
  ///   - app: the bundle identifier of the app
  ///   - change: the last change
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  public func completeDelivery(
    of types: [String]?, to app: String, upTo change: Int64
  ) throws(StoreError) {
    try write { database, _ in
      try database.execute(
        sql: """
          UPDATE deliveries
          SET notified = max(notified, ?2), completed = max(completed, ?2), failures = 0
          WHERE app = ?1 AND (?3 IS NULL OR type IN (SELECT value FROM json_each(?3)))
            AND (completed < ?2 OR failures > 0)
          """, arguments: [app, change, types.map(SettingKind.text(of:))])
    }
  }

  /// The commands that start apps: program and arguments, by bundle identifier.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  public func deliveryCommands() throws(StoreError) -> [String: [String]] {
    try checkOwner()
    return try read { database in
      try database.settings(of: .command).mapValues { text in
        let words = try SettingKind.names(of: text)
        guard !words.isEmpty else { throw Corruption() }
        return words
      }
    }
  }

  /// Sets the command that starts an app when changes wait for it; `nil` removes it.
  ///
  /// - Parameters:
  ///   - command: the path of a program, then its arguments
  ///   - app: the bundle identifier of the app
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  public func setDeliveryCommand(_ command: [String]?, of app: String) throws(StoreError) {
    if command != nil { try Self.checkBundleIdentifier(app, path: path) }
    if command?.isEmpty == true { throw StoreError(.inputOutput, path: path) }
    try set(.command, [app: command.map(SettingKind.text(of:))])
  }
}

extension Database {
  /// Records that an app is notified of the changes of a type, if a condition holds; returns whether.
  fileprivate func beginDelivery(
    of type: String, to app: String, upTo change: Int64, _ now: Double, _ condition: String,
    _ more: StatementArguments = []
  ) throws -> Bool {
    try execute(
      sql: """
        UPDATE deliveries
        SET notified = max(notified, ?3), attempted = ?4, failures = failures + 1
        WHERE app = ?1 AND type = ?2 AND \(condition)
        """, arguments: [app, type, change, now] + more)
    return changesCount > 0
  }
}

extension StoreChange {
  /// Whether samples of a type may have changed, by its identifier.
  package func mayConcern(_ identifier: String) -> Bool {
    if let type { return type.identifier == identifier }
    guard let kind else { return false }
    if let names { return names.contains(identifier) }
    // Elements with types of their own: the change log knows only their kind.
    if kind == .correlation { return identifier.hasPrefix("HKCorrelationTypeIdentifier") }
    return kind.columns.mayHave(identifier)
  }
}
