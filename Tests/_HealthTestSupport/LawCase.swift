import Foundation
public import HealthSamples

/// The samples of one random question about merged sums, for tests that try a law on very many.
///
/// Times are whole steps, in which the slow twins count; ``inTime(_:from:)`` makes instants of them.
public struct LawCase: Sendable {
  /// How the values of samples are drawn.
  public enum Values: CaseIterable, Sendable {
    /// Multiples of 1/8 at or above zero.
    case small
    /// All 53 bits, of both signs, so that sums cancel.
    case full
  }

  /// The sources from the highest rank down.
  public let order: [Source]
  /// Samples whose times count steps.
  public let rows: [SampleColumns.Row]
  /// When each was last changed, with ties.
  public let lastModified: [Double]

  /// Seconds of a step: whole days of every zone are whole numbers of it.
  public static let step = 1800.0
  /// The steps in which samples start.
  public static let times = 0..<24
  /// The longest sample, in steps.
  public static let longest = 12

  /// How many cases a law is tried on: a few, or as many as `HKSTATS_LAW_CASES` says.
  public static let count =
    ProcessInfo.processInfo.environment["HKSTATS_LAW_CASES"].flatMap { Int($0) } ?? 300

  public init(_ values: Values = .small, using generator: inout SplitMix64) {
    let sources = Source.named("A", "B", "C")
    order = sources.shuffled(using: &generator)
    rows = SampleColumns.Row.random(
      count: Int.random(in: 0...12, using: &generator), sources: sources, times: Self.times,
      longest: Self.longest, using: &generator
    ).map { row in
      guard values == .full else { return row }
      var row = row
      row.value = Double(
        sign: Bool.random(using: &generator) ? .plus : .minus,
        exponent: Int.random(in: -4...4, using: &generator),
        significand: Double.random(in: 1..<2, using: &generator))
      return row
    }
    lastModified = rows.map { _ in Double(Int.random(in: 0...2, using: &generator)) }
  }

  /// Rows with instants for times, from the instant of step 0 on.
  public static func inTime(
    _ rows: [SampleColumns.Row], from origin: Double
  ) -> [SampleColumns.Row] {
    rows.map { row in
      var row = row
      row.start = origin + row.start * step
      row.end = origin + row.end * step
      return row
    }
  }

  /// Some ascending steps, at least two, inside and around the times of samples.
  public static func edges(using generator: inout SplitMix64) -> [Double] {
    var edges: Set<Double> = []
    while edges.count < 2 {
      for _ in 0..<Int.random(in: 2...5, using: &generator) {
        edges.insert(Double(Int.random(in: -2...40, using: &generator)))
      }
    }
    return edges.sorted()
  }
}
