package import HealthMerge
package import HealthSamples
package import HealthStore

extension SampleStore {
  /// Runs several reads in one snapshot of the store.
  package func oneState<Value>(_ read: () throws(QueryError) -> Value) throws(QueryError) -> Value {
    try stored { () throws(StoreError) in try beginSnapshot() }
    defer { endSnapshot() }
    return try read()
  }

  /// The input for ranking the sources of a type: facts about them, and the user's preferences.
  package func order(
    of type: SampleType
  ) throws(QueryError) -> (facts: [SourceFacts], preferred: [String]) {
    let facts = try stored { () throws(StoreError) in try sources(of: type) }.map(SourceFacts.init)
    return (facts, try stored { () throws(StoreError) in try preferredSources(of: type) })
  }

  /// Reads from the store.
  package func stored<Value>(_ read: () throws(StoreError) -> Value) throws(QueryError) -> Value {
    do {
      return try read()
    } catch {
      throw QueryError(.store(error))
    }
  }
}
