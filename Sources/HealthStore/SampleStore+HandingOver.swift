import GRDB

/// What the taker of rows threw, on its way through the reading of the store.
private struct Stopped: Error {
  let error: any Error
}

extension SampleStore {
  /// Reads one state of the store for a body that hands rows over with ``handOver(_:)``; an error
  /// of whoever takes them leaves as it is, any other as a ``StoreError``.
  func readHandingOver(_ body: (Database) throws -> Void) throws {
    do {
      try queue.read { database in
        try check(.shortTables, in: database)
        try body(database)
      }
    } catch let stopped as Stopped {
      throw stopped.error
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Calls the taker of rows.
  static func handOver<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw Stopped(error: error)
    }
  }
}
