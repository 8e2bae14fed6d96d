import Foundation
import Harness
import HealthSamples
import HealthStore
import HealthUnits
import Samples

/// Makes a store of ten years of samples of 30 types and 6 sources, and the same samples as plain
/// columns for other databases.
///
///     ten-years FOLDER COUNT    makes FOLDER/store.sqlite, and type.u8, source.u8, start.f64,
///                               end.f64 and value.f64 with a row for each sample
///
/// A tenth of the samples are steps; the sources measure the same types at the same time.
@main
struct TenYears {
  /// 2016-11-01 to 2026-11-01, UTC.
  static let origin = 499_651_200.0
  static let length = 3_652.0 * 86_400

  /// The types, and by what a whole number is divided to be a value.
  private static let kinds: [(identifier: String, divisor: Double)] = [
    ("StepCount", 1), ("ActiveEnergyBurned", 1_000), ("HeartRate", 1), ("BasalEnergyBurned", 1_000),
    ("DistanceWalkingRunning", 100_000), ("EnvironmentalAudioExposure", 1_000),
    ("AppleExerciseTime", 1), ("AppleStandTime", 1), ("FlightsClimbed", 1), ("WalkingSpeed", 100),
    ("WalkingStepLength", 1), ("WalkingDoubleSupportPercentage", 1_000),
    ("WalkingAsymmetryPercentage", 1_000), ("PhysicalEffort", 10), ("RespiratoryRate", 2),
    ("HeadphoneAudioExposure", 1_000), ("OxygenSaturation", 100),
    ("HeartRateVariabilitySDNN", 1_000), ("RestingHeartRate", 1), ("DietaryWater", 1),
    ("DietaryCarbohydrates", 10), ("DietaryEnergyConsumed", 1), ("DietaryFatTotal", 10),
    ("DietaryProtein", 10), ("BloodGlucose", 1), ("BodyMass", 10), ("BodyTemperature", 10),
    ("VO2Max", 100), ("DistanceCycling", 100_000), ("SwimmingStrokeCount", 1),
  ]
  /// The shares of the sources in thousandths.
  private static let sources = [
    ("Watch", 500), ("iPhone", 250), ("Scale", 50), ("Ring", 100), ("Training", 50), ("Diary", 50),
  ]

  static func main() throws {
    let arguments = Options().rest
    guard let folder = arguments.first, let count = arguments.last.flatMap({ Int($0) }),
      arguments.count == 2, count > 0
    else {
      Options.fail("ten-years FOLDER COUNT")
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try TenYears(folder: folder).write(count)
  }

  private let columns: [FileHandle]
  private let store: SampleStore

  private init(folder: String) throws {
    columns = try ["type.u8", "source.u8", "start.f64", "end.f64", "value.f64"].map { name in
      let path = "\(folder)/\(name)"
      guard FileManager.default.createFile(atPath: path, contents: nil),
        let file = FileHandle(forWritingAtPath: path)
      else { throw CocoaError(.fileWriteUnknown) }
      return file
    }
    try? FileManager.default.removeItem(atPath: "\(folder)/store.sqlite")
    store = try SampleStore(path: "\(folder)/store.sqlite", mode: .readWrite)
  }

  private func write(_ count: Int) throws {
    let started = ContinuousClock.now
    let session = try store.beginImport(threads: 2)
    var random = SeededSamples.Random(state: 12)
    var written = 0
    for (type, kind) in Self.kinds.enumerated() {
      // A tenth each for the first six, the rest for the 24 others.
      let share = type < 6 ? 0.1 : 0.4 / 24
      guard let known = Catalogue.type("HKQuantityTypeIdentifier" + kind.identifier),
        let unit = known.canonicalUnit?.text(in: .healthKit)
      else { throw CocoaError(.featureUnsupported) }
      for (source, part) in Self.sources.enumerated() {
        let rows = Int(Double(count) * share * Double(part.1) / 1_000)
        var clock = Clock(step: Self.length / Double(max(rows, 1)), random: random)
        for first in stride(from: 0, to: rows, by: 1 << 16) {
          var batch = RecordColumns(type: known, source: Source(name: part.0))
          for row in first..<min(first + 1 << 16, rows) {
            let span = clock.span(of: row)
            try batch.append(
              start: span.start, end: span.end,
              value: Double(1 + clock.random.next() % 4_000) / kind.divisor, label: unit,
              creation: span.end + Double(clock.random.next() % 300),
              origin: Origin(sourceVersion: "10.1", device: "name:\(part.0), model:\(part.0)"))
          }
          written += batch.count
          try append(batch, type: UInt8(type), source: UInt8(source))
          try session.add(batch)
        }
        random = clock.random
      }
    }
    _ = try session.finish()
    print("\(written) samples in \(ContinuousClock.now - started)")
  }

  /// Spans that do not overlap, one in each step.
  private struct Clock {
    let step: Double
    var random: SeededSamples.Random

    mutating func span(of row: Int) -> (start: Double, end: Double) {
      let begin = (TenYears.origin + Double(row) * step).rounded(.up)
      let room = max(1, UInt64(step) / 2)
      let start = begin + Double(random.next() % room)
      // Two samples of a store of many are within one second.
      let most = max(1, UInt64(step) - UInt64(start - begin))
      // None crosses an hour, so that a sum by start is the sum of the hour.
      let hour = ((start / 3_600).rounded(.down) + 1) * 3_600
      return (start, min(start + Double(random.next() % min(most, 600)), hour))
    }
  }

  private func append(_ batch: RecordColumns, type: UInt8, source: UInt8) throws {
    try columns[0].write(contentsOf: Data(repeating: type, count: batch.count))
    try columns[1].write(contentsOf: Data(repeating: source, count: batch.count))
    for (file, values) in zip(columns[2...], [batch.starts, batch.ends, batch.values]) {
      try values.withUnsafeBytes { try file.write(contentsOf: Data($0)) }
    }
  }
}
