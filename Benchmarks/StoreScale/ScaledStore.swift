import HealthSamples
import HealthStore
import Samples

/// A store of a given size with as many samples a day as any other.
struct ScaledStore {
  let count: Int

  static let energy = Catalogue.type("HKQuantityTypeIdentifierActiveEnergyBurned")
  static let steps = Catalogue.type("HKQuantityTypeIdentifierStepCount")
  static let origin = 500_000_000.0
  /// Samples of all streams together.
  static let samplesOfDay = 27_400.0

  private struct Stream {
    var type: SampleType
    var source: Source
    var label: String
    var share: Double
    /// By what values are divided, which makes them decimals.
    var divisor: Double
  }

  func write(to path: String) throws {
    guard let energy = Self.energy, let steps = Self.steps else { return }
    let streams = [
      Stream(
        type: energy, source: Source(name: "Watch"), label: "kcal", share: 0.5, divisor: 1_000),
      Stream(type: steps, source: Source(name: "Watch"), label: "count", share: 0.4, divisor: 1),
      Stream(type: steps, source: Source(name: "iPhone"), label: "count", share: 0.1, divisor: 1),
    ]
    let start = ContinuousClock.now
    let session = try SampleStore(path: path, mode: .readWrite).beginImport()
    var random = SeededSamples.Random(state: 42)
    for stream in streams {
      let all = Int(Double(count) * stream.share)
      var time = Self.origin
      for first in stride(from: 0, to: all, by: 1 << 16) {
        let batch = try batch(
          of: stream, count: min(1 << 16, all - first), from: &time, using: &random)
        try session.add(batch)
      }
    }
    _ = try session.finish()
    print("\(count) samples made and imported in \(ContinuousClock.now - start)")
  }

  private func batch(
    of stream: Stream, count: Int, from time: inout Double, using random: inout SeededSamples.Random
  ) throws -> RecordColumns {
    var batch = RecordColumns(type: stream.type, source: stream.source)
    let origin = Origin(
      sourceVersion: "10.1", device: "name:Watch, model:Watch, hardware:Watch6,7")
    let step = Int(86_400 / (Self.samplesOfDay * stream.share))
    for _ in 0..<count {
      let (start, length) = (time, Double(1 + random.next() % UInt64(step)))
      // As many seconds as samples need to keep their number a day.
      time += max(length, Double(step - 1) + Double(random.next() % 3))
      let creation = start + length + Double(random.next() % 300)
      try batch.append(
        start: start, end: start + length,
        value: Double(1 + random.next() % 4_000) / stream.divisor, label: stream.label,
        creation: creation, origin: origin)
    }
    return batch
  }
}
