import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import HealthUnits
import Testing
import _HealthTestSupport

/// One entry of `data/merge/vectors.json` whose expectation is one number, or none, an interval.
struct MergeVector: Decodable, Sendable, CustomTestStringConvertible {
  struct Sample: Decodable, Sendable {
    let source: String
    let start: Double
    let end: Double
    let value: Double?
    let modified: Double?
    let exclude: [[Double]]?
    let level: String?
  }

  let id: String
  let engine: String
  let op: String
  let priority: [String]?
  let resultType: String?
  let samples: [Sample]
  let buckets: [[Double]]
  let expected: [Double?]

  enum CodingKeys: String, CodingKey {
    case id, engine, op, priority, samples, buckets, expected
    case resultType = "result_type"
  }

  var testDescription: String { id }

  /// The entries of some operations, whatever the engine.
  static func published(_ operations: Set<String>) throws -> [MergeVector] {
    struct Kind: Decodable {
      let op: String
    }
    let data = try SharedData.contents("data/merge/vectors.json")
    let kinds = try JSONDecoder().decode([Kind].self, from: data)
    let entries = try #require(JSONSerialization.jsonObject(with: data) as? [Any])
    return try zip(kinds, entries).filter { operations.contains($0.0.op) }.map {
      try JSONDecoder().decode(
        MergeVector.self, from: JSONSerialization.data(withJSONObject: $0.1))
    }
  }

  func columns(_ type: SampleType) -> DatedSampleColumns {
    DatedSampleColumns(
      type: type,
      rows: samples.map {
        .init(
          sample: .init(
            source: Source(name: $0.source), start: $0.start, end: $0.end, value: $0.value ?? 0),
          lastModified: $0.modified ?? 0)
      })
  }

  var sessions: [SessionColumns.Row] {
    samples.map { sample in
      SessionColumns.Row(
        source: Source(name: sample.source), start: sample.start, end: sample.end,
        lastModified: sample.modified ?? 0, weight: sample.level == "vigorous" ? 2 : 1,
        excluded: (sample.exclude ?? []).map { $0[0]..<$0[1] })
    }
  }

  var order: SourcePriority { SourcePriority(order: (priority ?? []).map { Source(name: $0) }) }
}

@Suite("Published vectors of merged sums", .enabled(if: SharedData.isPresent))
struct MergeVectorTests {
  let steps = SampleType(.stepCount)

  /// The sums of neighbouring intervals, `nil` where there is no data.
  private func sums(
    _ segments: SegmentColumns, _ buckets: [[Double]], exactlyFrom samples: SampleColumns? = nil
  ) throws -> [Double?] {
    let edges = buckets.map { $0[0] } + [try #require(buckets.last)[1]]
    let table = try segments.statistics(
      over: Boundaries(edges: edges), of: [.sum], exactlyFrom: samples)
    return zip(try #require(table.sums), table.hasData).map { $1 ? $0 : nil }
  }

  @Test("each interval has the expected sum, whatever the engine")
  func sums() throws {
    let vectors = try MergeVector.published(["cumulative_sum", "value_sum"])
    #expect(vectors.count >= 48)
    for vector in vectors {
      let dated = vector.columns(steps)
      let policy = try #require(MergePolicy(rawValue: vector.engine), "\(vector.id)")
      let segments = try dated.samples.merged(
        by: vector.order, policy: policy, lastModified: dated.lastModified)
      for exact in policy.sharesByTime ? [nil, dated.samples] : [nil] {
        var sums = try sums(segments, vector.buckets, exactlyFrom: exact)
        if vector.resultType == "long", exact != nil {
          #expect(policy.truncates(steps))
          sums = sums.map { $0?.rounded(.towardZero) }
        }
        for (sum, expected) in zip(sums, vector.expected) {
          switch (sum, expected) {
          case (let sum?, let expected?):
            let tolerance = exact == nil ? sumTolerance * abs(expected) * 4 : 0
            #expect(
              vector.resultType == "long" && exact == nil
                ? abs(sum - expected) < 1 : abs(sum - expected) <= tolerance, "\(vector.id)")
          default: #expect(sum == expected, "\(vector.id)")
          }
        }
        #expect(sums.count == vector.expected.count)
      }
    }
  }

  @Test("sessions count the time of the top one, without the parts that it excludes")
  func sessions() throws {
    let vectors = try MergeVector.published(["session_duration", "activity_intensity_minutes"])
    #expect(vectors.count >= 22)
    for vector in vectors {
      let segments = SessionColumns(type: steps, rows: vector.sessions).merged(by: vector.order)
      #expect(try sums(segments, vector.buckets) == vector.expected, "\(vector.id)")
      let backwards = SessionColumns(type: steps, rows: vector.sessions.reversed())
      #expect(backwards.merged(by: vector.order) == segments, "\(vector.id)")
    }
  }

  @Test("amounts without a priority list are summed over all apps, where they start")
  func plainSums() throws {
    let water = SampleType(.dietaryWater)
    let vectors = try MergeVector.published(["plain_sum"])
    #expect(!vectors.isEmpty)
    for vector in vectors {
      let dated = vector.columns(water)
      let segments = try dated.samples.merged(by: vector.order, policy: .hc)
      for exact in [nil, dated.samples] {
        #expect(try sums(segments, vector.buckets, exactlyFrom: exact) == vector.expected)
      }
      let start = try #require(dated.samples.starts.first)
      let halves = [[start - 5, start], [start, start + 1], [start + 1, start + 9]]
      #expect(
        try sums(segments, halves, exactlyFrom: dated.samples)
          == [nil, dated.samples.values.reduce(0, +), nil])
    }
  }
}
