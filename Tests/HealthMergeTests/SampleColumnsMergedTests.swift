import HealthMerge
import HealthSamples
import Testing
import _HealthTestSupport

@Suite("Merging sources")
struct SampleColumnsMergedTests {
  let sources = Source.named("A", "B", "C")
  let steps: SampleType

  init() throws {
    steps = try #require(Catalogue.type("HKQuantityTypeIdentifierStepCount"))
  }

  /// The segments that count, as rows; masked instants are left out.
  private func counting(_ segments: SegmentColumns) -> [SampleColumns.Row] {
    segments.sources.indices.flatMap { source in
      segments.rows(ofSource: source).filter { segments.samples[$0] != SegmentColumns.masked }.map {
        SampleColumns.Row(
          source: segments.sources[source], start: segments.starts[$0], end: segments.ends[$0],
          value: segments.values[$0])
      }
    }
  }

  private func merged(
    _ rows: [SampleColumns.Row], policy: MergePolicy = .healthKit
  ) throws -> SegmentColumns {
    try SampleColumns(type: steps, rows: rows)
      .merged(by: SourcePriority(order: sources), policy: policy)
  }

  private func row(_ source: Int, _ start: Double, _ end: Double, _ value: Double)
    -> SampleColumns.Row
  {
    SampleColumns.Row(source: sources[source], start: start, end: end, value: value)
  }

  @Test("a lower source keeps what no higher one covers, pro rata")
  func partiallyCovered() throws {
    let segments = try merged([row(0, 10, 20, 5), row(1, 0, 40, 80)])
    #expect(counting(segments) == [row(0, 10, 20, 5), row(1, 0, 10, 20), row(1, 20, 40, 40)])
    #expect(segments.samples[1] == segments.samples[2])
  }

  @Test("touching spans leave a sample whole, bit for bit")
  func touching() throws {
    let value = 0.1 + 0.2
    let rows = [row(0, 0, 10, 1), row(0, 20, 30, 1), row(1, 10, 20, value)]
    #expect(try counting(merged(rows)) == rows)
  }

  @Test("an instant inside a longer sample of a higher source takes nothing from a lower one")
  func instantAboveSpan() throws {
    let rows = [row(0, 5, 5, 7), row(1, 0, 10, 100)]
    #expect(try counting(merged(rows)) == rows)
  }

  @Test(
    "an instant is masked by a higher source that is open there, ends included",
    arguments: [(0.0, 5.0), (5, 9), (0, 9), (5, 5)])
  func maskedInstant(start: Double, end: Double) throws {
    let segments = try merged([row(0, start, end, 3), row(1, 5, 5, 4), row(2, 5, 5, 6)])
    #expect(counting(segments) == [row(0, start, end, 3)])
    #expect(Array(segments.samples.dropFirst()) == [SegmentColumns.masked, SegmentColumns.masked])
    #expect(Array(segments.values.dropFirst()) == [0, 0])
    #expect(Array(segments.starts.dropFirst()) == [5, 5])
  }

  @Test("overlaps within one source all count")
  func sameSource() throws {
    let rows = [row(0, 0, 10, 1), row(0, 5, 15, 2), row(0, 7, 7, 3)]
    #expect(try counting(merged(rows)) == rows)
  }

  @Test("without a policy every sample counts")
  func unmerged() throws {
    let rows = [row(0, 0, 10, 1), row(1, 5, 15, 2), row(2, 7, 7, 3)]
    #expect(try counting(merged(rows, policy: .unmerged)) == rows)
  }

  @Test("samples of a discrete type are never merged")
  func discrete() throws {
    let mass = try #require(Catalogue.type("HKQuantityTypeIdentifierBodyMass"))
    let rows = [row(0, 0, 10, 1), row(1, 5, 15, 2)]
    let segments = try SampleColumns(type: mass, rows: rows)
      .merged(by: SourcePriority(order: sources))
    #expect(counting(segments) == rows)
  }

  @Test("sources stand in rank order, unlisted ones last by first start, then by name")
  func unlisted() throws {
    let names = Source.named("late", "b", "a", "listed")
    let rows = zip(names, [9.0, 1, 1, 20]).map {
      SampleColumns.Row(source: $0, start: $1, end: $1 + 1, value: 1)
    }
    let samples = SampleColumns(type: steps, rows: rows)
    let priority = SourcePriority(order: [names[3], Source(name: "absent")])
    #expect(try samples.merged(by: priority).sources == [names[3], names[2], names[1], names[0]])
    #expect(priority.ranking(of: samples).unlisted == [names[2], names[1], names[0]])
  }

  @Test("merging is idempotent, ignores the order of input, and leaves a source alone as it is")
  func laws() throws {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<2000 {
      let rows = SampleColumns.Row.random(
        count: Int.random(in: 0...12, using: &generator), sources: sources, using: &generator)
      let segments = try merged(rows)
      #expect(try merged(rows.shuffled(using: &generator)) == segments)
      let once = counting(segments)
      #expect(try Set(counting(merged(once))) == Set(once))
      let alone = rows.filter { $0.source == sources[0] }
      #expect(try merged(alone) == merged(alone, policy: .unmerged))
    }
  }

  @Test("parts of one sample are neighbours, ascend and stay inside it")
  func parts() throws {
    var generator = SplitMix64(seed: 2)
    for _ in 0..<500 {
      let rows = SampleColumns.Row.random(count: 14, sources: sources, using: &generator)
      let segments = try merged(rows)
      let samples = SampleColumns(type: steps, rows: rows)
      for source in segments.sources.indices {
        let index = try #require(samples.sources.firstIndex(of: segments.sources[source]))
        var previous: Int?
        for row in segments.rows(ofSource: source)
        where segments.samples[row] != SegmentColumns.masked {
          let sample = samples.offsets[index] + Int(segments.samples[row])
          #expect(samples.starts[sample] <= segments.starts[row])
          #expect(segments.ends[row] <= samples.ends[sample])
          if let previous, segments.samples[previous] == segments.samples[row] {
            #expect(segments.ends[previous] < segments.starts[row])
          }
          previous = row
        }
      }
    }
  }

  @Test("deep overlaps that fall into countless parts are refused")
  func tooManySegments() throws {
    let spans = (0..<2100).map(Double.init).map { row(0, 2 * $0, 2 * $0 + 1, 1) }
    let deep = (0..<2100).map(Double.init).map { row(1, $0 / 8192, 9000, 1) }
    #expect(throws: MergeError.self) { try merged(spans + deep) }
  }

  @Test("many sources, many samples at one instant and very long samples are merged in one sweep")
  func extremes() throws {
    let many = (0..<2000).map {
      SampleColumns.Row(source: Source(name: "\($0)"), start: 0, end: 6e9, value: 1)
    }
    let segments = try SampleColumns(type: steps, rows: many)
      .merged(by: SourcePriority(order: []))
    #expect(segments.count == 1)
    let instants = (0..<20_000).map { row($0 % 2, 5, 5, Double($0)) }
    #expect(try counting(merged(instants)).count == 10_000)
    let wild = [row(0, -1.7e308, 0, 4), row(1, -1.7e308, 1.7e308, 8)]
    #expect(try counting(merged(wild)).map(\.value) == [4, 4])
  }

  @Test("a date of change that is no number is unknown, so no order of the input matters")
  func unorderedDates() throws {
    var random = SplitMix64(seed: 71)
    for _ in 0..<200 {
      let dates = (0..<5).map { _ in
        [Double.nan, 1, 2, .infinity].randomElement(using: &random) ?? 0
      }
      let starts = (0..<5).map { _ in Double.random(in: 0...3, using: &random).rounded() }
      func segments(_ order: [Int], known: Bool) -> SegmentColumns {
        let rows = order.map { place in
          let date = dates[place]
          return SessionColumns.Row(
            source: sources[0], start: starts[place], end: 5 + Double(place),
            lastModified: known && date.isNaN ? -.infinity : date)
        }
        return SessionColumns(type: steps, rows: rows).merged(by: SourcePriority(order: sources))
      }
      let expected = segments(Array(0..<5), known: true)
      #expect(segments((0..<5).shuffled(using: &random), known: false) == expected)

      let rows = (0..<5).map { row(0, starts[$0], 5 + Double($0), Double($0)) }
      let columns = SampleColumns(type: steps, rows: rows)
      let sorted = dates.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }.map { dates[$0] }
      func merged(_ dates: [Double]) throws -> SegmentColumns {
        try columns.merged(
          by: SourcePriority(order: sources), policy: .healthConnect, lastModified: dates)
      }
      #expect(try merged(sorted) == merged(sorted.map { $0.isNaN ? -.infinity : $0 }))

      let dated = { (order: [Int], known: Bool) in
        DatedSampleColumns(
          type: steps,
          rows: order.map { place in
            let date: Double? = known && dates[place].isNaN ? nil : dates[place]
            return DatedSampleColumns.Row(sample: rows[place], lastModified: date)
          })
      }
      #expect(
        dated((0..<5).shuffled(using: &random), false) == dated(Array(0..<5), true))
    }
  }

  @Test("samples are found again by their numbers, however many a source has")
  func manySamples() {
    var random = SplitMix64(seed: 72)
    let turn = Int(SegmentColumns.masked)
    for _ in 0..<100 {
      var previous = 0
      for _ in 0..<20 {
        let step = [0, 1, 2, turn / 2, turn - 1].randomElement(using: &random) ?? 0
        let index = previous + step
        #expect(
          SegmentColumns.index(
            ofNumber: SegmentColumns.number(ofRow: index), atOrAfter: previous) == index)
        previous = index
      }
    }
  }

  @Test("the segments of a source are parts of the samples at their rows", arguments: 0..<40)
  func sharedRows(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let rows = (0..<60).map { _ in
      let start = Double.random(in: 0...200, using: &random).rounded()
      let length = Double.random(in: 0...20, using: &random).rounded()
      return row(Int.random(in: 0..<3, using: &random), start, start + length, 1)
    }
    let segments = try merged(rows)
    let samples = segments.shared
    for source in segments.sources.indices {
      let found = segments.sharedRows(ofSource: source)
      #expect(found.count == segments.rows(ofSource: source).count)
      for (segment, sample) in zip(segments.rows(ofSource: source), found) {
        #expect((sample == SegmentColumns.noRow) == segments.isMasked(row: segment))
        guard sample != SegmentColumns.noRow else { continue }
        #expect(samples.starts[sample] <= segments.starts[segment])
        #expect(segments.ends[segment] <= samples.ends[sample])
        let place = try #require(samples.sources.firstIndex(of: segments.sources[source]))
        #expect(sample - samples.offsets[place] == segments.sample(ofRow: segment))
      }
    }
  }
}
