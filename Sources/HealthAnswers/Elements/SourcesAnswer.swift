import HealthMerge
public import HealthQuery
public import HealthSamples
public import HealthStore

/// Who measured, and for one type whose measurement counts.
public struct SourcesAnswer: Sendable, Hashable {
  /// A source with its data.
  public struct Row: Sendable, Hashable {
    /// The source.
    public let source: Source
    /// The kind of the device that recorded most of its samples.
    public let deviceKind: DeviceKind
    /// The most frequent device description of its samples; it may be empty.
    public let device: String
    /// Of how many types it has samples.
    public let typeCount: Int
    /// The number of its samples.
    public let count: Int
    /// Its samples as a share of those of all rows.
    public let share: Double
    /// The start of its first sample, in seconds since 2001-01-01 UTC.
    public let firstStart: Double
    /// The latest end of a sample.
    public let lastEnd: Double
    /// Its place in the order that is set for the type, from 1; `nil` where none is, or it is not listed.
    public let preference: Int?

    /// The kind of its device in words, or that a person entered its samples.
    package var kind: String { source.isUserEntered ? "by hand" : deviceKind.rawValue }
    /// The short name of its device; `nil` where the description has none.
    package var deviceName: String? { Device.shortName(in: device) }
  }

  /// Of one type the highest rank first, else the source with the most samples first.
  public let rows: [Row]
  /// Whether the rows are those of one type, in the order of their ranks.
  public let isRanked: Bool
  /// The names in the order that is set which no source of the type has.
  public let unmatchedNames: [String]

  /// Makes the rows of sources that are in order, each with its data of one or several types.
  fileprivate init(
    _ groups: [[SourceSummary]], isRanked: Bool, preferred: [String] = [],
    unmatched: [String] = []
  ) {
    (self.isRanked, unmatchedNames) = (isRanked, unmatched)
    let total = max(1, groups.joined().sampleCount)
    rows = groups.compactMap { group in
      guard let largest = group.max(by: { $0.count < $1.count }),
        let firstStart = group.map(\.firstStart).min(), let lastEnd = group.map(\.lastEnd).max()
      else { return nil }
      let count = group.sampleCount
      return Row(
        source: largest.source, deviceKind: largest.deviceKind, device: largest.device,
        typeCount: group.count, count: count, share: Double(count) / Double(total),
        firstStart: firstStart, lastEnd: lastEnd,
        preference: preferred.firstIndex { largest.source.isNamed($0) }.map { $0 + 1 })
    }
  }
}

extension SampleStore {
  /// The sources of one type with their ranks, or those of several types, or of all that are stored.
  ///
  /// - Parameter types: the types; all when empty
  /// - Returns: a row for each source
  /// - Throws: `QueryError` when the store cannot be read
  /// - Complexity: O(types × sources); no sample is read
  public func sourcesAnswer(
    of types: [SampleType] = []
  ) throws(QueryError) -> SourcesAnswer {
    try oneState { () throws(QueryError) in
      if types.count == 1 { return try rankedSources(of: types[0]) }
      let identifiers = Set(types.map(\.identifier))
      let known = try stored { () throws(StoreError) in try sources(of: nil) }
        .filter { identifiers.isEmpty || identifiers.contains($0.type.identifier) }
      let groups = Dictionary(grouping: known, by: \.source).values.map {
        (summaries: $0, count: $0.sampleCount)
      }
      let sorted = groups.sorted { left, right in
        guard left.count == right.count else { return left.count > right.count }
        return left.summaries[0].source < right.summaries[0].source
      }
      return SourcesAnswer(sorted.map(\.summaries), isRanked: false)
    }
  }

  private func rankedSources(of type: SampleType) throws(QueryError) -> SourcesAnswer {
    let known = try stored { () throws(StoreError) in try sources(of: type) }
    let (facts, preferred) = try order(of: type)
    let bySource = Dictionary(grouping: known, by: \.source)
    let priority = SourcePriority.standard(for: facts, preferred: preferred)
    return SourcesAnswer(
      priority.order.compactMap { bySource[$0] }, isRanked: true, preferred: preferred,
      unmatched: SourcePriority.unmatched(preferred, in: facts))
  }
}

extension Device {
  /// The hardware version of a description, else the model, else the name; `nil` without any.
  package static func shortName(in description: String) -> String? {
    let fields = fields(in: description)
    for field in [Field.hardwareVersion, .model, .name] {
      let value = fields.first { $0.field == field }?.value ?? ""
      if !value.isEmpty { return value }
    }
    return nil
  }
}

extension Sequence<SourceSummary> {
  /// The number of samples.
  fileprivate var sampleCount: Int { map(\.count).saturatedSum }
}

extension [Int] {
  /// The sum of numbers of samples; the greatest number for more than that.
  var saturatedSum: Int {
    reduce(0) { sum, count in
      let (more, isTooLarge) = sum.addingReportingOverflow(count)
      return isTooLarge ? .max : more
    }
  }
}
