package import HealthQuery
import HealthSamples
package import HealthStore

extension SampleStore {
  /// What an analysis without types is about: all quantities, and nights, by their names.
  package func analysedTypes() throws(QueryError) -> [TypeQuestion] {
    let types = try stored { () throws(StoreError) in try self.types() }.map(\.type)
    // Goals and other types that HealthKit does not name are no measures.
    var questions = types.filter { type in
      guard case .quantity = type.kind else { return false }
      return !type.identifier.hasPrefix("HKDataType")
    }.map { type in
      var question = TypeQuestion(type)
      let prefix = HKQuantityTypeIdentifier.prefix
      if type.identifier.hasPrefix(prefix) {
        question.name = Catalogue.swiftName(of: type.identifier.dropFirst(prefix.count))
      }
      return question
    }
    if types.contains(SleepPlan.type) {
      for part in NightPart.allCases {
        questions.append(try TypeQuestion("sleep.\(part.rawValue)"))
      }
    }
    guard !questions.isEmpty else { throw QueryError(.missingMember("type")) }
    return questions
  }
}
