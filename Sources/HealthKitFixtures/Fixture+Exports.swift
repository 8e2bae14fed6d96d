#if os(Linux) && !HKSTATS_STUB
import ArgumentParser
import Dispatch
import ExportGenerator
public import Foundation
import HealthExchange
import HealthKit
public import HealthKitTesting
import HealthSamples
import HealthStore

extension Fixture {
  /// An export of the Health app, or of another program whose files hkstats imports.
  ///
  /// - Parameter url: `export.zip`, its folder, or the main file `export.xml` in it
  /// - Returns: the fixture; its totals have what the file has, without sums of days. Loading it
  ///   throws `FixtureError` for a file that cannot be read
  public static func export(_ url: URL) -> Self {
    Self { writer in
      let result = try await ExportFile(path: url.path).load(into: writer)
      var counts = result.types.mapValues { $0.new + $0.known }
      for (kind, count) in result.elements {
        if let type = kind.type { counts[type.identifier] = count.new + count.known }
      }
      return FixtureTotals(counts: counts.filter { $0.value > 0 })
    }
  }

  /// A made-up person with a phone and a watch, whose data overlap as those of real ones: the same
  /// person for the same parameters.
  ///
  /// Its totals come from the generator, which knows what each second adds: they tell what the
  /// sources amount to together, as statistics of HealthKit merge them.
  ///
  /// - Parameters:
  ///   - years: how long, from 0.003 to 100
  ///   - seed: decides the data
  ///   - until: the day after the last one, of the Gregorian calendar
  ///   - density: how often devices record, 1 being as often as real ones; less takes less time
  ///   - timeZone: where the person lives, which cuts the days
  /// - Returns: the fixture; loading it throws `FixtureError` for parameters out of range
  public static func synthetic(
    years: Double = 1, seed: UInt64 = 1,
    until: DateComponents = DateComponents(year: 2026, month: 11, day: 1), density: Double = 0.1,
    timeZone: TimeZone = .current
  ) -> Self {
    Self { writer in
      let person = SyntheticPerson(
        years: years, seed: seed, until: until, density: density, timeZone: timeZone)
      let files = try TemporaryFolder()
      let truth = try person.write(to: files.path)
      _ = try await ExportFile(path: files.path + "/export").load(into: writer)
      return truth.totals(in: timeZone)
    }
  }
}

/// A file that is imported away from the tasks of tests, which must not wait for it.
private struct ExportFile {
  let path: String

  func load(into writer: FixtureWriter) async throws -> ImportResult {
    let store = try writer.owner().ownersStore()
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result { () throws(FixtureError) in
            do throws(ImportError) {
              return try store.importFile(at: URL(fileURLWithPath: path))
            } catch {
              throw FixtureError(.export(error.description))
            }
          }.mapError { $0 })
      }
    }
  }
}

extension ElementKind {
  /// The type of the objects that HealthKit shows; `nil` where it depends on the element.
  fileprivate var type: HKObjectType? {
    switch self {
    case .workout: HKObjectType.workoutType()
    case .route: HKSeriesType.workoutRoute()
    case .activitySummary: HKObjectType.activitySummaryType()
    case .beatList: HKSeriesType.heartbeat()
    case .electrocardiogram: HKObjectType.electrocardiogramType()
    case .audiogram: HKObjectType.audiogramSampleType()
    case .visionPrescription: HKObjectType.visionPrescriptionType()
    case .correlation, .clinicalRecord, .characteristics, .savedObject: nil
    }
  }
}

/// A folder that goes with this object; not in memory, for which exports may be too large.
private final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/hkstats-fixture-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// What decides the export of a made-up person.
private struct SyntheticPerson {
  let years: Double
  let seed: UInt64
  let until: DateComponents
  let density: Double
  let timeZone: TimeZone

  /// Writes the export into a folder, and returns what the generator knows of it.
  func write(to folder: String) throws -> GeneratedTruth {
    guard let year = until.year, let month = until.month, let day = until.day else {
      throw FixtureError(.day)
    }
    let date = String(format: "%04d-%02d-%02d", year, month, day)
    let truth = folder + "/truth.json"
    do {
      let command = try GenerateExport.parse([
        "--out", folder + "/export", "--truth", truth, "--years", "\(years)", "--seed", "\(seed)",
        "--until", date, "--density", "\(density)", "--zone", timeZone.identifier,
      ])
      try command.run()
    } catch is ExitCode {
      throw FixtureError(
        .export("The synthetic person cannot be written to \(folder): make space there"))
    } catch {
      throw FixtureError(
        .export("The synthetic person cannot be made: \(GenerateExport.message(for: error))"))
    }
    return try JSONDecoder().decode(
      GeneratedTruth.self, from: Data(contentsOf: URL(fileURLWithPath: truth)))
  }
}

/// What the generator counted while it wrote, without any engine.
private struct GeneratedTruth: Decodable {
  struct Records: Decodable {
    var records: Int
    var copies: Int
    var nestedOnly: Int
    var truthUnit: String?
  }

  struct Sum: Decodable {
    var merged: Double
  }

  struct Typed: Decodable {
    var type: String
  }

  struct Day: Decodable {
    var date: String
  }

  struct Anything: Decodable {}

  var records: [String: Records]
  var sums: [String: [String: Sum]]
  var correlations: [Typed]
  var workouts: [Anything]
  var routes: [Anything]
  var summaries: [Day]
  var beatLists: [Anything]
  var electrocardiograms: [Anything]
  var audiograms: [Anything]
  var prescriptions: [Anything]

  func totals(in timeZone: TimeZone) -> FixtureTotals {
    var counts = records.mapValues { $0.records - $0.copies + $0.nestedOnly }
    for correlation in correlations { counts[correlation.type, default: 0] += 1 }
    let elements: [(ElementKind, Int)] = [
      (.workout, workouts.count), (.route, routes.count),
      (.activitySummary, Set(summaries.map(\.date)).count),
      (.beatList, beatLists.count), (.electrocardiogram, electrocardiograms.count),
      (.audiogram, audiograms.count), (.visionPrescription, prescriptions.count),
    ]
    for (kind, count) in elements where count > 0 {
      if let type = kind.type { counts[type.identifier] = count }
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    var days: [String: (unit: HKUnit, sums: [Date: Double])] = [:]
    for (type, sums) in sums {
      guard let text = records[type]?.truthUnit, let unit = try? HKUnit.parsed(text) else {
        continue
      }
      let dated = sums.compactMap { date, sum -> (Date, Double)? in
        let parts = date.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        return calendar.date(
          from: DateComponents(year: parts[0], month: parts[1], day: parts[2])
        ).map { (calendar.startOfDay(for: $0), sum.merged) }
      }
      days[type] = (unit, Dictionary(dated, uniquingKeysWith: { first, _ in first }))
    }
    return FixtureTotals(counts: counts, days: days)
  }
}
#endif
