package import HealthSamples

/// How much of a sample counts where sources of a cumulative type overlap.
///
/// Discrete types are never merged: all samples of all sources count, whatever the policy. Unless
/// stated otherwise a policy adds up overlaps within one source.
///
/// Under every policy the order of samples does not matter, and an interval depends only on samples
/// that overlap it or overlap such a sample. Cutting an interval in two preserves sums except under
/// ``highest``; merging a single source changes nothing except under ``healthConnect``; merging is
/// idempotent except under ``subtractive``, which may subtract again from a remainder in covered
/// time.
public enum MergePolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// Each moment belongs to the top-ranked source that has a sample open; lower sources count, pro
  /// rata, for the time that no higher one covers.
  case healthKit = "hk"
  /// As Google Health Connect: each moment belongs to the one top-ranked record that is open, by
  /// source, then the later change, start, end and value. Sources that are not listed are ignored.
  case healthConnect = "hc"
  /// A sample counts by how much it exceeds the amount that higher sources counted inside its span.
  case subtractive
  /// A sample that overlaps one that already counts from a higher source is dropped whole.
  case drop
  /// Each interval belongs to the source with the largest sum in it; of equals, to the one with the
  /// higher rank.
  case highest
  /// Every sample counts in full: the raw sum.
  case unmerged = "none"
}

/// The decisions of each policy. Other code calls these and does not compare policies by name.
extension MergePolicy {
  /// How a source's samples become segments below higher-ranking sources.
  enum Masking {
    /// All samples stay whole.
    case nothing
    /// Time covered by higher sources is removed.
    case coveredTime
    /// Amounts counted by higher sources are subtracted.
    case countedAmount
    /// Samples that overlap counted ones are dropped.
    case overlappingSamples
    /// Each moment belongs to one record of all.
    case allButTopRecord
    /// Nothing is removed, and each sample counts at its start instant.
    case nothingAtStarts
  }

  /// How samples of a type are masked.
  func masking(of type: SampleType) -> Masking {
    guard type.style?.isCumulative == true else { return .nothing }
    switch self {
    case .healthKit: return .coveredTime
    case .healthConnect:
      return Catalogue.healthConnectRule(of: type) == .plainSum
        ? .nothingAtStarts : .allButTopRecord
    case .subtractive: return .countedAmount
    case .drop: return .overlappingSamples
    case .highest, .unmerged: return .nothing
    }
  }

  /// Which other samples affect how much of a sample counts.
  package enum Dependence: Sendable {
    /// None.
    case onNothing
    /// Samples of other sources that overlap or touch it.
    case onOtherSources
    /// Any other sample.
    case onAll
  }

  /// Which other samples affect how much of a sample of a type counts.
  package func dependence(of type: SampleType) -> Dependence {
    switch masking(of: type) {
    case .nothing: truncates(type) ? .onAll : .onNothing
    case .coveredTime, .countedAmount, .overlappingSamples: .onOtherSources
    case .allButTopRecord, .nothingAtStarts: .onAll
    }
  }

  /// Whether sources that are not in the order are ignored for a type.
  package func ignoresUnlistedSources(of type: SampleType) -> Bool {
    if case .allButTopRecord = masking(of: type) { true } else { false }
  }

  /// Whether records of one source rank by modification date: the merge then needs these dates.
  package func ranksByChange(samplesOf type: SampleType) -> Bool {
    if case .allButTopRecord = masking(of: type) { true } else { false }
  }

  /// Whether statistics choose one source for each interval by its sum; samples without intervals
  /// cannot be merged then.
  package var choosesSourceOfInterval: Bool { self == .highest }

  /// Whether statistics of a type choose one source for each interval by its sum.
  package func choosesSourceOfInterval(of type: SampleType) -> Bool {
    choosesSourceOfInterval && type.style?.isCumulative == true
  }

  /// Whether sums and means of a type are truncated to whole numbers.
  package func truncates(_ type: SampleType) -> Bool {
    self == .healthConnect && Catalogue.healthConnectRule(of: type) == .wholeNumbers
  }

  /// Whether the last interval ends at the end of the requested period, and each month is counted
  /// from the previous one.
  package var followsHealthConnectIntervals: Bool { self == .healthConnect }

  /// Whether every segment is a share by time of its sample, as exact sums require.
  package var sharesByTime: Bool { self != .subtractive }
}
