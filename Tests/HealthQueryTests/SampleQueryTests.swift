import Foundation
import HealthSamples
import HealthStore
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthQuery

@Suite("Queries for samples")
struct SampleQueryTests {
  private static let distance = SampleType(.distanceWalkingRunning)
  private static let sleep = SampleType(
    identifier: "HKCategoryTypeIdentifierSleepAnalysis", kind: .category)
  private static let sources = [
    Source(name: "Anna’s Watch"), Source(name: "Phone"), Source(name: "Phone", isUserEntered: true),
  ]
  private static let constants = [
    "HKCategoryValueSleepAnalysisAwake", "HKCategoryValueSleepAnalysisInBed",
  ]

  /// Few different times, values and texts, so that conditions meet their bounds.
  private static func samples(_ count: Int, using random: inout SplitMix64) -> [SlowSample] {
    (0..<count).map { _ in
      let isDistance = Int.random(in: 0..<3, using: &random) > 0
      let start = Double(Int.random(in: 0...6, using: &random))
      var sample = SlowSample(
        type: isDistance ? distance : sleep,
        source: sources.randomElement(using: &random) ?? sources[0],
        start: start, end: start + Double(Int.random(in: -1...3, using: &random)),
        value: Double(Int.random(in: 0...3, using: &random)),
        label: isDistance ? ["km", "mi", "m"].randomElement(using: &random) ?? "m" : "")
      if !isDistance { sample.label = constants[Int(sample.value) % 2] }
      sample.version = ["", "9.1"].randomElement(using: &random) ?? ""
      sample.device =
        ["", "name:Watch, model:Watch, hardware:Watch6,1", "name:Phone", "Phone"]
        .randomElement(using: &random) ?? ""
      if Bool.random(using: &random) {
        let value = ["1", "2", "x"].randomElement(using: &random) ?? "x"
        sample.metadata.entries = [.init(key: "place", value: value)]
      }
      return sample
    }
  }

  private static let meter = UnitExpression.of("m")

  private static let leaves = leaves(of: Comparison.allCases)

  private static func leaves(of comparisons: [Comparison]) -> [SamplePredicate] {
    comparisons.flatMap { compares -> [SamplePredicate] in
      [
        .start(compares, 3), .end(compares, 4), .duration(compares, 1),
        .value(compares, 2, unit: nil), .value(compares, 2_000, unit: meter),
        .metadata(key: "place", .number(compares, 1)),
        .metadata(key: "place", .text(compares, "2")),
      ]
    } + [
      .all([]), .any([]), .constant(constants[0]), .source(named: "Anna's Watch"),
      .source(named: "Phone"), .sources([.init(Source(name: "Phone"))]), .userEntered(true),
      .sourceVersion("9.1"), .device(.name, "Watch"),
      .device(.hardwareVersion, "Watch6,1"), .device(.model, nil), .device(.name, "Phone"),
      .metadata(key: "place", .exists),
      .start(.less, .nan), .end(.notEqual, .nan), .start(.greater, .infinity),
      .value(.equal, .nan, unit: nil), .end(.less, -.infinity),
    ]
  }

  private static func tree(_ depth: Int, using random: inout SplitMix64) -> SamplePredicate {
    let leaf = leaves.randomElement(using: &random) ?? .all([])
    guard depth > 0 else { return leaf }
    let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      tree(depth - 1, using: &random)
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return leaf
    case 1: return .not(tree(depth - 1, using: &random))
    case 2: return .any(parts)
    default: return .all(parts)
    }
  }

  /// Every tree of one or two leaves, each of them and the whole negated or not; the comparisons
  /// that negate others stand in negations.
  private static let smallTrees: [SamplePredicate] = {
    let half = leaves(of: [.less, .lessOrEqual, .equal])
    let literals = half.flatMap { [$0, .not($0)] }
    let pairs = literals.flatMap { left in
      literals.flatMap { right in
        [SamplePredicate.all([left, right]), .any([left, right]), .not(.all([left, right]))]
      }
    }
    return leaves.flatMap { [$0, .not($0)] } + pairs
  }()

  /// The bounds of rows of one type and source, as of a chunk.
  private func bounds(of samples: [SlowSample]) -> ChunkBounds {
    var bounds = ChunkBounds(type: samples[0].type, source: samples[0].source)
    let (starts, values) = (samples.map(\.start).sorted(), samples.map(\.value).sorted())
    bounds.starts = starts[0]...starts[starts.count - 1]
    bounds.lastEnd = samples.map(\.lastEnd).reduce(-.infinity, max)
    bounds.values = values[0]...values[values.count - 1]
    bounds.label = Set(samples.map(\.label)).count == 1 ? samples[0].label : nil
    return bounds
  }

  private func check(_ tree: SamplePredicate, on groups: [[SlowSample]]) {
    let window = tree.window()
    for samples in groups {
      let hits = samples.map { $0.meets(tree) }
      let all = [
        bounds(of: samples), ChunkBounds(type: samples[0].type, source: samples[0].source),
      ]
      for bounds in all {
        let outcomes = tree.truthBounds(within: bounds, [:])
        if hits.contains(true), !outcomes.canHold { Issue.record("skipped by \(tree)") }
        if hits.contains(false), !outcomes.canFail { Issue.record("skipped by not \(tree)") }
      }
      for (sample, isHit) in zip(samples, hits) where isHit {
        let range = window.range
        let isInRange = sample.lastEnd >= range.lowerBound && sample.start < range.upperBound
        if window == .never || !isInRange { Issue.record("out of the window of \(tree)") }
      }
    }
  }

  private func groups(using random: inout SplitMix64) -> [[SlowSample]] {
    (0..<6).flatMap { _ in
      let samples = Self.samples(Int.random(in: 1...5, using: &random), using: &random)
      return Dictionary(grouping: samples) { "\($0.type)\($0.source)" }.values
    }
  }

  @Test("skip nothing that matches: every small tree")
  func smallTrees() {
    var random = SplitMix64(seed: 1)
    let groups = groups(using: &random).map { Array($0.prefix(3)) }.prefix(8)
    for tree in Self.smallTrees { check(tree, on: Array(groups)) }
  }

  @Test("skip nothing that matches: random trees", arguments: 0..<400)
  func randomTrees(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let groups = groups(using: &random)
    for _ in 0..<10 { check(Self.tree(4, using: &random), on: groups) }
  }

  @Test("hold for the same samples when merged", arguments: 0..<100)
  func merged(seed: Int) {
    var random = SplitMix64(seed: UInt64(20_000 + seed))
    let samples = Self.samples(40, using: &random)
    for _ in 0..<20 {
      let tree = Self.tree(4, using: &random)
      let merged = tree.merged
      for sample in samples where sample.meets(tree) != sample.meets(merged) {
        Issue.record("\(tree) became \(merged) for \(sample)")
      }
    }
  }

  @Test("say of each fact once what many conditions say of it")
  func mergedConditions() {
    let (one, other) = (UUID(), UUID())
    let parts: [[SamplePredicate]] = [
      (0..<1_000).map { .value(.greater, Double($0 % 700), unit: nil) },
      (0..<1_000).map { .not(.uuid($0 % 2 == 0 ? [one] : [other])) },
      (0..<1_000).map { .uuid($0 % 2 == 0 ? [one] : [one, other]) },
    ]
    #expect(SamplePredicate.all(parts[0]).merged == .value(.greater, 699, unit: nil))
    #expect(SamplePredicate.all(parts[1]).merged == .not(.uuid([one, other])))
    #expect(SamplePredicate.all(parts[2]).merged == .uuid([one]))
    #expect(SamplePredicate.any(parts[2]).merged == .uuid([one, other]))
  }

  @Test("take no longer per sample when there are thousands of conditions on one fact")
  func manyConditions() throws {
    var random = SplitMix64(seed: 5)
    let large = try Self.store(Self.samples(1_000, using: &random))
    let small = try Self.store(Self.samples(20, using: &random))
    let forms: [(Int) -> SamplePredicate] = [
      { _ in .not(.uuid([UUID()])) }, { .value(.notEqual, Double(10 + $0), unit: nil) },
      { .start(.greater, -Double($0)) },
      { .not(.metadata(key: "place", .text(.equal, "no \($0)"))) },
      { .not(.any([.device(.name, "no \($0)"), .device(.model, "no \($0)")])) },
      { .not(.sourceVersion("\($0)")) },
    ]
    func seconds(_ count: Int, _ form: (Int) -> SamplePredicate, _ store: SampleStore) throws
      -> Double
    {
      let query = SampleQuery(
        types: [Self.distance], predicate: .all([.start(.less, 1e9)] + (0..<count).map(form)))
      let tries = try (0..<3).map { _ -> Duration in
        var batches: [RecordColumns] = []
        let time = try ContinuousClock().measure { batches = try store.records(query) }
        #expect(!batches.isEmpty)
        return time
      }
      return (tries.min() ?? .zero) / .seconds(1)
    }
    for (place, form) in forms.enumerated() {
      let parts = try seconds(1, form, large) + seconds(1_000, form, small)
      // One condition after another for each sample takes a hundred times as long.
      #expect(try seconds(1_000, form, large) < 5 * parts + 0.1, "form \(place)")
    }
  }

  private static func store(_ samples: [SlowSample]) throws -> SampleStore {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    for samples in Dictionary(grouping: samples, by: { "\($0.type)\($0.source)" }).values {
      var batch = RecordColumns(type: samples[0].type, source: samples[0].source)
      for sample in samples {
        try batch.append(
          start: sample.start, end: sample.end, value: sample.value, label: sample.label,
          origin: Origin(sourceVersion: sample.version, device: sample.device),
          metadata: sample.metadata)
      }
      try session.add(batch)
    }
    _ = try session.finish()
    return store
  }

  private static func all(of store: SampleStore) throws -> [SlowSample] {
    try [distance, sleep].flatMap { try store.records(of: $0).flatMap(\.slowSamples) }
  }

  @Test("answer as filtering and sorting all samples does", arguments: 0..<40)
  func answers(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(7_000 + seed))
    let store = try Self.store(Self.samples(60, using: &random))
    let samples = try Self.all(of: store)
    for _ in 0..<25 {
      var query = SampleQuery(types: [Self.distance, Self.sleep])
      if Bool.random(using: &random) { query.types.removeLast() }
      query.predicate = Self.tree(3, using: &random)
      query.sort = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        SampleSort(
          SampleSort.Key.allCases.dropLast().randomElement(using: &random) ?? .start,
          isDescending: Bool.random(using: &random))
      }
      if Bool.random(using: &random) { query.limit = Int.random(in: 0...20, using: &random) }
      let found = try store.records(query).flatMap(\.slowSamples)
      #expect(
        found == query.answer(from: samples.filter { query.types.contains($0.type) }), "\(query)")
    }
  }

  @Test("read the same from text")
  func codable() throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<50 {
      var query = SampleQuery(types: [Self.distance], predicate: Self.tree(3, using: &random))
      query.sort = [SampleSort(.value, isDescending: true)]
      let encoder = JSONEncoder()
      let isFinite = (try? encoder.encode(query)) != nil
      guard isFinite else { continue }
      #expect(try JSONDecoder().decode(SampleQuery.self, from: encoder.encode(query)) == query)
    }
    let closure = SamplePredicate.rows(RowTest { _, row in row == 0 })
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(closure) }
  }

  @Test("ask a closure for each row that the rest of the tree leaves")
  func closures() throws {
    var random = SplitMix64(seed: 4)
    let store = try Self.store(Self.samples(60, using: &random))
    let odd = RowTest { batch, row in batch.values[row].truncatingRemainder(dividingBy: 2) == 1 }
    let query = SampleQuery(
      types: [Self.distance], predicate: .all([.rows(odd), .not(.source(named: "Phone"))]))
    let found = try store.records(query).flatMap(\.slowSamples)
    let expected = try Self.all(of: store).filter {
      $0.type == Self.distance && $0.value.truncatingRemainder(dividingBy: 2) == 1
        && $0.source.name != "Phone"
    }
    #expect(found.count == expected.count && !found.isEmpty && found.allSatisfy(expected.contains))
    #expect(odd == odd && odd != RowTest { _, _ in true })
  }

  @Test("compare metadata by their types")
  func typedMetadata() throws {
    var batch = RecordColumns(type: Self.distance, source: Self.sources[0])
    let entries: [Metadata.Entry] = [
      .init(key: "HKWeatherTemperature", value: "68 degF"),
      .init(key: "HKWeatherTemperature", .quantity(25, .of("degC"))),
      .init(key: "since", .date(1_000)), .init(key: "since", .string("1000")),
    ]
    for (place, entry) in entries.enumerated() {
      try batch.append(
        start: Double(place), end: Double(place), value: 1, label: "m", metadata: Metadata([entry]))
    }
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    try session.add(batch)
    _ = try session.finish()
    func starts(_ key: String, _ test: SamplePredicate.MetadataTest) throws -> [Double] {
      let query = SampleQuery(types: [Self.distance], predicate: .metadata(key: key, test))
      return try store.records(query).flatMap(\.starts)
    }
    let celsius = UnitExpression.of("degC")
    #expect(try starts("HKWeatherTemperature", .quantity(.equal, 20, celsius)) == [0])
    #expect(try starts("HKWeatherTemperature", .quantity(.greater, 20, celsius)) == [1])
    #expect(try starts("HKWeatherTemperature", .quantity(.greater, 0, .of("m"))) == [])
    #expect(try starts("HKWeatherTemperature", .number(.greater, 60)) == [0])
    #expect(try starts("since", .date(.lessOrEqual, 1_000)) == [2])
    #expect(try starts("since", .date(.less, 1_000)) == [])
    #expect(try starts("since", .number(.equal, 1_000)) == [3])
  }

  @Test("refuse a unit that no type has")
  func units() throws {
    let store = try SampleStore.temporary()
    let kilogram = UnitExpression.of("kg")
    for types in [[Self.distance], [Self.sleep], [Self.sleep, Self.distance]] {
      let query = SampleQuery(types: types, predicate: .not(.value(.less, 1, unit: kilogram)))
      #expect(throws: QueryError.self) { try store.records(query) }
    }
  }
}

extension UnitExpression {
  fileprivate static func of(_ text: String) -> UnitExpression {
    do { return try UnitExpression(text) } catch { preconditionFailure("\(error)") }
  }
}
