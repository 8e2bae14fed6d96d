public import Foundation
internal import HealthStore
import Synchronization

/// A query for the medications of a person that the owner shows the app.
open class HKUserAnnotatedMedicationQuery: HKQuery, @unchecked Sendable {
  private let most: Int
  private let handler:
    QueryHandler<
      @Sendable (
        HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?
      ) -> Void
    >

  /// Makes a query.
  ///
  /// - Parameters:
  ///   - predicate: what medications must be, such as
  ///     ``HKQuery/predicateForUserAnnotatedMedications(isArchived:)``; all match without one
  ///   - limit: the most medications, or `HKObjectQueryNoLimit`
  ///   - resultsHandler: gets each medication in the order of ``HealthHost/medications``; the flag is
  ///     true with the last one, with an error, and with no medication when there is none
  @preconcurrency
  public init(
    predicate: NSPredicate?, limit: Int,
    resultsHandler:
      @escaping @Sendable (
        HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?
      ) -> Void
  ) {
    most = limit
    handler = QueryHandler(resultsHandler)
    super.init(objectType: HKObjectType.userAnnotatedMedicationType(), predicate: predicate)
  }

  override func run(_ execution: QueryExecution) {
    let type = HKObjectType.userAnnotatedMedicationType()
    let result = execution.result(of: [type]) { _ -> [HKUserAnnotatedMedication] in
      let session = execution.session
      guard try session.permissions()[type.identifier]?.read == .authorised else { return [] }
      let tree = predicate?.tree
      let found = try session.medications.filter { try tree?.holds(for: $0) ?? true }
      return most > HKObjectQueryNoLimit ? Array(found.prefix(most)) : found
    }
    guard let result else { return }
    guard let medications = result.value, !medications.isEmpty else {
      return execution.tell(result) { [self] in handler.function?(self, nil, true, $0.error) }
    }
    for (index, medication) in medications.enumerated() {
      let isLast = index == medications.count - 1
      execution.tell { [self] in handler.function?(self, medication, isLast, nil) }
    }
  }

  override func releaseHandlers() { handler.function = nil }
}

/// A query for the medications of a person that the owner shows the app.
public struct HKUserAnnotatedMedicationQueryDescriptor: HKAsyncQuery {
  /// What medications must be; all match without one.
  public var predicate: NSPredicate?
  /// The most medications; all for `nil`.
  public var limit: Int?

  /// Makes a query.
  public init(predicate: NSPredicate? = nil, limit: Int? = nil) {
    (self.predicate, self.limit) = (predicate, limit)
  }

  /// The medications, in the order of ``HealthHost/medications``.
  public func result(for healthStore: HKHealthStore) async throws -> [HKUserAnnotatedMedication] {
    let found = Mutex<[HKUserAnnotatedMedication]>([])
    return try await healthStore.first { answer in
      HKUserAnnotatedMedicationQuery(predicate: predicate, limit: limit ?? HKObjectQueryNoLimit) {
        _, medication, isDone, error in
        if let medication { found.withLock { $0.append(medication) } }
        if isDone || error != nil { answer(error == nil ? found.withLock { $0 } : nil, error) }
      }
    }
  }
}

extension HealthHost {
  /// Makes a medication for ``medications``, such as only the Health app does on a phone.
  ///
  /// - Parameters:
  ///   - name: what people call it
  ///   - identifier: what identifies it among medications, always the same; without one its name
  ///   - nickname: the name that the person gave
  ///   - form: the form in which it is made
  ///   - codes: its codes in terminologies such as RxNorm
  ///   - isArchived: whether the person does not take it any more
  ///   - hasSchedule: whether the person takes it at certain times
  /// - Returns: a medication
  public static func medication(
    named name: String, identifier: String? = nil, nickname: String? = nil,
    form: HKMedicationGeneralForm = .unknown,
    codes: Set<HKClinicalCoding> = [], isArchived: Bool = false, hasSchedule: Bool = false
  ) -> HKUserAnnotatedMedication {
    HKUserAnnotatedMedication(
      medication: HKMedicationConcept(
        identifier: HKHealthConceptIdentifier(domain: .medication, text: identifier ?? name),
        displayText: name, generalForm: form, relatedCodings: codes),
      nickname: nickname, isArchived: isArchived, hasSchedule: hasSchedule)
  }
}
