import Foundation
import HealthExchange
import HealthImport
import HealthSamples
import HealthStore
import HealthUnits
import Testing

@testable import ExportGenerator

/// Compares a store with the truth of the export that was imported into it.
struct TruthComparison {
  let export: ImportedExport

  var truth: Truth { export.truth }
  var store: SampleStore { export.store }

  init(_ export: ImportedExport) { self.export = export }

  /// Compares what the truth tells under some keys, and that nothing else is there.
  func check(_ keys: [String]) throws {
    for key in keys { try check(key) }
    try checkNothingElse()
    try store.verify()
  }

  private func check(_ key: String) throws {
    switch key {
    case "bytes", "exported", "mainFile", "profile", "version": try checkFile()
    case "records": try checkRecords()
    case "elements": try checkElements()
    case "sums": try checkSums()
    case "values": try checkValues()
    case "labels": try checkLabels()
    case "characteristics": try checkCharacteristics()
    case "correlations": try checkCorrelations()
    case "workouts": try checkWorkouts()
    case "routes": try checkRoutes()
    case "summaries": try checkSummaries()
    case "beatLists": try checkBeatLists()
    case "electrocardiograms": try checkElectrocardiograms()
    case "audiograms": try checkAudiograms()
    case "prescriptions": try checkPrescriptions()
    case "clinicalRecords": try checkClinicalRecords()
    case "unfinished": try checkUnfinished()
    case "cycles": try checkCycles()
    // What was asked for, and a rule in words.
    case "with", "mergeRule": break
    default: Issue.record("Nothing compares “\(key)”.")
    }
  }

  /// Compares what the truth tells of the file itself.
  private func checkFile() throws {
    #expect(export.summary.bytes == truth.bytes)
    #expect(export.exported == ImportedExport.instant(truth.exported))
  }

  /// Nothing is in the store that the truth does not tell, and nothing was lost on the way.
  private func checkNothingElse() throws {
    let summary = export.summary
    #expect(summary.unknownElements.isEmpty && summary.otherElements.isEmpty)
    // In iOS 8 apps' metadata are attributes with spaces in their names.
    #expect(summary.unknownAttributes.isEmpty || export.plan.version == .ios8)
    #expect(summary.skipped.isEmpty && summary.cutAt == nil && summary.oversizedElements == 0)
    #expect(summary.negativeDurations == 0 && summary.distantDates == 0)
    #expect(summary.dayTotals == 0)
    #expect(summary.replacedCharacters == 0 && summary.duplicateAttributes == 0)
    #expect(summary.malformedElements == 0)
    #expect(summary.utcOffsets.keys.map { $0 * 60 } == [export.plan.offset.seconds])
    let files = truth.elements["FileReference", default: 0] + truth.clinicalRecords.count
    #expect(summary.missingFiles == (export.hasSideFiles ? 0 : files))
    let counts = try store.elementCounts()
    let known: [ElementKind: Int] = [
      .workout: truth.workouts.count, .route: truth.elements["WorkoutRoute", default: 0],
      .correlation: truth.correlations.count, .activitySummary: truth.summaries.count,
      .beatList: truth.beatLists.count, .electrocardiogram: truth.electrocardiograms.count,
      .audiogram: truth.audiograms.count, .visionPrescription: truth.prescriptions.count,
      .clinicalRecord: truth.clinicalRecords.count, .characteristics: 1,
    ]
    #expect(counts == known.filter { $0.value > 0 })
    for kind in Set(summary.elements.keys).union(export.report.elements.keys) {
      let counts = ImportCounts(summary.elements[kind], export.report.elements[kind])
      #expect(counts.new == known[kind] && counts.known == 0 && counts.skipped == 0, "\(kind)")
      #expect(counts.read == counts.new + counts.duplicates, "\(kind)")
    }
  }

  /// Where a number of the truth stands in another unit.
  func conversion(from unit: String, to other: String) throws -> UnitConversion {
    try UnitConversion(from: UnitExpression(unit), to: UnitExpression(other))
  }

  /// How to come from the unit of the truth to the one that the store keeps a type in.
  func conversion(ofType identifier: String) throws -> UnitConversion {
    try conversion(
      from: #require(truth.records[identifier]?.truthUnit),
      to: #require(Catalogue.type(identifier)?.canonicalUnit?.description))
  }

  /// Whether six printed digits of a number may have become another one, in whatever unit.
  static func agree(_ found: Double?, _ known: Double?) -> Bool {
    guard let found, let known else { return (found == nil) == (known == nil) }
    return abs(found - known) <= 1e-5 * abs(known)
  }
}
