public import HealthSamples

/// The ranking of sources, highest first.
///
/// ```swift
/// let priority = SourcePriority(order: [watch, phone])
/// priority.rank(of: phone)  // 1
/// ```
///
/// A source may be missing: it ranks below all listed ones (see ``ranking(of:)``).
public struct SourcePriority: Sendable, Hashable {
  /// The sources from the highest rank down, each once.
  public let order: [Source]
  private let ranks: [Source: Int]

  /// Makes an order; of a source listed twice the first rank counts.
  ///
  /// - Complexity: O(*n*)
  public init(order: [Source]) {
    var ranks: [Source: Int] = [:]
    self.order = order.filter { source in
      guard ranks[source] == nil else { return false }
      ranks[source] = ranks.count
      return true
    }
    self.ranks = ranks
  }

  /// The rank of a source, 0 the highest; `nil` for one that is not listed.
  ///
  /// One of a device has that of its name, if it is not listed itself.
  public func rank(of source: Source) -> Int? {
    ranks[source] ?? (source.hardware.isEmpty ? nil : ranks[source.of(hardware: "")])
  }
}

/// The facts about a source by which ``SourcePriority/standard(for:preferred:)`` ranks it.
public struct SourceFacts: Sendable, Hashable {
  /// The source.
  public let source: Source
  /// The kind of device that recorded its samples.
  public let deviceKind: DeviceKind
  /// The start of its first sample, in seconds since 2001-01-01 UTC.
  public let firstStart: Double

  /// Makes facts.
  public init(source: Source, deviceKind: DeviceKind, firstStart: Double) {
    self.source = source
    self.deviceKind = deviceKind
    self.firstStart = firstStart
  }
}

extension SourcePriority {
  /// The default order: hand-entered samples of every source, then watches, other wearables, phones,
  /// and the rest; within each group the source with the latest first sample comes first, then by name.
  ///
  /// - Parameters:
  ///   - facts: one entry for each source of the type
  ///   - preferred: names of sources that go to the top, highest first, each with all its samples
  ///     (hand-entered ones first), or with "(entered by hand)" after the name only those; a name
  ///     without a source is skipped, see ``unmatched(_:in:)``
  /// - Returns: an order that lists every source of `facts`
  /// - Complexity: O(*n* log *n* + *n* × names)
  public static func standard(
    for facts: [SourceFacts], preferred: [String] = []
  ) -> SourcePriority {
    let usual = facts.sorted { $0.standardKey < $1.standardKey }
    let lifted = preferred.flatMap { name in usual.filter { $0.source.isNamed(name) } }
    return SourcePriority(order: (lifted + usual).map(\.source))
  }

  /// The names among `preferred` that no source has, as given.
  public static func unmatched(_ preferred: [String], in facts: [SourceFacts]) -> [String] {
    preferred.filter { name in !facts.contains { $0.source.isNamed(name) } }
  }

  /// The sources of `samples` from the highest rank down, as indices into their `sources`, and the
  /// sources that are not listed, which rank last by earliest start, then by name.
  ///
  /// Of devices of one rank the later hardware comes first: `Watch7,5` before `Watch6,12`.
  ///
  /// - Complexity: O(*k* log *k*) in the number of sources
  public func ranking(of samples: SampleColumns) -> (order: [Int], unlisted: [Source]) {
    let indices = samples.sources.indices
    let listed = indices.compactMap { index in
      rank(of: samples.sources[index]).map { (rank: $0, index: index) }
    }
    let unlisted = indices.filter { rank(of: samples.sources[$0]) == nil }.sorted {
      samples.unlistedKey(ofSource: $0) < samples.unlistedKey(ofSource: $1)
    }
    let order =
      listed.sorted { left, right in
        guard left.rank == right.rank else { return left.rank < right.rank }
        let (one, other) = (samples.sources[left.index], samples.sources[right.index])
        return other.hardwareNumbers.lexicographicallyPrecedes(one.hardwareNumbers)
          || other.hardwareNumbers == one.hardwareNumbers && left.index < right.index
      }.map(\.index) + unlisted
    return (order, unlisted.map { samples.sources[$0] })
  }
}

extension SourceFacts {
  fileprivate var standardKey: (Int, Int, Double, String) {
    let kind =
      switch deviceKind {
      case .watch: 0
      case .wearable: 1
      case .phone: 2
      case .other: 3
      }
    // All hand-entered samples rank above samples measured by a device.
    return source.isUserEntered
      ? (0, kind, -firstStart, source.matchingName) : (1, kind, -firstStart, source.matchingName)
  }
}

extension Source {
  /// The numbers of the hardware: 7 and 5 of `Watch7,5`.
  fileprivate var hardwareNumbers: [Int] {
    hardware.split { !$0.isWholeNumber }.compactMap { Int($0) }
  }
}

extension SampleColumns {
  fileprivate func unlistedKey(ofSource index: Int) -> (Double, String, Int) {
    let rows = rows(ofSource: index)
    let source = sources[index]
    return (
      rows.isEmpty ? .infinity : starts[rows.lowerBound], source.matchingName,
      source.isUserEntered ? 0 : 1
    )
  }
}
