import Foundation
import Testing

@testable import HealthKit

@Suite struct DocumentQueryTests {
  private let type = HKDocumentType(.CDA)

  private func document(_ title: String, at second: Double) throws -> HKCDADocumentSample {
    let text = """
      <ClinicalDocument xmlns="urn:hl7-org:v3"><title>\(title)</title></ClinicalDocument>
      """
    return try HKCDADocumentSample(
      data: Data(text.utf8), start: Trial.date(second), end: Trial.date(second), metadata: nil)
  }

  private func ask(
    _ store: HKHealthStore, _ predicate: NSPredicate? = nil, limit: Int = HKObjectQueryNoLimit,
    data: Bool = true
  ) async -> (documents: [HKCDADocumentSample]?, code: HKError.Code?) {
    let received = Received<([HKCDADocumentSample]?, HKError.Code?)>()
    let query = HKDocumentQuery(
      documentType: type, predicate: predicate, limit: limit,
      sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)],
      includeDocumentData: data
    ) { _, documents, isDone, error in
      received.add(
        (documents?.compactMap { $0 as? HKCDADocumentSample }, (error as? HKError)?.code),
        isLast: isDone)
    }
    #expect(query.limit == limit && query.includeDocumentData == data)
    #expect(query.sortDescriptors?.count == 1 && query.objectType == type)
    store.execute(query)
    let calls = await received.all()
    let documents = calls.compactMap(\.0)
    return (documents.isEmpty ? nil : documents.flatMap(\.self), calls.last?.1)
  }

  @Test(
    "Document queries apply predicate, order and limit, and leave out the data on request")
  func documents() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.clinic", [type])
    let samples = try ["a", "b", "c"].enumerated().map { try document($1, at: Double($0)) }
    try await store.save(samples)
    let all = await ask(store).documents
    #expect(all == samples.reversed())
    #expect(
      all?.map { $0.document?.documentData } == samples.reversed().map { $0.document?.documentData }
    )
    let some = await ask(store, limit: 2, data: false).documents
    #expect(some?.map { $0.document?.title } == ["c", "b"])
    #expect(some?.allSatisfy { $0.document?.documentData == nil } == true)
    let named = NSPredicate(format: "%K == %@", HKPredicateKeyPathCDATitle, "a")
    #expect(await ask(store, named).documents == [samples[0]])
  }

  @Test("A query for documents fails without a request for permission")
  func permission() async throws {
    let file = try HealthFile()
    let answer = await ask(file.store())
    #expect(answer.documents == nil && answer.code == .errorAuthorizationNotDetermined)
  }
}
