/// How much of a sample counts where sources of a cumulative type overlap.
///
/// The rules are those of `spec/statistics.md` §3. Discrete types are never merged: all samples of
/// all sources take part, whatever the policy.
public enum MergePolicy: String, Sendable, Hashable, CaseIterable {
  /// Each moment belongs to the top-ranked source that has a sample open; lower sources count, pro
  /// rata, for the time that no higher one covers. Overlaps within one source add up.
  case hk
  /// Every sample counts in full: the raw sum.
  case none

  /// Whether time that a higher source covers is taken from lower ones.
  var masksLowerSources: Bool {
    switch self {
    case .hk: true
    case .none: false
    }
  }
}
