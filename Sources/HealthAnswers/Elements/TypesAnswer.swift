package import HealthQuery
import HealthSamples
package import HealthStore

/// What a store has of one type.
package struct TypeRow: Sendable {
  /// The type with its data.
  package let summary: TypeSummary
  /// Its samples as a share of those of all types.
  package let share: Double

  /// The unit in which its samples are shown; `nil` for a category type.
  package var unit: String? {
    summary.recordedUnit.map { summary.type.printedUnit(summary.type.shownUnit(recordedIn: $0)) }
  }
}

extension SampleStore {
  /// What the store has of each type, the one with the most samples first.
  ///
  /// - Throws: `QueryError` when the store cannot be read
  /// - Complexity: O(types × sources); no sample is read
  package func typeRows() throws(QueryError) -> [TypeRow] {
    let types = try stored { () throws(StoreError) in try self.types() }
      .sorted { ($1.count, $0.type.identifier) < ($0.count, $1.type.identifier) }
    let total = max(1, types.map(\.count).saturatedSum)
    return types.map { TypeRow(summary: $0, share: Double($0.count) / Double(total)) }
  }
}
