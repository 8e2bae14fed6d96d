import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

/// One entry of `data/merge/vectors.json`, as far as sums of the engine `hk` need it.
struct MergeVector: Decodable, Sendable, CustomTestStringConvertible {
  struct Sample: Decodable, Sendable {
    let source: String
    let start: Double
    let end: Double
    let value: Double
  }

  let id: String
  let priority: [String]
  let samples: [Sample]
  let buckets: [[Double]]
  let expected: [Double?]

  var testDescription: String { id }

  static func published() throws -> [MergeVector] {
    struct Kind: Decodable {
      let engine: String
      let op: String
    }
    let data = try SharedData.contents("data/merge/vectors.json")
    let kinds = try JSONDecoder().decode([Kind].self, from: data)
    let entries = try #require(JSONSerialization.jsonObject(with: data) as? [Any])
    return try zip(kinds, entries).filter {
      $0.0.engine == "hk" && $0.0.op == "cumulative_sum"
    }.map {
      try JSONDecoder().decode(
        MergeVector.self, from: JSONSerialization.data(withJSONObject: $0.1))
    }
  }
}

@Suite("Published vectors of merged sums", .enabled(if: SharedData.isPresent))
struct MergeVectorTests {
  @Test("each interval has the expected sum")
  func sums() throws {
    let steps = try #require(Catalogue.type("HKQuantityTypeIdentifierStepCount"))
    let vectors = try MergeVector.published()
    #expect(vectors.count >= 15)
    for vector in vectors {
      let rows = vector.samples.map {
        SampleColumns.Row(
          source: Source(name: $0.source), start: $0.start, end: $0.end, value: $0.value)
      }
      let order = vector.priority.map { Source(name: $0) }
      let samples = SampleColumns(type: steps, rows: rows)
      let edges = vector.buckets.map { $0[0] } + [try #require(vector.buckets.last)[1]]
      let segments = try samples.merged(by: SourcePriority(order: order))
      for exact in [nil, samples] {
        let table = try segments.statistics(over: Boundaries(edges: edges), exactlyFrom: exact)
        for (index, expected) in vector.expected.enumerated() {
          let sum = table.hasData[index] ? table.sums?[index] : nil
          #expect(sum == expected, "\(vector.id)")
        }
      }
    }
  }
}
