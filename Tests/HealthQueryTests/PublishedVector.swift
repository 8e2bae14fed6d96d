import Foundation
import HealthMerge
import HealthSamples
import Testing
import _HealthTestSupport

/// One entry of `data/merge/vectors.json`; an operation has the fields that it needs.
struct PublishedVector: Decodable {
  struct Sample: Decodable {
    let source: String
    let start: Double
    let end: Double
    let value: Double?
    let modified: Double?
    let exclude: [[Double]]?
    let level: String?
  }

  /// A number an interval, none where there is no data; or numbers by their names.
  enum Expected: Decodable {
    case intervals([Double?])
    case named([String: Double])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let intervals = try? container.decode([Double?].self) {
        self = .intervals(intervals)
      } else {
        self = .named(try container.decode([String: Double].self))
      }
    }
  }

  let id: String
  let engine: String
  let op: String
  let timeUnit: String?
  let resultType: String?
  let priority: [String]?
  let samples: [Sample]?
  let buckets: [[Double]]?
  let expected: Expected?
  let zone: String?
  let anchor: String?
  let interval: [String: Int]?
  let range: [String]?
  let expectedHours: [Double]?
  let expectedEdges: [String]?

  /// All entries of the file.
  static func all() throws -> [PublishedVector] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(
      [PublishedVector].self, from: References.contents("merge/vectors.json"))
  }

  var policy: MergePolicy? { MergePolicy(rawValue: engine) }

  var order: SourcePriority { SourcePriority(order: (priority ?? []).map { Source(name: $0) }) }

  /// Seconds of the unit in which times stand.
  private var seconds: Double {
    switch timeUnit {
    case "min": 60
    case "ms": 0.001
    default: 1
    }
  }

  /// The edges of the neighbouring intervals, in seconds.
  func edges() throws -> [Double] {
    let buckets = try #require(buckets)
    return (buckets.map { $0[0] } + [try #require(buckets.last)[1]]).map { $0 * seconds }
  }

  /// What each interval is expected to have.
  func intervals() throws -> [Double?] {
    guard case .intervals(let intervals) = try #require(expected) else {
      return try #require(nil, "\(id) names its numbers")
    }
    return intervals
  }

  /// What is expected by name.
  func named() throws -> [String: Double] {
    guard case .named(let numbers) = try #require(expected) else {
      return try #require(nil, "\(id) names no number")
    }
    return numbers
  }

  /// The samples in seconds, their values times a factor.
  func columns(_ type: SampleType, factor: Double = 1) throws -> DatedSampleColumns {
    DatedSampleColumns(
      type: type,
      rows: try #require(samples).map {
        .init(
          sample: .init(
            source: Source(name: $0.source), start: $0.start * seconds, end: $0.end * seconds,
            value: ($0.value ?? 0) * factor), lastModified: $0.modified ?? 0)
      })
  }

  /// The samples as sessions, in the unit of the file; what is vigorous counts twice.
  func sessions() throws -> [SessionColumns.Row] {
    try #require(samples).map { sample in
      SessionColumns.Row(
        source: Source(name: sample.source), start: sample.start * seconds,
        end: sample.end * seconds, lastModified: sample.modified ?? 0,
        weight: (sample.level == "vigorous" ? 2 : 1) / seconds,
        excluded: (sample.exclude ?? []).map { $0[0] * seconds..<$0[1] * seconds })
    }
  }
}
