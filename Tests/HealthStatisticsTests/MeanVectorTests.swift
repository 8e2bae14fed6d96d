import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

@Suite("Published vectors of means by style", .enabled(if: SharedData.isPresent))
struct MeanVectorTests {
  /// One entry of `data/merge/vectors.json`, as far as means need it.
  private struct Vector: Decodable {
    struct Sample: Decodable {
      let start: Double
      let end: Double
      let value: Double
    }
    let id: String
    let timeUnit: String
    let samples: [Sample]
    let buckets: [[Double]]

    enum CodingKeys: String, CodingKey {
      case id, samples, buckets
      case timeUnit = "time_unit"
    }

    var rows: [SampleColumns.Row] {
      samples.map {
        SampleColumns.Row(
          source: Source(name: "A"), start: $0.start * seconds, end: $0.end * seconds,
          value: $0.value)
      }
    }
    var seconds: Double { timeUnit == "min" ? 60 : 1 }
  }

  private func entries(_ operation: String) throws -> [(vector: Vector, expected: Any)] {
    let data = try SharedData.contents("data/merge/vectors.json")
    let entries = try #require(JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    let chosen = entries.filter {
      $0["engine"] as? String == "hk" && $0["op"] as? String == operation
    }
    return try chosen.map { entry in
      let vector = try JSONDecoder().decode(
        Vector.self, from: JSONSerialization.data(withJSONObject: entry))
      return (vector, try #require(entry["expected"]))
    }
  }

  private func means(_ vector: Vector, _ identifier: String) throws -> [Double] {
    let type = try #require(Catalogue.type(identifier))
    let last = try #require(vector.buckets.last)
    let edges = (vector.buckets.map { $0[0] } + [last[1]]).map { $0 * vector.seconds }
    let segments = try SampleColumns(type: type, rows: vector.rows)
      .merged(by: SourcePriority(order: [Source(name: "A")]))
    return try #require(
      try segments.statistics(over: Boundaries(edges: edges), of: [.mean]).means)
  }

  @Test("the trapezoid is the curve of temporally weighted types")
  func weighted() throws {
    let entries = try entries("temporally_weighted_mean")
    #expect(!entries.isEmpty)
    for (vector, expected) in entries {
      let trapezoid = try #require((expected as? [String: Double])?["trapezoid"])
      #expect(
        try means(vector, "HKQuantityTypeIdentifierHeartRate") == [trapezoid], "\(vector.id)")
    }
  }

  @Test("levels agree to the digits that are given")
  func levels() throws {
    let entries = try entries("equivalent_continuous_level")
    #expect(!entries.isEmpty)
    for (vector, expected) in entries {
      let levels = try #require(expected as? [Double])
      let means = try means(vector, "HKQuantityTypeIdentifierEnvironmentalAudioExposure")
      #expect(means.count == levels.count)
      for (mean, level) in zip(means, levels) { #expect(abs(mean - level) < 5e-5, "\(vector.id)") }
    }
  }
}
