import Foundation
import HealthQuery
import Testing
import _HealthTestSupport

@testable import HealthKit

@Suite struct SortTests {
  /// Samples with few different starts, ends and numbers.
  private func samples(_ count: Int) -> [HKQuantitySample] {
    var random = SplitMix64(seed: 3)
    return (0..<count).map { _ in
      let start = Double(Int.random(in: 0..<4, using: &random))
      return Trial.steps(
        Double(Int.random(in: 0..<3, using: &random)), from: start,
        to: start + Double(Int.random(in: 0..<3, using: &random)),
        metadata: Bool.random(using: &random)
          ? ["rank": Int.random(in: 0..<3, using: &random)] : nil
      )
    }
  }

  @Test(arguments: [
    (HKSampleSortIdentifierStartDate, \HKSample.startDate), ("startDate", \HKSample.startDate),
    (HKSampleSortIdentifierEndDate, \.endDate), ("endDate", \.endDate),
  ]) func samplesAreSortedByKey(key: String, path: any KeyPath<HKSample, Date> & Sendable) {
    let samples = samples(60)
    let dates = samples.map { $0[keyPath: path] }.sorted()
    for ascending in [true, false] {
      let descriptor = NSSortDescriptor(key: key, ascending: ascending)
      let sorted = NSArray(array: samples).sortedArray(using: [descriptor])
      #expect(
        sorted.compactMap { ($0 as? HKSample)?[keyPath: path] }
          == (ascending ? dates : dates.reversed()))
      #expect(descriptor.key == key && descriptor.ascending == ascending)
    }
  }

  @Test func laterSortsDecideAmongEquals() {
    let samples = samples(200)
    let descriptors = [
      NSSortDescriptor(key: "startDate", ascending: true),
      NSSortDescriptor(key: "quantity", ascending: false),
      NSSortDescriptor(key: "metadata.rank", ascending: true),
    ]
    guard case .objects(let precedes) = descriptors.sampleOrder else {
      return #expect(Bool(false), "a store does not know all of the keys")
    }
    func key(_ sample: HKSample) -> (Double, Double, Int) {
      let steps = sample as? HKQuantitySample
      let rank = (sample.metadata?["rank"] as? NSNumber)?.intValue ?? -1
      return (
        sample.startDate.timeIntervalSinceReferenceDate,
        -(steps?.quantity.doubleValue(for: .count()) ?? 0), rank
      )
    }
    for left in samples {
      let agreeing = samples.count { precedes(left, $0) == (key(left) < key($0)) }
      #expect(agreeing == samples.count)
    }
  }

  @Test func storesKnowStartsAndEnds() throws {
    let start = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
    let end = NSSortDescriptor(key: "endDate", ascending: true)
    let expected = [SampleSort(.start, isDescending: true), SampleSort(.end)]
    guard case .store(let sorts) = [start, end].sampleOrder else {
      return #expect(Bool(false), "the keys are those of a store")
    }
    #expect(sorts == expected)
    let typed = [
      SortDescriptor(\HKQuantitySample.startDate, order: .reverse),
      SortDescriptor(\HKQuantitySample.endDate),
    ]
    guard case .store(let sorts) = typed.sampleOrder() else {
      return #expect(Bool(false), "the paths are those of a store")
    }
    #expect(sorts == expected)
    guard case .store(let none) = [NSSortDescriptor]().sampleOrder else {
      return #expect(Bool(false), "no sort is the store's order")
    }
    #expect(none.isEmpty)
    let comparing = NSSortDescriptor(key: "startDate", ascending: true) { _, _ in .orderedSame }
    guard case .objects(let precedes) = [comparing].sampleOrder else {
      return #expect(Bool(false), "a store has no closures")
    }
    #expect(!precedes(Trial.steps(from: 0), Trial.steps(from: 1)))
  }

  @Test func typedSortsCompareObjects() {
    let order = [SortDescriptor(\HKQuantitySample.count), SortDescriptor(\.startDate)].sampleOrder()
    guard case .objects(let precedes) = order else {
      return #expect(Bool(false), "a store does not sort by the number of measurements")
    }
    #expect(precedes(Trial.steps(from: 0), Trial.steps(from: 1)))
    #expect(!precedes(Trial.steps(from: 1), Trial.steps(from: 0)))
  }

  @Test func sortsAreValues() throws {
    let one = NSSortDescriptor(key: "startDate", ascending: true)
    #expect(one == NSSortDescriptor(key: "startDate", ascending: true))
    #expect(one != NSSortDescriptor(key: "endDate", ascending: true))
    #expect(one != NSSortDescriptor(key: "startDate", ascending: false))
    let reversed = try #require(one.reversedSortDescriptor as? NSSortDescriptor)
    #expect(reversed == NSSortDescriptor(key: "startDate", ascending: false))
    let selves = NSSortDescriptor(key: nil, ascending: true)
    #expect(selves.compare("a", to: "b") == .orderedAscending)
    #expect(selves.compare(2, to: 1) == .orderedDescending)
  }

  @Test func keysThatNoObjectHasTrap() async {
    let (left, right) = (Trial.steps(), Trial.steps())
    #expect(throws: ObjectError(.undefinedKey("colour"))) {
      try NSSortDescriptor(key: "colour", ascending: true).order(of: left, and: right)
    }
    let trap = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = NSSortDescriptor(key: "colour", ascending: true)
        .compare(Trial.steps(), to: Trial.steps())
    }
    expectWords("this class is not key value coding-compliant for the key colour", trap)
  }
}
