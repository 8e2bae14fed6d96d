import HealthKit
import HealthSamples
import Samples

/// Heart rates of a watch, with its version, its device and a motion context.
enum ObjectsProblem {
  /// The rows, after a look at what they become.
  static func checked() throws -> RecordColumns {
    let rows = try made.get()
    let first = try SampleRows.rows(of: rows.samples())
    guard first.count == 1, first[0].columns.values == rows.values,
      first[0].columns.starts == rows.starts,
      naive(rows).map(\.quantity)
        == rows.samples().compactMap({ ($0 as? HKQuantitySample)?.quantity })
    else { throw ProblemError("Rows do not come back as they were.") }
    return rows
  }

  private static let made = Result<RecordColumns, any Error> {
    var rows = RecordColumns(type: SampleType(.heartRate), source: Source(name: "Watch"))
    let contexts = (0...2).map {
      Metadata([.init(key: HKMetadataKeyHeartRateMotionContext, value: "\($0)")])
    }
    let origin = Origin(sourceVersion: "11.0", device: "name:Watch, hardware:Watch6,1")
    for row in 0..<20_000 {
      let start = Double(row * 5)
      try rows.append(
        start: start, end: start, value: Double(60 + row % 97), label: "count/min",
        creation: start + 3, origin: origin, metadata: contexts[row / 100 % 3])
    }
    return rows
  }

  /// Each sample by its initializer.
  static func naive(_ rows: RecordColumns) -> [HKQuantitySample] {
    let type = HKQuantityType(.heartRate)
    let unit = HKUnit.count().unitDivided(by: .minute())
    return (0..<rows.count).map { row in
      HKQuantitySample(
        type: type, quantity: HKQuantity(unit: unit, doubleValue: rows.values[row]),
        start: Date(timeIntervalSinceReferenceDate: rows.starts[row]),
        end: Date(timeIntervalSinceReferenceDate: rows.ends[row]), device: nil,
        metadata: [HKMetadataKeyHeartRateMotionContext: 1])
    }
  }
}

/// The least object that a sample can be.
final class PlainSample {
  let start: Double
  let end: Double
  let value: Double

  init(_ start: Double, _ end: Double, _ value: Double) {
    self.start = start
    self.end = end
    self.value = value
  }

  static func made(of rows: RecordColumns) -> [PlainSample] {
    (0..<rows.count).map { PlainSample(rows.starts[$0], rows.ends[$0], rows.values[$0]) }
  }
}
