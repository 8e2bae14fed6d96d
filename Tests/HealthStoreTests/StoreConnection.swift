import GRDB

@testable import HealthStore

extension SampleStore {
  /// A connection for tests that damage the file, or read it without the store.
  var queue: DatabaseQueue {
    get throws {
      let connection = try connections.acquire()
      connections.putBack(connection)
      return connection.queue
    }
  }
}
