import Foundation
import Testing
import _HealthTestSupport

@testable import HealthKit

/// Samples and parts of them for tests of predicates.
enum Trial {
  static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  static func steps(
    _ count: Double = 1, from start: Double = 0, to end: Double? = nil, device: HKDevice? = nil,
    metadata: [String: Any]? = nil
  ) -> HKQuantitySample {
    HKQuantitySample(
      type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: count),
      start: date(start), end: date(end ?? start), device: device, metadata: metadata)
  }

  static func mass(_ kilograms: Double) -> HKQuantitySample {
    HKQuantitySample(
      type: HKQuantityType(.bodyMass),
      quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms), start: date(0),
      end: date(0))
  }

  static func sleep(_ value: HKCategoryValueSleepAnalysis) -> HKCategorySample {
    HKCategorySample(
      type: HKCategoryType(.sleepAnalysis), value: value.rawValue, start: date(0), end: date(60))
  }

  static let watch = HKDevice(
    name: "Watch", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: "Watch6,1",
    firmwareVersion: nil, softwareVersion: "10.1", localIdentifier: "local",
    udiDeviceIdentifier: "udi")
  static let scale = HKDevice(
    name: "Scale", manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: "2",
    softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)

  /// An object that an import or a store made.
  static func object(from revision: HKSourceRevision) -> HKObject {
    var facts = ObjectFacts()
    facts.sourceRevision = revision
    return HKQuantitySample(
      HKQuantityType(.stepCount), 1, .count(), start: date(0), end: date(0), facts: facts)
  }

  static let operators: [PredicateOperator] = [
    .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo,
    .matches, .like, .beginsWith, .endsWith, .in, .contains, .between,
  ]
}

@Suite struct PredicateTests {
  // MARK: Periods

  /// What the header says of the options, word by word.
  private func isInPeriod(
    _ start: Double, _ end: Double, from: Double?, to: Double?, _ options: HKQueryOptions
  ) -> Bool {
    func isWithin(_ instant: Double) -> Bool {
      (from.map { instant >= $0 } ?? true) && (to.map { instant < $0 } ?? true)
    }
    if options.contains(.strictStartDate), !isWithin(start) { return false }
    if options.contains(.strictEndDate), !isWithin(end) { return false }
    if !options.isEmpty { return true }
    return (from.map { end >= $0 } ?? true) && (to.map { start < $0 } ?? true)
  }

  @Test func optionsOfPeriodsSayWhatTheHeaderSays() {
    let bounds: [Double?] = [nil, 0, 1, 2, 3, 4]
    for start in 0..<5 {
      for end in start..<5 {
        let sample = Trial.steps(from: Double(start), to: Double(end))
        for from in bounds {
          for to in bounds {
            for bits in 0..<4 as Range<UInt> {
              let options = HKQueryOptions(rawValue: bits)
              let predicate = HKQuery.predicateForSamples(
                withStart: from.map(Trial.date), end: to.map(Trial.date), options: options)
              #expect(
                predicate.evaluate(with: sample)
                  == isInPeriod(Double(start), Double(end), from: from, to: to, options),
                "\(start)–\(end) in \(predicate.description)")
            }
          }
        }
      }
    }
  }

  // MARK: Values

  /// Which of smaller, equal and larger values an operator lets pass.
  static let passing: [(PredicateOperator, [Bool])] = [
    (.lessThan, [true, false, false]), (.lessThanOrEqualTo, [true, true, false]),
    (.greaterThan, [false, false, true]), (.greaterThanOrEqualTo, [false, true, true]),
    (.equalTo, [false, true, false]), (.notEqualTo, [true, false, true]),
  ]

  @Test func quantitiesCompareInAnyUnit() {
    for (operation, expected) in Self.passing {
      let predicate = HKQuery.predicateForQuantitySamples(
        with: operation, quantity: HKQuantity(unit: .gram(), doubleValue: 70_500))
      #expect([70, 70.5, 71].map { predicate.evaluate(with: Trial.mass($0)) } == expected)
    }
    let grams = HKQuery.predicateForQuantitySamples(
      with: .notEqualTo, quantity: HKQuantity(unit: .gram(), doubleValue: 1))
    #expect(grams.evaluate(with: Trial.steps(1)), "a number of steps is no mass")
    #expect(
      !HKQuery.predicateForQuantitySamples(
        with: .equalTo, quantity: HKQuantity(unit: .count(), doubleValue: 1)
      ).evaluate(with: Trial.sleep(.awake)), "a category has no quantity")
  }

  @Test func categoriesCompareByRawValue() {
    for (operation, expected) in Self.passing {
      let values: [HKCategoryValueSleepAnalysis] = [.asleepUnspecified, .awake, .asleepCore]
      for predicate in [
        HKQuery.predicateForCategorySamples(with: operation, value: 2),
        HKCategoryValueSleepAnalysis.predicateForSamples(operation, value: .awake),
      ] {
        #expect(values.map { predicate.evaluate(with: Trial.sleep($0)) } == expected)
      }
    }
    let asleep = HKCategoryValueSleepAnalysis.predicateForSamples(equalTo: [
      .asleepREM, .asleepDeep,
    ])
    #expect(asleep.evaluate(with: Trial.sleep(.asleepREM)))
    #expect(!asleep.evaluate(with: Trial.sleep(.awake)))
    #expect(
      !HKCategoryValueSleepAnalysis.predicateForSamples(equalTo: [])
        .evaluate(with: Trial.sleep(.inBed)))
  }

  // MARK: Objects

  @Test func objectsAreFoundByIdentity() {
    let (one, other, third) = (Trial.steps(), Trial.steps(), Trial.steps())
    #expect(HKQuery.predicateForObject(with: one.uuid).evaluate(with: one))
    #expect(!HKQuery.predicateForObject(with: one.uuid).evaluate(with: other))
    let both = HKQuery.predicateForObjects(with: [one.uuid, other.uuid])
    #expect(both.evaluate(with: one) && both.evaluate(with: other) && !both.evaluate(with: third))
    #expect(!HKQuery.predicateForObjects(with: Set<UUID>()).evaluate(with: one))
  }

  @Test func manyIdentitiesTakeNoLongerThanFew() {
    let identities = Set((0..<50_000).map { _ in UUID() })
    let predicate = HKQuery.predicateForObjects(with: identities)
    let found = identities.prefix(2000).filter { predicate.evaluate(with: ["UUID": $0]) }
    #expect(found.count == 2000)
    #expect((0..<2000).allSatisfy { _ in !predicate.evaluate(with: ["UUID": UUID()]) })
  }

  @Test func queriesNameTheirTypes() {
    let predicate = NSPredicate(value: true)
    let steps = HKQuery(objectType: HKQuantityType(.stepCount), predicate: predicate)
    #expect(steps.objectType == HKQuantityType(.stepCount) && steps.sampleType == steps.objectType)
    #expect(steps.predicate === predicate)
    let summaries = HKQuery(objectType: .activitySummaryType(), predicate: nil)
    #expect(summaries.sampleType == nil && summaries.predicate == nil)
    #expect(summaries.objectType == HKObjectType.activitySummaryType())
  }

  @Test func objectsAreFoundBySource() {
    let sources = ["one", "two", "three"].map { HKSource(.init(name: $0, bundleIdentifier: "a")) }
    let revisions = sources.map { HKSourceRevision(source: $0, version: "1") }
    let newer = HKSourceRevision(source: sources[0], version: "2")
    let objects = (revisions + [newer]).map(Trial.object)
    func hits(_ predicate: NSPredicate) -> [Bool] { objects.map { predicate.evaluate(with: $0) } }
    #expect(hits(HKQuery.predicateForObjects(from: sources[0])) == [true, false, false, true])
    #expect(
      hits(HKQuery.predicateForObjects(from: Set(sources.prefix(2)))) == [true, true, false, true])
    #expect(
      hits(HKQuery.predicateForObjects(from: [revisions[0], revisions[2]] as Set))
        == [true, false, true, false])
  }

  @Test("A revision with a constant for any version stands for all that have its other fields")
  func revisionsStandForOthers() {
    let source = HKSource(.init(name: "one", bundleIdentifier: "a"))
    let systems = [10, 11].map {
      OperatingSystemVersion(majorVersion: $0, minorVersion: 1, patchVersion: 0)
    }
    func revisions(
      _ versions: [String?], _ products: [String?], _ systems: [OperatingSystemVersion]
    ) -> [HKSourceRevision] {
      versions.flatMap { version in
        products.flatMap { product in
          systems.map {
            HKSourceRevision(
              source: source, version: version, productType: product, operatingSystemVersion: $0)
          }
        }
      }
    }
    let written = revisions(["1", "2", nil], ["Watch6,1", nil], systems)
    let objects = written.map(Trial.object)
    let asked = revisions(
      ["1", nil, HKSourceRevisionAnyVersion], ["Watch6,1", nil, HKSourceRevisionAnyProductType],
      [systems[0], HKSourceRevisionAnyOperatingSystem])
    for pattern in asked {
      let expected = written.map { revision in
        let any = pattern.operatingSystemVersion.majorVersion < 0
        return
          (pattern.version == HKSourceRevisionAnyVersion || pattern.version == revision.version)
          && (pattern.productType == HKSourceRevisionAnyProductType
            || pattern.productType == revision.productType)
          && (any
            || pattern.operatingSystemVersion.majorVersion
              == revision.operatingSystemVersion.majorVersion)
      }
      let predicate = HKQuery.predicateForObjects(from: [pattern] as Set)
      #expect(objects.map { predicate.evaluate(with: $0) } == expected, "\(predicate)")
      let both = HKQuery.predicateForObjects(from: [pattern, written[0]] as Set)
      #expect(
        objects.map { both.evaluate(with: $0) } == [true] + expected.dropFirst(), "\(predicate)")
    }
    let other = HKSourceRevision(
      source: HKSource(.init(name: "two", bundleIdentifier: "b")),
      version: HKSourceRevisionAnyVersion)
    #expect(
      objects.allSatisfy { !HKQuery.predicateForObjects(from: [other] as Set).evaluate(with: $0) })
  }

  @Test func objectsAreFoundByDevice() {
    let objects = [Trial.watch, Trial.scale, nil].map { Trial.steps(device: $0) }
    func hits(_ predicate: NSPredicate) -> [Bool] { objects.map { predicate.evaluate(with: $0) } }
    #expect(hits(HKQuery.predicateForObjects(from: [Trial.watch] as Set)) == [true, false, false])
    #expect(
      hits(HKQuery.predicateForObjects(from: [Trial.watch, Trial.scale] as Set))
        == [true, true, false])
    for (key, watch) in [
      (HKDevicePropertyKeyName, Trial.watch.name),
      (HKDevicePropertyKeyManufacturer, Trial.watch.manufacturer),
      (HKDevicePropertyKeyModel, Trial.watch.model),
      (HKDevicePropertyKeyHardwareVersion, Trial.watch.hardwareVersion),
      (HKDevicePropertyKeySoftwareVersion, Trial.watch.softwareVersion),
      (HKDevicePropertyKeyLocalIdentifier, Trial.watch.localIdentifier),
      (HKDevicePropertyKeyUDIDeviceIdentifier, Trial.watch.udiDeviceIdentifier),
    ] {
      let values = Set([watch, "none"].compactMap(\.self))
      let predicate = HKQuery.predicateForObjects(withDeviceProperty: key, allowedValues: values)
      #expect(hits(predicate) == [true, false, false], "\(key)")
    }
    let firmware = HKQuery.predicateForObjects(
      withDeviceProperty: HKDevicePropertyKeyFirmwareVersion, allowedValues: ["2"])
    #expect(hits(firmware) == [false, true, false])
  }

  @Test func objectsAreFoundByMetadata() {
    let key = HKMetadataKeyWasUserEntered
    let objects = [nil, [key: true], [key: false]].map { Trial.steps(metadata: $0) }
    func hits(_ predicate: NSPredicate) -> [Bool] { objects.map { predicate.evaluate(with: $0) } }
    #expect(hits(HKQuery.predicateForObjects(withMetadataKey: key)) == [false, true, true])
    #expect(
      hits(HKQuery.predicateForObjects(withMetadataKey: key, allowedValues: [true, 7]))
        == [false, true, false])
    #expect(
      hits(HKQuery.predicateForObjects(withMetadataKey: key, operatorType: .equalTo, value: true))
        == [false, true, false])
    // What clients write to leave out what was entered by hand.
    #expect(
      hits(
        HKQuery.predicateForObjects(withMetadataKey: key, operatorType: .notEqualTo, value: true))
        == [true, false, true])
  }

  @Test(arguments: [
    ("a.b c", PredicateOperator.like, "P*a", true), ("a.b c", .like, "p*a", false),
    ("a.b c", .beginsWith, "Piz", true), ("a.b c", .endsWith, "zza", true),
    ("a.b c", .contains, "zz", true), ("a.b c", .matches, "P.z+a", true),
    ("a.b c", .matches, "P.z", false), ("a.b c", .like, "Pi??a", true),
    ("a.b c", .lessThan, "Q", true), ("a.b c", .in, "a Pizza", true), ("x", .contains, "", false),
  ]) func metadataCompareAsTexts(
    key: String, operation: PredicateOperator, value: String, expected: Bool
  ) {
    let sample = Trial.steps(metadata: ["a.b c": "Pizza"])
    let predicate = HKQuery.predicateForObjects(
      withMetadataKey: key, operatorType: operation, value: value)
    #expect(predicate.evaluate(with: sample) == expected)
  }

  @Test func metadataCompareAsNumbersDatesAndQuantities() {
    let litre = HKQuantity(unit: .liter(), doubleValue: 1)
    let sample = Trial.steps(metadata: ["n": 75.0, "d": Trial.date(9), "q": litre])
    func holds(_ key: String, _ operation: PredicateOperator, _ value: Any) -> Bool {
      HKQuery.predicateForObjects(withMetadataKey: key, operatorType: operation, value: value)
        .evaluate(with: sample)
    }
    #expect(holds("n", .greaterThan, 74) && !holds("n", .greaterThan, 75))
    #expect(holds("d", .lessThan, Trial.date(10)) && holds("d", .equalTo, Trial.date(9) as NSDate))
    #expect(holds("q", .equalTo, HKQuantity(unit: .literUnit(with: .milli), doubleValue: 1000)))
    #expect(holds("n", .between, [70, 75]) && !holds("n", .between, [76, 80]))
    #expect(holds("n", .notEqualTo, "75") && !holds("n", .lessThan, "76"))
  }

  @Test func onlyAStoreKnowsCorrelations() {
    #expect(HKQuery.predicateForObjectsWithNoCorrelation().evaluate(with: Trial.steps()))
  }

  // MARK: Trees

  @Test func compoundsOfFoundationAreWalked() {
    let parts = (0..<3).map { HKQuery.predicateForCategorySamples(with: .equalTo, value: $0) }
    let trees = parts.map(\.tree)
    let all = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    let any = NSCompoundPredicate(orPredicateWithSubpredicates: [all, parts[2]])
    let not = NSCompoundPredicate(notPredicateWithSubpredicate: any)
    #expect(not.tree == .not(.any([.all(trees), trees[2]])))
    #expect(NSCompoundPredicate(andPredicateWithSubpredicates: []).tree == .all([]))
    #expect(NSPredicate(value: true).tree == .always(true))
    #expect(NSPredicate(value: false).tree == .always(false))
    let block = NSPredicate { object, _ in object == nil }
    #expect(block.tree == block.tree)
    #expect(block.tree != NSPredicate { object, _ in object == nil }.tree)
    #expect(
      NSCompoundPredicate(andPredicateWithSubpredicates: [block, parts[0]]).tree
        == .all([block.tree, trees[0]]))
  }

  @Test func treesAndCompoundsEvaluateAlike() throws {
    var random = SplitMix64(seed: 11)
    let samples = (0..<6).map(Double.init).map { Trial.steps($0, from: $0, to: 2 * $0) }
    var hits = 0
    for _ in 0..<2000 {
      let predicate = randomCompound(depth: 4, using: &random)
      for sample in samples {
        let holds = predicate.evaluate(with: sample)
        #expect(try predicate.matches(sample) == holds)
        #expect(TreePredicate(predicate.tree).evaluate(with: sample) == holds)
        hits += holds ? 1 : 0
      }
    }
    #expect((2000..<10_000).contains(hits), "both outcomes occur often: \(hits)")
  }

  private func randomCompound(depth: Int, using random: inout SplitMix64) -> NSPredicate {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &random) {
    case 0: NSPredicate(value: .random(using: &random))
    case 1:
      HKQuery.predicateForSamples(
        withStart: Trial.date(.random(in: 0..<9, using: &random)), end: nil,
        options: .init(rawValue: .random(in: 0..<4, using: &random)))
    case 2:
      HKQuery.predicateForQuantitySamples(
        with: Trial.operators[Int.random(in: 0..<6, using: &random)],
        quantity: HKQuantity(unit: .count(), doubleValue: .random(in: 0..<6, using: &random)))
    case 3:
      NSCompoundPredicate(
        notPredicateWithSubpredicate: randomCompound(depth: depth - 1, using: &random))
    case let kind:
      NSCompoundPredicate(
        type: kind == 4 ? .and : .or,
        subpredicates: (0..<Int.random(in: 0..<4, using: &random)).map { _ in
          randomCompound(depth: depth - 1, using: &random)
        })
    }
  }

  @Test func predicatesAreEqualByTheirTrees() {
    func period(_ end: Double) -> NSPredicate {
      HKQuery.predicateForSamples(withStart: Trial.date(1), end: Trial.date(end))
    }
    #expect(period(2) == period(2) && period(2).hash == period(2).hash)
    #expect(period(2) != period(3))
    let uuids = Set((0..<20).map { _ in UUID() })
    #expect(
      HKQuery.predicateForObjects(with: uuids)
        == HKQuery.predicateForObjects(
          with: Set(
            uuids.sorted {
              $0.uuidString > $1.uuidString
            })))
    let copy = period(2).copy() as? NSPredicate
    #expect(copy?.evaluate(with: Trial.steps(from: 1)) == true)
    #expect(copy?.evaluate(with: Trial.steps(from: 2)) == false)
  }

  @Test func typedPredicatesAreEqualByTypeAndTree() {
    let type = HKQuantityType(.stepCount)
    func predicate(_ value: Double) -> HKSamplePredicate<HKQuantitySample> {
      .quantitySample(
        type: type,
        predicate: HKQuery.predicateForQuantitySamples(
          with: .equalTo, quantity: HKQuantity(unit: .count(), doubleValue: value)))
    }
    #expect(predicate(1) == predicate(1) && predicate(1).hashValue == predicate(1).hashValue)
    #expect(predicate(1) != predicate(2))
    #expect(predicate(1) != .quantitySample(type: type))
    #expect(predicate(1).sampleType == type)
    #expect(HKSamplePredicate.sample(type: type).nsPredicate == nil)
    #expect(
      HKSamplePredicate.categorySample(type: HKCategoryType(.headache)).sampleType.identifier
        == HKCategoryTypeIdentifier.headache.rawValue)
    let pressure = HKCorrelationType(.bloodPressure)
    #expect(HKSamplePredicate.correlation(type: pressure).sampleType == pressure)
  }

  // MARK: Descriptors and anchors

  @Test func descriptorsAreArchivedWithTheirPredicates() throws {
    let type = HKQuantityType(.bodyMass)
    let uuids: Set<UUID> = [UUID(), UUID()]
    let predicates: [NSPredicate?] = [
      nil, HKQuery.predicateForSamples(withStart: Trial.date(0.1), end: Trial.date(7e8)),
      HKQuery.predicateForObjects(with: uuids),
      HKQuery.predicateForObjects(from: [Trial.watch, Trial.scale] as Set),
      HKQuery.predicateForObjects(from: HKSource.default()),
      HKQuery.predicateForQuantitySamples(
        with: .lessThan, quantity: HKQuantity(unit: .pound(), doubleValue: 1)),
      NSPredicate(format: "quantityType == %@", HKQuantityType(.bodyMass)),
      NSPredicate(
        format: "sampleType IN %@", [HKSeriesType.workoutRoute(), HKObjectType.workoutType()]),
      NSCompoundPredicate(andPredicateWithSubpredicates: [
        HKQuery.predicateForObjects(
          withMetadataKey: "a key.with \"quotes\"", allowedValues: ["x", 1.5, Trial.date(1)]),
        NSCompoundPredicate(
          notPredicateWithSubpredicate: HKQuery.predicateForObjectsWithNoCorrelation()),
        NSCompoundPredicate(orPredicateWithSubpredicates: []),
      ]),
    ]
    for predicate in predicates {
      let descriptor = HKQueryDescriptor(sampleType: type, predicate: predicate)
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: descriptor, requiringSecureCoding: true)
      let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryDescriptor.self, from: data)
      #expect(read?.sampleType == type)
      // An OR of nothing reads back as the constant that it is.
      #expect(
        read?.predicate?.tree.format == predicate?.tree.format,
        "\(predicate?.description ?? "none")")
    }
    let copy = HKQueryDescriptor(sampleType: type, predicate: predicates[1])
    #expect(copy == HKQueryDescriptor(sampleType: type, predicate: predicates[1]))
    #expect(copy != HKQueryDescriptor(sampleType: type, predicate: predicates[2]))
  }

  @Test func damagedArchivesOfDescriptorsAreNone() throws {
    func descriptor(_ parts: [String: NSObject]) throws -> HKQueryDescriptor? {
      let archiver = NSKeyedArchiver(requiringSecureCoding: true)
      archiver.encode(HKQuantityType(.stepCount), forKey: "sampleType")
      for (key, part) in parts { archiver.encode(part, forKey: key) }
      archiver.finishEncoding()
      let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
      unarchiver.decodingFailurePolicy = .setErrorAndReturn
      return HKQueryDescriptor(coder: unarchiver)
    }
    let format = "startDate >= %@" as NSString
    let date = Trial.date(0) as NSDate
    #expect(try descriptor([:]) != nil)
    #expect(try descriptor(["predicate": format, "arguments": [date] as NSArray]) != nil)
    #expect(try descriptor(["predicate": format, "arguments": NSArray()]) == nil)
    #expect(try descriptor(["predicate": format]) == nil)
    #expect(
      try descriptor(["predicate": "startDate >=" as NSString, "arguments": NSArray()]) == nil)
  }

  @Test func anchorsAreArchived() throws {
    for anchor in [HKQueryAnchor(fromValue: 0), HKQueryAnchor(text: "1f-2-0")] {
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: anchor, requiringSecureCoding: true)
      let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
      #expect(read == anchor && read?.hash == anchor.hash)
    }
    #expect(HKQueryAnchor(fromValue: 1) == HKQueryAnchor(fromValue: 1))
    #expect(HKQueryAnchor(fromValue: 1) != HKQueryAnchor(fromValue: 2))
  }

  // MARK: Errors

  private func reason(_ body: () throws(ObjectError) -> NSPredicate) -> ObjectError.Reason? {
    do throws(ObjectError) {
      _ = try body()
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func checkedPredicatesThrow() {
    let gram = HKQuantity(unit: .gram(), doubleValue: 1)
    let calendar = Calendar(identifier: .gregorian)
    typealias Comparing = (path: String, operation: PredicateOperator, value: Any)
    let cases: [(Comparing, ObjectError.Reason?)] = [
      (("quantity", .like, gram), .invalidOperator),
      (("value", .beginsWith, 1), .invalidOperator),
      (("UUID", .lessThan, UUID()), .invalidOperator),
      (("metadata.x", .between, [1, 2, 3]), .invalidOperator),
      (
        ("metadata.x", .equalTo, UUID()),
        .invalidMetadata(key: "x", expected: "NSString, NSNumber, NSDate or HKQuantity")
      ),
      (("metadata.x", .equalTo, { 1 } as () -> Int), .invalidPredicateValue),
      (("device.colour", .in, ["red"]), .undefinedKey("device.colour")),
      (("colour", .equalTo, "red"), .undefinedKey("colour")),
      (
        ("averageQuantity.HKQuantityTypeIdentifierHeartRate", .lessThan, gram),
        .incompatibleUnits(from: "g", to: "count/s")
      ),
      (("totalDistance", .lessThan, gram), .incompatibleUnits(from: "g", to: "m")),
      (
        ("dateComponents", .equalTo, DateComponents(year: 2024, month: 3, day: 9)),
        .dayWithout("Calendar")
      ),
      (
        ("dateComponents", .equalTo, DateComponents(calendar: calendar, year: 2024, month: 3)),
        .dayWithout("Day")
      ),
      (
        (
          "dateComponents", .equalTo,
          DateComponents(calendar: calendar, year: 2024, month: 3, day: 9, hour: 1)
        ), .dayWithHour
      ),
      (
        (
          "dateComponents", .lessThan,
          DateComponents(calendar: calendar, era: 1, year: 2024, month: 3, day: 9)
        ), nil
      ),
      (("quantity", .lessThan, gram), nil), (("metadata.x", .in, ["a", "b"]), nil),
    ]
    for (given, expected) in cases {
      let reason = reason { () throws(ObjectError) in
        try NSPredicate.comparing(given.path, given.operation, to: given.value)
      }
      if case .incompatibleUnits(let from, _) = reason, case .incompatibleUnits = expected {
        #expect(from == "g")
      } else {
        #expect(reason == expected, "\(given.path)")
      }
    }
  }

  @Test func evaluationThrowsForKeysThatNoObjectHas() throws {
    let predicate = try NSPredicate.parsed(format: "colour == 'red'")
    #expect(throws: ObjectError(.undefinedKey("colour"))) { try predicate.matches(Trial.steps()) }
    let pattern = try NSPredicate.parsed(format: "metadata.x MATCHES '('")
    #expect(throws: ObjectError(.invalidPattern)) {
      try pattern.matches(Trial.steps(metadata: ["x": "("]))
    }
  }

  @Test func factoriesTrap() async {
    let operation = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = HKQuery.predicateForQuantitySamples(
        with: .like, quantity: HKQuantity(unit: .gram(), doubleValue: 1))
    }
    expectWords(ObjectError(.invalidOperator).description, operation)
    let value = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = HKQuery.predicateForObjects(withMetadataKey: "x", allowedValues: [UUID()])
    }
    expectWords("Value for metadata key x must be", value)
    let field = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = HKQuery.predicateForObjects(withDeviceProperty: "colour", allowedValues: ["red"])
    }
    expectWords("this class is not key value coding-compliant for the key device.colour", field)
    let day = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = HKQuery.predicateForActivitySummary(with: DateComponents(year: 2024, month: 3, day: 9))
    }
    expectWords("Activity Summary Date Components Require Calendar to be set", day)
    let key = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = NSPredicate(format: "colour == 'red'").evaluate(with: Trial.steps())
    }
    expectWords("this class is not key value coding-compliant for the key colour", key)
    let block = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let descriptor = HKQueryDescriptor(
        sampleType: HKQuantityType(.stepCount), predicate: NSPredicate { _, _ in true })
      _ = try NSKeyedArchiver.archivedData(withRootObject: descriptor, requiringSecureCoding: true)
    }
    expectWords("Block predicates cannot be encoded", block)
    let compound = NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate { _, _ in true })
    #expect(throws: ObjectError(.blockPredicate)) { try compound.formatAndArguments() }
  }
}
