import HealthKit
import Testing

struct StepsOfADay {
  let day: DateInterval
  var leavesOutManualEntries = true

  var predicate: NSPredicate {
    let period = HKQuery.predicateForSamples(
      withStart: day.start, end: day.end, options: .strictStartDate)
    guard leavesOutManualEntries else { return period }
    let measured = NSPredicate(format: "metadata.%K != YES", HKMetadataKeyWasUserEntered)
    return NSCompoundPredicate(andPredicateWithSubpredicates: [period, measured])
  }

  let sortDescriptors = [
    NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false),
    .init(key: HKSampleSortIdentifierEndDate, ascending: true),
  ]
}

extension NSPredicate {
  static func samples(
    from start: Date, to end: Date, of sources: Set<HKSource>? = nil
  ) -> NSPredicate {
    let period = NSPredicate(
      format: "%K >= %@ AND %K < %@", HKPredicateKeyPathEndDate, start as NSDate,
      HKPredicateKeyPathStartDate, end as NSDate)
    guard let sources else { return period }
    return NSCompoundPredicate(
      type: .and, subpredicates: [period, HKQuery.predicateForObjects(from: sources)])
  }
}

/// What apps hand to a query: predicates, sort descriptors, options.
@Suite
struct PredicatesAndSorting {
  let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

  private func steps(_ count: Double, at offset: TimeInterval) -> HKQuantitySample {
    HKQuantitySample(
      type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: count),
      start: start.addingTimeInterval(offset), end: start.addingTimeInterval(offset + 60),
      metadata: offset < 0 ? [HKMetadataKeyWasUserEntered: true] : nil)
  }

  @Test("A predicate of dates takes an interval, open ends and strict options")
  func dates() {
    let early = steps(1, at: -30)
    let inside = steps(2, at: 30)
    let end = start.addingTimeInterval(3600)
    let overlapping = HKQuery.predicateForSamples(withStart: start, end: end)
    #expect(overlapping.evaluate(with: early) && overlapping.evaluate(with: inside))
    let strict = HKQuery.predicateForSamples(
      withStart: start, end: end, options: .strictStartDate)
    #expect(!strict.evaluate(with: early) && strict.evaluate(with: inside))
    let both = HKQuery.predicateForSamples(
      withStart: start, end: nil, options: [.strictStartDate, .strictEndDate])
    #expect(both.evaluate(with: inside))
  }

  @Test("Predicates combine, and filter a list")
  func compounds() {
    let samples = [steps(10, at: -90), steps(20, at: 30), steps(30, at: 60)]
    let entered = HKQuery.predicateForObjects(withMetadataKey: HKMetadataKeyWasUserEntered)
    let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSCompoundPredicate(notPredicateWithSubpredicate: entered),
      HKQuery.predicateForQuantitySamples(
        with: .greaterThan, quantity: HKQuantity(unit: .count(), doubleValue: 25)),
    ])
    #expect(samples.filter { compound.evaluate(with: $0) } == [samples[2]])
    let own = HKQuery.predicateForObjects(from: HKSource.default())
    #expect(samples.allSatisfy { own.evaluate(with: $0) })
    let one = HKQuery.predicateForObject(with: samples[0].uuid)
    #expect(samples.filter { one.evaluate(with: $0) } == [samples[0]])
  }

  @Test("A predicate in words filters by key path")
  func formats() {
    let date = start
    let predicate = NSPredicate(
      format: "%K >= %@", HKPredicateKeyPathStartDate, date as NSDate)
    #expect(predicate.evaluate(with: steps(1, at: 1)))
    #expect(!predicate.evaluate(with: steps(1, at: -1)))
  }

  @Test("Sort descriptors name their key as HealthKit's constants do")
  func sorting() {
    let newest = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
    let last = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: true)
    let samples = [steps(1, at: 0), steps(2, at: 60)]
    #expect(newest.compare(samples[0], to: samples[1]) == .orderedDescending)
    #expect(last.compare(samples[0], to: samples[1]) == .orderedAscending)
    #expect(!newest.ascending)
  }

  @Test("Options are sets, and the limit is a number")
  func options() {
    let options: HKStatisticsOptions = [.cumulativeSum, .separateBySource]
    #expect(options.contains(.cumulativeSum))
    #expect(!options.contains(.discreteAverage))
    #expect(HKObjectQueryNoLimit == 0)
    #expect(HKQueryOptions.strictStartDate.union(.strictEndDate).rawValue == 3)
  }

  @Test("A typed predicate names its type")
  func typed() {
    let predicate = HKSamplePredicate.quantitySample(
      type: HKQuantityType(.stepCount),
      predicate: HKQuery.predicateForSamples(withStart: start, end: nil))
    #expect(predicate.sampleType == HKQuantityType(.stepCount))
    #expect(predicate.nsPredicate?.evaluate(with: steps(1, at: 1)) == true)
    let descriptor = HKQueryDescriptor(
      sampleType: HKCategoryType(.sleepAnalysis), predicate: nil)
    #expect(descriptor.sampleType == HKCategoryType(.sleepAnalysis))
  }

  @Test("Predicates and sorts of an app's own types filter and order its samples")
  func ownTypes() {
    let day = DateInterval(start: start.addingTimeInterval(-3600), duration: 86_400)
    let samples = [
      steps(1, at: 60), steps(2, at: 3600), steps(3, at: 86_400), steps(4, at: -60),
    ]
    var query = StepsOfADay(day: day)
    #expect(samples.filter { query.predicate.evaluate(with: $0) } == [samples[0], samples[1]])
    query.leavesOutManualEntries = false
    #expect(samples.filter(query.predicate.evaluate(with:)).count == 3)
    let sorted = NSArray(array: samples).sortedArray(using: query.sortDescriptors)
    #expect((sorted as? [HKSample])?.first == samples[2])
    let own = NSPredicate.samples(from: day.start, to: day.end, of: [HKSource.default()])
    #expect(NSArray(array: samples).filtered(using: own).count == 3)
  }

  @Test("Values, metadata and devices are compared by operators and sets")
  func values() {
    let asleep = HKCategoryValueSleepAnalysis.predicateForSamples(
      equalTo: HKCategoryValueSleepAnalysis.allAsleepValues)
    let sample = HKCategorySample(
      type: HKCategoryType(.sleepAnalysis), value: HKCategoryValueSleepAnalysis.asleepREM.rawValue,
      start: start, end: start.addingTimeInterval(600))
    #expect(asleep.evaluate(with: sample))
    let food = HKQuery.predicateForObjects(
      withMetadataKey: HKMetadataKeyFoodType, operatorType: .beginsWith, value: "Piz")
    #expect(!food.evaluate(with: sample))
    let watch = HKQuery.predicateForObjects(
      withDeviceProperty: HKDevicePropertyKeyModel, allowedValues: ["Watch"])
    #expect(!watch.evaluate(with: sample))
  }

  @Test("Typed predicates and sorts are inferred")
  func inference() {
    let type = HKQuantityType(.heartRate)
    let predicates: [HKSamplePredicate<HKQuantitySample>] = [.quantitySample(type: type)]
    let sorts: [SortDescriptor<HKQuantitySample>] = [SortDescriptor(\.startDate, order: .reverse)]
    let workouts = HKSamplePredicate.workout(HKQuery.predicateForWorkouts(with: .running))
    #expect(predicates[0].sampleType == type && predicates[0].nsPredicate == nil)
    #expect(sorts[0].order == .reverse)
    #expect(workouts.sampleType == HKObjectType.workoutType())
  }
}
