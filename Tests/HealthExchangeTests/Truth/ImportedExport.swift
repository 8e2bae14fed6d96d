import Foundation
import HealthImport
import HealthSamples
import HealthStore
import _HealthStoreSupport
import _HealthTestSupport

@testable import ExportGenerator

/// A generated export in a store of its own, and what its generator knows of it.
struct ImportedExport {
  let plan: ExportPlan
  let truth: Truth
  let summary: ExportSummary
  let report: ImportSummary
  let store: SampleStore
  /// The instant of the export, in seconds since 2001-01-01 UTC.
  let exported: Double?
  /// Whether the files beside the main one came along.
  let hasSideFiles: Bool

  /// Generates an export and imports it: an archive, a folder or the main file, by its name.
  init(_ plan: ExportPlan, as name: String, detail: Truth.Detail = .days) throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path(name)
    truth = try ExportFiles(plan: plan, detail: detail).write(to: path)
    var reader = try ImportReader(path: path)
    store = try SampleStore.temporary()
    let session = try store.beginImport(from: reader.format)
    while let batch = try reader.next() { try session.add(batch) }
    exported = reader.exported
    report = try session.finish(exported: exported)
    summary = reader.summary
    self.plan = plan
    hasSideFiles = !name.hasSuffix(".xml")
  }
}

extension ImportedExport {
  /// Seconds from 1970 to 2001.
  private static let epoch = 978_307_200

  /// An instant of the truth as instants are in stores.
  static func instant(_ seconds: Int) -> Double { Double(seconds - epoch) }

  /// The days of the export by their dates, each from its midnight to the next one.
  var days: [(date: String, range: Range<Double>)] {
    let midnights = plan.timeline.midnights.map(Self.instant)
    return zip(midnights, midnights.dropFirst()).enumerated().map { index, day in
      (CivilDate(day: plan.timeline.firstDay + index).description, day.0..<day.1)
    }
  }

  /// Every record of a type, with what stands in the tables of its batch.
  func records(of type: SampleType) throws -> [StoredRecord] { try store.allRecords(of: type) }
}
