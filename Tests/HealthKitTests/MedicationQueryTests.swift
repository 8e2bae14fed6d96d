import Foundation
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthKit

@Suite struct MedicationQueryTests {
  private static let rxNorm = "http://www.nlm.nih.gov/research/umls/rxnorm"
  private let medications = [
    HealthHost.medication(
      named: "Ibuprofen 400 mg", nickname: "Headache", form: .tablet,
      codes: [HKClinicalCoding(system: rxNorm, version: nil, code: "197806")]),
    HealthHost.medication(named: "Vitamin D", hasSchedule: true),
    HealthHost.medication(named: "Amoxicillin", isArchived: true),
  ]

  private func store(_ file: HealthFile, _ medications: [HKUserAnnotatedMedication])
    -> HKHealthStore
  {
    var host = file.host()
    host.medications = medications
    return HKHealthStore(host: host)
  }

  @Test("The query gives the medications of the host, as the predicate and the limit say")
  func medicationsOfHost() async throws {
    let file = try HealthFile()
    let store = store(file, medications)
    let type = HKObjectType.userAnnotatedMedicationType()
    #expect(
      await healthError {
        _ = try await HKUserAnnotatedMedicationQueryDescriptor().result(for: store)
      } == .errorAuthorizationNotDetermined)
    try await store.requestPerObjectReadAuthorization(for: type, predicate: nil)
    func found(_ predicate: NSPredicate? = nil, _ limit: Int? = nil) async throws -> [String] {
      try await HKUserAnnotatedMedicationQueryDescriptor(predicate: predicate, limit: limit)
        .result(for: store).map(\.medication.displayText)
    }
    #expect(try await found() == ["Ibuprofen 400 mg", "Vitamin D", "Amoxicillin"])
    #expect(try await found(nil, 2) == ["Ibuprofen 400 mg", "Vitamin D"])
    #expect(
      try await found(HKQuery.predicateForUserAnnotatedMedications(isArchived: true))
        == ["Amoxicillin"])
    #expect(
      try await found(HKQuery.predicateForUserAnnotatedMedications(hasSchedule: true), 5)
        == ["Vitamin D"])
    let all = try await HKUserAnnotatedMedicationQueryDescriptor().result(for: store)
    #expect(all == medications)
    #expect(all[0].medication.generalForm == .tablet && all[0].nickname == "Headache")
    #expect(all[0].medication.relatedCodings.first?.code == "197806")
    #expect(Set(all.map(\.medication.identifier)).count == 3)
    // Their doses come with them.
    _ = try await store.samples([HKObjectType.medicationDoseEventType()])
  }

  @Test("The handler gets one medication a call, and learns with the last that it is the last")
  func calls() async throws {
    for count in 0...3 {
      let file = try HealthFile()
      let store = store(file, Array(medications.prefix(count)))
      try await store.requestPerObjectReadAuthorization(
        for: .userAnnotatedMedicationType(), predicate: nil)
      let calls = Mutex<[(String?, Bool)]>([])
      await withCheckedContinuation { continuation in
        store.execute(
          HKUserAnnotatedMedicationQuery(predicate: nil, limit: HKObjectQueryNoLimit) {
            _, medication, isDone, error in
            #expect(error == nil)
            calls.withLock { $0.append((medication?.medication.displayText, isDone)) }
            if isDone { continuation.resume() }
          })
      }
      let found = calls.withLock { $0 }
      #expect(
        found.map(\.0)
          == (count == 0 ? [nil] : medications.prefix(count).map(\.medication.displayText)))
      #expect(found.map(\.1) == Array(repeating: false, count: max(count, 1) - 1) + [true])
    }
  }

  @Test("The values of the forms are those that the SDK was seen to have")
  func forms() {
    // As a public test of another project asserts them of SDK 26.5.
    let seen: [(HKMedicationGeneralForm, String)] = [
      (.injection, "injection"), (.tablet, "tablet"), (.capsule, "capsule"), (.liquid, "liquid"),
      (.drops, "drops"), (.powder, "powder"), (.unknown, "unknown"),
    ]
    for (form, value) in seen { #expect(form.rawValue == value) }
  }

  @Test("A sample of a menopausal state is of an instant")
  func menopausalState() async throws {
    let file = try HealthFile()
    let type = HKCategoryType(.menopausalState)
    let store = try await file.allowedStore("com.example.diary", [type])
    func sample(_ end: Double) -> HKCategorySample {
      HKCategorySample(type: type, value: 0, start: Trial.date(5), end: Trial.date(end))
    }
    #expect(await healthError { try await store.save(sample(6)) } == .errorInvalidArgument)
    try await store.save(sample(5))
    #expect(try await store.samples([type]).count == 1)
  }
}
