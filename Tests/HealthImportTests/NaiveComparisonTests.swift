import HealthSamples
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("The scanner and its slow twin read the same")
struct NaiveComparisonTests {
  private func compare(
    _ text: [UInt8], mostAtOnce: Int, limits: ImportLimits, isReadingAhead: Bool = false
  ) throws {
    // What an unknown type measures is decided by its first unit.
    var decided: [String: UnitExpression] = [:]
    let naive = NaiveExport(text) { type, unit in
      guard let expression = try? UnitExpression(unit) else { return true }
      let canonical = Catalogue.type(type)?.canonicalUnit ?? decided[type]
      decided[type] = canonical ?? expression
      return !expression.isCompatible(with: canonical ?? expression)
    }
    let reading = try Reading(
      text, mostAtOnce: mostAtOnce, limits: limits, isReadingAhead: isReadingAhead)
    let found = Dictionary(reading.records.map { ($0, 1) }, uniquingKeysWith: +)
    let expected = Dictionary(naive.records.map { ($0, 1) }, uniquingKeysWith: +)
    if found != expected {
      let lost = expected.filter { found[$0.key] != $0.value }
      let gained = found.filter { expected[$0.key] != $0.value }
      Issue.record("lost \(lost) gained \(gained)")
    }
    let summary = reading.summary
    let skipped = summary.types.mapValues { $0.skipped.values.reduce(0, +) }.filter { $0.value > 0 }
    #expect(skipped == naive.skipped)
    #expect(summary.read == naive.records.count + naive.skipped.values.reduce(0, +))
    let elements = summary.otherElements.merging(summary.unknownElements) { $0 + $1 }
    let elementCount: Int = elements.values.reduce(0, +)
    #expect(elementCount == naive.elements.values.reduce(0, +))
    compareElements(reading, naive)
    #expect(summary.nestedRecords == naive.nestedRecords)
    #expect(summary.malformedElements == naive.malformedElements)
    #expect(summary.duplicateAttributes == naive.duplicateAttributes)
    #expect(summary.replacedCharacters == naive.replacedCharacters)
    #expect(summary.impossibleDurations == naive.impossibleDurations)
    #expect((summary.cutAt != nil) == naive.isCut)
    #expect(summary.bytes == text.count)
    #expect(reading.batches.allSatisfy { $0.values.allSatisfy(\.isFinite) })
  }

  private func compareElements(_ reading: Reading, _ naive: NaiveExport) {
    #expect(reading.workouts == naive.workouts)
    #expect(reading.routes == naive.routes)
    #expect(reading.correlations == naive.correlations)
    #expect(reading.activitySummaries == naive.activitySummaries)
    #expect(reading.audiograms == naive.audiograms)
    #expect(reading.visionPrescriptions == naive.visionPrescriptions)
    #expect(reading.clinicalRecords == naive.clinicalRecords)
    #expect(reading.beatLists == naive.beatLists)
    let told = reading.characteristics.map { person in
      Dictionary(person.entries.map { ($0.key, $0.value) }) { first, _ in first }
    }
    #expect(told == naive.characteristics)
    let delivered: [ElementKind: Int] = [
      .workout: naive.workouts.count, .route: naive.routes.count,
      .correlation: naive.correlations.count, .audiogram: naive.audiograms.count,
      .activitySummary: naive.activitySummaries.count, .beatList: naive.beatLists.count,
      .visionPrescription: naive.visionPrescriptions.count,
      .clinicalRecord: naive.clinicalRecords.count,
      .characteristics: naive.characteristics.count,
    ]
    let counted = reading.summary.elements.mapValues(\.delivered).filter { $0.value > 0 }
    #expect(counted == delivered.filter { $0.value > 0 })
  }

  @Test("on random documents", arguments: 0..<30)
  func documents(seed: UInt64) throws {
    var source = RandomExport(seed: seed)
    let text = source.document(40)
    try compare(text, mostAtOnce: .max, limits: .standard)
    try compare(text, mostAtOnce: 97, limits: ImportLimits(elementBytes: 3000))
  }

  @Test("on documents with damage", arguments: 0..<200)
  func damage(seed: UInt64) throws {
    var source = RandomExport(seed: 1000 + seed)
    let text = source.damaged(source.document(12))
    try compare(text, mostAtOnce: .max, limits: .standard, isReadingAhead: true)
    try compare(text, mostAtOnce: 13, limits: .standard)
  }

  @Test("on a document cut at every place")
  func cuts() throws {
    var source = RandomExport(seed: 7)
    let text = source.document(3)
    for length in 0..<text.count {
      try compare(Array(text[..<length]), mostAtOnce: .max, limits: .standard)
    }
  }

  @Test("with texts forgotten all the time", arguments: 0..<10)
  func smallMemory(seed: UInt64) throws {
    var source = RandomExport(seed: 2000 + seed)
    try compare(
      source.document(60), mostAtOnce: .max,
      limits: ImportLimits(bufferedRows: 0, rememberedBytes: 0))
  }
}
