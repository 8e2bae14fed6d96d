import Foundation
import HealthKit
import HealthSamples
import Synchronization
import Testing
import _HealthTestSupport

@Suite struct ThreadTests {
  /// Threads share types, units, quantities, samples and metadata; a run with the thread sanitizer
  /// takes the seconds of `HKSTATS_THREAD_SECONDS`.
  @Test("8 threads make, convert, compare and archive the same objects")
  func sharedObjects() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seconds = Double(environment["HKSTATS_THREAD_SECONDS"] ?? "") ?? 0.5
    let deadline = ContinuousClock.now + .seconds(seconds)
    var records = StoreRecords(seed: 8)
    let rows = records.batch(
      StoreRecords.heartRate, Source(name: "Watch"), count: 64, label: "count/min")
    let shared = rows.samples()
    let quantity = HKQuantity(unit: .pound(), doubleValue: 154.5)
    let rounds = Rounds()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { () throws in
          repeat {
            #expect(abs(quantity.doubleValue(for: .gramUnit(with: .kilo)) - 70.08) < 0.01)
            #expect(quantity.compare(HKQuantity(unit: .gram(), doubleValue: 1)) != .orderedSame)
            for sample in shared {
              _ = sample.metadata
              #expect(sample == sample.copyThroughArchive(every: 16))
            }
            let made = HKQuantitySample(
              type: HKQuantityType(.bodyMass), quantity: quantity, start: .now, end: .now)
            #expect(made.sourceRevision.source == .default())
            #expect(rows.samples().count == shared.count)
            let read = try SampleRows.rows(of: shared)
            #expect(read.count == 1)
            rounds.count.add(1, ordering: .relaxed)
          } while ContinuousClock.now < deadline
        }
      }
      try await group.waitForAll()
    }
    #expect(rounds.count.load(ordering: .relaxed) >= 8)
  }
}

private final class Rounds: Sendable {
  let count = Atomic(0)
}

extension HKSample {
  /// The sample, or for one of several a copy that was archived.
  fileprivate func copyThroughArchive(every count: Int) -> HKSample? {
    guard hash % count == 0 else { return self }
    return try? archivedObject(self)
  }
}
